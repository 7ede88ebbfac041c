/* manager — a window manager that knows one thing: full screen, as a window asks for it and gives
 * it back (EWMH, _NET_WM_STATE). Runs until the server ends. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

static struct {
    Display *display;
    Window root;
    Atom state, full;
    XWindowAttributes before; /* of the window that is on the whole screen */
} desk;

static int overlook(Display *display, XErrorEvent *event) /* a window may be gone by now */
{
    (void)display;
    (void)event;
    return 0;
}

static Atom atom(const char *name)
{
    return XInternAtom(desk.display, name, False);
}

/* Says to programs that there is one, and what it knows. */
static void announce(void)
{
    const Window check = XCreateSimpleWindow(desk.display, desk.root, 0, 0, 1, 1, 0, 0, 0);
    const Atom known[] = {desk.state, desk.full};
    const Window both[] = {desk.root, check};
    for (size_t i = 0; i < 2; i++) {
        XChangeProperty(desk.display, both[i], atom("_NET_SUPPORTING_WM_CHECK"), XA_WINDOW, 32,
                        PropModeReplace, (const unsigned char *)&check, 1);
    }
    XChangeProperty(desk.display, desk.root, atom("_NET_SUPPORTED"), XA_ATOM, 32, PropModeReplace,
                    (const unsigned char *)known, 2);
}

static void configure(const XConfigureRequestEvent *asked)
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

int main(void)
{
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
    desk.state = atom("_NET_WM_STATE");
    desk.full = atom("_NET_WM_STATE_FULLSCREEN");
    XSetErrorHandler(overlook);
    XSelectInput(desk.display, desk.root, SubstructureRedirectMask | SubstructureNotifyMask);
    announce();
    XSync(desk.display, False);
    puts("ready");
    fflush(stdout);
    for (XEvent event;;) {
        XNextEvent(desk.display, &event);
        if (event.type == MapRequest) {
            XMapWindow(desk.display, event.xmaprequest.window);
            XSetInputFocus(desk.display, event.xmaprequest.window, RevertToPointerRoot,
                           CurrentTime);
        } else if (event.type == ConfigureRequest) {
            configure(&event.xconfigurerequest);
        } else if (event.type == ClientMessage && event.xclient.message_type == desk.state &&
                   ((Atom)event.xclient.data.l[1] == desk.full ||
                    (Atom)event.xclient.data.l[2] == desk.full)) {
            set_full(event.xclient.window, event.xclient.data.l[0] == 1);
        }
    }
}
