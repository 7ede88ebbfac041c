/* model/listing.c — finds the models on the disk by names of folders and a few small files. */
#include "model/listing.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/system/file.h"
#include "base/system/folder.h"
#include "base/text.h"
#include "base/translate.h"
#include "file/gguf.h"
#include "file/json.h"

enum { SMALL_FILE = 1 << 20, ENTRIES_MAX = 20000 };

const char *model_shelf_name(enum model_shelf shelf)
{
    static const char *const names[] = {"Ollama", "Hugging Face", "LM Studio"};
    return names[shelf];
}

/* While it is read. */
struct scan {
    struct arena *arena;
    struct model_listed *model; /* [MODEL_LISTING_MAX] */
    size_t count, entries;      /* entries of folders that were looked at */
    bool cut;
    enum model_shelf shelf;
    char *root; /* of the place, without links */
};

/* ---- where ----------------------------------------------------------------------------------- */

static bool is_set(const char *text)
{
    return text != NULL && text[0] != '\0';
}

size_t model_places(const struct model_environment *environment, struct arena *arena,
                    struct model_place place[MODEL_PLACES_MAX])
{
    const char *const home = is_set(environment->home) ? environment->home : NULL;
    const struct {
        enum model_shelf shelf;
        const char *from, *under;
    } rows[] = {
        {MODEL_SHELF_OLLAMA, environment->ollama_models, ""},
        {MODEL_SHELF_OLLAMA, is_set(environment->ollama_models) ? NULL : home, "/.ollama/models"},
        {MODEL_SHELF_OLLAMA, "/usr/share/ollama", "/.ollama/models"},
        {MODEL_SHELF_HUGGING_FACE, environment->hf_hub_cache, ""},
        {MODEL_SHELF_HUGGING_FACE, is_set(environment->hf_hub_cache) ? NULL : environment->hf_home,
         "/hub"},
        {MODEL_SHELF_HUGGING_FACE,
         is_set(environment->hf_hub_cache) || is_set(environment->hf_home) ? NULL : home,
         "/.cache/huggingface/hub"},
        {MODEL_SHELF_LM_STUDIO, home, "/.lmstudio/models"},
        {MODEL_SHELF_LM_STUDIO, home, "/.cache/lm-studio/models"},
    };
    size_t count = 0;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        if (is_set(rows[r].from)) {
            const char *const folder = arena_format(arena, "%s%s", rows[r].from, rows[r].under);
            place[count] = (struct model_place){rows[r].shelf, folder};
            count += folder != NULL;
        }
    }
    return count;
}

/* ---- folders and files ----------------------------------------------------------------------- */

/* The path where it really lies, if that is inside the place; else NULL. */
static const char *path_inside(const struct scan *scan, const char *path)
{
    char *const real = path == NULL ? NULL : system_real_path(path);
    const size_t length = strlen(scan->root);
    const char *kept = NULL;
    if (real != NULL && strncmp(real, scan->root, length) == 0 &&
        (real[length] == '/' || real[length] == '\0' || length == 1)) {
        kept = arena_text(scan->arena, real, strlen(real));
    }
    free(real);
    return kept;
}

static bool is_regular(const char *path, uint64_t *bytes)
{
    struct system_facts facts;
    const bool regular =
        path != NULL && system_path_facts(path, &facts) && facts.kind == SYSTEM_REGULAR;
    *bytes = regular ? facts.size : 0;
    return regular;
}

/* The names in a folder of the place, in their order; NULL behind the last. Empty: none can be
 * read. Hidden ones are left out. */
static const char *const *names_in(struct scan *scan, const char *folder)
{
    static const char *const none[] = {NULL};
    enum { NAMES_MAX = 4096 };
    const char *const real = path_inside(scan, folder);
    struct system_names *const open = real == NULL ? NULL : system_names_open(real);
    const char **const names = open == NULL ? NULL : calloc(NAMES_MAX + 1, sizeof *names);
    const char *entry = NULL;
    size_t count = 0;
    while (names != NULL && count < NAMES_MAX && scan->entries < ENTRIES_MAX &&
           (entry = system_names_next(open)) != NULL) {
        scan->entries++;
        if (entry[0] != '.') {
            names[count] = arena_text(scan->arena, entry, strlen(entry));
            count += names[count] != NULL;
        }
    }
    system_names_close(open);
    const char **const kept = arena_array(scan->arena, count + 1, sizeof *kept);
    if (names != NULL && kept != NULL && count > 0) {
        memcpy(kept, names, count * sizeof *names);
    }
    free(names);
    return kept != NULL ? kept : none;
}

