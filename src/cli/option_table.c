/* cli/option_table.c — the options as rows: their names, values, calls and help. Those of the
 * experiment are made of the rows of lab/experiment/params.inc. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "lab/dump/dump.h"
#include "lab/experiment/experiment.h"
#include "lab/lesson/display_json.h"
#include "learn/task.h"
#include "why/patching.h"

const char *cli_switch_name(size_t index)
{
    static const char *const names[] = {"on", "off"};
    return index < 2 ? names[index] : NULL;
}

static const char *name_of_background(size_t index)
{
    static const char *const names[] = {"theme", "white", "transparent"};
    return index < 3 ? names[index] : NULL;
}

static const char *name_of_text(size_t index)
{
    static const char *const names[] = {"text", "outlines", "embedded"};
    return index < 3 ? names[index] : NULL;
}

/* In the order of enum view_values. */
static const char *name_of_values(size_t index)
{
    static const char *const names[] = {"auto", "on", "off"};
    return index < 3 ? names[index] : NULL;
}

/* In the order of a logarithmic axis or a linear one: prefs.learn_linear is the second. */
static const char *name_of_step_axis(size_t index)
{
    static const char *const names[] = {"log", "linear"};
    return index < 2 ? names[index] : NULL;
}

static const char *name_of_list(size_t index)
{
    static const char *const names[] = {"stages", "views",   "colormaps",
                                        "masks",  "lessons", "themes"};
    return index < 6 ? names[index] : NULL;
}

static const char *name_of_repeat(size_t index)
{
    static const char *const names[] = {"likeliest", "each"};
    return index < 2 ? names[index] : NULL;
}

static const char *name_of_renderer(size_t index)
{
    static const char *const names[] = {"auto", "gpu", "cpu"};
    return index < 3 ? names[index] : NULL;
}

