/* Figures as papers and slides take them: every name is there or the figure says how many are not,
 * nothing is cut, too small to be read, over something else or at the edge. Judged from the list of
 * what is drawn. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/actions/step.h"
#include "app/draw/figure.h"
#include "app/draw/frame.h"
#include "base/text.h"
#include "base/translate.h"
#include "canvas/draw/canvas.h"
#include "desk.h"

enum { WORDS_MAX = 300, SHORT = 64 };

static const float SIZE_MIN = 5 - 0.02f; /* points */
static const float SLIDE =
    8 - 0.02f;               /* points of letters on a slide, where few words need none smaller */
static const float EDGE = 1; /* points that stay free at the edge */

static const struct kind {
    const char *name, *view;
    enum lab_stage stage;
    size_t heads;
    bool lines, flow, causal;
    size_t names; /* how often each name stands there at least; 0: nowhere, or not all */
} kinds[] = {
    {"weights", "matrix", LAB_SOFTMAX, 1, false, false, true, 2},
    {"scores", "matrix", LAB_SCORE, 1, false, false, false, 2},
    {"output", "matrix", LAB_OUTPUT, 1, false, false, false, 1},
    {"head", "head", LAB_SOFTMAX, 1, false, false, false, 2},
    {"lines", "heads", LAB_SOFTMAX, 1, true, false, false, 2},
    {"heads", "heads", LAB_SOFTMAX, 8, false, false, true, 2},
    {"score", "stage", LAB_SCORE, 1, false, false, false, 2},
    {"softmax", "stage", LAB_SOFTMAX, 1, false, false, false, 0},
    {"blend", "stage", LAB_BLEND, 1, false, false, true, 1},
    {"space", "space", LAB_SCORE, 1, false, false, false, 0},
    {"kinds", "kinds", LAB_SOFTMAX, 1, false, false, false, 0},
    {"costs", "costs", LAB_SOFTMAX, 8, false, false, false, 0},
    {"flow", "stage", LAB_SCORE, 8, false, true, false, 0},
};

/* Millimetres, and a slide in points. */
static const struct paper {
    float width, height, letters;
    bool width_alone; /* that is what was told; it may become higher */
} papers[] = {{85 * 72 / 25.4f, 90 * 72 / 25.4f, 8, false},
              {120 * 72 / 25.4f, 100 * 72 / 25.4f, 8, false},
              {160 * 72 / 25.4f, 120 * 72 / 25.4f, 8, false},
              {960, 540, 13, false}};

static const size_t counts[] = {1, 4, 10, 24, 40, 300};
static const char *const languages[] = {"en", "de", "zh_CN"};

enum {
    KINDS = sizeof kinds / sizeof *kinds,
    PAPERS = sizeof papers / sizeof *papers,
    COUNTS = sizeof counts / sizeof *counts,
    LANGUAGES = sizeof languages / sizeof *languages,
};

struct asked {
    const struct kind *kind;
    const struct paper *paper;
    size_t words;
    const char *language;
};

static size_t complaints;

static void report_fault(const struct asked *asked, const char *what, const char *text)
{
    fprintf(stderr, "%s, %.0f x %.0f points, %zu words, %s: %s: \"%s\"\n", asked->kind->name,
            (double)asked->paper->width, (double)asked->paper->height, asked->words,
            asked->language, what, text);
    complaints++;
}

/* --- what is drawn --- */

struct written {
    char text[SHORT];
    struct point corner[4]; /* of its letters, without their air */
    struct rect around;
    float size;
};

static void read_text(const struct canvas *canvas, const struct canvas_command *command,
                      struct written *written)
{
    const size_t length = command->length < SHORT ? command->length : SHORT - 1;
    memset(written->text, 0, sizeof written->text);
    memcpy(written->text, canvas_text_of(canvas, command), length);
    const float size = command->rect.h, wide = command->rect.w;
    const float top = -0.62f * size, bottom = 0.05f * size, in = fminf(0.04f * size, wide / 4);
    written->size = size;
    written->corner[0] = canvas_text_place(command, in, top);
    written->corner[1] = canvas_text_place(command, wide - in, top);
    written->corner[2] = canvas_text_place(command, wide - in, bottom);
    written->corner[3] = canvas_text_place(command, in, bottom);
    float left = INFINITY, right = -INFINITY, high = INFINITY, low = -INFINITY;
    for (size_t c = 0; c < 4; c++) {
        left = fminf(left, written->corner[c].x);
        right = fmaxf(right, written->corner[c].x);
        high = fminf(high, written->corner[c].y);
        low = fmaxf(low, written->corner[c].y);
    }
    written->around = (struct rect){left, high, right - left, low - high};
}

