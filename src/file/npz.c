/* file/npz.c — see npz.h: the reader. Only this file and the writer know libzip. */
#include "file/npz.h"

#include <string.h>

#include <zip.h>

#include "base/translate.h"
#include "file/limits.h"
#include "file/npy.h"
#include "file/pickle.h"

enum { END_OF_LIST = 22 }; /* bytes: an archive without members is nothing else */

static bool not_a_zip(struct error *error, zip_error_t *reason)
{
    static const struct {
        int code;
        const char *sentence;
    } reasons[] = {
        {ZIP_ER_NOZIP, "It is no npz file, or was not copied whole: its end is missing."},
#ifdef ZIP_ER_TRUNCATED_ZIP /* libzip 1.11 and later */
        {ZIP_ER_TRUNCATED_ZIP, "It is no npz file, or was not copied whole: its end is missing."},
#endif
        {ZIP_ER_EOF, "It is damaged: it ends before what it says it holds."},
        {ZIP_ER_INCONS, "It is damaged: its members and the list of them contradict each other."},
        {ZIP_ER_EXISTS, "Two of its members have one name."},
        {ZIP_ER_MEMORY, "There is not enough memory to open it."},
    };
    const int code = zip_error_code_zip(reason);
    size_t r = 0;
    while (r < sizeof reasons / sizeof reasons[0] && reasons[r].code != code) {
        r++;
    }
    if (r < sizeof reasons / sizeof reasons[0]) {
        error_set(error, code == ZIP_ER_MEMORY ? ERROR_MEMORY : ERROR_INPUT, "%s",
                  tr(reasons[r].sentence));
    } else {
        error_set(error, ERROR_INPUT, "It is not a sound npz file: %s.",
                  zip_error_strerror(reason));
    }
    zip_error_fini(reason);
    return false;
}

/* Opens the bytes as an archive. NULL on failure. The caller closes it with zip_discard. */
static zip_t *open_archive(struct bytes file, struct error *error)
{
    if (file.size < END_OF_LIST) { /* libzip takes nothing at all for an empty archive */
        error_set(error, ERROR_INPUT, "It is not an npz file: it has only %zu bytes.", file.size);
        return NULL;
    }
    zip_error_t reason;
    zip_error_init(&reason);
    zip_source_t *source = zip_source_buffer_create(file.at, file.size, 0, &reason);
    zip_t *archive = NULL;
    if (source != NULL) {
        archive = zip_open_from_source(source, ZIP_CHECKCONS | ZIP_RDONLY, &reason);
    }
    if (archive == NULL) {
        zip_source_free(source);
        not_a_zip(error, &reason);
        return NULL;
    }
    zip_error_fini(&reason);
    return archive;
}

/* The name of an npy member without ".npy", owned by the arena; NULL for any other member, and
 * where the arena lacks memory for it. */
static const char *array_name(zip_t *archive, uint64_t index, struct arena *arena)
{
    const char *name = zip_get_name(archive, index, ZIP_FL_ENC_GUESS);
    if (name == NULL) { /* each member has one */
        arena->lacking = true;
        return NULL;
    }
    const size_t length = strlen(name);
    if (length <= 4 || strcmp(name + length - 4, ".npy") != 0) {
        return NULL;
    }
    return arena_text(arena, name, length - 4);
}

/* One member's size is believable, and it is packed in a way that can be read. */
static bool check_member(zip_t *archive, uint64_t index, zip_stat_t *member, struct error *error)
{
    zip_stat_init(member);
    (void)zip_stat_index(archive, index, 0, member); /* it is one of the list */
    if (member->encryption_method != ZIP_EM_NONE) {
        return error_set(error, ERROR_INPUT, "It is encrypted.");
    }
    const bool packed = member->comp_method == ZIP_CM_DEFLATE;
    if (!packed && member->comp_method != ZIP_CM_STORE) {
        return error_set(error, ERROR_INPUT, "It is packed in a way NumPy does not use.");
    }
    return !packed ||
           (member->size <= NPZ_UNPACKED_MAX &&
            (member->size + NPZ_RATIO_MAX - 1) / NPZ_RATIO_MAX <= member->comp_size) ||
           error_set(error, ERROR_INPUT, "It expands to far more than its size; not opened.");
}