/* clang-format off */
static const struct cli_option_row rows[CLI_OPTIONS] = {
    [CLI_LESSON] = {"lesson", CLI_TYPE_NAME, "NAME", NULL, CALL_EXPERIMENT, 0, 0, cli_lesson_name, "start from a built-in lesson; other options change it"},
    [CLI_STEP] = {"step", CLI_TYPE_WHOLE, "N", NULL, CALL_EXPERIMENT, 1, 1000, NULL, "the step of the lesson or file to begin at (1)"},
    [CLI_TOKENS] = {"tokens", CLI_TYPE_TEXT, "\"a b c\"", NULL, CALL_EXPERIMENT, 0, 0, NULL, "words, split at white space; \\ before a space keeps it; of a file of attention: the names of its rows, and of as many columns (cat dog lion)"},
    [CLI_TEXT_FILE] = {"text-file", CLI_TYPE_PATH, "FILE", NULL, CALL_READING | CALL_HEADS, 0, 0, NULL, "the words, or what a model reads, from a file; - is standard input"},
    [CLI_PROMPT] = {"text", CLI_TYPE_TEXT, "\"A text.\"", NULL, CALL_COMPUTE | CALL_DESCRIBE | CALL_WINDOW | CALL_CAUSE | CALL_HEADS | CALL_BLAME, 0, 0, NULL, "what a model reads, when FILE is its folder or a GGUF"},
    [CLI_PAIR] = {"text-pair", CLI_TYPE_TEXT, "\"B text.\"", NULL, CALL_READING, 0, 0, NULL, "the second sentence of an encoder such as BERT"},
    [CLI_IDS] = {"ids", CLI_TYPE_TEXT, "\"1 5 7\"", NULL, CALL_READING, 0, 0, NULL, "numbers of tokens in place of --text"},
    [CLI_TARGET] = {"target", CLI_TYPE_TEXT, "\"A text.\"", NULL, CALL_READING, 0, 0, NULL, "what the decoder of a model of two texts has written so far"},
    [CLI_TARGET_IDS] = {"target-ids", CLI_TYPE_TEXT, "\"0 7 9\"", NULL, CALL_READING, 0, 0, NULL, "numbers of tokens in place of --target, the start token included"},
    [CLI_GENERATE] = {"generate", CLI_TYPE_WHOLE, "N", NULL, CALL_EXPERIMENT, 1, 4096, NULL, "the model writes N more tokens, each the likeliest, or fewer where its text ends"},
    [CLI_SPECIAL] = {"special", CLI_TYPE_NAME, "on|off", "on", CALL_READING | CALL_HEADS, 0, 0, cli_switch_name, "tokens that the tokenizer adds to a text, as [CLS] and [SEP]"},
    [CLI_CHAT] = {"chat", CLI_TYPE_NAME, "on|off", "off", CALL_READING, 0, 0, cli_switch_name, "the text is the first message of a chat, written as the model's template does"},
    [CLI_WITHOUT] = {"without", CLI_TYPE_TEXT, "PARTS", NULL, CALL_CHANGING, 0, 0, NULL, "a model without these parts: L0H1,MLP3=mean,L0H1@8,MLP0N17 (zero, or the mean over the words; @ one word); as often as wanted, as the next three"},
    [CLI_EDGE] = {"edge", CLI_TYPE_TEXT, "PAIR", NULL, CALL_CHANGING, 0, 0, NULL, "a pair of words that a head of a model does not see: \"L0H1:is>hammer\" (query > key)"},
    [CLI_SET] = {"set", CLI_TYPE_TEXT, "NODE=X", NULL, CALL_CHANGING, 0, 0, NULL, "a number of a model: \"L0H1.alpha[8,5]=0.4\", \"residual 3[8,1]=0\"; rows and columns from 1, : is each"},
    [CLI_PATCH] = {"patch", CLI_TYPE_TEXT, "\"PART from TEXT\"", NULL, CALL_CHANGING, 0, 0, NULL, "a part of a model as another text with as many tokens has it: \"L0H1 from A text.\", also L0H1@8, MLP 0, residual 3, L0H1.alpha"},
    [CLI_WORD] = {"word", CLI_TYPE_TEXT, "W", NULL, CALL_CAUSE | CALL_BLAME | CALL_RENDER, 0, 0, NULL, "the next word that is asked about (the likeliest)"},
    [CLI_RIVAL] = {"rival", CLI_TYPE_TEXT, "W", NULL, CALL_CAUSE | CALL_RENDER, 0, 0, NULL, "a word that is less likely: the difference of both is split"},
    [CLI_RANDOM_PROBE] = {"probe", CLI_TYPE_WHOLE, "N", NULL, CALL_HEADS, 2, 4096, NULL, "measured on eight texts of N random tokens that come twice (20, or as many as fit, where no text is given)"},
    [CLI_TEXTS] = {"texts", CLI_TYPE_PATH, "FILE", NULL, CALL_HEADS | CALL_CAUSE, 0, 0, NULL, "measured on the lines of a file, a text each; - is standard input"},
    [CLI_THRESHOLD] = {"threshold", CLI_TYPE_TEXT, "X|NAME=X,...", NULL, CALL_HEADS, 0, 0, NULL, "from which number on a head is called by a measure: one for all, or induction=0.4,first=0.8 (0.5)"},
    [CLI_CHANGED] = {"changed", CLI_TYPE_TEXT, "\"B text.\"", NULL, CALL_PATCH | CALL_RENDER, 0, 0, NULL, "another text with as many tokens, into which parts of --text are put; with --from and --to: whose part the receiver reads"},
    [CLI_WHAT] = {"what", CLI_TYPE_NAME, "residual|head|alpha|value", "residual", CALL_PATCH | CALL_RENDER, 0, 0, why_patched_name, "what is put there in turn: the stream before each layer at each word, or of each head its Z, weights or values"},
    [CLI_SENDER] = {"from", CLI_TYPE_TEXT, "PART", NULL, CALL_PATCH, 0, 0, NULL, "a path in place of a table: what is lost where PART --to reads the stream without this part, L0H2 or \"MLP 0\""},
    [CLI_RECEIVER] = {"to", CLI_TYPE_TEXT, "PART", NULL, CALL_PATCH, 0, 0, NULL, "the part that reads it: L1H0 or \"MLP 1\""},
    [CLI_LOSS] = {"loss", CLI_TYPE_NAME, "on|off", "on", CALL_ABLATE, 0, 0, cli_switch_name, "how well the text's own words are foretold; off: only the one word is looked at, which is faster"},
    [CLI_HEAD_SET] = {"heads", CLI_TYPE_TEXT, "PARTS|each", "each", CALL_ABLATE, 0, 0, NULL, "the parts that are taken away, together and one by one: L0H1,MLP0; each: every head and every MLP in turn; with =mean or @8 as --without has them"},
    [CLI_REPEAT] = {"repeat", CLI_TYPE_NAME, "likeliest|each", "likeliest", CALL_BLAME, 0, 0, name_of_repeat, "which lines are left out and learned again: the eight likeliest by gradient and four drawn at random, or each in turn"},
    [CLI_ARRAY] = {"array", CLI_TYPE_TEXT, "NAME", NULL, CALL_EXPERIMENT | CALL_INFO, 0, 0, NULL, "which array of a file of attention; # stands for the number of a layer"},
    [CLI_AXES] = {"axes", CLI_TYPE_TEXT, "LHQK", NULL, CALL_EXPERIMENT | CALL_INFO, 0, 0, NULL, "what its axes are, a letter each: L layer, B text, H head, Q query, K key (or D, of queries and keys)"},
    [CLI_READING] = {"reading", CLI_TYPE_NAME, "weights|scores|queries|raw", NULL, CALL_EXPERIMENT | CALL_INFO, 0, 0, lab_dump_reading_name, "what --array is: weights, scores before the softmax, queries, or raw: any numbers, as they are (by its name)"},
    [CLI_KEYS_ARRAY] = {"keys-array", CLI_TYPE_TEXT, "NAME", NULL, CALL_EXPERIMENT | CALL_INFO, 0, 0, NULL, "which array holds the keys, where --array holds queries"},
    [CLI_TOKENS_ARRAY] = {"tokens-array", CLI_TYPE_TEXT, "NAME", NULL, CALL_EXPERIMENT | CALL_INFO, 0, 0, NULL, "which array of a file of attention holds its tokens"},
    [CLI_BATCH] = {"batch", CLI_TYPE_WHOLE, "N", NULL, CALL_EXPERIMENT | CALL_INFO, 1, 1000000, NULL, "which of several texts in it, from 1 (1)"},
    [CLI_PARAM(SCALE)] = {"scale", CLI_TYPE_SCALE, "on|off|S", "on", CALL_EXPERIMENT, 0.1, 16, cli_switch_name, "divide scores by the root of d_k; a number: pixels a point"},
    [CLI_ISA] = {"isa", CLI_TYPE_TEXT, "NAME", NULL, CALL_READING | CALL_HEADS | CALL_CIRCUITS | CALL_BLAME | CALL_BENCH | CALL_TRAIN, 0, 0, NULL, "force an instruction set: ref, sse2, avx2, avx512, neon (the best); results do not depend on it"},
    [CLI_THREADS] = {"threads", CLI_TYPE_WHOLE, "N", NULL, CALL_READING | CALL_HEADS | CALL_CIRCUITS | CALL_BLAME | CALL_BENCH | CALL_TRAIN, 1, 1024, NULL, "at most so many threads; results do not depend on it (all)"},
    [CLI_FORMAT] = {"format", CLI_TYPE_NAME, "F", NULL, CALL_COMPUTE | CALL_RENDER, 0, 0, cli_format_name, "what to write (by the suffix of -o)"},
    [CLI_ANSWER] = {"format", CLI_TYPE_NAME, "F", NULL, CALL_CAUSE | CALL_HEADS | CALL_CIRCUITS | CALL_BLAME, 0, 0, cli_answer_format_name, "what to write (by the suffix of -o, else json)"},
    [CLI_SELECT] = {"select", CLI_TYPE_TEXT, "A,B", NULL, CALL_COMPUTE, 0, 0, cli_result_name, "only these results"},
    [CLI_OUT] = {"o", CLI_TYPE_PATH, "OUT", NULL, CALL_COMPUTE | CALL_RENDER | CALL_TRAIN | CALL_CAUSE | CALL_HEADS | CALL_CIRCUITS | CALL_BLAME, 0, 0, NULL, "where to; - is standard output; render takes several"},
    [CLI_STAGE] = {"stage", CLI_TYPE_NAME, "S", NULL, CALL_SELECTION, 0, 0, cli_step_name, "the stage to look at; block: what is around attention in a layer of a model (score)"},
    [CLI_VIEW] = {"view", CLI_TYPE_NAME, "V", "window", CALL_RENDER, 0, 0, cli_view_name, "the whole window, or one panel of it"},
    [CLI_HEAD] = {"head", CLI_TYPE_TEXT, "H", NULL, CALL_SELECTION | CALL_COMPUTE | CALL_CIRCUITS, 0, 0, NULL, "the selected head, from 1; L0H0 counts layer and head from 0"},
    [CLI_LAYER] = {"layer", CLI_TYPE_WHOLE, "L", NULL, CALL_SELECTION | CALL_COMPUTE, 1, 1024, NULL, "the layer of a model or a file of attention, from 1 (1)"},
    [CLI_QUERY] = {"query", CLI_TYPE_TEXT, "I", NULL, CALL_SELECTION | CALL_CAUSE, 0, 0, NULL, "the selected query: a number from 1, or a token"},
    [CLI_KEY] = {"key", CLI_TYPE_TEXT, "J", NULL, CALL_SELECTION, 0, 0, NULL, "the selected key: a number from 1, or a token"},
    [CLI_QUERIES] = {"queries", CLI_TYPE_TEXT, "A,B", NULL, CALL_RENDER | CALL_DESCRIBE, 0, 0, NULL, "queries looked at together, with the sum of their weights: dog,lion"},
    [CLI_ASIDE] = {"aside", CLI_TYPE_TEXT, "A,B", NULL, CALL_RENDER | CALL_DESCRIBE, 0, 0, NULL, "keys set aside: left out of the picture's colours and sums, not of what is computed"},
    [CLI_RENORMALISE] = {"renormalise", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER | CALL_DESCRIBE, 0, 0, NULL, "with --aside: a mask hides these keys; weights, Z and O are computed without them"},
    [CLI_PROGRESS] = {"progress", CLI_TYPE_NUMBER, "T", "1", CALL_RENDER, 0, 1, NULL, "moment inside the stage"},
    [CLI_SIZE] = {"size", CLI_TYPE_SIZE, "WxH", "1440x900", CALL_PICTURE, 1, 8192, NULL, "points; or 85mmx60mm, 6x4in, 12x8cm, which without --view is --figure too; a width alone: that wide, and as high as what is drawn"},
    [CLI_THEME] = {"theme", CLI_TYPE_NAME, "light|dark|grey", NULL, CALL_PICTURE, 0, 0, cli_theme_name, "colours; grey for paper without colour (light; the window: as the desktop)"},
    [CLI_LANGUAGE] = {"language", CLI_TYPE_NAME, "en|de|zh_CN", NULL, CALL_PICTURE | CALL_DESCRIBE | CALL_TRAIN, 0, 0, cli_language_name, "what the window and descriptions say; files and numbers stay the same (en)"},
    [CLI_COLORMAP] = {"colormap", CLI_TYPE_NAME, "NAME", NULL, CALL_RENDER, 0, 0, cli_colormap_name, "colours of weights, or of signed numbers (by theme)"},
    [CLI_CAMERA] = {"camera", CLI_TYPE_TEXT, "AZ,EL,ZOOM", NULL, CALL_RENDER, 0, 0, NULL, "the 3-D view, in degrees (as the window starts)"},
    [CLI_RENDERER] = {"renderer", CLI_TYPE_NAME, "auto|gpu|cpu", "auto", CALL_WINDOW, 0, 0, name_of_renderer, "what draws the window"},
    [CLI_DPI] = {"dpi", CLI_TYPE_NUMBER, "D", NULL, CALL_RENDER, 7.2, 1152, NULL, "pixels an inch instead of --scale: 72 is one pixel per point (300 where --size is in mm, cm or in)"},
    [CLI_LETTERS] = {"letters", CLI_TYPE_NUMBER, "PT", NULL, CALL_RENDER, 4, 72, NULL, "size of ordinary letters in points (13; 8 where --size is in mm, cm or in; larger on a slide of more than 960x540 points, and in a window of more than 1440x900)"},
    [CLI_BACKGROUND] = {"background", CLI_TYPE_NAME, "B", "theme", CALL_RENDER, 0, 0, name_of_background, "what lies under the picture"},
    [CLI_CROP] = {"crop", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "only what there is to see, and a little margin"},
    [CLI_TEXT] = {"text", CLI_TYPE_NAME, "text|outlines|embedded", "text", CALL_RENDER, 0, 0, name_of_text, "letters in SVG and PDF: as text, as shapes, or in SVG as text with the fonts' letters inside"},
    [CLI_METADATA] = {"metadata", CLI_TYPE_NAME, "on|off", "on", CALL_RENDER, 0, 0, cli_switch_name, "the experiment and an alternative text inside the picture"},
    [CLI_RANGE] = {"range", CLI_TYPE_TEXT, "auto|content|LO,HI", "auto", CALL_RENDER, 0, 0, NULL, "numbers of the first and the last colour: 0,0.5 for weights, -4,4 for signed numbers; content: up to the largest weight, in a figure to one that 1 in 100 exceed in rows of many keys, which the bar says"},
    [CLI_HEADS_OF] = {"heads-of", CLI_TYPE_NAME, "decoder|encoder|cross", "decoder", CALL_RENDER | CALL_DESCRIBE | CALL_WINDOW, 0, 0, cli_heads_of_name, "which attention of a model of two texts: of the second to itself, of the first to itself, or of the second to the first"},
    [CLI_SINKS] = {"sinks", CLI_TYPE_NAME, "shown|aside", "shown", CALL_RENDER, 0, 0, cli_sinks_name, "words that nearly all look at, among all heads: aside leaves the first, and those with more than three tenths of the weight, out of colours"},
    [CLI_WEIGHING] = {"weighing", CLI_TYPE_NAME, "alpha|value|output", "alpha", CALL_RENDER, 0, 0, cli_weighing_name, "what a cell is among all heads of a model: the weight, that times how long the value of the word is, or times how long what W_O makes of it is"},
    [CLI_COLOURS] = {"colours", CLI_TYPE_NAME, "linear|log", "linear", CALL_RENDER, 0, 0, lab_colours_name, "colours of weights: even, or a step for every power of ten"},
    [CLI_CELLS] = {"cells", CLI_TYPE_NAME, "squares|discs", "squares", CALL_RENDER, 0, 0, lab_marks_name, "scores of up to 12 tokens as squares, or as discs as large as the score"},
    [CLI_FIGURE] = {"figure", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "as papers print it: nothing around the picture, no marks, cropped, colours up to the weights that more than a few reach, letters of 8 points; other options change it"},
    [CLI_LINES] = {"lines", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "the weights of heads as lines between words, not as heatmaps"},
    [CLI_OVERVIEW] = {"overview", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "the whole flow on one sheet, in place of the stage"},
    [CLI_CHANGE] = {"change", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "at scale and softmax: the stage minus the one before it"},
    [CLI_VALUES] = {"values", CLI_TYPE_NAME, "on|off|auto", "auto", CALL_RENDER, 0, 0, name_of_values, "numbers in the cells; auto: where they can be read"},
    [CLI_NUMBERS] = {"numbers", CLI_TYPE_TEXT, "all|largest:N|none", NULL, CALL_RENDER, 0, 0, NULL, "numbers in all cells, as --values on; only in the N largest of a matrix; or in none"},
    [CLI_DECIMALS] = {"decimals", CLI_TYPE_WHOLE, "N", NULL, CALL_RENDER | CALL_COMPUTE, 0, 6, NULL, "how many decimals the numbers in cells have (as they need)"},
    [CLI_TITLE] = {"title", CLI_TYPE_TEXT, "on|off|TEXT", "on", CALL_RENDER, 0, 0, NULL, "the headline of the picture, or another in its place; off: none"},
    [CLI_CAPTION] = {"caption", CLI_TYPE_TEXT, "on|off|TEXT", "on", CALL_RENDER, 0, 0, NULL, "the sentence that says what is seen, or another in its place; off: none"},
    [CLI_COLOURBAR] = {"colourbar", CLI_TYPE_NAME, "on|off", "on", CALL_RENDER, 0, 0, cli_switch_name, "the bar that says which colour is which number"},
    [CLI_X_TITLE] = {"x-title", CLI_TYPE_TEXT, "on|off|TEXT", "on", CALL_RENDER, 0, 0, NULL, "the title of the columns of a matrix or of heads; on: key, in a figure that has no caption"},
    [CLI_Y_TITLE] = {"y-title", CLI_TYPE_TEXT, "on|off|TEXT", "on", CALL_RENDER, 0, 0, NULL, "the title of its rows; on: query, as there"},
    [CLI_BAR_TITLE] = {"bar-title", CLI_TYPE_TEXT, "TEXT", NULL, CALL_RENDER, 0, 0, NULL, "a title beside the colour bar of a matrix"},
    [CLI_STEP_AXIS] = {"step-axis", CLI_TYPE_NAME, "linear|log", NULL, CALL_RENDER, 0, 0, name_of_step_axis, "the axis of the curves of training (linear; in the window log)"},
    [CLI_GAP] = {"gap", CLI_TYPE_NUMBER, "PT", NULL, CALL_RENDER, 0, 20, NULL, "points between the cells of a figure; 0: they touch (a tenth of a cell)"},
    [CLI_STYLE] = {"style", CLI_TYPE_PATH, "FILE.json", NULL, CALL_RENDER, 0, 0, NULL, "a look of one's own: fonts (a family or a file), sizes, colours, lines, cells: {\"fonts\": {\"words\": \"Times New Roman\"}, \"sizes\": {\"letters\": 7}}"},
    [CLI_AGAINST] = {"against", CLI_TYPE_PATH, "FILE", NULL, CALL_RENDER, 0, 0, NULL, "a figure of three panels: A, what the rest of the call says; B, this file; and A - B, with cells, rows and colours alike"},
    [CLI_AGAINST_LESSON] = {"against-lesson", CLI_TYPE_NAME, "NAME", NULL, CALL_RENDER, 0, 0, cli_lesson_name, "the same with a built-in lesson as B"},
    [CLI_PANELS] = {"panels", CLI_TYPE_PATH, "FILE.json", NULL, CALL_RENDER, 0, 0, NULL, "a figure of several panels, each drawn as a call in the file says: {\"columns\": 2, \"panels\": [{\"call\": [\"a.npy\", \"--title\", \"A\"]}, {\"call\": [\"b.npy\"]}]}"},
    [CLI_MARKS] = {"marks", CLI_TYPE_NAME, "on|off", "on", CALL_RENDER, 0, 0, cli_switch_name, "what is selected stands out"},
    [CLI_PRESENTER] = {"presenter", CLI_TYPE_FLAG, NULL, NULL, CALL_PICTURE, 0, 0, NULL, "for a projector: large type and captions, no settings"},
    [CLI_ALL_HEADS] = {"all-heads", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "a picture of every head; the name in -o holds {head}"},
    [CLI_ALL_LAYERS] = {"all-layers", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "a picture of every layer of a model or a file; the name in -o holds {layer}"},
    [CLI_ALL_STAGES] = {"all-stages", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "a picture of every stage; the name in -o holds {stage}"},
    [CLI_REVEAL] = {"reveal", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "the answer of a step that asks for a guess, which is hidden as in the window"},
    [CLI_PAGE_OPERANDS] = {"page-operands", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "a page (.html) of a model holds every stage of its layers, not the weights alone"},
    [CLI_WORKSHEET] = {"worksheet", CLI_TYPE_FLAG, NULL, NULL, CALL_RENDER, 0, 0, NULL, "a page with empty boxes to print, then one with the answers (PDF)"},
    [CLI_FROM] = {"from", CLI_TYPE_NAME, "S", NULL, CALL_RENDER, 0, 0, cli_stage_name, "an animation (.webp, .gif, or OUT-%04d.png) from this stage on"},
    [CLI_TO] = {"to", CLI_TYPE_NAME, "S", NULL, CALL_RENDER, 0, 0, cli_stage_name, "to this stage"},
    [CLI_FPS] = {"fps", CLI_TYPE_WHOLE, "N", "20", CALL_RENDER, 1, 60, NULL, "pictures a second of an animation"},
    [CLI_JSON] = {"json", CLI_TYPE_FLAG, NULL, NULL, CALL_LESSONS | CALL_MODELS | CALL_TRAIN | CALL_LIST | CALL_WINDOW | CALL_BENCH | CALL_INFO, 0, 0, NULL, "as JSON"},
    [CLI_STEP_OF_TRAINING] = {"step-of-training", CLI_TYPE_WHOLE, "N", NULL, CALL_COMPUTE | CALL_RENDER | CALL_DESCRIBE, 0, 1e9, NULL, "a folder that train wrote, or a session or lesson whose weights are learned, as it was at this step of training"},
    [CLI_FROM_STEP] = {"from-step", CLI_TYPE_WHOLE, "N", NULL, CALL_RENDER, 0, 1e9, NULL, "an animation of training, from this step on (0)"},
    [CLI_TO_STEP] = {"to-step", CLI_TYPE_WHOLE, "N", NULL, CALL_RENDER, 0, 1e9, NULL, "to this step (the one it was saved at)"},
    [CLI_TRAIN_ANYWAY] = {"train-anyway", CLI_TYPE_FLAG, NULL, NULL, CALL_COMPUTE | CALL_RENDER | CALL_DESCRIBE, 0, 0, NULL, "train the weights of a session again whatever it takes; without it only as much as every lesson does"},
    [CLI_TASK] = {"task", CLI_TYPE_NAME, "NAME", NULL, CALL_TRAIN, 0, 0, learn_task_name, "what is learned; --list says more"},
    [CLI_DATA] = {"data", CLI_TYPE_PATH, "FILE", NULL, CALL_TRAIN, 0, 0, NULL, "the text that --task text learns from; - is standard input"},
    [CLI_LOG] = {"log", CLI_TYPE_PATH, "FILE.csv", NULL, CALL_TRAIN, 0, 0, NULL, "loss, accuracy and the best heads' scores as a table"},
    [CLI_PROBE] = {"probe", CLI_TYPE_TEXT, "\"a b c\"", NULL, CALL_TRAIN, 0, 0, NULL, "print what it would say next"},
    [CLI_EVERY] = {"every", CLI_TYPE_WHOLE, "N", "10", CALL_TRAIN, 1, 1e9, NULL, "steps between two lines of --log and --probe"},
    [CLI_RESUME] = {"resume", CLI_TYPE_PATH, "FOLDER", NULL, CALL_TRAIN, 0, 0, NULL, "go on with the training that wrote this folder, to the same bits as if it had never stopped"},
    [CLI_SAVE_EVERY] = {"save-every", CLI_TYPE_WHOLE, "N", NULL, CALL_TRAIN, 1, 1e9, NULL, "steps after which the folder is written on the way (once a minute)"},
    [CLI_DUMP_STEP] = {"dump-step", CLI_TYPE_PATH, "FILE.npz", NULL, CALL_TRAIN, 0, 0, NULL, "the first step: weights, gradients, batch, loss and logits"},
    [CLI_TASKS] = {"list", CLI_TYPE_FLAG, NULL, NULL, CALL_TRAIN, 0, 0, NULL, "say what can be learned, with the recipes"},
    [CLI_LIST] = {"list", CLI_TYPE_NAME, "WHAT", NULL, CALL_WINDOW | CALL_LIST, 0, 0, name_of_list, "say what there is"},
    [CLI_LIMITS] = {"limits", CLI_TYPE_FLAG, NULL, NULL, CALL_WINDOW | CALL_LIST, 0, 0, NULL, "list the limits of the program, and what happens beyond them"},
    [CLI_REGISTER] = {"register", CLI_TYPE_FLAG, NULL, NULL, CALL_WINDOW | CALL_LIST, 0, 0, NULL, "tell your desktop of this program: menu, icon, which files it opens; for you alone"},
    [CLI_UNREGISTER] = {"unregister", CLI_TYPE_FLAG, NULL, NULL, CALL_WINDOW | CALL_LIST, 0, 0, NULL, "take that back"},
    [CLI_QUIET] = {"quiet", CLI_TYPE_FLAG, NULL, NULL, CALL_ALL, 0, 0, NULL, "no warnings"},
    [CLI_VERBOSE] = {"verbose", CLI_TYPE_FLAG, NULL, NULL, CALL_READING, 0, 0, NULL, "say what was computed, by what, and how long it took"},
    [CLI_HELP] = {"help", CLI_TYPE_FLAG, NULL, NULL, CALL_ALL, 0, 0, NULL, "this text"},
    [CLI_VERSION] = {"version", CLI_TYPE_FLAG, NULL, NULL, CALL_WINDOW | CALL_LIST, 0, 0, NULL, "version, libraries and instruction sets"},
};