/* Says whether an edge of a lies between the two. */
static bool is_apart(const struct point a[4], const struct point b[4])
{
    for (size_t e = 0; e < 4; e++) {
        const struct point from = a[e], to = a[(e + 1) % 4];
        const float nx = to.y - from.y, ny = from.x - to.x;
        float a_most = -INFINITY, b_least = INFINITY;
        for (size_t c = 0; c < 4; c++) {
            a_most = fmaxf(a_most, nx * a[c].x + ny * a[c].y);
            b_least = fminf(b_least, nx * b[c].x + ny * b[c].y);
        }
        float a_least = INFINITY, b_most = -INFINITY;
        for (size_t c = 0; c < 4; c++) {
            a_least = fminf(a_least, nx * a[c].x + ny * a[c].y);
            b_most = fmaxf(b_most, nx * b[c].x + ny * b[c].y);
        }
        if (a_most <= b_least || b_most <= a_least) {
            return true;
        }
    }
    return false;
}

static bool do_overlap(const struct written *a, const struct written *b)
{
    const bool near =
        a->around.x < b->around.x + b->around.w && b->around.x < a->around.x + a->around.w &&
        a->around.y < b->around.y + b->around.h && b->around.y < a->around.y + a->around.h;
    return near && !is_apart(a->corner, b->corner) && !is_apart(b->corner, a->corner);
}

/* The texts of a list, each inside the clips around it. */
static size_t read_texts(const struct asked *asked, const struct canvas *canvas,
                         struct written *texts)
{
    const struct rect all = {0, 0, canvas_width(canvas), canvas_height(canvas)};
    struct rect clip = all;
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        if (command->kind == CANVAS_CLIP || command->kind == CANVAS_UNCLIP) {
            clip = command->rect;
        }
        if (command->kind != CANVAS_TEXT || command->boxed) {
            if (command->kind == CANVAS_TEXT && command->follows && command->rect.h < SIZE_MIN) {
                report_fault(asked, "is an index too small to be read", "");
            }
            continue;
        }
        struct written *const written = &texts[count++];
        read_text(canvas, command, written);
        const struct rect at = written->around;
        const float left = fmaxf(clip.x, EDGE), right = fminf(clip.x + clip.w, all.w - EDGE);
        const float top = fmaxf(clip.y, EDGE), bottom = fminf(clip.y + clip.h, all.h - EDGE);
        if (at.x < left || at.x + at.w > right || at.y < top || at.y + at.h > bottom) {
            report_fault(asked, "is outside", written->text);
        }
        const bool is_slide = asked->paper->letters > 8 && asked->words <= 10;
        if (written->size < (is_slide ? SLIDE : SIZE_MIN)) {
            report_fault(asked, "is too small to be read", written->text);
        }
    }
    return count;
}

/* --- names --- */

static const char *name_at(size_t index, char name[SHORT])
{
    static const char *const names[] = {"the",  "Aufmerksamkeit",  "over",   "sleeping", "x",
                                        "zwei", "internationally", "jumped", "fox",      "dog"};
    const char *const stem = names[index % 10];
    if (index < 10) {
        snprintf(name, SHORT, "%s", stem);
    } else {
        snprintf(name, SHORT, "%s%zu", stem, index);
    }
    return name;
}

/* A text is the name, or says by three dots in its middle that it is a part of it. */
static bool stands_for(const char *text, const char *name)
{
    static const char dots[] = "\xe2\x80\xa6";
    const char *const gap = strstr(text, dots);
    if (gap == NULL) {
        return strcmp(text, name) == 0;
    }
    const size_t front = (size_t)(gap - text), back = strlen(gap) - 3, length = strlen(name);
    return front > 0 && back > 0 && front + back <= length && memcmp(text, name, front) == 0 &&
           strcmp(gap + 3, name + length - back) == 0;
}

