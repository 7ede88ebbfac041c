/* giver BYTES WORDS — owns the clipboard with so many bytes of these words over and over, and gives
 * them in pieces (ICCCM, INCR) to as many as ask at once. Says "owned" when it does; runs until the
 * server ends. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16, ASKING_MAX = 16 };

/* One that asks, and how much of the text it has. */
struct asking {
    Window window; /* None: nobody */
    Atom property;
    size_t had;
};

static struct {
    Display *display;
    Atom text, incremental, targets;
    const char *words;
    size_t size;
    struct asking asking[ASKING_MAX];
} desk;

static int ignore_error(Display *display, XErrorEvent *event) /* who asked may be gone by now */
{
    (void)display;
    (void)event;
    return 0;
}

static void set_property(Window window, Atom property, Atom type, int format, const void *content,
                         size_t items)
{
    XChangeProperty(desk.display, window, property, type, format, PropModeReplace, content,
                    (int)items);
}

static void note_asking(Window window, Atom property)
{
    for (size_t a = 0; a < ASKING_MAX; a++) {
        if (desk.asking[a].window == None || desk.asking[a].window == window) {
            desk.asking[a] = (struct asking){window, property, 0};
            return;
        }
    }
}

static void answer_request(const XSelectionRequestEvent *request)
{
    XEvent reply = {.xselection = {.type = SelectionNotify,
                                   .requestor = request->requestor,
                                   .selection = request->selection,
                                   .target = request->target,
                                   .property = request->property,
                                   .time = request->time}};
    if (request->target == desk.targets) {
        const Atom known[] = {desk.targets, desk.text};
        set_property(request->requestor, request->property, XA_ATOM, 32, known, 2);
    } else if (request->target == desk.text) {
        const long size = (long)desk.size;
        XSelectInput(desk.display, request->requestor, PropertyChangeMask);
        note_asking(request->requestor, request->property);
        set_property(request->requestor, request->property, desk.incremental, 32, &size, 1);
    } else {
        reply.xselection.property = None;
    }
    XSendEvent(desk.display, request->requestor, False, 0, &reply);
}

/* The requestor has taken a piece: the next one follows, at the end an empty one. */
static void go_on(const XPropertyEvent *event)
{
    static char piece[PIECE];
    for (size_t a = 0; a < ASKING_MAX; a++) {
        struct asking *const asking = &desk.asking[a];
        if (asking->window != event->window || asking->property != event->atom) {
            continue;
        }
        const size_t left = desk.size - asking->had, size = left < PIECE ? left : PIECE;
        for (size_t i = 0; i < size; i++) {
            piece[i] = desk.words[(asking->had + i) % strlen(desk.words)];
        }
        set_property(asking->window, asking->property, desk.text, 8, piece, size);
        asking->had += size;
        asking->window = size == 0 ? None : asking->window;
    }
}

int main(int count, char **argument)
{
    desk.display = XOpenDisplay(NULL);
    if (desk.display == NULL || count < 3 || argument[2][0] == '\0') {
        return 1;
    }
    XSetErrorHandler(ignore_error);
    desk.size = (size_t)strtoul(argument[1], NULL, 10);
    desk.words = argument[2];
    desk.text = XInternAtom(desk.display, "UTF8_STRING", False);
    desk.incremental = XInternAtom(desk.display, "INCR", False);
    desk.targets = XInternAtom(desk.display, "TARGETS", False);
    const Window root = DefaultRootWindow(desk.display);
    const Window window = XCreateSimpleWindow(desk.display, root, 0, 0, 1, 1, 0, 0, 0);
    XSetSelectionOwner(desk.display, XInternAtom(desk.display, "CLIPBOARD", False), window,
                       CurrentTime);
    XSync(desk.display, False);
    puts("owned");
    fflush(stdout);
    for (;;) {
        XEvent event;
        XNextEvent(desk.display, &event);
        if (event.type == SelectionRequest) {
            answer_request(&event.xselectionrequest);
        } else if (event.type == PropertyNotify && event.xproperty.state == PropertyDelete) {
            go_on(&event.xproperty);
        }
    }
}
