/* view/sheets/save.h — the dialog that asks for the name and the folder of a session. */
#ifndef VIEW_SHEETS_SAVE_H
#define VIEW_SHEETS_SAVE_H

#include "view/parts/view.h"

struct view_save {
    const char *name, *folder; /* as typed */
    const char *note;          /* a sentence; NULL: none */
    bool refused;              /* the note says why nothing was saved */
    bool replaces;             /* a file of that name exists */
    bool begins;               /* it was just opened, and the name takes the focus */
    bool offers_weights;       /* they take long to train again */
    bool with_weights;         /* they are saved too */
};

/* VIEW_ACTION_SAVE: the values of action.save.act. */
enum view_save_act {
    VIEW_SAVE_NAME,    /* text: the file's name so far */
    VIEW_SAVE_FOLDER,  /* text: the folder so far */
    VIEW_SAVE_WEIGHTS, /* the weights are saved too, or no longer */
    VIEW_SAVE_NOW,
};

#endif