/* "names are shown at words 1, 4, 7, …": 3; nothing is said: 1. */
static size_t names_every(const struct written *texts, size_t count)
{
    for (size_t every = 2; every < WORDS_MAX; every++) {
        char said[SHORT];
        snprintf(said, sizeof said, tr("names are shown at words 1, %zu, %zu, …"), 1 + every,
                 1 + 2 * every);
        for (size_t t = 0; t < count; t++) {
            if (strcmp(texts[t].text, said) == 0) {
                return every;
            }
        }
    }
    return 1;
}

static void check_names(const struct asked *asked, const struct written *texts, size_t count)
{
    const size_t every = names_every(texts, count);
    char name[SHORT];
    const bool is_alone =
        strcmp(asked->kind->view, "matrix") == 0 || strcmp(asked->kind->view, "head") == 0;
    if (every > 1 && asked->words <= (is_alone ? 40 : 10) && asked->kind->names > 0) {
        report_fault(asked, "so many names have room, but not", name_at(1, name));
    }
    size_t shown = 0; /* names, as often as they stand there */
    for (size_t w = 0; asked->kind->names > 0 && w < asked->words; w++) {
        size_t found = 0;
        name_at(w, name);
        for (size_t t = 0; t < count; t++) {
            found += stands_for(texts[t].text, name);
        }
        shown += found < asked->kind->names ? found : asked->kind->names;
        if (every == 1 && found < asked->kind->names) {
            report_fault(asked, "is missing", name);
        }
    }
    if (shown * every < asked->words * asked->kind->names) {
        report_fault(asked, "more names are missing than it says", name);
    }
}

/* Grey and strokes are explained where they stand beside a bar of colours. */
static void check_legend(const struct asked *asked, const struct written *texts, size_t count)
{
    const bool has_bar = asked->kind->causal && strcmp(asked->kind->view, "stage") != 0;
    bool told = !has_bar || asked->words < 4;
    for (size_t t = 0; t < count; t++) {
        told = told || strcmp(texts[t].text, tr("masked")) == 0;
    }
    if (!told) {
        report_fault(asked, "nothing says what is masked", "");
    }
}

static const struct written *find_text(const struct written *texts, size_t count, const char *text)
{
    size_t t = 0;
    while (t < count && strcmp(texts[t].text, text) != 0) {
        t++;
    }
    return t < count ? &texts[t] : NULL;
}

/* Numbers of rows below their title stand all or not at all. */
static void check_column(const struct asked *asked, const struct written *texts, size_t count,
                         const char *title)
{
    const struct written *const head = find_text(texts, count, tr(title));
    const struct written *const bar = find_text(texts, count, "α  0"); /* its end is no row's */
    size_t numbers = 0;
    for (size_t t = 0; head != NULL && t < count; t++) {
        if (bar != NULL && fabsf(texts[t].around.y - bar->around.y) < head->size / 2) {
            continue;
        }
        const float middle = texts[t].around.x + texts[t].around.w / 2 - head->around.x;
        const bool is_number = texts[t].text[0] >= '0' && texts[t].text[0] <= '9';
        numbers += is_number && strchr(texts[t].text, '.') != NULL && middle > -head->size &&
                   middle < 4 * head->size && texts[t].around.y > head->around.y - head->size;
    }
    if (head != NULL && numbers != asked->words) {
        report_fault(asked, "stands above numbers of some rows, not of all", head->text);
    }
    if (head == NULL && asked->words == 4) {
        report_fault(asked, "is missing", title);
    }
}

/* The colours of a stage's matrices have a bar that says where they end. */
static void check_scale(const struct asked *asked, const struct written *texts, size_t count)
{
    size_t ends = 0;
    for (size_t t = 0; t < count; t++) {
        ends += strncmp(texts[t].text, "±", strlen("±")) == 0;
    }
    const bool shares = find_text(texts, count, "α  0") != NULL;
    if (asked->kind->stage == LAB_SCORE && ends < 2) {
        report_fault(asked, "has no bar for both of its scales", "±");
    }
    if (asked->kind->stage == LAB_BLEND && (ends < 1 || !shares)) {
        report_fault(asked, "has no bar for both of its scales", "α, ±");
    }
    if (asked->kind->causal && find_text(texts, count, tr("masked")) == NULL) {
        report_fault(asked, "nothing says what is masked", "");
    }
}