/* Options that mean less, or something else, in some calls. */
static const struct variant {
    enum cli_option option;
    unsigned calls;
    const char *argument, *preset, *help;
    const char *(*name_at)(size_t index);
} variants[] = {
    {CLI_LAYER, CALL_COMPUTE, "L", NULL, "Q, K, V, scores, Z and output of a model's layer too, from 1", NULL},
    {CLI_PARAM(SCALE), CALL_COMPUTE | CALL_DESCRIBE, "on|off", "on", "divide scores by the root of d_k", cli_switch_name},
    {CLI_PARAM(SCALE), CALL_RENDER, "on|off|S", "on, 2", "divide scores by the root of d_k; a number: pixels a point", cli_switch_name},
    {CLI_FORMAT, CALL_COMPUTE, "F", NULL, "what to write (by the suffix of -o, else json; html is a table)", cli_result_format_name},
    {CLI_FORMAT, CALL_RENDER, "F", NULL, "what to draw (by the suffix of -o; html is a page)", cli_picture_format_name},
    {CLI_DECIMALS, CALL_COMPUTE, "N", NULL, "how many decimals numbers have in latex, tikz, bmatrix, markdown and html (as they need)", NULL},
    {CLI_OUT, CALL_COMPUTE | CALL_CAUSE | CALL_HEADS | CALL_CIRCUITS | CALL_BLAME, "OUT", NULL, "the file to write; - is standard output (-)", NULL},
    {CLI_PROMPT, CALL_BLAME, "\"A B\"", NULL, "the beginning of a line, behind which the word comes (what stands before its first place)", NULL},
    {CLI_OUT, CALL_TRAIN, "FOLDER", NULL, "a new folder, an empty one, or one that train wrote", NULL},
    {CLI_TEXTS, CALL_WHY | CALL_ABLATE, "FILE", NULL, "the lines of a file in place of --text, each with its word and rival behind tabs where they are given: mean and spread", NULL},
    {CLI_TEXTS, CALL_PATCH, "FILE", NULL, "the lines of a file in place of --text and --changed: clean text, tab, changed text, and behind tabs word and rival where they are given: mean and spread", NULL},
    {CLI_HEAD, CALL_CIRCUITS, "L0H1", NULL, "this head over the vocabulary too, layer and head from 0", NULL},
    {CLI_QUERY, CALL_CAUSE, "I", NULL, "the word of the text behind which, or of a masked model at which, the word would stand: a number from 1, or itself (the last)", NULL},
    {CLI_LANGUAGE, CALL_TRAIN, "en|de|zh_CN", NULL, "what the small world speaks (en)", cli_language_name},
    {CLI_JSON, CALL_TRAIN, NULL, NULL, "as JSON (with --list)", NULL},
    {CLI_OUT, CALL_RENDER, "OUT", NULL, "a file to write, as often as wanted; - is standard output", NULL},
    {CLI_JSON, CALL_WINDOW, NULL, NULL, "as JSON (with --version, --list and --limits)", NULL},
    {CLI_THEME, CALL_RENDER, "light|dark|grey", "light", "colours; grey: nothing is told by hue", cli_theme_name},
    {CLI_LANGUAGE, CALL_WINDOW, "en|de|zh_CN", NULL, "what the window says; files and numbers stay the same (as chosen last, else as LANG says)", cli_language_name},
    {CLI_THEME, CALL_WINDOW, "light|dark|grey", NULL, "colours (as the desktop); grey: nothing is told by hue", cli_theme_name},
};
/* clang-format on */