static const char *join_path(const struct scan *scan, const char *folder, const char *name)
{
    return arena_format(scan->arena, "%s/%s", folder, name);
}

/* A small JSON file of the place; NULL: none. The caller releases it. */
static struct json *json_of(const struct scan *scan, const char *path)
{
    struct error ignored;
    struct bytes text;
    struct arena arena = {0};
    const char *const real = path_inside(scan, path);
    uint64_t bytes = 0;
    struct json *tree = NULL;
    if (is_regular(real, &bytes) && bytes <= SMALL_FILE &&
        file_read(real, SMALL_FILE, &arena, &text, &ignored)) {
        tree = json_parse(text, &ignored);
    }
    arena_free(&arena);
    return tree;
}

static bool has_end(const char *name, const char *end)
{
    const size_t length = strlen(name), letters = strlen(end);
    return length > letters && strcmp(name + length - letters, end) == 0;
}

/* ---- what is told of a model ----------------------------------------------------------------- */

static const char *text_of(const struct scan *scan, const struct json *object, const char *key)
{
    const char *text = NULL;
    const bool is_there = json_text(json_member(object, key), &text);
    const char *const kept = is_there ? arena_text(scan->arena, text, strlen(text)) : NULL;
    return kept != NULL ? kept : "";
}

/* The first of the names that is a number from 1; 0: none. */
static size_t number_of(const struct json *object, const char *const names[3])
{
    int64_t number = 0;
    for (size_t n = 0; n < 3 && names[n] != NULL; n++) {
        if (json_whole_number(json_member(object, names[n]), &number) && number > 0) {
            return (size_t)number;
        }
    }
    return 0;
}

/* Returns the size of what is kept of a text of so many words: the stream before and behind each
 * layer, Q, K and V, and the logits of one word. */
static uint64_t memory_of(const struct model_listed *model, size_t vocabulary)
{
    const uint64_t words = MODEL_LISTING_WORDS, width = model->width,
                   layers = model->layers + model->target_layers;
    const bool is_known = width > 0 && width < 1 << 20 && layers > 0 && layers < 1 << 12;
    return !is_known ? 0 : sizeof(float) * (words * width * (4 * layers + 1) + vocabulary);
}

/* config.json of a folder. */
static void read_config(const struct scan *scan, const char *path, struct model_listed *model)
{
    static const char *const layers[] = {"num_hidden_layers", "n_layer", "num_layers"};
    static const char *const target[] = {"num_decoder_layers", "decoder_layers", NULL};
    static const char *const heads[] = {"num_attention_heads", "n_head", "num_heads"};
    static const char *const groups[] = {"num_key_value_heads", NULL, NULL};
    static const char *const width[] = {"hidden_size", "n_embd", "d_model"};
    static const char *const vocabulary[] = {"vocab_size", NULL, NULL};
    struct json *const tree = json_of(scan, path);
    if (tree == NULL) {
        return;
    }
    const struct json *const inner = json_member(tree, "text_config");
    const struct json *const config = inner != NULL ? inner : tree;
    model->family = text_of(scan, tree, "model_type");
    model->kind = text_of(scan, config, "torch_dtype");
    model->kind = model->kind[0] != '\0' ? model->kind : text_of(scan, config, "dtype");
    model->layers = number_of(config, layers);
    model->target_layers = number_of(config, target);
    if (model->target_layers == 0 && strstr(model->family, "t5") != NULL) {
        model->target_layers = model->layers; /* as those who leave it out mean it */
    }
    model->heads = number_of(config, heads);
    model->groups = number_of(config, groups);
    model->width = number_of(config, width);
    model->memory = memory_of(model, number_of(config, vocabulary));
    json_release(tree);
}