/* Every axis of a space has its name; so have all points of few words. */
static void check_axes(const struct asked *asked, const struct written *texts, size_t count)
{
    char said[SHORT];
    for (size_t axis = 1; asked->words >= 10 && axis <= 3; axis++) {
        size_t t = 0;
        snprintf(said, sizeof said, "PC %zu", axis);
        while (t < count && strncmp(texts[t].text, said, strlen(said)) != 0) {
            t++;
        }
        if (t == count) {
            report_fault(asked, "an axis has no name", said);
        }
    }
    for (size_t w = 0; asked->words <= 10 && w < asked->words; w++) {
        char name[SHORT];
        if (find_text(texts, count, name_at(w, name)) == NULL) {
            report_fault(asked, "a point has no name", name);
        }
    }
}

/* No line of a formula ends or begins at a sign; what it speaks of has its number. */
static void check_formulas(const struct asked *asked, const struct written *texts, size_t count)
{
    static const char *const signs[] = {"=", "≤", "<", "−", "÷"};
    static const char *const values[] = {"W = ", "D = ", "B = ", "S = ", "G = "};
    for (size_t t = 0; t < count; t++) {
        const char *const text = texts[t].text;
        for (size_t s = 0; s < sizeof signs / sizeof *signs; s++) {
            const size_t wide = strlen(signs[s]), length = strlen(text);
            if (length >= wide && (memcmp(text, signs[s], wide) == 0 ||
                                   memcmp(text + length - wide, signs[s], wide) == 0)) {
                report_fault(asked, "a line of a formula is broken at a sign", text);
            }
        }
    }
    for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
        char held[SHORT];
        size_t found = 0;
        snprintf(held, sizeof held, "%c\xc2\xa0=\xc2\xa0", values[v][0]);
        for (size_t t = 0; t < count; t++) {
            found += strstr(texts[t].text, held) != NULL;
        }
        if (found == 0) {
            report_fault(asked, "no formula says the number of", values[v]);
        }
    }
}

static bool lies_in(struct point at, struct rect area)
{
    return at.x > area.x && at.x < area.x + area.w && at.y > area.y && at.y < area.y + area.h;
}

/* The explanation of masked cells stands apart from them: its swatch is at the left of its word,
 * and farther left there is nothing that could be taken for a part of it. */
static void check_swatch(const struct asked *asked, const struct canvas *canvas,
                         const struct written *texts, size_t count)
{
    const struct written *const word = find_text(texts, count, tr("masked"));
    if (word == NULL) {
        return;
    }
    const float apart = 0.25f * word->size; /* from the swatch, which is as wide as a letter */
    const float left = word->around.x - 2.1f * word->size;
    const struct point at = {left - apart, word->around.y + word->around.h / 2};
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const bool is_cell = command->kind == CANVAS_IMAGE || command->kind == CANVAS_RECT;
        const bool is_ground = command->rect.w > 0.7f * canvas_width(canvas);
        if (is_cell && !is_ground && lies_in(at, command->rect)) {
            report_fault(asked, "touches what stands at its left", word->text);
            return;
        }
    }
}

static void check_list(const struct asked *asked, const struct canvas *canvas)
{
    struct written *const texts = calloc(canvas_count(canvas) + 1, sizeof *texts);
    assert_non_null(texts);
    const size_t count = read_texts(asked, canvas, texts);
    for (size_t a = 0; a < count; a++) {
        for (size_t b = a + 1; b < count; b++) {
            if (do_overlap(&texts[a], &texts[b])) {
                char both[2 * SHORT + 8];
                snprintf(both, sizeof both, "%s / %s", texts[a].text, texts[b].text);
                report_fault(asked, "stand over each other", both);
            }
        }
    }
    check_names(asked, texts, count);
    check_legend(asked, texts, count);
    check_swatch(asked, canvas, texts, count);
    if (strcmp(asked->kind->view, "stage") == 0 && !asked->kind->flow && asked->words > 1) {
        check_scale(asked, texts, count);
    }
    if (strcmp(asked->kind->view, "kinds") == 0) {
        check_formulas(asked, texts, count);
    }
    if (strcmp(asked->kind->view, "space") == 0) {
        check_axes(asked, texts, count);
    }
    if (strcmp(asked->kind->name, "softmax") == 0) {
        check_column(asked, texts, count, "row sum");
        check_column(asked, texts, count, "entropy");
    }
    const struct rect ink = canvas_content(canvas);
    if (ink.x < EDGE || ink.y < EDGE || ink.x + ink.w > canvas_width(canvas) - EDGE ||
        ink.y + ink.h > canvas_height(canvas) - EDGE) {
        report_fault(asked, "ink touches the edge", "");
    }
    free(texts);
}

