/* The dialog for files that a desktop's portal opens, asked for over its bus.
 *
 * A request ends with the connection that made it, and its answer goes to that connection alone: no
 * helper program that asks and ends could stand in between.
 * (flatpak.github.io/xdg-desktop-portal: Requests, FileChooser) */
#include "app/desktop/window_internal.h"
#include "base/system/file.h"
#include "file/kinds.h"

#ifdef ATTNSCOPE_DBUS

#include <string.h>

#include <dbus/dbus.h>

#define PORTAL "org.freedesktop.portal."
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define TOKEN "attnscope"

enum { LOOK_MILLISECONDS = 100, PATIENCE_MILLISECONDS = 25000, NAME_BYTES = 1024 };

/* The bus starts what has a note among its services: whether there is a portal is seen there,
 * without asking anybody. */
bool window_portal_is_there(void)
{
    static const char note[] = "dbus-1/services/" PORTAL "Desktop.service";
    const char *folder = SDL_getenv("XDG_DATA_DIRS");
    folder = folder != NULL && folder[0] != '\0' ? folder : "/usr/local/share:/usr/share";
    while (*folder != '\0') {
        char path[NAME_BYTES];
        const size_t length = strcspn(folder, ":");
        const int wrote = SDL_snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, note);
        if (length > 0 && wrote > 0 && (size_t)wrote < sizeof path && system_may_read(path)) {
            return true;
        }
        folder += length + (folder[length] == ':');
    }
    return false;
}

/* --- libdbus, opened where it is installed --- */

#define FUNCTIONS(F)                                                                               \
    F(bus_get_private)                                                                             \
    F(connection_close)                                                                            \
    F(connection_pop_message)                                                                      \
    F(connection_read_write)                                                                       \
    F(connection_send)                                                                             \
    F(connection_set_exit_on_disconnect)                                                           \
    F(connection_unref)                                                                            \
    F(message_get_reply_serial)                                                                    \
    F(message_get_type)                                                                            \
    F(message_has_signature)                                                                       \
    F(message_is_signal)                                                                           \
    F(message_iter_append_basic)                                                                   \
    F(message_iter_close_container)                                                                \
    F(message_iter_get_arg_type)                                                                   \
    F(message_iter_get_basic)                                                                      \
    F(message_iter_init)                                                                           \
    F(message_iter_init_append)                                                                    \
    F(message_iter_next)                                                                           \
    F(message_iter_open_container)                                                                 \
    F(message_iter_recurse)                                                                        \
    F(message_new_method_call)                                                                     \
    F(message_unref)

#define DECLARE(name) __typeof__(dbus_##name) *name;
#define NAME(name) "dbus_" #name,

static struct dbus_functions {
    FUNCTIONS(DECLARE)
} dbus;

/* False: it is not installed, or lacks one of them. */
static bool open_dbus(void)
{
    static const char *const names[] = {FUNCTIONS(NAME)};
    void *functions[SDL_arraysize(names)];
    SDL_COMPILE_TIME_ASSERT(one_each, sizeof functions == sizeof dbus);
    void *const library = SDL_LoadObject("libdbus-1.so.3"); /* it stays */
    for (size_t i = 0; i < SDL_arraysize(names); i++) {
        functions[i] = library == NULL ? NULL : SDL_LoadFunction(library, names[i]);
        if (functions[i] == NULL) {
            return false;
        }
    }
    memcpy(&dbus, functions, sizeof dbus); /* ISO C has no cast from object to function */
    return true;
}

/* --- the question --- */

static void add_text(DBusMessageIter *to, const char *text)
{
    (void)dbus.message_iter_append_basic(to, DBUS_TYPE_STRING, &text);
}

static void add_pattern(DBusMessageIter *list, const char *pattern)
{
    const dbus_uint32_t by_pattern = 0;
    DBusMessageIter pair;
    (void)dbus.message_iter_open_container(list, DBUS_TYPE_STRUCT, NULL, &pair);
    (void)dbus.message_iter_append_basic(&pair, DBUS_TYPE_UINT32, &by_pattern);
    add_text(&pair, pattern);
    (void)dbus.message_iter_close_container(list, &pair);
}