/* general.file_type of a GGUF (llama.h, enum llama_ftype); "": another. */
static const char *kind_of_type(uint64_t type)
{
    static const struct {
        uint64_t type;
        const char *name;
    } rows[] = {{0, "F32"},     {1, "F16"},     {2, "Q4_0"},    {3, "Q4_1"},    {7, "Q8_0"},
                {8, "Q5_0"},    {9, "Q5_1"},    {10, "Q2_K"},   {11, "Q3_K_S"}, {12, "Q3_K_M"},
                {13, "Q3_K_L"}, {14, "Q4_K_S"}, {15, "Q4_K_M"}, {16, "Q5_K_S"}, {17, "Q5_K_M"},
                {18, "Q6_K"},   {25, "IQ4_NL"}, {30, "IQ4_XS"}, {32, "BF16"},   {38, "MXFP4"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        if (rows[r].type == type) {
            return rows[r].name;
        }
    }
    return "";
}

/* "ARCH.key" as a whole number; 0: it is none. */
static size_t key_of(const struct scan *scan, const struct gguf *gguf, const char *arch,
                     const char *key)
{
    const char *const name = arena_format(scan->arena, "%s.%s", arch, key);
    const struct gguf_value *const value = name == NULL ? NULL : gguf_key(gguf, name);
    const bool whole = value != NULL && value->type != GGUF_LIST && value->type != GGUF_TEXT;
    return whole && value->bits < 1 << 24 ? (size_t)value->bits : 0;
}

static const char NAME_LETTERS[] = "abcdefghijklmnopqrstuvwxyz0123456789-_.";

/* Sets what the first keys of a GGUF tell, where it is not known yet. */
static void read_gguf_keys(const struct scan *scan, const char *path, struct model_listed *model)
{
    struct error ignored;
    struct file_map map;
    struct arena arena = {0};
    struct gguf gguf;
    if (!file_map_open(path, &map, &ignored)) {
        return;
    }
    if (gguf_read_first_keys(map.bytes, &arena, &gguf, &ignored)) {
        const struct gguf_value *const arch = gguf_key(&gguf, "general.architecture");
        const struct gguf_value *const type = gguf_key(&gguf, "general.file_type");
        const char *const family =
            arch == NULL || arch->type != GGUF_TEXT || arch->text.size > 60
                ? NULL
                : arena_text(scan->arena, (const char *)arch->text.at, arch->text.size);
        if (family != NULL && family[strspn(family, NAME_LETTERS)] == '\0') {
            model->family = family;
            model->layers = key_of(scan, &gguf, family, "block_count");
            model->target_layers = key_of(scan, &gguf, family, "decoder_block_count");
            model->heads = key_of(scan, &gguf, family, "attention.head_count");
            model->groups = key_of(scan, &gguf, family, "attention.head_count_kv");
            model->width = key_of(scan, &gguf, family, "embedding_length");
            model->memory = memory_of(model, key_of(scan, &gguf, family, "vocab_size"));
        }
        if (model->kind[0] == '\0' && type != NULL && type->type != GGUF_LIST) {
            model->kind = kind_of_type(type->bits);
        }
    }
    arena_free(&arena);
    file_map_close(&map);
}

/* "Q4_K_M" of "Llama-3.2-3B-Instruct-Q4_K_M.gguf"; "": it is not in the name. */
static const char *kind_in_name(const struct scan *scan, const char *name)
{
    static const char *const kinds[] = {"IQ",    "Q",   "F16", "F32",  "BF16",
                                        "MXFP4", "f16", "f32", "bf16", "q"};
    for (const char *at = name; (at = strpbrk(at, "-._")) != NULL; at++) {
        for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
            const size_t letters = strlen(kinds[k]);
            const bool begins = strncmp(at + 1, kinds[k], letters) == 0;
            const char next = begins ? at[1 + letters] : '\0';
            const bool is_q = kinds[k][letters - 1] == 'Q' || kinds[k][0] == 'q';
            if (begins && (is_q ? next >= '1' && next <= '8' : next == '.' || next == '-')) {
                const char *const kept = arena_text(scan->arena, at + 1, strcspn(at + 1, "-."));
                return kept != NULL ? kept : "";
            }
        }
    }
    return "";
}