/* --- the figures --- */

static void set_words(struct app_state *state, const struct asked *asked)
{
    static char names[WORDS_MAX][SHORT];
    static const char *words[WORDS_MAX];
    struct error error = {0};
    struct lab_experiment experiment;
    lab_experiment_copy(&experiment, &state->document.experiment);
    for (size_t w = 0; w < asked->words; w++) {
        words[w] = name_at(w, names[w]);
    }
    experiment.embedding = LAB_EMBEDDING_RANDOM;
    experiment.weights = LAB_WEIGHTS_RANDOM;
    experiment.d_model = asked->kind->heads == 12 ? 24 : 16;
    experiment.heads = asked->kind->heads;
    lab_experiment_set_mask(
        &experiment,
        &(struct lab_mask_rule){.kind = asked->kind->causal ? LAB_MASK_CAUSAL : LAB_MASK_NONE});
    assert_true(lab_experiment_set_tokens(&experiment, words, asked->words, &error));
    document_change(&state->document, &experiment, NULL, 0);
    app_settle_tasks(state, 0);
    lab_experiment_release(&experiment);
    if (state->document.trace == NULL) {
        fail_msg("%s", state->document.error.text);
    }
}

static bool draw_list(struct app_state *state, struct app_figure_renderer *renderer,
                      const struct asked *asked, struct app_sheet *sheet, struct error *error)
{
    state->view.playback.stage = asked->kind->stage;
    state->view.prefs.display.lines = asked->kind->lines;
    state->view.prefs.display.flow = asked->kind->flow;
    state->view.let_go = true;
    state->view.prefs.range_by_content = true;
    state->view.playback.position = state->view.playback.glide = state->view.playback.arrival = 1;
    state->view.frame =
        (struct view_figure_frame){.no_title = true, .no_caption = true, .borderless = true};
    app_view_clamp(&state->view, state->document.trace);
    language_speak(language_find(asked->language));
    const struct app_figure figure = {.scene = app_state_scene(state),
                                      .view = asked->kind->view,
                                      .width = asked->paper->width,
                                      .height = asked->paper->height,
                                      .scale = 2,
                                      .letters = asked->paper->letters,
                                      .extent = asked->paper->width_alone ? APP_EXTENT_WIDTH
                                                                          : APP_EXTENT_PAPER,
                                      .fits = true};
    return app_figure_renderer_draw(renderer, &figure, sheet, error);
}

/* Returns whether there is a figure; else it was told which size would do. */
static bool draw_picture(struct app_state *state, struct app_figure_renderer *renderer,
                         const struct asked *asked)
{
    struct error error = {0};
    struct app_sheet sheet;
    if (draw_list(state, renderer, asked, &sheet, &error)) {
        check_list(asked, sheet.canvas);
        return true;
    }
    const bool says_how = strstr(error.text, "would do") || strstr(error.text, "take at most");
    if (!says_how && strcmp(asked->language, "en") == 0) {
        report_fault(asked, "is refused, and nothing is said that would do", error.text);
    }
    return false;
}

