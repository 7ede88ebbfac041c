/* view/sheets/save.h — the sheet that asks under which name, and in which folder, a session is
 * saved.
 */
#ifndef VIEW_SHEETS_SAVE_H
#define VIEW_SHEETS_SAVE_H

#include "view/parts/view.h"

struct view_save {
    const char *name, *folder; /* as people write them */
    const char *note;          /* one sentence; NULL: none */
    bool refused;              /* it says why nothing was saved */
    bool replaces;             /* there is a file of that name */
    bool begins;               /* it was just opened: the name takes the focus */
};

/* What VIEW_ACTION_SAVE asks for: action.save.act. */
enum view_save_act {
    VIEW_SAVE_NAME,   /* text is being typed as the file's name */
    VIEW_SAVE_FOLDER, /* … as its folder */
    VIEW_SAVE_NOW,
};

#endif