static struct model_listed *add_listed(struct scan *scan, const char *name, const char *path)
{
    if (scan->count == MODEL_LISTING_MAX || name == NULL || path == NULL) {
        scan->cut = scan->cut || scan->count == MODEL_LISTING_MAX;
        return NULL;
    }
    struct model_listed *const model = &scan->model[scan->count++];
    *model = (struct model_listed){
        .shelf = scan->shelf, .name = name, .path = path, .family = "", .kind = ""};
    return model;
}

/* ---- Ollama ---------------------------------------------------------------------------------- */

/* The path of the blob that a layer of a manifest names; NULL: it names none. */
static const char *blob_of(const struct scan *scan, const struct json *layer)
{
    const char *const digest = text_of(scan, layer, "digest");
    static const char start[] = "sha256:";
    const char *const hash = digest + sizeof start - 1;
    if (strncmp(digest, start, sizeof start - 1) != 0 || strspn(hash, "0123456789abcdef") != 64 ||
        hash[64] != '\0') {
        return NULL;
    }
    return path_inside(scan, arena_format(scan->arena, "%s/blobs/sha256-%s", scan->root, hash));
}

static void list_manifest(struct scan *scan, const char *path, const char *name)
{
    static const char media[] = "application/vnd.ollama.image.model";
    struct json *const tree = json_of(scan, path);
    const struct json *const layers = json_member(tree, "layers");
    for (size_t l = 0; l < json_count(layers); l++) {
        const struct json *const layer = json_element(layers, l);
        uint64_t bytes = 0;
        const char *const blob = blob_of(scan, layer);
        if (strcmp(text_of(scan, layer, "mediaType"), media) != 0 || !is_regular(blob, &bytes)) {
            continue;
        }
        struct model_listed *const model = add_listed(scan, name, blob);
        struct json *const config = json_of(scan, blob_of(scan, json_member(tree, "config")));
        if (model != NULL) {
            model->bytes = bytes;
            model->family = text_of(scan, config, "model_family");
            model->kind = text_of(scan, config, "file_type");
            read_gguf_keys(scan, blob, model);
        }
        json_release(config);
        break;
    }
    json_release(tree);
}

static void list_tags(struct scan *scan, const char *folder, const char *before, const char *name)
{
    const char *const path = join_path(scan, folder, name);
    const char *const *const tags = names_in(scan, path);
    for (size_t t = 0; path != NULL && tags[t] != NULL; t++) {
        list_manifest(scan, join_path(scan, path, tags[t]),
                      arena_format(scan->arena, "%s%s:%s", before, name, tags[t]));
    }
}

static void scan_ollama(struct scan *scan)
{
    const char *const manifests = join_path(scan, scan->root, "manifests");
    const char *const *const registries = names_in(scan, manifests);
    for (size_t r = 0; manifests != NULL && registries[r] != NULL; r++) {
        const char *const registry = join_path(scan, manifests, registries[r]);
        const char *const *const spaces = names_in(scan, registry);
        const char *const of_registry = strcmp(registries[r], "registry.ollama.ai") == 0
                                            ? ""
                                            : arena_format(scan->arena, "%s/", registries[r]);
        for (size_t s = 0; registry != NULL && of_registry != NULL && spaces[s] != NULL; s++) {
            const char *const space = join_path(scan, registry, spaces[s]);
            const char *const *const names = names_in(scan, space);
            const bool is_plain = strcmp(spaces[s], "library") == 0;
            const char *const before =
                is_plain ? of_registry : arena_format(scan->arena, "%s%s/", of_registry, spaces[s]);
            for (size_t n = 0; space != NULL && before != NULL && names[n] != NULL; n++) {
                list_tags(scan, space, before, names[n]);
            }
        }
    }
}

/* ---- GGUF files in a folder ------------------------------------------------------------------ */