static bool few_enough(zip_t *archive, struct error *error)
{
    return zip_get_num_entries(archive, 0) <= NPZ_MEMBERS_MAX ||
           error_set(error, ERROR_INPUT, "It has more than %d members.", NPZ_MEMBERS_MAX);
}

static bool within_limits(zip_t *archive, struct error *error)
{
    uint64_t total = 0;
    if (!few_enough(archive, error)) {
        return false;
    }
    for (uint64_t i = 0; i < (uint64_t)zip_get_num_entries(archive, 0); i++) {
        zip_stat_t member;
        if (!check_member(archive, i, &member, error)) {
            return false;
        }
        total += member.size > NPZ_UNPACKED_MAX ? NPZ_UNPACKED_MAX + 1 : member.size;
    }
    if (total > NPZ_UNPACKED_MAX) {
        return error_set(error, ERROR_INPUT, "It expands to more than 1 GiB; not opened.");
    }
    return true;
}

/* libzip's own sentences are for programmers. */
static bool cannot_unpack(zip_error_t *reason, struct error *error)
{
    return zip_error_code_zip(reason) == ZIP_ER_MEMORY
               ? error_set(error, ERROR_MEMORY, "There is not enough memory to unpack it.")
               : error_set(error, ERROR_INPUT, "A member cannot be unpacked: %s.",
                           zip_error_strerror(reason));
}

/* Refuses a member whose content differs from its description, or reports that memory ended. */
static bool is_damaged(zip_file_t *opened, const zip_stat_t *member, struct error *error)
{
    zip_error_t *const reason = zip_file_get_error(opened);
    return zip_error_code_zip(reason) == ZIP_ER_MEMORY
               ? cannot_unpack(reason, error)
               : error_set(error, ERROR_INPUT, "The member \"%s\" is damaged.", member->name);
}

/* The listener of a reading, and whether it has stopped it. */
struct telling {
    const struct file_progress *progress; /* NULL: nobody */
    uint64_t before, all;                 /* bytes that were read already; of how many */
    bool stopped;
};

static bool goes_on(struct telling *telling, uint64_t done)
{
    const struct file_progress *const progress = telling->progress;
    telling->stopped =
        progress != NULL && progress->goes_on != NULL &&
        !progress->goes_on(progress->owner, (size_t)(telling->before + done), (size_t)telling->all);
    return !telling->stopped;
}

static bool is_of_texts(struct bytes beginning)
{
    struct array_texts texts;
    bool are_objects = false;
    return npy_describe_texts(beginning, &texts, &are_objects) && !are_objects;
}

/* Where few bytes become more than UNSEEN_MAX, they are unpacked once and forgotten before memory
 * is taken for them: what is refused in the end must not cost what it pretends to be. */
static bool is_sound(zip_file_t *opened, const zip_stat_t *member, struct telling *telling,
                     struct error *error)
{
    uint8_t piece[NPY_HEADER_MAX];
    struct array array;
    zip_int64_t step = zip_fread(opened, piece, sizeof piece);
    uint64_t size = step > 0 ? (uint64_t)step : 0;
    const struct bytes start = {piece, (size_t)size};
    if (step > 0 && !is_of_texts(start) &&
        !npy_read_header(start, (size_t)member->size, &array, error)) {
        return false;
    }
    while (step > 0 && size <= member->size) {
        if (!goes_on(telling, size)) {
            return false;
        }
        step = zip_fread(opened, piece, sizeof piece);
        size += step > 0 ? (uint64_t)step : 0;
    }
    return (step == 0 && size == member->size) || is_damaged(opened, member, error);
}

static bool is_worth_its_memory(zip_t *archive, uint64_t index, const zip_stat_t *member,
                                struct telling *telling, struct error *error)
{
    enum { UNSEEN_MAX = 64 << 20, FEW = 8 };
    telling->all = member->size;
    if (member->size <= UNSEEN_MAX || member->size / FEW <= member->comp_size) {
        return true;
    }
    telling->all = 2 * member->size;
    zip_file_t *const opened = zip_fopen_index(archive, index, 0);
    if (opened == NULL) {
        return cannot_unpack(zip_get_error(archive), error);
    }
    const bool sound = is_sound(opened, member, telling, error);
    zip_fclose(opened);
    telling->before = member->size;
    return sound;
}

/* The bytes of a member into out, where there is room for one more than it says: the read that
 * finds nothing there has checked the checksum. */
