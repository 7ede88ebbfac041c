/* model/layout.c — see layout.h. */
#include "model/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct layout_entry {
    const char *name; /* plain */
    const struct model_tensor *tensor;
    bool used;
};

static bool no_memory(struct error *error)
{
    return error_set(error, ERROR_MEMORY, "There is not enough memory for this model.");
}

static bool begins_with(const char *name, const char *beginning, size_t length)
{
    return strncmp(name, beginning, length) == 0;
}

/* A part of a name, up to its dot or the end. */
static size_t part_length(const char *part)
{
    return strcspn(part, ".");
}

static bool part_is(const char *part, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(part, name, length) == 0;
}

/* ---- plain names --------------------------------------------------------------------------- */

/* Names that torch.compile, DataParallel and FSDP put between the parts of a name. */
static bool is_wrapper(const char *part, size_t length)
{
    static const char *const wrappers[] = {"_orig_mod", "module", "_fsdp_wrapped_module",
                                           "_checkpoint_wrapped_module"};
    for (size_t w = 0; w < sizeof wrappers / sizeof *wrappers; w++) {
        if (part_is(part, length, wrappers[w])) {
            return true;
        }
    }
    return false;
}

/* The name that a last part stands for; NULL: it is plain. */
static const char *plain_end(const char *part, size_t length)
{
    return part_is(part, length, "gamma")  ? "weight"
           : part_is(part, length, "beta") ? "bias"
                                           : NULL;
}

/* `name` itself where it is plain. NULL: no memory. */
static const char *plain_name(const char *name, struct arena *arena)
{
    char *out = NULL;
    size_t at = 0;
    for (const char *part = name; *part != '\0';) {
        const size_t length = part_length(part);
        const bool last = part[length] == '\0', wraps = !last && is_wrapper(part, length);
        const char *const end = last ? plain_end(part, length) : NULL;
        if (out == NULL && (wraps || end != NULL)) {
            out = arena_text(arena, name, strlen(name) + sizeof "weight");
            if (out == NULL) {
                return NULL;
            }
            at = (size_t)(part - name);
        }
        if (out != NULL && !wraps) {
            const char *const kept = end != NULL ? end : part;
            const size_t letters = end != NULL ? strlen(end) : length + (last ? 0 : 1);
            memcpy(out + at, kept, letters);
            at += letters;
            out[at] = '\0';
        }
        part += length + (last ? 0 : 1);
    }
    return out != NULL ? out : name;
}

static int compare_entries(const void *left, const void *right)
{
    const struct layout_entry *const a = left, *const b = right;
    const int order = strcmp(a->name, b->name);
    /* Of several of one name the one that is called so comes first. */
    const int called =
        (strcmp(a->tensor->name, a->name) != 0) - (strcmp(b->tensor->name, b->name) != 0);
    return order != 0 ? order : called != 0 ? called : strcmp(a->tensor->name, b->tensor->name);
}

static bool list_entries(const struct model_source *source, bool gguf, struct arena *arena,
                         struct model_layout *layout)
{
    const struct model_tensor *tensor = NULL;
    size_t count = 0;
    while (source->calls->at(source, count) != NULL) {
        count++;
    }
    layout->entries = arena_array(arena, count + 1, sizeof *layout->entries);
    for (size_t t = 0; layout->entries != NULL && t < count; t++) {
        tensor = source->calls->at(source, t);
        const char *const name = gguf ? tensor->name : plain_name(tensor->name, arena);
        if (name == NULL) {
            return false;
        }
        layout->entries[t] = (struct layout_entry){.name = name, .tensor = tensor};
    }
    layout->count = count;
    if (layout->entries != NULL) {
        qsort(layout->entries, count, sizeof *layout->entries, compare_entries);
    }
    return layout->entries != NULL;
}