/* The first of a file in parts, or a whole one; false: another part. */
static bool is_first_part(const char *name)
{
    const char *const of = strstr(name, "-of-");
    return of == NULL || of - name < 6 || of[-6] != '-' || strncmp(of - 5, "00001", 5) == 0;
}

/* Of all parts. */
static uint64_t bytes_of_parts(const struct scan *scan, const char *folder, const char *first,
                               const char *const *names)
{
    const char *const of = strstr(first, "-of-");
    const size_t before = of != NULL && of - first >= 6 ? (size_t)(of - first) - 5 : 0;
    uint64_t all = 0;
    for (size_t n = 0; names[n] != NULL; n++) {
        const bool is_part = before > 0
                                 ? strncmp(names[n], first, before) == 0 && has_end(names[n], of) &&
                                       strlen(names[n]) == strlen(first)
                                 : strcmp(names[n], first) == 0;
        uint64_t bytes = 0;
        if (is_part && is_regular(path_inside(scan, join_path(scan, folder, names[n])), &bytes)) {
            all += bytes;
        }
    }
    return all;
}

/* All GGUF files of a folder, called before/NAME. */
static void list_ggufs(struct scan *scan, const char *folder, const char *before)
{
    const char *const *const names = names_in(scan, folder);
    for (size_t n = 0; folder != NULL && names[n] != NULL; n++) {
        uint64_t bytes = 0;
        const char *const path = join_path(scan, folder, names[n]);
        if (!has_end(names[n], ".gguf") || !is_first_part(names[n]) ||
            !is_regular(path_inside(scan, path), &bytes)) {
            continue;
        }
        const size_t letters = strlen(names[n]) - sizeof ".gguf" + 1;
        struct model_listed *const model = add_listed(
            scan, arena_format(scan->arena, "%s/%.*s", before, (int)letters, names[n]), path);
        if (model != NULL) {
            model->bytes = bytes_of_parts(scan, folder, names[n], names);
            model->kind = kind_in_name(scan, names[n]);
            read_gguf_keys(scan, path, model);
        }
    }
}

/* ---- Hugging Face ---------------------------------------------------------------------------- */

/* The snapshot that refs/main names, or else the last by name; NULL: there is none. */
static const char *snapshot_of(struct scan *scan, const char *folder)
{
    struct error ignored;
    struct bytes text;
    uint64_t bytes = 0;
    const char *const main = path_inside(scan, join_path(scan, folder, "refs/main"));
    const char *const snapshots = join_path(scan, folder, "snapshots");
    const char *const *const names = names_in(scan, snapshots);
    const char *found = NULL;
    const bool has_main = is_regular(main, &bytes) && bytes <= 200 &&
                          file_read(main, 200, scan->arena, &text, &ignored);
    for (size_t n = 0; names[n] != NULL; n++) {
        const size_t letters = strlen(names[n]);
        found = names[n];
        if (has_main && text.size >= letters && memcmp(text.at, names[n], letters) == 0) {
            break;
        }
    }
    return found == NULL || snapshots == NULL ? NULL : join_path(scan, snapshots, found);
}

/* "models--ORG--NAME" is "ORG/NAME". */
static const char *name_of_cached(const struct scan *scan, const char *folder)
{
    const char *const rest = folder + strlen("models--"), *const apart = strstr(rest, "--");
    return apart == NULL
               ? rest
               : arena_format(scan->arena, "%.*s/%s", (int)(apart - rest), rest, apart + 2);
}

static void list_snapshot(struct scan *scan, const char *folder, const char *name)
{
    const char *const *const names = names_in(scan, folder);
    uint64_t all = 0;
    for (size_t n = 0; names[n] != NULL; n++) {
        uint64_t bytes = 0;
        if (has_end(names[n], ".safetensors") &&
            is_regular(path_inside(scan, join_path(scan, folder, names[n])), &bytes)) {
            all += bytes;
        }
    }
    struct model_listed *const model = all > 0 ? add_listed(scan, name, folder) : NULL;
    if (model != NULL) {
        model->bytes = all;
        read_config(scan, join_path(scan, folder, "config.json"), model);
    }
    list_ggufs(scan, folder, name);
}