static bool unpack_into(zip_file_t *opened, const zip_stat_t *member, uint8_t *out,
                        struct telling *telling, struct error *error)
{
    enum { PIECE = 1 << 20 };
    uint64_t done = 0;
    zip_int64_t step = 1;
    while (step > 0 && done <= member->size) {
        const uint64_t left = member->size + 1 - done;
        if (!goes_on(telling, done)) {
            return false;
        }
        step = zip_fread(opened, out + done, left < PIECE ? left : PIECE);
        done += step > 0 ? (uint64_t)step : 0;
    }
    return (step == 0 && done == member->size) || is_damaged(opened, member, error);
}

static bool unpack_member(zip_t *archive, uint64_t index, const struct file_progress *progress,
                          struct arena *arena, struct bytes *out, struct error *error)
{
    zip_stat_t member;
    if (!check_member(archive, index, &member, error)) {
        return false;
    }
    if (member.size > NPZ_UNPACKED_MAX) {
        return error_set(error, ERROR_INPUT, "It is larger than 1 GiB; not opened.");
    }
    struct telling telling = {.progress = progress};
    if (!is_worth_its_memory(archive, index, &member, &telling, error)) {
        return false;
    }
    zip_file_t *const opened = zip_fopen_index(archive, index, 0);
    if (opened == NULL) {
        return cannot_unpack(zip_get_error(archive), error);
    }
    uint8_t *bytes = arena_alloc(arena, (size_t)member.size + 1);
    const bool done = bytes != NULL && unpack_into(opened, &member, bytes, &telling, error);
    zip_fclose(opened);
    if (bytes == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to unpack it.");
    }
    *out = (struct bytes){bytes, (size_t)member.size};
    return done;
}

/* *texts (NULL: they are refused): it holds texts and no numbers. */
static bool read_member(zip_t *archive, uint64_t index, const char *name,
                        const struct file_progress *progress, struct arena *arena,
                        struct array *out, bool *texts, struct error *error)
{
    struct bytes content;
    struct error reason = {0};
    if (!unpack_member(archive, index, progress, arena, &content, error)) {
        return false;
    }
    if (texts != NULL && (*texts = is_of_texts(content))) {
        return true;
    }
    if (!npy_read(content, out, &reason)) {
        return error_set(error, reason.code, "The array \"%s\" cannot be read: %s", name,
                         reason.text);
    }
    out->name = name;
    return true;
}

/* Reports a name that there was no memory for, which must not be passed over. */
static bool has_all_names(const struct arena *arena, struct error *error)
{
    return !arena->lacking ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for its arrays.");
}

static bool read_members(zip_t *archive, struct arena *arena, const struct array **arrays,
                         size_t *count, struct error *error)
{
    if (!within_limits(archive, error)) {
        return false;
    }
    const uint64_t members = (uint64_t)zip_get_num_entries(archive, 0);
    struct array *const list = arena_array(arena, (size_t)members, sizeof *list);
    if (list == NULL) {
        return has_all_names(arena, error);
    }
    size_t found = 0;
    for (uint64_t i = 0; i < members; i++) {
        const char *name = array_name(archive, i, arena);
        if (name == NULL) {
            continue;
        }
        bool texts = false;
        if (!read_member(archive, i, name, NULL, arena, &list[found], &texts, error)) {
            return false;
        }
        found += texts ? 0 : 1;
    }
    *arrays = list;
    *count = found;
    return has_all_names(arena, error);
}

bool npz_read(struct bytes file, struct arena *arena, const struct array **arrays, size_t *count,
              struct error *error)
{
    zip_t *archive = open_archive(file, error);
    if (archive == NULL) {
        return false;
    }
    bool done = read_members(archive, arena, arrays, count, error);
    zip_discard(archive);
    return done;
}

/* The place of an array, and its name, kept in the arena. */
static bool locate_array(zip_t *archive, const char *name, struct arena *arena,
                         const char **member_name, uint64_t *index, struct error *error)
{
    char *const member = arena_format(arena, "%s.npy", name);
    if (member == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to unpack it.");
    }
    const zip_int64_t found = zip_name_locate(archive, member, 0);
    if (found < 0) {
        return error_set(error, ERROR_INPUT, "It holds no array \"%s\".", name);
    }
    member[strlen(name)] = '\0';
    *member_name = member;
    *index = (uint64_t)found;
    return true;
}

