/* Any number of heads: their pictures are squares inside the panel, each at a place of its own that
 * the pointer finds again, and as large as the panel lets them be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "view/overview/head_grid.h"

static bool weights(void *owner, size_t layer, size_t head, float *out)
{
    (void)owner;
    (void)layer;
    (void)head;
    out[0] = 1;
    return true;
}

struct shown {
    struct view_state state;
    struct view_head_overview overview;
    struct view view;
};

static struct head_grid grid_of(struct shown *shown, size_t layers, size_t heads, float wide,
                                float high)
{
    static const char *const words[] = {"a"};
    struct error error = {ERROR_NONE, 0, ""};
    const struct lab_thumbnails_source source = {.layers = layers,
                                                 .heads = heads,
                                                 .n = 1,
                                                 .m = 1,
                                                 .queries = words,
                                                 .keys = words,
                                                 .weights = weights};
    shown->overview.thumbnails = lab_thumbnails_make(&source, &error);
    assert_string_equal(error.text, "");
    shown->state.head_overview = &shown->overview;
    shown->view.state = &shown->state;
    return head_grid_find(&shown->view, (struct rect){10, 20, wide, high});
}

static void check_places(const struct head_grid *grid, float wide, float high)
{
    for (size_t at = 0; at < grid->layers * grid->heads; at++) {
        const struct rect cell = head_grid_cell(grid, at);
        size_t row = 0, column = 0;
        assert_true(cell.w > 0 && !(cell.w < cell.h) && !(cell.w > cell.h));
        assert_true(cell.x >= 10 && cell.x + cell.w <= 10 + wide + 2);
        assert_true(cell.y >= 20 && (grid->content > grid->area.h || cell.y + cell.h <= 20 + high));
        head_grid_spot(grid, at, &row, &column);
        assert_int_equal(head_grid_at(grid, row, column), at);
        assert_int_equal(head_grid_pointed(grid, cell.x + cell.w / 2, cell.y + cell.h / 2), at);
    }
}

static void pictures_are_squares_that_use_the_panel(void **state)
{
    static const struct {
        size_t layers, heads;
        float least; /* of the panel's area that the pictures with their gaps take */
    } models[] = {{12, 12, 0.6f}, {30, 9, 0.6f}, {1, 32, 0.6f}, {80, 64, 0.5f},
                  {2, 32, 0.6f},  {96, 1, 0.5f}, {7, 5, 0.4f}};
    static const float sizes[][2] = {{600, 560}, {380, 330}, {900, 600}, {1200, 1000}};
    (void)state;
    for (size_t m = 0; m < sizeof models / sizeof models[0]; m++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            static struct shown shown;
            const float wide = sizes[s][0], high = sizes[s][1];
            const struct head_grid grid =
                grid_of(&shown, models[m].layers, models[m].heads, wide, high);
            const float used = grid.pitch * grid.down * (float)(models[m].layers * models[m].heads);
            check_places(&grid, wide, high);
            assert_true(wide < 600 || !(grid.content > grid.area.h)); /* none must be scrolled to */
            if (s == 0 && used < models[m].least * wide * high) {
                fail_msg("%zu x %zu heads take %.2f of the panel", models[m].layers,
                         models[m].heads, (double)(used / wide / high));
            }
            lab_thumbnails_release(shown.overview.thumbnails);
        }
    }
}

static void between_and_behind_pictures_is_none(void **state)
{
    static struct shown shown;
    (void)state;
    const struct head_grid grid = grid_of(&shown, 30, 9, 600, 560);
    assert_true(grid.blocks > 1);
    const struct rect end = head_grid_cell(&grid, 8), next = head_grid_cell(&grid, 15 * 9);
    assert_true(next.x > end.x + end.w); /* L15 stands beside L0 */
    assert_int_equal(head_grid_pointed(&grid, (end.x + end.w + next.x) / 2 + 4, end.y + 2),
                     SIZE_MAX);
    assert_int_equal(head_grid_pointed(&grid, 2000, end.y + 2), SIZE_MAX);
    assert_int_equal(head_grid_pointed(&grid, end.x, 3000), SIZE_MAX);
    lab_thumbnails_release(shown.overview.thumbnails);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_are_squares_that_use_the_panel),
        cmocka_unit_test(between_and_behind_pictures_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