static void scan_hugging_face(struct scan *scan)
{
    const char *const *const names = names_in(scan, scan->root);
    for (size_t n = 0; names[n] != NULL; n++) {
        if (strncmp(names[n], "models--", strlen("models--")) == 0) {
            const char *const snapshot = snapshot_of(scan, join_path(scan, scan->root, names[n]));
            const char *const name = name_of_cached(scan, names[n]);
            if (snapshot != NULL && name != NULL) {
                list_snapshot(scan, snapshot, name);
            }
        }
    }
}

/* ---- LM Studio ------------------------------------------------------------------------------- */

static void scan_lm_studio(struct scan *scan)
{
    const char *const *const publishers = names_in(scan, scan->root);
    for (size_t p = 0; publishers[p] != NULL; p++) {
        const char *const publisher = join_path(scan, scan->root, publishers[p]);
        const char *const *const names = names_in(scan, publisher);
        for (size_t n = 0; publisher != NULL && names[n] != NULL; n++) {
            const char *const before = arena_format(scan->arena, "%s/%s", publishers[p], names[n]);
            if (before != NULL) {
                list_ggufs(scan, join_path(scan, publisher, names[n]), before);
            }
        }
    }
}

bool model_listing_read(const struct model_place *place, size_t places, struct arena *arena,
                        struct model_listing *out)
{
    static void (*const shelves[])(struct scan *) = {
        [MODEL_SHELF_OLLAMA] = scan_ollama,
        [MODEL_SHELF_HUGGING_FACE] = scan_hugging_face,
        [MODEL_SHELF_LM_STUDIO] = scan_lm_studio,
    };
    struct scan scan = {.arena = arena,
                        .model = arena_array(arena, MODEL_LISTING_MAX, sizeof *scan.model)};
    for (size_t p = 0; scan.model != NULL && p < places; p++) {
        scan.shelf = place[p].shelf;
        scan.root = system_real_path(place[p].folder);
        if (scan.root != NULL) {
            shelves[scan.shelf](&scan);
        }
        free(scan.root);
    }
    *out = (struct model_listing){scan.model, scan.count, scan.cut};
    return scan.model != NULL && !arena->lacking;
}

/* ---- in words -------------------------------------------------------------------------------- */

/* "2.0 GB", "44 MB". */
static const char *bytes_text(uint64_t bytes, struct arena *arena)
{
    static const double giga = 1e9, mega = 1e6;
    const double large = (double)bytes;
    return large >= giga ? arena_format(arena, "%.1f GB", large / giga)
                         : arena_format(arena, "%.0f MB", large / mega < 1 ? 1 : large / mega);
}

const char *model_listed_facts(const struct model_listed *model, struct arena *arena)
{
    const char *text = model->family;
    const char *const dot = " · ";
    if (text != NULL && model->layers > 0 && model->heads > 0) {
        const char *const layers =
            model->target_layers == 0
                ? arena_format(arena, "%zu", model->layers)
                : arena_format(arena, "(%zu + %zu)", model->layers, model->target_layers);
        text = layers == NULL ? NULL
                              : arena_format(arena, "%s%s%s × %zu", text,
                                             text[0] != '\0' ? dot : "", layers, model->heads);
        if (text != NULL && model->groups > 0 && model->groups < model->heads) {
            text = arena_format(arena, tr("%s heads, %zu of keys"), text, model->groups);
        }
    }
    if (text != NULL && model->kind[0] != '\0') {
        text = arena_format(arena, "%s%s%s", text, text[0] != '\0' ? dot : "", model->kind);
    }
    const char *const bytes = bytes_text(model->bytes, arena);
    text = text == NULL || bytes == NULL
               ? NULL
               : arena_format(arena, "%s%s%s", text, text[0] != '\0' ? dot : "", bytes);
    if (text != NULL && model->memory > 0) {
        const char *const memory = bytes_text(model->memory, arena);
        text = memory == NULL ? NULL
                              : arena_format(arena, tr("%s, and %s of memory for %d words"), text,
                                             memory, MODEL_LISTING_WORDS);
    }
    return text;
}