enum { VARIANTS = sizeof variants / sizeof variants[0] };

static enum cli_option_type type_of(const struct record_row *row)
{
    const bool is_switch = row->type == RECORD_SWITCH || (row->type == RECORD_COUNT && row->toggle);
    const bool of_file = row->argument != NULL && strstr(row->argument, "FILE") != NULL;
    return is_switch || (row->type == RECORD_CHOICE && !of_file)   ? CLI_TYPE_NAME
           : row->type == RECORD_COUNT || row->type == RECORD_SEED ? CLI_TYPE_WHOLE
           : row->type == RECORD_NUMBER                            ? CLI_TYPE_NUMBER
                                                                   : CLI_TYPE_TEXT;
}

/* Makes the option of a row. preset: room for its default as text; NULL: it has none. */
static struct cli_option_row row_of(const struct record_row *row, unsigned calls, char *preset)
{
    const enum cli_option_type type = type_of(row);
    const bool has_names = type == CLI_TYPE_NAME || row->type == LAB_TYPE_MASK;
    return (struct cli_option_row){
        .name = row->option,
        .type = type,
        .argument = row->type == RECORD_SWITCH ? "on|off" : row->argument,
        .preset = preset == NULL ? NULL : record_number_text(row, row->standard, preset),
        .calls = calls,
        .low = row->low,
        .high = row->high,
        .name_at = !has_names             ? NULL
                   : row->name_at != NULL ? row->name_at
                                          : cli_switch_name,
        .help = row->help,
    };
}

