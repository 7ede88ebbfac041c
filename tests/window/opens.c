/* Whatever is opened, in the window or by a call, each of its files is opened once and parsed once.
 * The linker puts system_open and the readers aside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/open/lesson.h"
#include "base/system/file.h"
#include "cli/cli.h"
#include "file/gguf.h"
#include "file/json.h"
#include "file/npz.h"
#include "file/safetensors.h"
#include "hands.h"

enum { SEEN_MAX = 64, PATH_BYTES = 4096 };

static char opened[SEEN_MAX][PATH_BYTES];
static struct {
    size_t size;
    uint64_t sum;
} parsed[SEEN_MAX];
static atomic_size_t opened_count, parsed_count;

int __real_system_open(const char *path, enum system_open how);
int __wrap_system_open(const char *path, enum system_open how);

int __wrap_system_open(const char *path, enum system_open how)
{
    if (how == SYSTEM_READ) {
        const size_t at = atomic_fetch_add(&opened_count, 1);
        assert_true(at < SEEN_MAX);
        snprintf(opened[at], sizeof opened[at], "%s", path);
    }
    return __real_system_open(path, how);
}

static void note_parsed(struct bytes text)
{
    const size_t at = atomic_fetch_add(&parsed_count, 1);
    assert_true(at < SEEN_MAX);
    parsed[at].size = text.size;
    parsed[at].sum = 0;
    for (size_t b = 0; b < text.size; b++) {
        parsed[at].sum = parsed[at].sum * 31 + text.at[b];
    }
}

struct json *__real_json_parse(struct bytes text, struct error *error);
struct json *__wrap_json_parse(struct bytes text, struct error *error);

struct json *__wrap_json_parse(struct bytes text, struct error *error)
{
    note_parsed(text);
    return __real_json_parse(text, error);
}

struct json *__real_json_parse_within(struct bytes text, const struct json_limits *limits,
                                      struct error *error);
struct json *__wrap_json_parse_within(struct bytes text, const struct json_limits *limits,
                                      struct error *error);

struct json *__wrap_json_parse_within(struct bytes text, const struct json_limits *limits,
                                      struct error *error)
{
    note_parsed(text);
    return __real_json_parse_within(text, limits, error);
}

bool __real_gguf_read(struct bytes file, struct arena *arena, struct gguf *out,
                      struct error *error);
bool __wrap_gguf_read(struct bytes file, struct arena *arena, struct gguf *out,
                      struct error *error);

bool __wrap_gguf_read(struct bytes file, struct arena *arena, struct gguf *out, struct error *error)
{
    note_parsed(file);
    return __real_gguf_read(file, arena, out, error);
}

bool __real_npz_list(struct bytes file, struct arena *arena, struct npz_list *out,
                     struct error *error);
bool __wrap_npz_list(struct bytes file, struct arena *arena, struct npz_list *out,
                     struct error *error);

bool __wrap_npz_list(struct bytes file, struct arena *arena, struct npz_list *out,
                     struct error *error)
{
    note_parsed(file);
    return __real_npz_list(file, arena, out, error);
}

bool __real_safetensors_read(struct bytes file, struct arena *arena, struct safetensors *out,
                             struct error *error);
bool __wrap_safetensors_read(struct bytes file, struct arena *arena, struct safetensors *out,
                             struct error *error);

bool __wrap_safetensors_read(struct bytes file, struct arena *arena, struct safetensors *out,
                             struct error *error)
{
    note_parsed(file);
    return __real_safetensors_read(file, arena, out, error);
}

static void begin_to_look(void)
{
    atomic_store(&opened_count, 0);
    atomic_store(&parsed_count, 0);
}

static size_t count_opened(const char *path)
{
    size_t count = 0;
    for (size_t i = 0; i < atomic_load(&opened_count); i++) {
        count += strcmp(opened[i], path) == 0;
    }
    return count;
}

/* Lessons that are built in are in no file. */
static bool is_of_file(size_t size)
{
    struct system_facts facts;
    bool is = false;
    for (size_t i = 0; i < atomic_load(&opened_count); i++) {
        is = is || (system_path_facts(opened[i], &facts) && facts.size == size);
    }
    return is;
}

/* `names`, up to NULL, are opened: in the folder, or "" for the file itself; and nothing that was
 * opened or parsed since was so twice. */
static void expect_once(const char *path, const char *const *names)
{
    char whole[2 * PATH_BYTES];
    for (; *names != NULL; names++) {
        snprintf(whole, sizeof whole, "%s%s%s", path, **names == '\0' ? "" : "/", *names);
        if (count_opened(whole) != 1) {
            fail_msg("%s is opened %zu times", whole, count_opened(whole));
        }
    }
    for (size_t i = 0; i < atomic_load(&opened_count); i++) {
        if (count_opened(opened[i]) != 1) {
            fail_msg("%s is opened %zu times", opened[i], count_opened(opened[i]));
        }
    }
    for (size_t i = 0; i < atomic_load(&parsed_count); i++) {
        for (size_t j = 0; j < i; j++) {
            if (parsed[i].size == parsed[j].size && parsed[i].sum == parsed[j].sum &&
                is_of_file(parsed[i].size)) {
                fail_msg("%zu bytes of %s are parsed twice", parsed[i].size, path);
            }
        }
    }
}

