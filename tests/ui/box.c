/* tests/ui/box.c — boxes at thousands of sizes: no two lie over each other, none leaves its area,
 * what shares a track is aligned, more room never costs a thing, and frames need no memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../rounds.h"
#include "ui/box.h"

/* The first gives way first. */
enum {
    HINT = 1,
    TITLE_APART,
    TITLE_BESIDE,
    LARGE_NAMES,
    DECIMALS,
    OPERAND_NUMBERS,
    OPERAND_ROWS,
    RESULT_NUMBERS,
    RESULT_ROWS,
    GIVES = RESULT_ROWS
};

static const float NEAR = 0.02f; /* as good as equal */
static const float LETTERS = 13, LETTERS_SMALL = 9;

/* Names of lines: how wide the widest is, and the cells that they stand beside or above. */
struct names {
    float em;
    const struct box *cells;
};

static struct box_range width_beside(const struct box_tree *tree, const struct box *box,
                                     enum box_axis axis)
{
    const struct names *const names = box->user;
    const float wide = names->em * LETTERS, narrow = names->em * LETTERS_SMALL;
    return axis == BOX_DOWN
               ? (struct box_range){0}
               : (struct box_range){box_gave(tree, LARGE_NAMES) ? narrow : wide, wide, wide};
}

/* Names that are wider than their columns are turned. */
static struct box_range height_above(const struct box_tree *tree, const struct box *box,
                                     enum box_axis axis)
{
    const struct names *const names = box->user;
    const float size = box_gave(tree, LARGE_NAMES) ? LETTERS_SMALL : LETTERS;
    const float high = names->em * size <= names->cells->cell.x ? size : names->em * size;
    return axis == BOX_ACROSS ? (struct box_range){0} : (struct box_range){high, high, high};
}

enum { LEAVES = 7 };

/* A product: two factors, their result, names and titles, below a hint. */
struct product {
    struct box_tree tree;
    struct names beside, above;
    struct box *root, *left, *upper, *result;
    const struct box *leaf[LEAVES];
};

static struct box *add_cells(struct product *product, size_t rows, size_t columns, uint8_t numbers,
                             uint8_t numbered_rows, struct box box)
{
    box.kind = BOX_CELLS;
    box.cells = (struct box_cells){.rows = rows,
                                   .columns = columns,
                                   .wide = {4, 66, 66},
                                   .high = {4, 44, 44},
                                   .bare_high = {6, 12, 12},
                                   .need_wide = {{DECIMALS, 44}, {numbers, 36}},
                                   .need_high = {{numbered_rows, 15}}};
    return box_add(&product->tree, &box);
}

static const struct box *add_leaf(struct product *product, float wide, float high, struct box box)
{
    box.kind = BOX_LEAF;
    box.wide = (struct box_range){wide, wide, wide};
    box.high = (struct box_range){high, high, high};
    return box_add(&product->tree, &box);
}

static void add_grid(struct product *product, size_t rows, size_t inner)
{
    struct box_tree *const tree = &product->tree;
    box_open(tree, &(struct box){.kind = BOX_GRID, .across = BOX_CENTRE, .weight = 1});
    product->left = add_cells(product, rows, inner, OPERAND_NUMBERS, OPERAND_ROWS,
                              (struct box){.column = 1, .row = 3});
    product->upper = add_cells(product, inner, rows, OPERAND_NUMBERS, OPERAND_ROWS,
                               (struct box){.column = 3, .row = 1});
    product->result = add_cells(product, rows, rows, RESULT_NUMBERS, RESULT_ROWS,
                                (struct box){.column = 3, .row = 3});
    product->beside.cells = product->left;
    product->above.cells = product->upper;
    product->leaf[0] = box_add(tree, &(struct box){.kind = BOX_LEAF,
                                                   .row = 3,
                                                   .right = 10,
                                                   .eager = true,
                                                   .measure = width_beside,
                                                   .user = &product->beside});
    product->leaf[1] = box_add(tree, &(struct box){.kind = BOX_LEAF,
                                                   .column = 3,
                                                   .bottom = 9,
                                                   .measure = height_above,
                                                   .user = &product->above});
    box_add(
        tree,
        &(struct box){
            .kind = BOX_LEAF, .column = 2, .row = 2, .wide = {16, 48, 48}, .high = {16, 58, 58}});
    product->leaf[2] =
        add_leaf(product, 60, 44,
                 (struct box){.until = TITLE_APART, .columns = 3, .row = 2, .down = BOX_END});
    product->leaf[3] =
        add_leaf(product, 200, 20, (struct box){.from = TITLE_APART, .columns = 3, .row = 2});
    product->leaf[4] = add_leaf(
        product, 60, 44,
        (struct box){.until = TITLE_BESIDE, .column = 4, .row = 3, .left = 11, .down = BOX_CENTRE});
    product->leaf[5] =
        add_leaf(product, 50, 20,
                 (struct box){.from = TITLE_BESIDE, .column = 3, .row = 2, .down = BOX_END});
    box_close(tree);
}

