/* What is over keeps nothing, and what memory lacks for is not waited for. The linker puts the
 * clock, the end of tokenizers and realloc aside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "app/actions/step.h"
#include "app/learn/learn_internal.h"
#include "model/tokenizer.h"
#include "with_model.h"

static atomic_bool slices_are_over, lacks_room;
static atomic_size_t ended;
static const void *_Atomic grows;

double __real_system_seconds(void);
double __wrap_system_seconds(void);

/* Each slice of a computation is over when it has begun. */
double __wrap_system_seconds(void)
{
    static atomic_size_t asked;
    return __real_system_seconds() +
           (atomic_load(&slices_are_over) ? (double)atomic_fetch_add(&asked, 1) : 0);
}

void __real_tokenizer_close(struct tokenizer *tokenizer);
void __wrap_tokenizer_close(struct tokenizer *tokenizer);

void __wrap_tokenizer_close(struct tokenizer *tokenizer)
{
    atomic_fetch_add(&ended, tokenizer != NULL);
    __real_tokenizer_close(tokenizer);
}

void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_realloc(void *memory, size_t size)
{
    return atomic_load(&lacks_room) && memory == atomic_load(&grows) ? NULL
                                                                     : __real_realloc(memory, size);
}

static void rest(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* Its layers and heads are being filled in when another file is opened. */
static void a_model_that_another_replaces_is_freed(void **state)
{
    (void)state;
    char path[2048];
    struct hands *const hands = hands_open("cats", 1440, 900);
    snprintf(path, sizeof path, "%s/pair.npz", getenv("DUMPS"));
    hands->state->host |= APP_HOST_IS_SLOW;
    hands_drop(hands, getenv("TINY_MODEL"));
    while (hands->state->document.experiment.layers == 0) {
        hands_step(hands);
        rest();
    }
    atomic_store(&slices_are_over, true);
    for (int i = 0; i < 50; i++) {
        hands_step(hands);
        rest();
    }
    assert_int_equal(lab_thumbnails_ready(head_overview_of(hands)->thumbnails), 1);
    atomic_store(&slices_are_over, false);
    assert_int_equal(atomic_load(&ended), 0);
    hands_drop(hands, path);
    hands_show_settled(hands);
    hands_frame(hands);
    assert_int_equal(atomic_load(&ended), 1);
    hands_close(hands);
    assert_int_equal(atomic_load(&ended), 1);
}

/* Where words stand at new steps of a training needs room that there is not. */
static void places_of_words_that_memory_lacks_for_are_not_waited_for(void **state)
{
    (void)state;
    struct hands *const hands = hands_open("cats", 1440, 900);
    assert_true(app_learn_start(hands->state, SIZE_MAX, false, hands->input.time));
    hands_show_settled(hands);
    const struct app_learn *const learn = hands->state->learn;
    const size_t before = learn->planes;
    assert_true(before > 0 && before == learn->view->keyframe_count);
    atomic_store(&grows, learn->plane);
    atomic_store(&lacks_room, true);
    const struct view_action seek = {.kind = VIEW_ACTION_LEARN,
                                     .learn = {.act = VIEW_LEARN_SEEK, .which = 60}};
    app_state_apply(hands->state, &seek, hands->input.time);
    for (int i = 0; i < 3000 && app_waits(hands->state); i++) {
        hands_step(hands);
        rest();
    }
    assert_true(learn->view->keyframe_count > before + 1);
    assert_false(app_waits(hands->state));
    atomic_store(&lacks_room, false);
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_that_another_replaces_is_freed),
        cmocka_unit_test(places_of_words_that_memory_lacks_for_are_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