bool npz_read_one(struct bytes file, const char *name, struct arena *arena, struct array *out,
                  struct error *error)
{
    return npz_read_one_with_progress(file, name, NULL, arena, out, error);
}

bool npz_read_one_with_progress(struct bytes file, const char *name,
                                const struct file_progress *progress, struct arena *arena,
                                struct array *out, struct error *error)
{
    zip_t *archive = open_archive(file, error);
    if (archive == NULL) {
        return false;
    }
    uint64_t index = 0;
    const char *member_name = NULL;
    const bool done = few_enough(archive, error) &&
                      locate_array(archive, name, arena, &member_name, &index, error) &&
                      read_member(archive, index, member_name, progress, arena, out, NULL, error);
    zip_discard(archive);
    return done;
}

/* ---- members where they stand -------------------------------------------------------------- */

static size_t number_at(struct bytes file, size_t at)
{
    return (size_t)file.at[at] | (size_t)file.at[at + 1] << 8;
}

/* Members stand one behind the other, each behind a header of its own (APPNOTE.TXT 4.3.7). Moves
 * *at behind the member and gives its bytes; false: they do not stand so. */
static bool next_in_place(struct bytes file, const zip_stat_t *member, size_t *at,
                          struct bytes *out)
{
    enum { HEADER = 30, NAME_LENGTH = 26, EXTRA_LENGTH = 28 };
    const size_t start = *at, name = strlen(member->name);
    if (file.size - start < HEADER || memcmp(file.at + start, "PK\x03\x04", 4) != 0) {
        return false;
    }
    const size_t content = start + HEADER + number_at(file, start + NAME_LENGTH) +
                           number_at(file, start + EXTRA_LENGTH);
    if (number_at(file, start + NAME_LENGTH) != name || content > file.size ||
        member->comp_size > file.size - content ||
        memcmp(file.at + start + HEADER, member->name, name) != 0) {
        return false;
    }
    *out = (struct bytes){file.at + content, (size_t)member->comp_size};
    *at = content + (size_t)member->comp_size;
    return true;
}

/* The first bytes of a packed member. */
static bool unpack_beginning(zip_t *archive, uint64_t index, size_t size, struct arena *arena,
                             struct bytes *out, struct error *error)
{
    const size_t size_read = size < NPY_HEADER_MAX ? size : NPY_HEADER_MAX;
    uint8_t *const start = arena_alloc(arena, size_read + 1);
    if (start == NULL) {
        return error_set(error, ERROR_MEMORY, "There is not enough memory to unpack it.");
    }
    zip_file_t *const opened = zip_fopen_index(archive, index, 0);
    if (opened == NULL) {
        return cannot_unpack(zip_get_error(archive), error);
    }
    const zip_int64_t read = zip_fread(opened, start, size_read);
    const bool fine = read >= 0 || cannot_unpack(zip_file_get_error(opened), error);
    zip_fclose(opened);
    *out = (struct bytes){start, fine ? (size_t)read : 0};
    return fine;
}

bool npz_read_texts(struct bytes file, const char *name, struct arena *arena,
                    const char *const **texts, size_t *count, struct error *error)
{
    zip_t *archive = open_archive(file, error);
    if (archive == NULL) {
        return false;
    }
    uint64_t index = 0;
    const char *member_name = NULL;
    struct bytes content;
    const bool done = few_enough(archive, error) &&
                      locate_array(archive, name, arena, &member_name, &index, error) &&
                      unpack_member(archive, index, NULL, arena, &content, error) &&
                      npy_read_texts(content, arena, texts, count, error);
    zip_discard(archive);
    return done;
}

/* Objects of Python are texts if all of them are. */
static bool are_texts(zip_t *archive, uint64_t index, size_t size, struct error *error)
{
    struct arena arena = {0};
    struct bytes content;
    const char *const *texts = NULL;
    size_t count = 0;
    const bool fits = size <= PICKLE_BYTES_MAX + NPY_HEADER_MAX ||
                      error_set(error, ERROR_INPUT,
                                "It holds Python objects; only arrays of numbers can be read.");
    const bool read = fits && unpack_member(archive, index, NULL, &arena, &content, error) &&
                      npy_read_texts(content, &arena, &texts, &count, error);
    arena_free(&arena);
    return read;
}

