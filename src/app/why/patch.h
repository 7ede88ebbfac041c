/* app/why/patch.h — parts of one text in another one, for the view and for pictures. */
#ifndef APP_WHY_PATCH_H
#define APP_WHY_PATCH_H

#include "view/parts/patch.h"
#include "why/patching.h"

/* Fills what is shown of a table; the arena owns its texts and a copy of its numbers. False and a
 * sentence: memory. From any thread. */
bool app_why_patch_show(const struct why_ablation *of, const struct model_run *changed,
                        enum why_patched what, const struct why_patching *patching,
                        struct arena *arena, struct view_patch *shown, struct error *error);

#endif