/* The index of the first entry whose first letters are not before these. */
static size_t first_from(const struct model_layout *layout, const char *beginning, size_t length,
                         bool behind)
{
    size_t low = 0, high = layout->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const int order = strncmp(layout->entries[middle].name, beginning, length);
        if (order < 0 || (behind && order == 0)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static struct layout_entry *find_plain(const struct model_layout *layout, const char *name)
{
    const size_t at = first_from(layout, name, strlen(name) + 1, false);
    return at < layout->count && strcmp(layout->entries[at].name, name) == 0 ? &layout->entries[at]
                                                                             : NULL;
}

/* ---- the prefix ---------------------------------------------------------------------------- */

bool model_layout_write(const char *pattern, size_t length, size_t layer, size_t expert,
                        const char *suffix, char name[LAYOUT_NAME_BYTES])
{
    size_t at = 0;
    const bool whole = length > 0 && pattern[length - 1] == '!';
    for (size_t c = 0; c < length - (whole ? 1 : 0); c++) {
        const size_t room = at < LAYOUT_NAME_BYTES ? LAYOUT_NAME_BYTES - at : 0;
        const int wrote = pattern[c] == '#'   ? snprintf(name + at, room, "%zu", layer)
                          : pattern[c] == '@' ? snprintf(name + at, room, "%zu", expert)
                                              : snprintf(name + at, room, "%c", pattern[c]);
        at += wrote > 0 ? (size_t)wrote : 0;
        if (at >= LAYOUT_NAME_BYTES) {
            return false;
        }
    }
    const char *const end = !whole ? suffix : strcmp(suffix, ".bias") == 0 ? "_bias" : "";
    return snprintf(name + at, LAYOUT_NAME_BYTES - at, "%s", end) < (int)(LAYOUT_NAME_BYTES - at);
}

/* Shortens *stem, whole parts of a name, to what a pattern and all its alternatives begin with. */
static void share_stem(const char *pattern, const char **first, size_t *stem)
{
    for (const char *at = pattern; *at != '\0';) {
        if (*first == NULL) {
            *first = at;
            *stem = strcspn(at, "|");
        }
        size_t same = 0, dot = 0;
        for (; same < *stem && at[same] == (*first)[same]; same++) {
            dot = at[same] == '.' ? same + 1 : dot;
        }
        *stem = dot;
        at += strcspn(at, "|");
        at += *at == '|' ? 1 : 0;
    }
}

/* How many letters all names of a family's body begin with, "model." or nothing. */
static size_t stem_of(const struct model_family *family)
{
    const char *first = NULL;
    size_t stem = 0;
    for (size_t r = 0; r < MODEL_ROLES; r++) {
        const char *const of[] = {family->names[r],
                                  family->source_names == NULL ? NULL : family->source_names[r]};
        for (size_t n = 0; n < 2; n++) {
            if (of[n] != NULL && !model_role_is_head((enum model_role)r)) {
                share_stem(of[n], &first, &stem);
            }
        }
    }
    return stem;
}

/* Returns whether the table of words lies under a prefix, by the first letters of a name that has
 * it. */
static bool has_words(const struct model_layout *layout, const struct model_family *family,
                      const char *name, size_t prefix)
{
    char whole[2 * LAYOUT_NAME_BYTES], word[LAYOUT_NAME_BYTES];
    for (const char *at = family->names[MODEL_EMBED]; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, "|");
        if (model_layout_write(at, length, 0, 0, ".weight", word)) {
            snprintf(whole, sizeof whole, "%.*s%s", (int)prefix, name, word + layout->stem);
            if (find_plain(layout, whole) != NULL) {
                return true;
            }
        }
        at += length + (at[length] == '|' ? 1 : 0);
    }
    return false;
}

/* Prefixes before a name that every model of the family has. */
struct prefixes {
    const char *name[2]; /* entries that begin with them: the best one, and another as good */
    size_t length[2];
    int rank; /* of the best: 1, 2 with words, 3 as the family has it itself */
};

static void weigh_prefix(const struct model_layout *layout, const struct model_family *family,
                         const char *name, size_t length, struct prefixes *out)
{
    const char *const own = family->names[MODEL_O];
    const bool words = has_words(layout, family, name, length);
    const bool usual = length == layout->stem && begins_with(name, own, length);
    const int rank = words && usual ? 3 : words ? 2 : 1;
    if (length >= LAYOUT_PREFIX_BYTES || rank < out->rank) {
        return;
    }
    if (rank > out->rank) {
        *out = (struct prefixes){{name, NULL}, {length, 0}, rank};
    } else if (length != out->length[0] || !begins_with(name, out->name[0], length)) {
        out->name[1] = name;
        out->length[1] = length;
    }
}

/* Looks for names that end as one that the family has. */
static void look_for(const struct model_layout *layout, const struct model_family *family,
                     enum model_role role, struct prefixes *out)
{
    char name[LAYOUT_NAME_BYTES];
    const char *const pattern = family->names[role];
    if (pattern == NULL ||
        !model_layout_write(pattern, strcspn(pattern, "|"), 0, 0, ".weight", name)) {
        return;
    }
    const char *const end = name + layout->stem;
    const size_t letters = strlen(end);
    for (size_t e = 0; e < layout->count; e++) {
        const char *const whole = layout->entries[e].name;
        const size_t length = strlen(whole), before = length >= letters ? length - letters : 0;
        if (length >= letters && strcmp(whole + before, end) == 0 &&
            (before == 0 || whole[before - 1] == '.')) {
            weigh_prefix(layout, family, whole, before, out);
        }
    }
}

static bool find_body(struct model_layout *layout, const struct model_family *family,
                      struct error *error)
{
    struct prefixes found = {{NULL, NULL}, {0, 0}, 0};
    look_for(layout, family, MODEL_O, &found);
    if (found.rank == 0) {
        look_for(layout, family, MODEL_EMBED, &found); /* the file is damaged */
    }
    layout->known = found.rank > 0;
    if (found.name[1] != NULL) {
        char other[LAYOUT_PREFIX_BYTES];
        snprintf(other, sizeof other, "%.*s", (int)found.length[1], found.name[1]);
        return error_set(error, ERROR_INPUT,
                         "%.40s: it holds two models, “%.*s” and “%.40s”; save one of them alone.",
                         layout->source->name, (int)(found.length[0] < 40 ? found.length[0] : 40),
                         found.name[0], other);
    }
    snprintf(layout->body, sizeof layout->body, "%.*s",
             (int)(found.rank > 0 ? found.length[0] : layout->stem),
             found.rank > 0 ? found.name[0] : family->names[MODEL_O]);
    return true;
}

/* Weights that are added to others (PEFT) would be lost. */
static bool check_merged(const struct model_layout *layout, struct error *error)
{
    for (size_t e = 0; e < layout->count; e++) {
        for (const char *part = layout->entries[e].name; *part != '\0';) {
            const size_t length = part_length(part);
            if (part_is(part, length, "lora_A") || part_is(part, length, "base_layer")) {
                return error_set(error, ERROR_INPUT,
                                 "%.40s: it holds weights of PEFT (%.60s) that are not merged; in "
                                 "Python: model.merge_and_unload().save_pretrained(folder).",
                                 layout->source->name, layout->entries[e].name);
            }
            part += length + (part[length] == '.' ? 1 : 0);
        }
    }
    return true;
}

bool model_layout_make(const struct model_source *source, const struct model_family *family,
                       bool gguf, struct arena *arena, struct model_layout *layout,
                       struct error *error)
{
    *layout = (struct model_layout){.source = source, .gguf = gguf, .known = true};
    if (!list_entries(source, gguf, arena, layout)) {
        return no_memory(error);
    }
    layout->stem = gguf ? 0 : stem_of(family);
    return gguf || (check_merged(layout, error) && find_body(layout, family, error));
}

/* ---- tensors ------------------------------------------------------------------------------- */

static const struct model_tensor *read_entry(struct layout_entry *entry)
{
    if (entry == NULL) {
        return NULL;
    }
    entry->used = true;
    return entry->tensor;
}

void model_layout_name(const struct model_layout *layout, const char *name,
                       char out[LAYOUT_NAME_BYTES])
{
    snprintf(out, LAYOUT_NAME_BYTES, "%s%s", layout->body, name + layout->stem);
}

/* The letters of a prefix without its last part. */
static size_t outside_of(const char *prefix, size_t length)
{
    length -= length > 0 ? 1 : 0; /* its dot */
    while (length > 0 && prefix[length - 1] != '.') {
        length--;
    }
    return length;
}

const struct model_tensor *model_layout_find(const struct model_layout *layout, const char *name,
                                             bool head)
{
    char whole[2 * LAYOUT_NAME_BYTES];
    struct layout_entry *found = NULL;
    if (!head || layout->gguf) {
        snprintf(whole, sizeof whole, "%s%s", layout->body, name + layout->stem);
        return read_entry(find_plain(layout, whole));
    }
    for (size_t length = strlen(layout->body);; length = outside_of(layout->body, length)) {
        snprintf(whole, sizeof whole, "%.*s%s", (int)length, layout->body, name);
        found = find_plain(layout, whole);
        if (found != NULL || length == 0) {
            return read_entry(found);
        }
    }
}

/* ---- what is left out ---------------------------------------------------------------------- */

/* Ends of buffers that are no weights, and of tensors that another one's place is taken for. */
static bool says_nothing(const struct model_layout *layout, const char *name)
{
    static const char *const ends[] = {
        ".attn.bias", /* masks of GPT-2, GPT-Neo, GPT-NeoX */
        ".attn.masked_bias",
        ".attention.bias",
        ".attention.masked_bias",
        ".rotary_emb.inv_freq",
        "embeddings.position_ids", /* a row of numbers from 0, and one of zeros */
        "embeddings.token_type_ids",
        ".embed_positions.weights", /* sines, which are computed */
        ".embed_positions._float_tensor",
        ".EncDecAttention.relative_attention_bias.weight", /* which T5 never adds */
        "encoder.version",
        "decoder.version",
        "rope_freqs.weight", /* of a GGUF: read with its keys */
        "rope_factors_long.weight",
        "rope_factors_short.weight",
    };
    static const char *const packed[] = {"_blocks", "_scales"}; /* parts of one that is read */
    const size_t length = strlen(name);
    for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
        const size_t letters = strlen(ends[e]);
        if (length >= letters && strcmp(name + length - letters, ends[e]) == 0) {
            return true;
        }
    }
    for (size_t p = 0; p < 2; p++) {
        char whole[2 * LAYOUT_NAME_BYTES];
        const size_t letters = strlen(packed[p]);
        if (length > letters && length < sizeof whole &&
            strcmp(name + length - letters, packed[p]) == 0) {
            snprintf(whole, sizeof whole, "%.*s", (int)(length - letters), name);
            const struct layout_entry *const one = find_plain(layout, whole);
            return one != NULL && one->used;
        }
    }
    return false;
}

