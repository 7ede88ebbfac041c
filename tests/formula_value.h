/* tests/formula_value.h — what the formula of an explanation comes to, read as a person reads it.
 */
#ifndef TESTS_FORMULA_VALUE_H
#define TESTS_FORMULA_VALUE_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Takes a word at the start of a text, after spaces. */
static inline bool formula_took(const char **at, const char *word)
{
    while (**at == ' ') {
        (*at)++;
    }
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0) {
        return false;
    }
    *at += length;
    return true;
}

static inline double formula_sum(const char **at);

static inline double formula_value(const char **at)
{
    if (formula_took(at, "−")) {
        return -formula_value(at);
    }
    if (formula_took(at, "√")) {
        return sqrt(formula_value(at));
    }
    if (formula_took(at, "cos")) {
        return cos(formula_value(at));
    }
    if (formula_took(at, "sin")) {
        return sin(formula_value(at));
    }
    if (formula_took(at, "exp")) {
        return exp(formula_value(at));
    }
    if (formula_took(at, "tanh")) {
        return tanh(formula_value(at));
    }
    if (formula_took(at, "∞")) {
        return INFINITY;
    }
    if (formula_took(at, "log")) {
        return log(formula_value(at));
    }
    if (formula_took(at, "ε")) {
        return 1e-8;
    }
    if (formula_took(at, "(")) {
        const double value = formula_sum(at);
        if (!formula_took(at, ")")) {
            fail_msg("a bracket stays open before %s", *at);
        }
        return value;
    }
    char *end = NULL;
    const double value = strtod(*at, &end);
    if (end == *at) {
        fail_msg("no number: %s", *at);
    }
    *at = end;
    return value;
}

static inline double formula_product(const char **at)
{
    double value = formula_value(at);
    for (;;) {
        if (formula_took(at, "·")) {
            value *= formula_value(at);
        } else if (formula_took(at, "÷")) {
            value /= formula_value(at);
        } else {
            return value;
        }
    }
}

static inline double formula_sum(const char **at)
{
    double value = formula_product(at);
    for (;;) {
        if (formula_took(at, "+")) {
            value += formula_product(at);
        } else if (formula_took(at, "−")) {
            value -= formula_product(at);
        } else {
            return value;
        }
    }
}

#endif
