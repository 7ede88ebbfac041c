/* model/tokenizer_families.c — a model of SentencePiece without a tokenizer.json. Its file holds
 * neither how a family numbers the pieces nor which tokens stand around a text: that is looked up
 * by tokenizer_class of tokenizer_config.json, or else by model_type of config.json
 * (huggingface/transformers, models/X/tokenization_X.py). Without both its own numbers are taken:
 * texts of byte-pair models begin with a token, those of Unigram end with one. */
#include <string.h>

#include "file/folder.h"
#include "model/tokenizer_settings.h"
#include "model/tokenizer_spm.h"

/* ---- families ------------------------------------------------------------------------------ */

#define LANGUAGES_25                                                                               \
    "ar_AR cs_CZ de_DE en_XX es_XX et_EE fi_FI fr_XX gu_IN hi_IN it_IT ja_XX kk_KZ ko_KR lt_LT "   \
    "lv_LV my_MM ne_NP nl_XX ro_RO ru_RU si_LK tr_TR vi_VN zh_CN "
static const char languages_25[] = LANGUAGES_25;
static const char languages_50[] = LANGUAGES_25
    "af_ZA az_AZ bn_IN fa_IR he_IL hr_HR id_ID ka_GE km_KH mk_MK ml_IN mn_MN mr_IN pl_PL ps_AF "
    "pt_XX sv_SE sw_KE ta_IN te_IN th_TH tl_XX uk_UA ur_PK xh_ZA gl_ES sl_SI ";
static const char languages_nllb[] =
    "ace_Arab ace_Latn acm_Arab acq_Arab aeb_Arab afr_Latn ajp_Arab aka_Latn amh_Ethi apc_Arab "
    "arb_Arab ars_Arab ary_Arab arz_Arab asm_Beng ast_Latn awa_Deva ayr_Latn azb_Arab azj_Latn "
    "bak_Cyrl bam_Latn ban_Latn bel_Cyrl bem_Latn ben_Beng bho_Deva bjn_Arab bjn_Latn bod_Tibt "
    "bos_Latn bug_Latn bul_Cyrl cat_Latn ceb_Latn ces_Latn cjk_Latn ckb_Arab crh_Latn cym_Latn "
    "dan_Latn deu_Latn dik_Latn dyu_Latn dzo_Tibt ell_Grek eng_Latn epo_Latn est_Latn eus_Latn "
    "ewe_Latn fao_Latn pes_Arab fij_Latn fin_Latn fon_Latn fra_Latn fur_Latn fuv_Latn gla_Latn "
    "gle_Latn glg_Latn grn_Latn guj_Gujr hat_Latn hau_Latn heb_Hebr hin_Deva hne_Deva hrv_Latn "
    "hun_Latn hye_Armn ibo_Latn ilo_Latn ind_Latn isl_Latn ita_Latn jav_Latn jpn_Jpan kab_Latn "
    "kac_Latn kam_Latn kan_Knda kas_Arab kas_Deva kat_Geor knc_Arab knc_Latn kaz_Cyrl kbp_Latn "
    "kea_Latn khm_Khmr kik_Latn kin_Latn kir_Cyrl kmb_Latn kon_Latn kor_Hang kmr_Latn lao_Laoo "
    "lvs_Latn lij_Latn lim_Latn lin_Latn lit_Latn lmo_Latn ltg_Latn ltz_Latn lua_Latn lug_Latn "
    "luo_Latn lus_Latn mag_Deva mai_Deva mal_Mlym mar_Deva min_Latn mkd_Cyrl plt_Latn mlt_Latn "
    "mni_Beng khk_Cyrl mos_Latn mri_Latn zsm_Latn mya_Mymr nld_Latn nno_Latn nob_Latn npi_Deva "
    "nso_Latn nus_Latn nya_Latn oci_Latn gaz_Latn ory_Orya pag_Latn pan_Guru pap_Latn pol_Latn "
    "por_Latn prs_Arab pbt_Arab quy_Latn ron_Latn run_Latn rus_Cyrl sag_Latn san_Deva sat_Beng "
    "scn_Latn shn_Mymr sin_Sinh slk_Latn slv_Latn smo_Latn sna_Latn snd_Arab som_Latn sot_Latn "
    "spa_Latn als_Latn srd_Latn srp_Cyrl ssw_Latn sun_Latn swe_Latn swh_Latn szl_Latn tam_Taml "
    "tat_Cyrl tel_Telu tgk_Cyrl tgl_Latn tha_Thai tir_Ethi taq_Latn taq_Tfng tpi_Latn tsn_Latn "
    "tso_Latn tuk_Latn tum_Latn tur_Latn twi_Latn tzm_Tfng uig_Arab ukr_Cyrl umb_Latn urd_Arab "
    "uzn_Latn vec_Latn vie_Latn war_Latn wol_Latn xho_Latn ydd_Hebr yor_Latn yue_Hant zho_Hans "
    "zho_Hant zul_Latn ";