/* Every kind on every paper with every count of words in every language. */
static void every_figure_shows_every_name_and_cuts_nothing(void **unused)
{
    (void)unused;
    struct error error = {0};
    struct app_state *const state = opened("cats");
    struct app_figure_renderer *const renderer = app_figure_renderer_open(&error);
    assert_non_null(renderer);
    size_t drawn = 0, refused = 0;
    for (size_t i = 0; i < KINDS * COUNTS * PAPERS * LANGUAGES; i++) {
        const size_t k = i / LANGUAGES / PAPERS / COUNTS, n = i / LANGUAGES / PAPERS % COUNTS;
        const size_t p = i / LANGUAGES % PAPERS, l = i % LANGUAGES;
        const struct asked asked = {&kinds[k], &papers[p], counts[n], languages[l]};
        set_words(state, &asked);
        const bool is_drawn = draw_picture(state, renderer, &asked);
        drawn += is_drawn;
        refused += !is_drawn;
        if (!is_drawn && asked.words <= 40) {
            report_fault(&asked, "forty words have no room", "");
        }
    }
    language_speak(language_find("en"));
    print_message("%zu figures, %zu refused\n", drawn, refused);
    assert_true(drawn > 100 && drawn > 3 * refused);
    app_figure_renderer_close(renderer);
    closed(state);
    assert_int_equal(complaints, 0);
}

static void no_width_cuts_anything(void **unused)
{
    (void)unused;
    static const size_t of[] = {0, 3, 5, 7}; /* weights, head, heads, softmax */
    struct app_state *const state = opened("cats");
    struct app_figure_renderer *const renderer = app_figure_renderer_open(NULL);
    for (size_t i = 0; i < sizeof of / sizeof *of * 24; i++) {
        const float mm = 64 + 2 * (float)(i % 24);
        const struct paper paper = {mm * 72 / 25.4f, mm * 90 / 25.4f, 8, true};
        const struct asked asked = {&kinds[of[i / 24]], &paper, 10, "en"};
        if (i % 24 == 0) {
            set_words(state, &asked);
        }
        (void)draw_picture(state, renderer, &asked);
    }
    assert_int_equal(complaints, 0);
    app_figure_renderer_close(renderer);
    closed(state);
}