/* The lists that are filled while the members are walked through, one after the other. */
struct listing {
    zip_t *archive;
    struct bytes file;
    size_t at; /* where the next member stands, if they stand one behind the other */
    struct arena *arena;
    struct array *array;
    struct array_texts *texts;
    struct array_unread *unread;
    size_t count, text_count, unread_count, damaged;
};

/* Lists what a member holds, judged by its beginning: `content`, where it stands unpacked. */
static bool describe_member(struct listing *list, uint64_t index, struct bytes content, size_t size,
                            const char *name, struct error *error)
{
    struct array *const array = &list->array[list->count];
    struct array_texts *const texts = &list->texts[list->text_count];
    struct array_unread *const unread = &list->unread[list->unread_count];
    struct arena arena = {0};
    struct bytes start = content;
    bool are_objects = false;
    bool fine =
        content.at != NULL || unpack_beginning(list->archive, index, size, &arena, &start, error);
    if (fine && npy_is_unread(start, unread)) { /* or objects that are None, without any text */
        unread->array.name = name;
        list->unread_count++;
    } else if (fine && npy_describe_texts(start, texts, &are_objects)) {
        fine = !are_objects || are_texts(list->archive, index, size, error);
        unread->array.rank = texts->rank; /* where they are other objects */
        memcpy(unread->array.shape, texts->shape, sizeof unread->array.shape);
        strcpy(unread->type, "object");
        list->text_count += fine;
    } else if (fine) {
        fine = npy_read_header(start, size, array, error);
        array->bytes.at = content.at == NULL ? NULL : array->bytes.at;
        list->count += fine;
    }
    array->name = texts->name = name;
    arena_free(&arena);
    return fine;
}

/* One member more. False: there is no memory; what else is wrong with it is noted. */
static bool list_member(struct listing *list, uint64_t index, struct error *error)
{
    zip_stat_t member;
    struct bytes content = {NULL, 0};
    struct error reason = {ERROR_NONE, 0, ""};
    const bool sound = check_member(list->archive, index, &member, &reason);
    if (!next_in_place(list->file, &member, &list->at, &content) ||
        member.comp_method != ZIP_CM_STORE) {
        content = (struct bytes){NULL, 0};
    }
    const char *const name = array_name(list->archive, index, list->arena);
    if (name == NULL) {
        return has_all_names(list->arena, error);
    }
    if (sound && describe_member(list, index, content, (size_t)member.size, name, &reason)) {
        return true;
    }
    struct array_unread *const unread = &list->unread[list->unread_count++];
    list->damaged += unread->type[0] == '\0';
    unread->array.name = name;
    unread->why = arena_text(list->arena, reason.text, strlen(reason.text));
    return (reason.code != ERROR_MEMORY && unread->why != NULL) ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for its arrays.");
}

/* Room for as many of each as there are members. */
static bool make_room(struct listing *list, size_t members, struct error *error)
{
    list->array = arena_array(list->arena, members + 1, sizeof *list->array);
    list->texts = arena_array(list->arena, members + 1, sizeof *list->texts);
    list->unread = arena_array(list->arena, members + 1, sizeof *list->unread);
    return (list->array != NULL && list->texts != NULL && list->unread != NULL) ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for its arrays.");
}

/* Of an archive in which nothing can be read, why the first member cannot. */
static bool is_readable(const struct listing *list, struct error *error)
{
    size_t first = 0;
    while (list->count == 0 && first < list->unread_count && list->unread[first].why == NULL) {
        first++;
    }
    return list->count > 0 || list->damaged == 0 || first == list->unread_count ||
           error_set(error, ERROR_INPUT, "The array \"%.60s\" cannot be read: %s",
                     list->unread[first].array.name, list->unread[first].why);
}

bool npz_list(struct bytes file, struct arena *arena, struct npz_list *out, struct error *error)
{
    *out = (struct npz_list){.count = 0};
    struct listing list = {.archive = open_archive(file, error), .file = file, .arena = arena};
    if (list.archive == NULL) {
        return false;
    }
    const uint64_t members = (uint64_t)zip_get_num_entries(list.archive, 0);
    bool fine = few_enough(list.archive, error) && make_room(&list, (size_t)members, error);
    for (uint64_t i = 0; fine && i < members; i++) {
        fine = list_member(&list, i, error);
    }
    zip_discard(list.archive);
    *out = (struct npz_list){list.array,      list.count,  list.texts,
                             list.text_count, list.unread, list.unread_count};
    return fine && is_readable(&list, error);
}
