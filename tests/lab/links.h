/* tests/lab/links.h — the numbers of a formula as links: a click on one leads to the stage and the
 * selection that show it. */
#ifndef TESTS_LAB_LINKS_H
#define TESTS_LAB_LINKS_H

#include "bench.h"
#include "lab/explain/cell.h"

enum { LINKS_MAX = 2000, LINK_TERMS = 99 };

struct links {
    struct lab_cell cell[LINKS_MAX];
    size_t count;
};

static inline bool links_hold(const struct links *links, enum lab_part part, size_t head,
                              size_t row, size_t column)
{
    bool found = false;
    for (size_t l = 0; l < links->count; l++) {
        const struct lab_cell *const cell = &links->cell[l];
        found = found || (cell->part == part && cell->head == head && cell->row == row &&
                          cell->column == column);
    }
    return found;
}

/* Adds the links of a formula that are not among them yet, and returns how many there are. */
static inline size_t add_links(struct links *links, const struct lab_explanation *said)
{
    for (size_t p = 0; p < said->pieces; p++) {
        const struct lab_piece *const piece = &said->piece[p];
        if (piece->has_cell && piece->role != LAB_ROLE_RESULT &&
            !links_hold(links, piece->part, piece->head, piece->row, piece->column)) {
            assert_true(links->count < LINKS_MAX);
            links->cell[links->count++] =
                (struct lab_cell){piece->part, piece->head, piece->row, piece->column};
        }
    }
    return links->count;
}

/* Finds the links of the selected number. */
static inline struct links links_of(const struct lab_trace *trace, enum lab_stage stage,
                                    const struct lab_selection *at)
{
    struct links links = {.count = 0};
    struct arena arena = {0};
    const struct lab_explanation said = lab_explain(trace, stage, at, LINK_TERMS, &arena);
    add_links(&links, &said);
    arena_free(&arena);
    return links;
}

/* Finds all numbers that a person can reach by one click after another. Weights are ends. */
static inline void follow_links(const struct lab_trace *trace, enum lab_stage stage,
                                const struct lab_selection *at, struct links *all)
{
    struct lab_selection from = *at;
    all->count = 0;
    size_t next = 0;
    for (bool more = true; more; next++) {
        struct arena arena = {0};
        const struct lab_explanation said = lab_explain(trace, stage, &from, LINK_TERMS, &arena);
        add_links(all, &said);
        arena_free(&arena);
        while (next < all->count &&
               lab_trace_graph(trace)->node[all->cell[next].part].operation == LAB_GIVEN) {
            next++;
        }
        more = next < all->count;
        from = *at;
        if (more) {
            lab_cell_select(trace, &all->cell[next], &stage, &from);
        }
    }
}

#endif
