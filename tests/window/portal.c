/* tests/window/portal.c — what stands for a desktop's portal: `portal NOTES WAY ADDRESS`.
 *
 * It writes what it was asked for into the file NOTES; then it answers as the portal does, to who
 * asked alone: WAY is `choose` (the file at ADDRESS), `cancel`, or `refuse` (it has no dialog);
 * with `wait` it answers nothing, and notes that who asked has left the bus. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <dbus/dbus.h>

#define PORTAL "org.freedesktop.portal."

enum { NAME_BYTES = 256 };

struct portal {
    DBusConnection *bus;
    const char *way, *address;
    FILE *notes;
    char asked_by[NAME_BYTES];
};

/* Every text of what was asked, one a line: title, token, filters. */
static void note_texts(const struct portal *portal, DBusMessageIter *words)
{
    for (int type; (type = dbus_message_iter_get_arg_type(words)) != DBUS_TYPE_INVALID;
         dbus_message_iter_next(words)) {
        DBusMessageIter inside;
        const char *text = NULL;
        if (type == DBUS_TYPE_STRING) {
            dbus_message_iter_get_basic(words, &text);
            fprintf(portal->notes, "%s\n", text);
        } else if (dbus_type_is_container(type)) {
            dbus_message_iter_recurse(words, &inside);
            note_texts(portal, &inside);
        }
    }
}

static void add_addresses(DBusMessageIter *words, const char *address)
{
    static const char *const key = "uris";
    DBusMessageIter entries, entry, value, list;
    dbus_message_iter_open_container(words, DBUS_TYPE_ARRAY, "{sv}", &entries);
    dbus_message_iter_open_container(&entries, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "as", &value);
    dbus_message_iter_open_container(&value, DBUS_TYPE_ARRAY, "s", &list);
    dbus_message_iter_append_basic(&list, DBUS_TYPE_STRING, &address);
    dbus_message_iter_close_container(&value, &list);
    dbus_message_iter_close_container(&entry, &value);
    dbus_message_iter_close_container(&entries, &entry);
    dbus_message_iter_close_container(words, &entries);
}

static void send_response(const struct portal *portal, const char *request)
{
    const dbus_uint32_t how = strcmp(portal->way, "choose") == 0 ? 0 : 1;
    DBusMessage *const response = dbus_message_new_signal(request, PORTAL "Request", "Response");
    DBusMessageIter words;
    dbus_message_set_destination(response, portal->asked_by);
    dbus_message_iter_init_append(response, &words);
    dbus_message_iter_append_basic(&words, DBUS_TYPE_UINT32, &how);
    add_addresses(&words, portal->address);
    dbus_connection_send(portal->bus, response, NULL);
    dbus_message_unref(response);
}

static void serve_request(struct portal *portal, DBusMessage *question)
{
    static const char *const request = "/org/freedesktop/portal/desktop/request/1_1/attnscope";
    DBusMessageIter words;
    DBusMessage *reply = NULL;
    snprintf(portal->asked_by, sizeof portal->asked_by, "%s", dbus_message_get_sender(question));
    fprintf(portal->notes, "%s\n", dbus_message_get_signature(question));
    dbus_message_iter_init(question, &words);
    note_texts(portal, &words);
    if (strcmp(portal->way, "refuse") == 0) {
        reply = dbus_message_new_error(question, DBUS_ERROR_UNKNOWN_METHOD, "There is no dialog.");
    } else {
        reply = dbus_message_new_method_return(question);
        dbus_message_append_args(reply, DBUS_TYPE_OBJECT_PATH, &request, DBUS_TYPE_INVALID);
    }
    dbus_connection_send(portal->bus, reply, NULL);
    dbus_message_unref(reply);
    if (strcmp(portal->way, "choose") == 0 || strcmp(portal->way, "cancel") == 0) {
        send_response(portal, request);
    }
    fprintf(portal->notes, "asked\n");
    fflush(portal->notes);
}

/* Who asked has left: a portal closes the dialog. */
static void note_leaving(const struct portal *portal, DBusMessage *news)
{
    const char *name = NULL, *former = NULL, *present = NULL;
    if (dbus_message_get_args(news, NULL, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &former,
                              DBUS_TYPE_STRING, &present, DBUS_TYPE_INVALID) &&
        present[0] == '\0' && strcmp(name, portal->asked_by) == 0) {
        fprintf(portal->notes, "left\n");
        fflush(portal->notes);
    }
}

int main(int count, char **words)
{
    struct portal portal = {.way = count > 2 ? words[2] : "cancel",
                            .address = count > 3 ? words[3] : ""};
    portal.notes = count > 1 ? fopen(words[1], "a") : NULL;
    portal.bus = dbus_bus_get(DBUS_BUS_SESSION, NULL);
    if (portal.notes == NULL || portal.bus == NULL ||
        dbus_bus_request_name(portal.bus, PORTAL "Desktop", 0, NULL) !=
            DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
        return 1;
    }
    dbus_bus_add_match(portal.bus, "type='signal',member='NameOwnerChanged'", NULL);
    fprintf(portal.notes, "ready\n");
    fflush(portal.notes);
    do {
        DBusMessage *word = NULL;
        while ((word = dbus_connection_pop_message(portal.bus)) != NULL) {
            if (dbus_message_is_method_call(word, PORTAL "FileChooser", "OpenFile")) {
                serve_request(&portal, word);
            } else if (dbus_message_is_signal(word, DBUS_INTERFACE_DBUS, "NameOwnerChanged")) {
                note_leaving(&portal, word);
            }
            dbus_message_unref(word);
        }
    } while (dbus_connection_read_write(portal.bus, -1)); /* till the bus is gone */
    fclose(portal.notes);
    return 0;
}