static bool is_of_recipe(enum cli_option option)
{
    return option >= CLI_RECIPES && option < CLI_LOG;
}

static const struct lab_param *param_of(enum cli_option option)
{
    const bool is_one = option >= CLI_PARAMS && (size_t)(option - CLI_PARAMS) < lab_param_count();
    return is_one ? lab_param_row((enum lab_param_id)(option - CLI_PARAMS)) : NULL;
}

const struct record_row *cli_option_member(enum cli_option option)
{
    const struct record_row *const row =
        is_of_recipe(option) ? learn_recipe_row((enum learn_recipe_member)(option - CLI_RECIPES))
        : param_of(option) != NULL ? &param_of(option)->row
                                   : NULL;
    return rows[option].name != NULL || row == NULL || row->option == NULL ? NULL : row;
}

const struct cli_option_row *cli_option_row(enum cli_option option)
{
    static struct cli_option_row made[CLI_OPTIONS];
    static char presets[CLI_OPTIONS][RECORD_TEXT_MAX];
    const struct record_row *const row = cli_option_member(option);
    if (row == NULL) {
        return &rows[option];
    }
    if (made[option].name == NULL) {
        const struct lab_param *const param = param_of(option);
        const bool has_preset = param != NULL && lab_param_is_number(param) &&
                                param->type != LAB_TYPE_WORDS && !param->automatic;
        made[option] = row_of(row, param == NULL ? CALL_TRAIN : CALL_EXPERIMENT,
                              has_preset ? presets[option] : NULL);
    }
    return &made[option];
}