static const char languages_m2m[] =
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl "
    "gu ha he hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml "
    "mn mr ms my ne nl no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl "
    "tn tr uk ur uz vi wo xh yi yo zh zu ";
static const char languages_wmt21[] = "en ha is ja cs ru zh de ";

#define FAIRSEQ "<s> <pad> </s> <unk> "
#define LANGUAGE "L" /* the token of src_lang */

/* The tokens around a text, or two: tokens between spaces, A and B are the texts. */
#define ROBERTA .single = "<s> A </s> ", .pair = "<s> A </s> </s> B </s> "
#define BEHIND .single = "A </s> L ", .pair = "A B </s> L "
#define BEFORE .single = "L A </s> ", .pair = "L A B </s> "

static const struct family {
    const char *names;     /* between spaces: classes without "Tokenizer" and "Fast", model_type */
    const char *before;    /* tokens before the pieces, each followed by a space */
    size_t from;           /* the first piece that stands behind them */
    const char *languages; /* tokens behind the pieces, as well */
    bool mask;             /* <mask> behind those */
    size_t sentinels; /* <extra_id_99> to <extra_id_0>, unless extra_ids gives another number */
    const char *single, *pair; /* NULL: by add_bos_token and add_eos_token */
    const char *language;      /* if src_lang does not say */
} families[] = {
    {.names = " XLMRoberta xlm-roberta xlm-roberta-xl ",
     .before = FAIRSEQ,
     .from = 3,
     .languages = "",
     .mask = true,
     ROBERTA},
    {.names = " Camembert camembert ",
     .before = "<s>NOTUSED <pad> </s>NOTUSED <unk> <unk>NOTUSED ",
     .from = 1,
     .languages = "",
     .mask = true,
     ROBERTA},
    {.names = " MBart mbart ",
     .before = FAIRSEQ,
     .from = 3,
     .languages = languages_25,
     .mask = true,
     BEHIND,
     .language = "en_XX"},
    {.names = " MBart50 mbart ",
     .before = FAIRSEQ,
     .from = 3,
     .languages = languages_50,
     .mask = true,
     BEFORE,
     .language = "en_XX"},
    {.names = " Nllb m2m_100 nllb-moe ",
     .before = FAIRSEQ,
     .from = 3,
     .languages = languages_nllb,
     .mask = true,
     BEFORE,
     .language = "eng_Latn"},
    {.names = " T5 t5 longt5 switch_transformers ",
     .before = "",
     .languages = "",
     .sentinels = 100,
     .single = "A </s> ",
     .pair = "A </s> B </s> "},
    {.names = " MT5 mt5 umt5 ",
     .before = "",
     .languages = "",
     .single = "A </s> ",
     .pair = "A </s> B </s> "},
    {.names = " Llama CodeLlama Gemma llama code_llama mistral mixtral smollm3 gemma gemma2 gemma3 "
              "gemma3_text phi3 olmo2 deepseek_v2 deepseek_v3 ",
     .before = "",
     .languages = ""},
};

/* The state of reading one folder. */
struct reading {
    struct tokenizer *tokenizer;
    const struct family *family; /* NULL: none is said */
    struct tokenizer_settings settings;
    struct spm spm;
    const char *file;
    struct error *error;
};

/* The name at the beginning of a list, its length; 0: the list is at its end. */
static size_t name_length(const char *names)
{
    return strcspn(names, " ");
}

static size_t count_names(const char *names)
{
    size_t count = 0;
    for (; *names != '\0'; names++) {
        count += *names == ' ';
    }
    return count;
}

static struct bytes name_at(const char *names, size_t index)
{
    for (; index > 0; index--) {
        names += name_length(names) + 1;
    }
    return (struct bytes){(const uint8_t *)names, name_length(names)};
}

/* ---- the list of tokens by their ids ------------------------------------------------------- */

static size_t sentinels_of(const struct reading *reading)
{
    enum { SENTINELS_MAX = 1000 };
    int64_t count = (int64_t)reading->family->sentinels;
    (void)json_whole_number(json_member(reading->settings.config, "extra_ids"), &count);
    return reading->family->single == NULL || reading->family->mask || count < 0 ? 0
           : count > SENTINELS_MAX                                               ? SENTINELS_MAX
                                                                                 : (size_t)count;
}

