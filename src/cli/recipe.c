/* cli/recipe.c — Python that saves the attention of models that are not computed here, complete and
 * with the folder's name, so that it runs as it stands. */
#include <stdio.h>

#include "cli/calls.h"
#include "cli/model.h"
#include "cli/subject.h"

/* The differences between kinds of input; NULL: none. */
static const struct recipe {
    const char *import, *model, *reader; /* classes of transformers */
    const char *inputs;                  /* of the model */
    bool writes;                         /* it writes a text, whose words are the names of rows */
    const char *words;                   /* the names of rows or columns */
} recipes[] = {
    [MODEL_FOREIGN_TEXT] = {NULL, "AutoModel", "AutoTokenizer", "\"A text.\"", false,
                            "tokens=reader.convert_ids_to_tokens(inputs[\"input_ids\"][0])"},
    [MODEL_FOREIGN_PAIR] =
        {NULL, "AutoModelForSeq2SeqLM", "AutoTokenizer", "\"A text.\"", true,
         "source_tokens=reader.convert_ids_to_tokens(inputs[\"input_ids\"][0]),\n"
         "            "
         "target_tokens=reader.convert_ids_to_tokens(inputs[\"decoder_input_ids\"][0])"},
    [MODEL_FOREIGN_IMAGE] = {"from PIL import Image", "AutoModel", "AutoImageProcessor",
                             "Image.open(\"image.png\").convert(\"RGB\")", false, NULL},
    [MODEL_FOREIGN_SOUND] = {"import soundfile", "AutoModel", "AutoFeatureExtractor",
                             "soundfile.read(\"speech.wav\")[0], sampling_rate=16000", false, NULL},
    [MODEL_FOREIGN_SPEECH] =
        {"import soundfile", "AutoModelForSpeechSeq2Seq", "AutoProcessor",
         "soundfile.read(\"speech.wav\")[0], sampling_rate=16000", true,
         "target_tokens=reader.tokenizer.convert_ids_to_tokens(inputs[\"decoder_input_ids\"][0])"},
};

/* Appends a path as a text of Python, on one line. */
static void put_quoted(struct growing *out, const char *path)
{
    growing_put_byte(out, '"');
    for (; *path != '\0'; path++) {
        if (*path == '"' || *path == '\\') {
            growing_put_byte(out, '\\');
        }
        growing_put_byte(out, *path);
    }
    growing_put_byte(out, '"');
}

static void put_recipe(struct growing *out, const struct recipe *recipe, const char *folder)
{
    const bool named = recipe->words != NULL;
    const struct {
        bool is_there;
        const char *before, *text, *behind; /* text NULL: the folder */
    } lines[] = {
        {true, "import numpy, transformers", "", ""},
        {recipe->import != NULL, recipe->import, "", ""},
        {true, "folder = ", NULL, ""},
        {true, "model = transformers.", recipe->model,
         ".from_pretrained(folder, attn_implementation=\"eager\")"},
        {true, "reader = transformers.", recipe->reader, ".from_pretrained(folder)"},
        {true, "inputs = reader(", recipe->inputs, ", return_tensors=\"pt\")"},
        {recipe->writes, "inputs[\"decoder_input_ids\"] = model.generate(**inputs)", "", ""},
        {true, "outputs = model(**inputs, output_attentions=True)", "", ""},
        {true, "arrays = {f\"{name}_{i}\": a[0].detach().float().numpy()", "", ""},
        {true, "          for name, layers in outputs.items() if \"attentions\" in name", "", ""},
        {true, "          for i, a in enumerate(layers)}", "", ""},
        {true, "numpy.savez(\"attention.npz\", **arrays", named ? "," : ")", ""},
        {named, "            ", named ? recipe->words : "", ")"},
    };
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++) {
        if (!lines[l].is_there) {
            continue;
        }
        growing_put_text(out, lines[l].before);
        if (lines[l].text == NULL) {
            put_quoted(out, folder);
        } else {
            growing_put_text(out, lines[l].text);
        }
        growing_put_text(out, lines[l].behind);
        growing_put_byte(out, '\n');
    }
}

void cli_print_python_recipe(const struct cli_options *options)
{
    struct model_config config;
    struct error refused;
    struct arena arena = {0};
    struct growing out = growing_start(&arena);
    struct bytes text;
    if (options->subject->reads_text && !model_config_read(options->opened, &config, &refused) &&
        config.foreign != MODEL_FOREIGN_NOT && config.foreign != MODEL_FOREIGN_STATE) {
        const bool gguf = file_handle_kind(options->opened) == FILE_GGUF;
        put_recipe(&out, &recipes[config.foreign],
                   gguf ? "folder/of/the/original" : cli_escape_controls(options->file, &arena));
        if (growing_finish(&out, &text, NULL)) {
            fputs((const char *)text.at, stderr);
        }
    }
    arena_free(&arena);
}