/* ("name", [(0, "*.json"), …]): everything that can be opened, or all files. */
static void add_filter(DBusMessageIter *filters, const char *name, bool all)
{
    char suffix[FILE_SUFFIX_MAX], pattern[FILE_SUFFIX_MAX + 2];
    DBusMessageIter filter, list;
    (void)dbus.message_iter_open_container(filters, DBUS_TYPE_STRUCT, NULL, &filter);
    add_text(&filter, name);
    (void)dbus.message_iter_open_container(&filter, DBUS_TYPE_ARRAY, "(us)", &list);
    if (all) {
        add_pattern(&list, "*");
    }
    for (size_t s = 0; !all && file_kind_suffix_at(s, suffix) != NULL; s++) {
        SDL_snprintf(pattern, sizeof pattern, "*.%s", suffix);
        add_pattern(&list, pattern);
    }
    (void)dbus.message_iter_close_container(&filter, &list);
    (void)dbus.message_iter_close_container(filters, &filter);
}

/* {"handle_token": <TOKEN>, "filters": <[…]>} */
static void add_options(DBusMessageIter *to)
{
    DBusMessageIter options, entry, value, filters;
    (void)dbus.message_iter_open_container(to, DBUS_TYPE_ARRAY, "{sv}", &options);
    (void)dbus.message_iter_open_container(&options, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    add_text(&entry, "handle_token");
    (void)dbus.message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &value);
    add_text(&value, TOKEN);
    (void)dbus.message_iter_close_container(&entry, &value);
    (void)dbus.message_iter_close_container(&options, &entry);
    (void)dbus.message_iter_open_container(&options, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    add_text(&entry, "filters");
    (void)dbus.message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "a(sa(us))", &value);
    (void)dbus.message_iter_open_container(&value, DBUS_TYPE_ARRAY, "(sa(us))", &filters);
    add_filter(&filters, WINDOW_CHOICE_FILTER, false);
    add_filter(&filters, "All files", true);
    (void)dbus.message_iter_close_container(&value, &filters);
    (void)dbus.message_iter_close_container(&entry, &value);
    (void)dbus.message_iter_close_container(&options, &entry);
    (void)dbus.message_iter_close_container(to, &options);
}

/* False: there is no memory, or the bus is gone. */
static bool ask_portal(DBusConnection *bus, dbus_uint32_t *number)
{
    DBusMessage *const question = dbus.message_new_method_call(PORTAL "Desktop", PORTAL_PATH,
                                                               PORTAL "FileChooser", "OpenFile");
    if (question == NULL) {
        return false;
    }
    DBusMessageIter words;
    dbus.message_iter_init_append(question, &words);
    add_text(&words, ""); /* the window it belongs to: none is named */
    add_text(&words, WINDOW_CHOICE_TITLE);
    add_options(&words);
    const bool sent = dbus.connection_send(bus, question, number);
    dbus.message_unref(question);
    return sent;
}

/* --- the answer --- */

/* The path that file://… names, as long as it fits. */
static bool read_path(const char *address, char *path, size_t size)
{
    static const char scheme[] = "file://";
    const bool is_file = strncmp(address, scheme, sizeof scheme - 1) == 0;
    const char *from = is_file ? strchr(address + sizeof scheme - 1, '/') : NULL;
    size_t length = 0;
    while (from != NULL && *from != '\0' && length + 1 < size) {
        unsigned byte = (unsigned char)*from;
        if (*from++ == '%') {
            if (!SDL_isxdigit((unsigned char)from[0]) || !SDL_isxdigit((unsigned char)from[1]) ||
                SDL_sscanf(from, "%2x", &byte) != 1 || byte == 0) {
                return false;
            }
            from += 2;
        }
        path[length++] = (char)byte;
    }
    path[length] = '\0';
    return length > 0 && *from == '\0';
}