static size_t count_of(const struct reading *reading, const struct family *family)
{
    return count_names(family->before) + reading->spm.count - family->from +
           count_names(family->languages) + family->mask;
}

/* The piece behind an id; SIZE_MAX: none stands there. */
static size_t piece_of(const struct reading *reading, size_t id)
{
    const size_t before = count_names(reading->family->before);
    return id < before || id - before + reading->family->from >= reading->spm.count
               ? SIZE_MAX
               : id - before + reading->family->from;
}

static struct bytes text_at(const void *owner, size_t id)
{
    const struct reading *const reading = owner;
    const struct family *const family = reading->family;
    const size_t piece = piece_of(reading, id), before = count_names(family->before);
    if (piece != SIZE_MAX) {
        return reading->spm.pieces[piece].text;
    }
    if (id < before) {
        return name_at(family->before, id);
    }
    const size_t behind = id - before - (reading->spm.count - family->from);
    const size_t languages = count_names(family->languages);
    if (behind < languages) {
        return name_at(family->languages, behind);
    }
    if (family->mask) {
        return (struct bytes){(const uint8_t *)"<mask>", strlen("<mask>")};
    }
    const char *const text = arena_format(&reading->tokenizer->arena, "<extra_id_%zu>",
                                          sentinels_of(reading) - 1 - (behind - languages));
    return (struct bytes){(const uint8_t *)text, text == NULL ? 0 : strlen(text)};
}

static float score_at(const void *owner, size_t id)
{
    const size_t piece = piece_of(owner, id);
    return piece == SIZE_MAX ? 0 : ((const struct reading *)owner)->spm.pieces[piece].score;
}

static enum token_type type_at(const void *owner, size_t id)
{
    const size_t piece = piece_of(owner, id);
    const struct bytes text = text_at(owner, id);
    return piece != SIZE_MAX ? ((const struct reading *)owner)->spm.pieces[piece].type
           : text.size == 5 && memcmp(text.at, "<unk>", 5) == 0 ? TOKEN_UNKNOWN
                                                                : TOKEN_CONTROL;
}

/* ---- which family it is -------------------------------------------------------------------- */

/* mBART's two are told apart by how many tokens the model has. */
static const struct family *family_of(const struct reading *reading, const char *name,
                                      size_t length)
{
    const struct family *found = NULL;
    for (size_t f = 0; f < sizeof families / sizeof *families; f++) {
        if (tokenizer_names_have(families[f].names, name, length) &&
            (found == NULL || count_of(reading, &families[f]) == reading->tokenizer->limit)) {
            found = &families[f];
        }
    }
    return found;
}

/* A class of that name says nothing of what it does. */
static bool says_nothing(const struct tokenizer_settings *settings)
{
    return settings->class_length == 0 ||
           tokenizer_names_have(" PreTrained TokenizersBackend SentencePieceBackend ",
                                settings->class, settings->class_length);
}

static bool find_family(struct reading *reading)
{
    const struct tokenizer_settings *const settings = &reading->settings;
    const bool by_type = says_nothing(settings);
    const char *const name = by_type ? settings->type : settings->class;
    reading->family = family_of(reading, name, by_type ? strlen(name) : settings->class_length);
    return reading->family != NULL || (by_type && name[0] == '\0') ||
           error_set(reading->error, ERROR_INPUT,
                     "The tokenizer %.40s cannot be read from %s here; tokenizer.json would do.",
                     name, reading->file);
}

/* ---- what stands around a text ------------------------------------------------------------- */

static bool no_token(const struct reading *reading, const char *text)
{
    return error_set(reading->error, ERROR_INPUT,
                     "Texts begin or end with “%.40s”, which is not in the vocabulary.", text);
}

/* The id of a name; "L": of the language of what is read. */
static bool find_token(const struct reading *reading, struct bytes name, uint32_t *id)
{
    struct arena *const arena = &reading->tokenizer->arena;
    const char *text = arena_text(arena, (const char *)name.at, name.size);
    if (text != NULL && strcmp(text, LANGUAGE) == 0) {
        text = reading->family->language;
        (void)json_text(json_member(reading->settings.config, "src_lang"), &text);
    }
    return text == NULL ? tokenizer_no_memory(reading->error)
                        : tokenizer_find(reading->tokenizer, text, id) || no_token(reading, text);
}