/* Kinds of what can be opened; `call` is how the command line computes or draws it. */
static const struct kind {
    const char *folder, *path; /* the first one of the environment; NULL: made here */
    const char *call[4];       /* up to NULL, behind the file */
    bool has_heads;
    const char *names[6]; /* up to NULL */
} kinds[] = {
    {"MODELS", "/llama3/model.gguf", {"--ids", "1 5 7"}, true, {""}},
    {"DUMPS", "/pair.npz", {NULL}, true, {""}},
    {"DUMPS", "/heads.npy", {NULL}, true, {""}},
    {"DUMPS", "/pattern.safetensors", {NULL}, true, {""}},
    {NULL, "weights.csv", {NULL}, true, {""}},
    {"TINY_MODEL",
     "",
     {"--text", "the cat"},
     true,
     {"config.json", "model.safetensors", "vocab.json", "merges.txt"}},
    {NULL,
     "shards",
     {"--text", "the cat"},
     true,
     {"config.json", "model.safetensors.index.json", "model-00001-of-00001.safetensors",
      "tokenizer_config.json", "special_tokens_map.json"}},
    {"MODELS",
     "/bert",
     {"--ids", "1 5 7"},
     true,
     {"config.json", "model.safetensors", "tokenizer.json"}},
    {"SMALL_WORLD",
     "",
     {"--text", "the cat"},
     true,
     {"config.json", "model.safetensors", "tokenizer.json"}},
    {NULL, "session.json", {NULL}, false, {""}},
};

/* What no fixture is: a table, a model in parts with all its settings, a session. */
static void make_files(const char *folder)
{
    char command[4 * PATH_BYTES];
    snprintf(command, sizeof command,
             "cd '%s' && printf '1,0,0\n.5,.5,0\n.25,.25,.5\n' > weights.csv && mkdir shards && "
             "cp '%s'/config.json '%s'/vocab.json '%s'/merges.txt shards && "
             "cp '%s'/model.safetensors shards/model-00001-of-00001.safetensors && "
             "echo '{\"weight_map\": {\"wte.weight\": \"model-00001-of-00001.safetensors\"}}' "
             "> shards/model.safetensors.index.json && "
             "echo '{\"model_max_length\": 1000000000000000019884624838656}' "
             "> shards/tokenizer_config.json && echo '{}' > shards/special_tokens_map.json",
             folder, getenv("TINY_MODEL"), getenv("TINY_MODEL"), getenv("TINY_MODEL"),
             getenv("TINY_MODEL"));
    assert_int_equal(system(command), 0);
}

static void path_of(const struct hands *hands, const struct kind *kind, char path[PATH_BYTES])
{
    const bool is_made = kind->folder == NULL;
    snprintf(path, PATH_BYTES, "%s%s%s", is_made ? hands->folder : getenv(kind->folder),
             is_made ? "/" : "", kind->path);
}

static void save_session(struct hands *hands)
{
    char path[PATH_BYTES];
    struct error error = {ERROR_NONE, 0, ""};
    snprintf(path, sizeof path, "%s/session.json", hands->folder);
    assert_true(app_lesson_save(hands->state, path, &error));
}

static void all_that_is_dropped_is_opened_once(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char path[PATH_BYTES];
        struct hands *const hands = hands_open("cats", 1440, 900);
        make_files(hands->folder);
        save_session(hands);
        path_of(hands, &kinds[k], path);
        begin_to_look();
        hands_drop(hands, path);
        hands_show_settled(hands);
        expect_once(path, kinds[k].names);
        assert_true((hands->state->view.head_overview != NULL) == kinds[k].has_heads);
        hands_close(hands);
    }
}

/* The session names the model that it was saved with. */
static void a_session_opens_its_model_once(void **state)
{
    (void)state;
    char path[PATH_BYTES], session[PATH_BYTES];
    static const char *const whole[] = {"", NULL};
    struct hands *const was = hands_open("cats", 1440, 900);
    path_of(was, &kinds[0], path);
    hands_drop(was, path);
    hands_show_settled(was);
    save_session(was);
    struct hands *const is = hands_open("cats", 1440, 900);
    snprintf(session, sizeof session, "%s/session.json", was->folder);
    begin_to_look();
    hands_drop(is, session);
    hands_show_settled(is);
    assert_non_null(is->state->view.head_overview);
    expect_once(session, whole);
    expect_once(path, whole);
    hands_close(is);
    hands_close(was);
}

static void every_call_opens_its_file_once(void **state)
{
    (void)state;
    static const char *const calls[] = {"info", "compute", "render", "describe"};
    struct hands *const hands = hands_open("cats", 1440, 900);
    char path[PATH_BYTES], out[PATH_BYTES];
    make_files(hands->folder);
    save_session(hands);
    snprintf(out, sizeof out, "%s/out.png", hands->folder);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
            char said[3][64], *words[12] = {"attnscope", said[0], path};
            int count = 3;
            struct cli_window window = {.step = 0};
            path_of(hands, &kinds[k], path);
            snprintf(said[0], sizeof said[0], "%s", calls[c]);
            for (size_t a = 0; c > 0 && kinds[k].call[a] != NULL; a++) {
                const bool is_text = c > 1 && strcmp(kinds[k].call[a], "--text") == 0;
                snprintf(said[1 + a], sizeof said[1 + a], "%s",
                         is_text ? "--tokens" : kinds[k].call[a]);
                words[count++] = said[1 + a];
            }
            if (c == 1 || c == 2) {
                words[count++] = "-o";
                words[count++] = c == 1 ? "/dev/null" : out;
            }
            begin_to_look();
            assert_int_equal(cli_main(count, words, &window), CLI_DONE);
            expect_once(path, c == 0 && strcmp(kinds[k].path, "session.json") != 0
                                  ? (const char *const[]){kinds[k].names[0], NULL}
                                  : kinds[k].names);
        }
    }
    hands_close(hands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_is_dropped_is_opened_once),
        cmocka_unit_test(a_session_opens_its_model_once),
        cmocka_unit_test(every_call_opens_its_file_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