static bool lay_out(struct product *product, struct arena *arena, size_t rows, size_t inner,
                    struct rect area)
{
    *product = (struct product){.tree = {.arena = arena, .gives = GIVES},
                                .beside = {.em = 2 + 0.5f * (float)rows},
                                .above = {.em = 2 + 0.3f * (float)rows}};
    product->root = box_open(&product->tree, &(struct box){.kind = BOX_COLUMN, .gap = {4, 10, 10}});
    product->leaf[6] = add_leaf(product, 100, 30, (struct box){.until = HINT});
    add_grid(product, rows, inner);
    box_close(&product->tree);
    return box_fit(&product->tree, product->root, area);
}

static bool is_inside(struct rect all, struct rect part)
{
    return part.x >= all.x - NEAR && part.x + part.w <= all.x + all.w + NEAR &&
           part.y >= all.y - NEAR && part.y + part.h <= all.y + all.h + NEAR;
}

static bool are_apart(struct rect a, struct rect b)
{
    return a.x + a.w <= b.x + NEAR || b.x + b.w <= a.x + NEAR || a.y + a.h <= b.y + NEAR ||
           b.y + b.h <= a.y + NEAR;
}

static bool has_its_least(const struct box *box)
{
    return box->at.w >= box->need[BOX_ACROSS].min - box->left - box->right - NEAR &&
           box->at.h >= box->need[BOX_DOWN].min - box->top - box->bottom - NEAR;
}

/* Each box inside the area, as large as it needs to be, and over no other. */
static void expect_apart(const struct product *product, struct rect area)
{
    const struct box *boxes[LEAVES + 3] = {product->left, product->upper, product->result};
    for (size_t i = 0; i < LEAVES; i++) {
        boxes[3 + i] = product->leaf[i];
    }
    for (size_t i = 0; i < LEAVES + 3; i++) {
        assert_true(!boxes[i]->there || (is_inside(area, boxes[i]->at) && has_its_least(boxes[i])));
        for (size_t j = i + 1; j < LEAVES + 3; j++) {
            if (boxes[i]->there && boxes[j]->there && !are_apart(boxes[i]->at, boxes[j]->at)) {
                fail_msg("%g × %g: box %zu lies over box %zu", (double)area.w, (double)area.h, i,
                         j);
            }
        }
    }
}

static void expect_aligned(const struct product *product)
{
    const struct box *const left = product->left, *const upper = product->upper,
                            *const result = product->result;
    assert_float_equal(upper->at.x, result->at.x, NEAR);
    assert_float_equal(upper->cell.x, result->cell.x, NEAR);
    assert_float_equal(left->at.y, result->at.y, NEAR);
    assert_float_equal(left->cell.y, result->cell.y, NEAR);
}

static bool is_given(const struct product *product, unsigned what)
{
    return box_gave(&product->tree, what);
}

/* Until its numbers are given up every cell has room for them. */
static void expect_numbers(const struct product *product)
{
    const struct box *const result = product->result;
    assert_true(is_given(product, RESULT_NUMBERS) ||
                result->cell.x >= (is_given(product, DECIMALS) ? 36 : 44) - NEAR);
    assert_true(is_given(product, RESULT_ROWS) || result->cell.y >= 15 - NEAR);
    assert_true(is_given(product, OPERAND_NUMBERS) || product->left->cell.x >= 36 - NEAR);
    assert_true(!is_given(product, OPERAND_ROWS) || product->upper->cell.y >= 6 - NEAR);
}

static const float widest = 1200, highest = 900, step_wide = 37, step_high = 23;

