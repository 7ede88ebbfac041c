/* cli/limits.c — the table of limits. The numbers are those that the readers themselves use. */
#include "cli/limits.h"

#include <string.h>

#include "app/document/state.h"
#include "app/document/token_edit.h"
#include "canvas/render/render.h"
#include "cli/calls.h"
#include "cli/options.h"
#include "file/gguf.h"
#include "file/json.h"
#include "file/limits.h"
#include "file/pasted.h"
#include "file/safetensors.h"
#include "file/vectors.h"
#include "lab/experiment/edits.h"
#include "lab/experiment/experiment.h"
#include "model/bpe.h"
#include "model/model.h"
#include "model/tokenizer.h"

static const char REFUSED[] = "refused";

static const struct cli_limit limits[] = {
    {"words on screen", LAB_TOKENS_MAX, "in a field the first are taken, elsewhere refused"},
    {"bytes of text taken at once", APP_TOKEN_EDIT_BYTES_MAX, "the first are taken"},
    {"heads of an experiment", LAB_HEADS_MAX, REFUSED},
    {"d_model, d_k and d_v", LAB_SIZE_MAX, REFUSED},
    {"changes that can be undone", DOCUMENT_STEPS_MAX - 1, "the oldest is forgotten"},
    {"megabytes of former experiments", DOCUMENT_BYTES_MAX >> 20, "the oldest is forgotten"},
    {"pixels a side of a picture", RENDER_SIDE_MAX, REFUSED},
    {"numbers typed by hand", LAB_EDITS_MAX, REFUSED},
    {"bytes of a word", LAB_WORD_BYTES_MAX, REFUSED},
    {"bytes of a file of text", CLI_TEXT_BYTES_MAX, REFUSED},
    {"bytes of a session or a lesson", LAB_LESSON_BYTES_MAX, "neither opened nor saved"},
    {"elements of a list in it", LAB_ROW_MAX, REFUSED},
    {"steps of a lesson", LAB_STEPS_MAX, REFUSED},
    {"bytes of a caption", LAB_CAPTION_BYTES_MAX, REFUSED},
    {"bytes of other JSON", JSON_BYTES_MAX, REFUSED},
    {"depth of JSON", JSON_DEPTH_MAX, REFUSED},
    {"letters of a number in JSON", JSON_NUMBER_LETTERS_MAX, REFUSED},
    {"bytes of a text in JSON", JSON_TEXT_BYTES_MAX, REFUSED},
    {"numbers in JSON (a list counts as 3)", JSON_CELLS_MAX, REFUSED},
    {"dimensions of an array", ARRAY_RANK_MAX, REFUSED},
    {"bytes of an npy header", NPY_HEADER_LETTERS_MAX, REFUSED},
    {"letters of a text in an npy", NPY_TEXT_LETTERS_MAX, REFUSED},
    {"members of an npz", NPZ_MEMBERS_MAX, REFUSED},
    {"times a packed member may grow", NPZ_RATIO_MAX, REFUSED},
    {"megabytes that are unpacked", NPZ_UNPACKED_MAX >> 20, REFUSED},
    {"arrays of a file of attention", LAB_DUMP_ARRAYS_MAX, REFUSED},
    {"heads of a file of attention", LAB_THUMBNAILS_HEADS_MAX, REFUSED},
    {"bytes of its file of tokens", LAB_DUMP_WORDS_BYTES_MAX, REFUSED},
    {"bytes of a safetensors header", SAFETENSORS_HEADER_MAX, REFUSED},
    {"tensors of a safetensors file", SAFETENSORS_TENSORS_MAX, REFUSED},
    {"bytes of a tensor's name", SAFETENSORS_NAME_MAX, REFUSED},
    {"bytes of a note on tensors", SAFETENSORS_NOTE_MAX, REFUSED},
    {"keys of a GGUF", GGUF_KEYS_MAX, REFUSED},
    {"bytes of a key", GGUF_KEY_MAX, REFUSED},
    {"bytes of a text in a GGUF", GGUF_TEXT_MAX, REFUSED},
    {"items of a list in a GGUF", GGUF_ITEMS_MAX, REFUSED},
    {"lists in each other in a GGUF", GGUF_DEPTH_MAX, REFUSED},
    {"bytes of alignment of a GGUF", GGUF_ALIGNMENT_MAX, REFUSED},
    {"tensors of a GGUF", GGUF_TENSORS_MAX, REFUSED},
    {"bytes of a tensor's name in a GGUF", GGUF_NAME_MAX, REFUSED},
    {"dimensions of a tensor in a GGUF", GGUF_RANK_MAX, REFUSED},
    {"files of a split GGUF", GGUF_FILES_MAX, REFUSED},
    {"numbers of a word vector", VECTORS_DIMENSION_MAX, REFUSED},
    {"files of a model's weights", MODEL_FILES_MAX, REFUSED},
    {"entries of a vocabulary", VOCABULARY_TOKENS_MAX, REFUSED},
    {"merges", BPE_MERGES_MAX, REFUSED},
    {"bytes of a vocabulary's token", VOCABULARY_TOKEN_BYTES_MAX, REFUSED},
    {"ids of a vocabulary", VOCABULARY_IDS_MAX, REFUSED},
    {"bytes of a line of merges", BPE_LINE_BYTES_MAX, REFUSED},
    {"added tokens", TOKENIZER_ADDED_MAX, REFUSED},
    {"bytes of a pasted matrix", PASTED_BYTES_MAX, REFUSED},
    {"numbers of a pasted matrix", PASTED_NUMBERS_MAX, REFUSED},
    {"interventions of a call", CLI_WISHES_MAX, REFUSED},
    {"files of a call (-o)", CLI_OUTS_MAX, REFUSED},
};

enum { LIMITS = sizeof limits / sizeof limits[0] };

const struct cli_limit *cli_limit_at(size_t index)
{
    return index < LIMITS ? &limits[index] : NULL;
}

static bool as_json(struct arena *arena, struct bytes *content, struct error *error)
{
    struct json_writer json = json_writer_start(arena);
    json_begin_array(&json, JSON_LINES);
    for (size_t l = 0; l < LIMITS; l++) {
        json_begin_object_in_line(&json);
        json_key(&json, "what");
        json_put_text(&json, limits[l].what);
        json_key(&json, "most");
        json_put_whole_number(&json, (int64_t)limits[l].most);
        json_key(&json, "beyond");
        json_put_text(&json, limits[l].beyond);
        json_end_object(&json);
    }
    json_end_array(&json);
    return json_writer_finish(&json, content, error);
}

static bool as_text(struct arena *arena, struct bytes *content, struct error *error)
{
    struct growing lines = growing_start(arena);
    for (size_t l = 0; l < LIMITS; l++) {
        const char *const line = arena_format(arena, "%11zu %-37s %s\n", limits[l].most,
                                              limits[l].what, limits[l].beyond);
        growing_put_text(&lines, line == NULL ? "" : line);
    }
    return growing_finish(&lines, content, error);
}

int cli_limits(const struct cli_options *options)
{
    struct error error = {ERROR_NONE, 0, ""};
    struct arena arena = {0};
    struct bytes content;
    const bool made = options->value[CLI_JSON].given ? as_json(&arena, &content, &error)
                                                     : as_text(&arena, &content, &error);
    const int status = made ? cli_write_file("-", content, false) : cli_fail(&error);
    arena_free(&arena);
    return status;
}