static bool put_parts(const struct reading *reading, const char *parts,
                      struct tokenizer_template *out)
{
    *out = (struct tokenizer_template){.count = 0};
    for (; *parts != '\0'; parts += name_length(parts) + 1) {
        const struct bytes name = {(const uint8_t *)parts, name_length(parts)};
        const bool text = name.size == 1 && (*parts == 'A' || *parts == 'B');
        out->at[out->count].kind = !text           ? TEMPLATE_TOKEN
                                   : *parts == 'A' ? TEMPLATE_FIRST
                                                   : TEMPLATE_SECOND;
        if (!text && !find_token(reading, name, &out->at[out->count].id)) {
            return false;
        }
        out->count++;
    }
    return true;
}

/* Tokens of a file that names no family, or one whose texts begin and end as its settings say. */
static bool put_switched_ends(struct reading *reading)
{
    const struct spm *const spm = &reading->spm;
    const bool unigram = spm->rules.unigram && reading->family == NULL;
    const char *const names[2] = {tokenizer_settings_token(&reading->settings, ROLE_BEGIN, ""),
                                  tokenizer_settings_token(&reading->settings, ROLE_END, "")};
    const bool wanted[2] = {tokenizer_settings_truth(&reading->settings, "add_bos_token", !unigram),
                            tokenizer_settings_truth(&reading->settings, "add_eos_token", unigram)};
    int64_t ids[2] = {spm->first, spm->last};
    for (size_t e = 0; e < 2; e++) {
        uint32_t id = 0;
        if (names[e][0] != '\0' && tokenizer_find(reading->tokenizer, names[e], &id)) {
            ids[e] = id;
        }
        ids[e] = wanted[e] && ids[e] < (int64_t)reading->tokenizer->limit ? ids[e] : -1;
    }
    return tokenizer_put_ends(reading->tokenizer, ids[0], ids[1]);
}

static bool put_ends(struct reading *reading)
{
    const struct family *const family = reading->family;
    struct tokenizer *const tokenizer = reading->tokenizer;
    const bool behind = tokenizer_settings_truth(&reading->settings, "legacy_behaviour", false) &&
                        family != NULL && family->languages == languages_nllb;
    if (family == NULL || family->single == NULL) {
        return put_switched_ends(reading);
    }
    return put_parts(reading, behind ? "A </s> L " : family->single, &tokenizer->single) &&
           put_parts(reading, behind ? "A B </s> L " : family->pair, &tokenizer->pair);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static bool read_pieces(struct reading *reading)
{
    struct sentence_rules *const rules = &reading->spm.rules;
    struct token_list list = spm_list(&reading->spm);
    if (reading->family != NULL && reading->spm.count <= reading->family->from) {
        return error_set(reading->error, ERROR_INPUT,
                         "%s: it is no model of SentencePiece, or damaged.", reading->file);
    }
    if (reading->family != NULL) {
        const size_t count = count_of(reading, reading->family) + sentinels_of(reading);
        list = (struct token_list){reading, count, text_at, score_at, type_at};
        rules->unknown = reading->family->before[0] == '\0' ? rules->unknown : 3;
    }
    rules->first_only = !tokenizer_settings_truth(&reading->settings, "legacy", true);
    rules->space_before =
        tokenizer_settings_truth(&reading->settings, "add_prefix_space", rules->space_before);
    return tokenizer_read_sentence(reading->tokenizer, &list, rules, reading->file, reading->error);
}

static bool read_lone(struct reading *reading, const char *folder)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    if (!find_family(reading) || !read_pieces(reading) ||
        !tokenizer_settings_add(&reading->settings, folder, tokenizer, reading->error)) {
        return false;
    }
    for (size_t i = 0; i < tokenizer->added_count; i++) {
        struct tokenizer_added *const added = &tokenizer->added[i];
        added->normalised = false; /* a text is cut at them as it stands */
        added->left = added->left || (reading->family != NULL && reading->family->mask &&
                                      bytes_have(added->text, 0, "<mask>"));
    }
    return put_ends(reading);
}

bool tokenizer_read_spm(struct tokenizer *tokenizer, struct file_handle *folder, const char *file,
                        const char *unused, struct error *error)
{
    struct reading reading = {.tokenizer = tokenizer, .file = file, .error = error};
    (void)unused;
    return tokenizer_settings_read(&reading.settings, folder, error) &&
           spm_read(tokenizer, file_handle_path(folder), file, &reading.spm, error) &&
           read_lone(&reading, file_handle_path(folder));
}

/* ---- pieces that another file numbers ------------------------------------------------------ */