/* How many texts of a list are as this one: "0.00" and its like, or a beginning of a text. */
static size_t count_texts(const struct canvas *canvas, const char *form)
{
    size_t count = 0;
    for (size_t i = 0; i < canvas_count(canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(canvas, i);
        const char *const text =
            command->kind == CANVAS_TEXT ? canvas_text_of(canvas, command) : NULL;
        bool same = text != NULL && command->length >= strlen(form);
        for (size_t c = 0; same && form[c] != '\0'; c++) {
            same = text[c] == form[c] || (form[c] == '0' && text[c] >= '0' && text[c] <= '9');
        }
        count += same && (form[0] != '0' || command->length == strlen(form));
    }
    return count;
}

/* At that width seaborn shows every name, and every number with the decimals asked for. */
static void ten_long_names_have_every_number_at_85_mm(void **unused)
{
    (void)unused;
    static const char *const views[] = {"matrix", "head", "heads"};
    struct app_state *const state = opened("cats");
    struct app_figure_renderer *const renderer = app_figure_renderer_open(NULL);
    for (size_t v = 0; v < 3; v++) {
        struct kind kind = {"numbers", views[v], LAB_SOFTMAX, 1, false, false, false, 2};
        const struct asked asked = {&kind, &papers[0], 10, "en"};
        struct error error = {0};
        struct app_sheet sheet;
        set_words(state, &asked);
        for (size_t asks = 0; asks < 3; asks++) { /* by themselves, and asked for */
            state->view.prefs.cells.has_decimals = asks == 1;
            state->view.prefs.cells.values = asks == 2 ? VIEW_VALUES_ON : VIEW_VALUES_AUTO;
            state->view.prefs.cells.decimals = 2;
            assert_true(draw_list(state, renderer, &asked, &sheet, &error));
            check_list(&asked, sheet.canvas);
            assert_int_equal(count_texts(sheet.canvas, "0.00"), 100);
        }
        kind.heads = 8;
        set_words(state, &asked);
        if (strcmp(views[v], "heads") == 0) { /* 800 numbers: it says where they have room */
            assert_false(draw_list(state, renderer, &asked, &sheet, &error));
            assert_non_null(strstr(error.text, "would do"));
        }
        state->view.prefs.cells = (struct view_cells){0};
    }
    assert_int_equal(complaints, 0);
    app_figure_renderer_close(renderer);
    closed(state);
}

static float middle_of(const struct written *texts, size_t count, const char *text)
{
    for (size_t t = 0; t < count; t++) {
        if (strcmp(texts[t].text, text) == 0) {
            return texts[t].around.x + texts[t].around.w / 2;
        }
    }
    fail_msg("\"%s\" is not there", text);
    return 0;
}

/* Eight heads of 24 words have no room for their names on paper that is only a little higher than
 * wide; the bar of colours stands beside the last head of a line. */
static void heads_of_a_width_grow_until_every_name_fits(void **unused)
{
    (void)unused;
    static const struct paper wide = {160 * 72 / 25.4f, 200 * 72 / 25.4f, 8, true};
    struct error error = {0};
    struct app_sheet sheet;
    struct app_state *const state = opened("cats");
    struct app_figure_renderer *const renderer = app_figure_renderer_open(NULL);
    const struct asked asked = {&kinds[5], &wide, 24, "en"};
    set_words(state, &asked);
    assert_true(draw_list(state, renderer, &asked, &sheet, &error));
    check_list(&asked, sheet.canvas);
    assert_int_equal(complaints, 0);
    struct written *const texts = calloc(canvas_count(sheet.canvas) + 1, sizeof *texts);
    assert_non_null(texts);
    const size_t count = read_texts(&asked, sheet.canvas, texts);
    assert_int_equal(names_every(texts, count), 1);
    const float first = middle_of(texts, count, "head 1"), last = middle_of(texts, count, "head 2");
    assert_true(last > first && fabsf(middle_of(texts, count, "head 3") - first) < 1);
    assert_true(middle_of(texts, count, "masked") - last < (last - first) / 2 + 48);
    free(texts);
    app_figure_renderer_close(renderer);
    closed(state);
}

/* Twelve heads of 24 words in two columns would be higher than a page: their names stand at two
 * distances by turns, all of them. */
static void twelve_heads_have_every_name(void **unused)
{
    (void)unused;
    static const struct paper papers_of_twelve[] = {
        {160 * 72 / 25.4f, 200 * 72 / 25.4f, 8, true},
        {160 * 72 / 25.4f, 120 * 72 / 25.4f, 8, false},
    };
    struct error error = {0};
    struct app_sheet sheet;
    struct app_state *const state = opened("cats");
    struct app_figure_renderer *const renderer = app_figure_renderer_open(NULL);
    struct kind kind = kinds[5];
    kind.heads = 12;
    for (size_t p = 0; p < 2; p++) {
        const struct asked asked = {&kind, &papers_of_twelve[p], 24, "en"};
        set_words(state, &asked);
        assert_true(draw_list(state, renderer, &asked, &sheet, &error));
        check_list(&asked, sheet.canvas);
        struct written *const texts = calloc(canvas_count(sheet.canvas) + 1, sizeof *texts);
        assert_non_null(texts);
        assert_int_equal(names_every(texts, read_texts(&asked, sheet.canvas, texts)), 1);
        free(texts);
    }
    assert_int_equal(complaints, 0);
    app_figure_renderer_close(renderer);
    closed(state);
}

/* The numbers of three hundred words are as wide as the paper has room for. */
static void a_column_of_many_rows_is_as_wide_as_it_is_high(void **unused)
{
    (void)unused;
    struct error error = {0};
    struct app_sheet sheet;
    struct app_state *const state = opened("cats");
    struct app_figure_renderer *const renderer = app_figure_renderer_open(NULL);
    const struct asked asked = {&kinds[2], &papers[0], 300, "en"};
    set_words(state, &asked);
    assert_true(draw_list(state, renderer, &asked, &sheet, &error));
    const struct rect ink = canvas_content(sheet.canvas);
    assert_true(ink.w > 0.9f * asked.paper->width);
    float widest = 0; /* of all that is no letter */
    for (size_t i = 0; i < canvas_count(sheet.canvas); i++) {
        const struct canvas_command *const command = canvas_command_at(sheet.canvas, i);
        widest = command->kind == CANVAS_IMAGE ? fmaxf(widest, command->rect.w) : widest;
    }
    assert_true(widest > 0.4f * asked.paper->width);
    app_figure_renderer_close(renderer);
    closed(state);
}

/* The curves of what a longer text costs, of as few words as there are. */
static void curves_of_costs_have_no_corner(void **unused)
{
    (void)unused;
    static const struct paper high = {160 * 72 / 25.4f, 150 * 72 / 25.4f, 8, false};
    static const float STRAIGHT = 0.08f; /* radians */
    struct error error = {0};
    struct app_sheet sheet;
    struct app_state *const state = opened("cats");
    struct app_figure_renderer *const renderer = app_figure_renderer_open(NULL);
    struct kind kind = kinds[11];
    kind.causal = true;
    for (size_t words = 2; words <= 4; words++) {
        const struct asked asked = {&kind, &high, words, "en"};
        set_words(state, &asked);
        assert_true(draw_list(state, renderer, &asked, &sheet, &error));
        size_t curves = 0;
        for (size_t i = 0; i < canvas_count(sheet.canvas); i++) {
            const struct canvas_command *const command = canvas_command_at(sheet.canvas, i);
            if (command->kind != CANVAS_PATH || command->closed || command->length < 8) {
                continue;
            }
            const struct point *const at = canvas_points_of(sheet.canvas, command);
            curves++;
            for (size_t p = 1; p + 1 < command->length; p++) {
                const float before = atan2f(at[p].y - at[p - 1].y, at[p].x - at[p - 1].x);
                const float after = atan2f(at[p + 1].y - at[p].y, at[p + 1].x - at[p].x);
                assert_true(fabsf(after - before) < STRAIGHT);
            }
        }
        assert_int_equal(curves, 2);
    }
    app_figure_renderer_close(renderer);
    closed(state);
}

/* Few large weights do not leave all others pale, and the bar says that there are larger ones; a
 * space says how many of its points have a name. */
static void what_a_figure_leaves_out_is_said(void **unused)
{
    (void)unused;
    struct error error = {0};
    struct app_sheet sheet;
    struct app_state *const state = opened("cats");
    struct app_figure_renderer *const renderer = app_figure_renderer_open(NULL);
    struct kind kind = {"pale", "matrix", LAB_SOFTMAX, 1, false, false, true, 0};
    const struct asked asked = {&kind, &papers[0], 300, "en"};
    set_words(state, &asked);
    assert_true(draw_list(state, renderer, &asked, &sheet, &error));
    assert_int_equal(count_texts(sheet.canvas, "\xe2\x89\xa5"), 1);
    kind.view = "space";
    kind.stage = LAB_SCORE;
    assert_true(draw_list(state, renderer, &asked, &sheet, &error));
    assert_int_equal(count_texts(sheet.canvas, "0 of 600 names are shown") +
                         count_texts(sheet.canvas, "00 of 600 names are shown"),
                     1);
    app_figure_renderer_close(renderer);
    closed(state);
}

/* Queries and keys of 24 words at the width of a column: letters are smaller, lines lead to points,
 * and nothing is left out. */
static void a_space_of_few_words_has_every_name(void **unused)
{
    (void)unused;
    static const size_t words[] = {10, 24};
    struct error error = {0};
    struct app_state *const state = opened("cats");
    struct app_figure_renderer *const renderer = app_figure_renderer_open(NULL);
    const struct kind kind = {"space", "space", LAB_SCORE, 1, false, false, false, 0};
    for (size_t w = 0; w < 2; w++) {
        const struct asked asked = {&kind, &papers[0], words[w], "en"};
        struct app_sheet sheet;
        set_words(state, &asked);
        assert_true(draw_list(state, renderer, &asked, &sheet, &error));
        assert_int_equal(count_texts(sheet.canvas, "0 of 00 names are shown") +
                             count_texts(sheet.canvas, "00 of 00 names are shown"),
                         0);
        assert_true(canvas_is_whole(sheet.canvas, APP_FONT_SIZE_MIN));
        assert_int_equal(count_texts(sheet.canvas, "q("), words[w]);
    }
    app_figure_renderer_close(renderer);
    closed(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_shows_every_name_and_cuts_nothing),
        cmocka_unit_test(no_width_cuts_anything),
        cmocka_unit_test(ten_long_names_have_every_number_at_85_mm),
        cmocka_unit_test(a_space_of_few_words_has_every_name),
        cmocka_unit_test(heads_of_a_width_grow_until_every_name_fits),
        cmocka_unit_test(twelve_heads_have_every_name),
        cmocka_unit_test(a_column_of_many_rows_is_as_wide_as_it_is_high),
        cmocka_unit_test(curves_of_costs_have_no_corner),
        cmocka_unit_test(what_a_figure_leaves_out_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