static void boxes_keep_apart_and_aligned_at_every_size(void **state)
{
    (void)state;
    struct arena arena = {0};
    size_t fitting = 0;
    for (size_t rows = 1; rows <= 10; rows += test_stride()) {
        for (float wide = 160; wide <= widest; wide += step_wide) {
            for (float high = 140; high <= highest; high += step_high) {
                struct product product;
                const struct rect area = {10, 20, wide, high};
                arena_reset(&arena);
                if (lay_out(&product, &arena, rows, 3, area)) {
                    fitting++;
                    expect_apart(&product, area);
                    expect_aligned(&product);
                    expect_numbers(&product);
                }
            }
        }
    }
    assert_true(fitting > 5000 / test_stride());
    arena_free(&arena);
}

/* The later of two things in the list counts more than all before it. */
static void more_room_never_costs_a_thing(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct product product;
    for (size_t rows = 2; rows <= 10; rows += test_stride()) {
        for (float fixed = 150; fixed <= highest; fixed += step_wide) {
            uint32_t before[2] = {UINT32_MAX, UINT32_MAX};
            for (float growing = 140; growing <= widest; growing += step_high) {
                const struct rect areas[2] = {{0, 0, fixed, growing}, {0, 0, growing, fixed}};
                for (size_t a = 0; a < 2; a++) {
                    arena_reset(&arena);
                    const bool fits = lay_out(&product, &arena, rows, 3, areas[a]);
                    assert_true(product.tree.given <= before[a] || !fits);
                    before[a] = fits ? product.tree.given : before[a];
                }
            }
        }
    }
    arena_free(&arena);
}

static void with_room_for_all_nothing_gives_way(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct product product;
    assert_true(lay_out(&product, &arena, 4, 3, (struct rect){0, 0, 1200, 900}));
    assert_int_equal(product.tree.given, 0);
    assert_int_equal(product.tree.passes, 1);
    assert_float_equal(product.result->cell.x, 66, NEAR);
    assert_float_equal(product.result->cell.y, 44, NEAR);
    arena_free(&arena);
}

/* Too little room even for what cannot be given up: everything is squeezed, in proportion. */
static void what_cannot_fit_says_so(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct product product;
    const struct rect area = {0, 0, 60, 30};
    assert_false(lay_out(&product, &arena, 10, 8, area));
    assert_false(product.tree.fits);
    assert_true(product.root->at.w <= area.w + NEAR);
    arena_free(&arena);
}

/* What is left goes to what has a weight; equal ranges stay equal; one may be aligned. */
static void a_row_shares_what_is_left(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct box_tree tree = {.arena = &arena};
    struct box *const row = box_open(&tree, &(struct box){.kind = BOX_ROW, .gap = {10, 10, 10}});
    const struct box one = {.kind = BOX_LEAF, .wide = {20, 40, 40}, .high = {10, 10, 10}};
    struct box heavy = one;
    heavy.weight = 1;
    heavy.wide.max = 1000;
    heavy.down = BOX_END;
    const struct box *const a = box_add(&tree, &one), *const b = box_add(&tree, &one),
                            *const c = box_add(&tree, &heavy);
    box_close(&tree);
    assert_true(box_fit(&tree, row, (struct rect){0, 0, 110, 50}));
    assert_float_equal(a->at.w, 30, NEAR);
    assert_float_equal(b->at.x, 40, NEAR);
    assert_float_equal(c->at.w, 30, NEAR);
    assert_true(box_fit(&tree, row, (struct rect){0, 0, 400, 50}));
    assert_float_equal(a->at.w, 40, NEAR);
    assert_float_equal(c->at.w, 300, NEAR);
    assert_float_equal(c->at.y, 40, NEAR);
    assert_float_equal(a->at.h, 50, NEAR);
    arena_free(&arena);
}

static void warm_frames_ask_for_no_memory(void **state)
{
    (void)state;
    enum { FRAMES = 5000 };
    static const struct rect areas[] = {{0, 0, 900, 700}, {0, 0, 492, 310}, {0, 0, 300, 260}};
    struct arena arena = {0};
    struct product product;
    lay_out(&product, &arena, 10, 8, areas[0]);
    const struct arena_block *const last = arena.current;
    for (size_t f = 0; f < test_rounds(FRAMES); f++) {
        arena_reset(&arena);
        lay_out(&product, &arena, 10, 8, areas[f % 3]);
        assert_ptr_equal(arena.current, last);
    }
    assert_false(arena.lacking);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_keep_apart_and_aligned_at_every_size),
        cmocka_unit_test(more_room_never_costs_a_thing),
        cmocka_unit_test(with_room_for_all_nothing_gives_way),
        cmocka_unit_test(what_cannot_fit_says_so),
        cmocka_unit_test(a_row_shares_what_is_left),
        cmocka_unit_test(warm_frames_ask_for_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