/* vocab.json, whose tree is `numbers` (NULL: it is damaged), numbers the pieces. */
static bool read_numbered(struct tokenizer *tokenizer, struct file_handle *folder, const char *file,
                          const char *vocab, const struct json *numbers, struct spm *spm,
                          struct error *error)
{
    if (numbers == NULL || !tokenizer_read_vocabulary(tokenizer, numbers, vocab, error) ||
        !spm_read(tokenizer, file_handle_path(folder), file, spm, error)) {
        return false;
    }
    uint32_t *const ids = arena_array(&tokenizer->arena, spm->count, sizeof *ids);
    if (ids == NULL) {
        return tokenizer_no_memory(error);
    }
    if (!vocabulary_find(&tokenizer->vocabulary, "<unk>", strlen("<unk>"), &tokenizer->unknown)) {
        return error_set(error, ERROR_INPUT, "%s: it has no tokens <unk> and </s>.", vocab);
    }
    for (size_t i = 0; i < spm->count; i++) {
        const struct bytes text = spm->pieces[i].text;
        if (!vocabulary_find(&tokenizer->vocabulary, (const char *)text.at, text.size, &ids[i])) {
            ids[i] = tokenizer->unknown;
        }
    }
    const struct token_list list = spm_list(spm);
    tokenizer->piece_ids = ids;
    return tokenizer_cut_by_list(tokenizer, &list, &spm->rules, file, error);
}

/* Marian: source.spm (target.spm) cuts; a text ends with </s>. Both may be numbered by one file. */
bool tokenizer_read_marian(struct tokenizer *tokenizer, struct file_handle *folder,
                           const char *file, const char *vocab, struct error *error)
{
    const struct json *const numbers = file_handle_settings(folder, vocab, error);
    struct spm spm;
    uint32_t last = 0;
    if (!read_numbered(tokenizer, folder, file, vocab, numbers, &spm, error)) {
        return false;
    }
    return vocabulary_find(&tokenizer->vocabulary, "</s>", strlen("</s>"), &last)
               ? tokenizer_put_ends(tokenizer, -1, last)
               : error_set(error, ERROR_INPUT, "%s: it has no tokens <unk> and </s>.", vocab);
}

/* M2M100: languages are numbered behind the vocabulary; a text stands between its language and
 * </s>. */
static bool add_languages(struct reading *reading, const char *languages)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    const size_t count = count_names(languages);
    for (size_t i = 0; i < count; i++) {
        const struct bytes name = name_at(languages, i);
        const char *const text =
            arena_format(&tokenizer->arena, "__%.*s__", (int)name.size, (const char *)name.at);
        const struct tokenizer_added added = {
            .text = {(const uint8_t *)text, text == NULL ? 0 : strlen(text)},
            .id = (uint32_t)(tokenizer->vocabulary.count + i),
            .special = true};
        if (text == NULL || !tokenizer_add(tokenizer, &added, reading->error)) {
            return text == NULL ? tokenizer_no_memory(reading->error) : false;
        }
    }
    return true;
}

static bool read_m2m(struct reading *reading, struct file_handle *folder, const char *vocab)
{
    struct tokenizer *const tokenizer = reading->tokenizer;
    struct json *const numbers = folder_json(file_handle_path(folder), vocab, reading->error);
    static const char *const specials[] = {"<s>", "</s>", "<pad>", "<unk>"};
    const char *codes = "m2m100", *language = "en";
    (void)json_text(json_member(reading->settings.config, "language_codes"), &codes);
    (void)json_text(json_member(reading->settings.config, "src_lang"), &language);
    bool fine =
        read_numbered(tokenizer, folder, reading->file, vocab, numbers, &reading->spm,
                      reading->error) &&
        add_languages(reading, strcmp(codes, "wmt21") == 0 ? languages_wmt21 : languages_m2m);
    json_release(numbers);
    for (size_t i = 0; fine && i < sizeof specials / sizeof *specials; i++) {
        fine = tokenizer_add_special(tokenizer, specials[i], reading->error);
    }
    const char *const name = arena_format(&tokenizer->arena, "__%.40s__", language);
    return fine && name != NULL &&
           put_parts(reading, arena_format(&tokenizer->arena, "%s A </s> ", name),
                     &tokenizer->single) &&
           put_parts(reading, arena_format(&tokenizer->arena, "%s A B </s> ", name),
                     &tokenizer->pair) &&
           tokenizer_settings_add(&reading->settings, file_handle_path(folder), tokenizer,
                                  reading->error);
}

bool tokenizer_read_m2m(struct tokenizer *tokenizer, struct file_handle *folder, const char *file,
                        const char *vocab, struct error *error)
{
    struct reading reading = {.tokenizer = tokenizer, .file = file, .error = error};
    return tokenizer_settings_read(&reading.settings, folder, error) &&
           read_m2m(&reading, folder, vocab);
}