/* Returns whether any name that begins so is read; read[e]: how many are before entry e. */
static bool any_read(const struct model_layout *layout, const size_t *read, const char *beginning,
                     size_t length)
{
    return read[first_from(layout, beginning, length, false)] !=
           read[first_from(layout, beginning, length, true)];
}

/* The shortest beginning of a name, whole parts of it, under which nothing is read: "pooler" of
 * "bert.pooler.dense.weight". What is outside of the model's own prefix is left away. */
static const char *left_name(const struct model_layout *layout, const size_t *read,
                             const char *name, struct arena *arena)
{
    size_t first = strlen(layout->body);
    while (first > 0 && !begins_with(name, layout->body, first)) {
        first = outside_of(layout->body, first);
    }
    size_t end = first + part_length(name + first);
    while (name[end] != '\0' && any_read(layout, read, name, end + 1)) {
        end += 1 + part_length(name + end + 1);
    }
    char *const out = arena_text(arena, name + first, end - first);
    size_t at = 0;
    for (const char *part = name + first; out != NULL && part < name + end;) {
        const size_t length = part_length(part);
        const bool last = part + length >= name + end;
        if (!last && strspn(part, "0123456789") == length) {
            out[at++] = '#'; /* of every layer */
        } else {
            memcpy(out + at, part, length);
            at += length;
        }
        if (!last) {
            out[at++] = '.';
        }
        out[at] = '\0';
        part += length + 1;
    }
    return out;
}

bool model_layout_left_out(const struct model_layout *layout, struct arena *arena,
                           const struct model_left_out **out, size_t *count)
{
    enum { NAMES_MAX = 64 }; /* the last one counts all others */
    struct model_left_out *const names = arena_array(arena, NAMES_MAX, sizeof *names);
    size_t *const read = arena_array(arena, layout->count + 1, sizeof *read);
    *out = names;
    *count = 0;
    if (names == NULL || read == NULL) {
        return false;
    }
    for (size_t e = 0; e < layout->count; e++) {
        read[e + 1] = read[e] + (layout->entries[e].used ? 1 : 0);
    }
    for (size_t e = 0; e < layout->count; e++) {
        if (layout->entries[e].used || says_nothing(layout, layout->entries[e].name)) {
            continue;
        }
        const char *const name = left_name(layout, read, layout->entries[e].name, arena);
        size_t at = 0;
        if (name == NULL) {
            return false;
        }
        while (at < *count && at + 1 < NAMES_MAX && strcmp(names[at].name, name) != 0) {
            at++;
        }
        names[at].name = at < *count ? names[at].name : name;
        names[at].tensors++;
        *count = at < *count ? *count : at + 1;
    }
    return true;
}