static size_t rank_in_train(const struct record_row *row)
{
    return row->option_rank;
}

enum cli_option cli_option_at(size_t place)
{
    static enum cli_option order[CLI_OPTIONS];
    static size_t count;
    const struct record *const recipe = learn_recipe_record();
    const struct lab_param *param = NULL;
    const bool is_new = count == 0;
    const struct record_row *row = NULL;
    for (int o = 0; is_new && o < CLI_OPTIONS; o++) {
        if (o == CLI_PARAMS) {
            for (size_t p = 0; (param = lab_param_in_order(LAB_ORDER_OPTIONS, p)) != NULL; p++) {
                order[count++] = (enum cli_option)(CLI_PARAMS + (int)lab_param_id_of(param));
            }
            o = CLI_ISA - 1;
        } else if (o == CLI_RECIPES) {
            for (size_t r = 0; (row = record_in_order(recipe, rank_in_train, r)) != NULL; r++) {
                order[count++] = (enum cli_option)(CLI_RECIPES + (int)record_index(recipe, row));
            }
            o = CLI_LOG - 1;
        } else {
            order[count++] = (enum cli_option)o;
        }
    }
    return place < count ? order[place] : CLI_OPTIONS;
}

struct cli_option_row cli_option_row_in(enum cli_option option, unsigned call)
{
    struct cli_option_row row = *cli_option_row(option);
    for (size_t v = 0; v < VARIANTS; v++) {
        if (variants[v].option == option && (variants[v].calls & call) != 0) {
            row.argument = variants[v].argument;
            row.preset = variants[v].preset;
            row.help = variants[v].help;
            row.name_at = variants[v].name_at;
        }
    }
    return row;
}