/* The first file of {"uris": <["file:///…"]>}. */
static bool read_first(DBusMessageIter *answer, char *path, size_t size)
{
    DBusMessageIter entries, entry, value, list;
    if (dbus.message_iter_get_arg_type(answer) != DBUS_TYPE_ARRAY) {
        return false;
    }
    dbus.message_iter_recurse(answer, &entries);
    for (; dbus.message_iter_get_arg_type(&entries) == DBUS_TYPE_DICT_ENTRY;
         (void)dbus.message_iter_next(&entries)) {
        const char *word = NULL;
        dbus.message_iter_recurse(&entries, &entry);
        dbus.message_iter_get_basic(&entry, &word);
        (void)dbus.message_iter_next(&entry);
        dbus.message_iter_recurse(&entry, &value);
        if (strcmp(word, "uris") == 0 &&
            dbus.message_iter_get_arg_type(&value) == DBUS_TYPE_ARRAY) {
            dbus.message_iter_recurse(&value, &list);
            if (dbus.message_iter_get_arg_type(&list) == DBUS_TYPE_STRING) {
                dbus.message_iter_get_basic(&list, &word);
                return read_path(word, path, size);
            }
        }
    }
    return false;
}

static enum window_portal_answer read_answer(DBusMessage *answer, char *path, size_t size)
{
    dbus_uint32_t how = 0; /* 0: chosen, 1: cancelled, 2: it came to nothing */
    DBusMessageIter words;
    if (!dbus.message_has_signature(answer, "ua{sv}") || !dbus.message_iter_init(answer, &words)) {
        return WINDOW_PORTAL_NONE;
    }
    dbus.message_iter_get_basic(&words, &how);
    (void)dbus.message_iter_next(&words);
    if (how == 0 && read_first(&words, path, size)) {
        return WINDOW_PORTAL_CHOSEN;
    }
    return how == 1 ? WINDOW_PORTAL_CANCELLED : WINDOW_PORTAL_NONE;
}

static enum window_portal_answer wait_for_answer(DBusConnection *bus, dbus_uint32_t number,
                                                 SDL_atomic_t *cancelled, char *path, size_t size)
{
    const Uint32 requested = SDL_GetTicks();
    bool opened = false; /* it said that it has begun; a person may take any time */
    while (SDL_AtomicGet(cancelled) == 0) {
        const bool is_connected = dbus.connection_read_write(bus, LOOK_MILLISECONDS);
        DBusMessage *word = NULL;
        while ((word = dbus.connection_pop_message(bus)) != NULL) {
            const bool answers = dbus.message_is_signal(word, PORTAL "Request", "Response");
            const bool replies = dbus.message_get_reply_serial(word) == number;
            const bool refuses = replies && dbus.message_get_type(word) == DBUS_MESSAGE_TYPE_ERROR;
            const enum window_portal_answer answer =
                answers ? read_answer(word, path, size) : WINDOW_PORTAL_NONE;
            opened = opened || replies;
            dbus.message_unref(word);
            if (answers || refuses) {
                return answer;
            }
        }
        if (!is_connected || (!opened && SDL_GetTicks() - requested > PATIENCE_MILLISECONDS)) {
            return WINDOW_PORTAL_NONE;
        }
    }
    return WINDOW_PORTAL_CANCELLED;
}

/* Signals are not asked for: only what is sent to this connection arrives, and it asks one thing.
 */
enum window_portal_answer window_portal_choose(SDL_atomic_t *cancelled, char *path, size_t size)
{
    const bool can_ask = window_portal_is_there() && open_dbus();
    DBusConnection *const bus = can_ask ? dbus.bus_get_private(DBUS_BUS_SESSION, NULL) : NULL;
    if (bus == NULL) {
        return WINDOW_PORTAL_NONE;
    }
    dbus.connection_set_exit_on_disconnect(bus, FALSE);
    dbus_uint32_t number = 0;
    const enum window_portal_answer answer =
        ask_portal(bus, &number) ? wait_for_answer(bus, number, cancelled, path, size)
                                 : WINDOW_PORTAL_NONE;
    dbus.connection_close(bus); /* a dialog that is still open goes with it */
    dbus.connection_unref(bus);
    return answer;
}

#else

bool window_portal_is_there(void)
{
    return false;
}

enum window_portal_answer window_portal_choose(SDL_atomic_t *cancelled, char *path, size_t size)
{
    (void)cancelled;
    (void)path;
    (void)size;
    return WINDOW_PORTAL_NONE;
}

#endif
