/* tests/environment.h — variables of the environment, which Windows sets in its own way. */
#ifndef TESTS_ENVIRONMENT_H
#define TESTS_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* NULL takes it away. */
static inline bool environment_set(const char *name, const char *value)
{
#ifdef _WIN32
    return _putenv_s(name, value != NULL ? value : "") == 0;
#else
    return (value != NULL ? setenv(name, value, 1) : unsetenv(name)) == 0;
#endif
}

#endif
