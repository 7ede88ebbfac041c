/* manager [bars] — a window manager that knows one thing: full screen, as a window asks for it and
 * gives it back (EWMH, _NET_WM_STATE). With "bars" it knows another one instead: every window has
 * a title bar, which begins where the window asked to be (ICCCM), and says where it put the frame.
 * Runs until the server ends. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { BAR = 30, EDGE = 1 }; /* the title bar, the frame on the other sides */

static struct {
    Display *display;
    Window root;
    Atom state, full;
    XWindowAttributes before; /* of the window that is on the whole screen */
    Window framed, frame;     /* the one window that has a title bar */
} desk;

static int ignore_error(Display *display, XErrorEvent *event) /* a window may be gone by now */
{
    (void)display;
    (void)event;
    return 0;
}

static Atom find_atom(const char *name)
{
    return XInternAtom(desk.display, name, False);
}

/* Says to programs that there is one, and what it knows. */
static void announce_manager(void)
{
    const Window check = XCreateSimpleWindow(desk.display, desk.root, 0, 0, 1, 1, 0, 0, 0);
    const Atom known[] = {desk.state, desk.full};
    const Window both[] = {desk.root, check};
    for (size_t i = 0; i < 2; i++) {
        XChangeProperty(desk.display, both[i], find_atom("_NET_SUPPORTING_WM_CHECK"), XA_WINDOW, 32,
                        PropModeReplace, (const unsigned char *)&check, 1);
    }
    XChangeProperty(desk.display, desk.root, find_atom("_NET_SUPPORTED"), XA_ATOM, 32,
                    PropModeReplace, (const unsigned char *)known, 2);
}

/* Where it stands is said as where it is on the screen, though it lies in its frame. */
static void tell_place(int x, int y, int width, int height)
{
    XEvent told = {.xconfigure = {.type = ConfigureNotify,
                                  .event = desk.framed,
                                  .window = desk.framed,
                                  .x = x + EDGE,
                                  .y = y + BAR,
                                  .width = width,
                                  .height = height}};
    XSendEvent(desk.display, desk.framed, False, StructureNotifyMask, &told);
}

static void put_frame(int x, int y, int width, int height)
{
    XMoveResizeWindow(desk.display, desk.frame, x, y, (unsigned)(width + 2 * EDGE),
                      (unsigned)(height + BAR + EDGE));
    XMoveResizeWindow(desk.display, desk.framed, EDGE, BAR, (unsigned)width, (unsigned)height);
    tell_place(x, y, width, height);
    printf("%d %d %d %d\n", x, y, width + 2 * EDGE, height + BAR + EDGE);
    fflush(stdout);
}

static void give_bar(Window window)
{
    const long extents[] = {EDGE, EDGE, BAR, EDGE};
    XWindowAttributes wished;
    if (!XGetWindowAttributes(desk.display, window, &wished)) {
        return;
    }
    desk.framed = window;
    desk.frame = XCreateSimpleWindow(desk.display, desk.root, wished.x, wished.y, 1, 1, 0, 0, 0);
    XSelectInput(desk.display, desk.frame, SubstructureRedirectMask);
    XChangeProperty(desk.display, window, find_atom("_NET_FRAME_EXTENTS"), XA_CARDINAL, 32,
                    PropModeReplace, (const unsigned char *)extents, 4);
    XReparentWindow(desk.display, window, desk.frame, EDGE, BAR);
    XMapWindow(desk.display, desk.frame);
    put_frame(wished.x, wished.y, wished.width, wished.height);
}

static void configure_framed(const XConfigureRequestEvent *asked)
{
    XWindowAttributes inner, outer;
    if (!XGetWindowAttributes(desk.display, desk.framed, &inner) ||
        !XGetWindowAttributes(desk.display, desk.frame, &outer)) {
        return;
    }
    put_frame((asked->value_mask & CWX) != 0 ? asked->x : outer.x,
              (asked->value_mask & CWY) != 0 ? asked->y : outer.y,
              (asked->value_mask & CWWidth) != 0 ? asked->width : inner.width,
              (asked->value_mask & CWHeight) != 0 ? asked->height : inner.height);
}

static void answer_configure(const XConfigureRequestEvent *asked)
{
    XWindowChanges changes = {.x = asked->x,
                              .y = asked->y,
                              .width = asked->width,
                              .height = asked->height,
                              .border_width = asked->border_width,
                              .sibling = asked->above,
                              .stack_mode = asked->detail};
    XConfigureWindow(desk.display, asked->window, (unsigned)asked->value_mask, &changes);
}

/* 0 takes the state away, 1 gives it. */
static void set_full(Window window, bool full)
{
    const int screen = DefaultScreen(desk.display);
    XChangeProperty(desk.display, window, desk.state, XA_ATOM, 32, PropModeReplace,
                    (const unsigned char *)&desk.full, full);
    if (full) {
        XGetWindowAttributes(desk.display, window, &desk.before);
        XMoveResizeWindow(desk.display, window, 0, 0, (unsigned)DisplayWidth(desk.display, screen),
                          (unsigned)DisplayHeight(desk.display, screen));
    } else {
        XMoveResizeWindow(desk.display, window, desk.before.x, desk.before.y,
                          (unsigned)desk.before.width, (unsigned)desk.before.height);
    }
}

int main(int argc, char **argv)
{
    const bool bars = argc > 1 && strcmp(argv[1], "bars") == 0;
    const struct timespec pause = {.tv_nsec = 100000000};
    for (int i = 0; i < 100 && desk.display == NULL;
         i++) { /* it resets when its last client goes */
        desk.display = XOpenDisplay(NULL);
        nanosleep(&pause, NULL);
    }
    if (desk.display == NULL) {
        fprintf(stderr, "There is no display.\n");
        return 1;
    }
    desk.root = DefaultRootWindow(desk.display);
    desk.state = find_atom("_NET_WM_STATE");
    desk.full = find_atom("_NET_WM_STATE_FULLSCREEN");
    XSetErrorHandler(ignore_error);
    XSelectInput(desk.display, desk.root, SubstructureRedirectMask | SubstructureNotifyMask);
    announce_manager();
    XSync(desk.display, False);
    puts("ready");
    fflush(stdout);
    for (XEvent event;;) {
        XNextEvent(desk.display, &event);
        if (event.type == MapRequest) {
            if (bars && event.xmaprequest.window != desk.framed) {
                give_bar(event.xmaprequest.window);
            }
            XMapWindow(desk.display, event.xmaprequest.window);
            XSetInputFocus(desk.display, event.xmaprequest.window, RevertToPointerRoot,
                           CurrentTime);
        } else if (event.type == ConfigureRequest &&
                   event.xconfigurerequest.window == desk.framed) {
            configure_framed(&event.xconfigurerequest);
        } else if (event.type == ConfigureRequest) {
            answer_configure(&event.xconfigurerequest);
        } else if (event.type == ClientMessage && event.xclient.message_type == desk.state &&
                   ((Atom)event.xclient.data.l[1] == desk.full ||
                    (Atom)event.xclient.data.l[2] == desk.full)) {
            set_full(event.xclient.window, event.xclient.data.l[0] == 1);
        }
    }
}
