/* ui/chips_internal.h — the token field's own matters: where chips stand, what keys do, how it is
 * drawn. */
#ifndef UI_CHIPS_INTERNAL_H
#define UI_CHIPS_INTERNAL_H

#include "ui/field.h"
#include "ui/widgets.h"

enum { CHIPS_MEASURED = 4096 /* once for a frame; of more than that each time */ };

#define CHIP_HEIGHT 26.0f
#define CHIP_PAD 10.0f
#define CHIP_TAG 14.0f /* of a letter before the word */
#define CHIP_GAP 6.0f
#define CHIP_EDGE 6.0f  /* of a chip: a click there means the gap beside it */
#define CHIP_FADE 18.0f /* how far words fade out where the field goes on */
#define CHIP_MIN_WIDTH 28.0f
#define CHIP_MAX_WIDTH 220.0f /* a longer word is cut; its tooltip has it whole */
#define CHIP_LETTERS 10.0f    /* of two lines in one chip */
#define CHIP_CLOSE 4.0f       /* so much closer they stand to its ends */
#define CHIP_NARROW 52.0f     /* as narrow as long words become where that makes all fit */

struct chips_frame {
    struct ui *ui;
    const struct ui_chips *chips;
    uint32_t id;
    struct rect area, inner; /* inner: where chips are */
    float reserve;           /* kept free behind them to type, in a full field */
    float max_width;         /* the widest that a chip may be */
    const float *word;       /* [measured] how wide the words of the first chips are */
    size_t measured;
    struct field_style style; /* of words */
    struct ui_chips_answer answer;
    size_t given;  /* bytes of words already in memory->given */
    size_t under;  /* the chip under the pointer; SIZE_MAX: none */
    size_t gap;    /* where a dragged chip would go; SIZE_MAX: nowhere */
    size_t lifted; /* the chip being dragged; SIZE_MAX: none */
    bool focused;
    bool follow;   /* something moved: keep it in view */
    size_t reveal; /* the chip that was chosen elsewhere: bring it into view; SIZE_MAX: none */
    int edge;      /* the pointer is on the sign at the left end (-1), at the right end (1) */
};

/* chips_place.c */
float chips_width_of(const struct chips_frame *frame, size_t index);
float chips_room_before(const struct chips_frame *frame, size_t index); /* for the caret */
struct rect chips_area(const struct chips_frame *frame, size_t index);  /* on screen */
struct rect chips_typing_area(const struct chips_frame *frame); /* of the text being typed */
struct rect chips_field(const struct chips_frame *frame); /* inside the border, to the reserve */

/* Before which chip typed words go; count: at the end. */
size_t chips_caret(const struct chips_frame *frame);
/* The chip before which there is room for the caret; SIZE_MAX: it is at the end, or nowhere. */
size_t chips_opening(const struct chips_frame *frame);

/* Where a sentence is best divided into two lines, and how wide these are; 0: it is one word. */
size_t chips_middle(const struct ui *ui, const char *text, float *wide);

/* How many chips are not wholly seen at an end, and the sign there that says so. */
size_t chips_hidden(const struct chips_frame *frame, bool at_left);
struct rect chips_sign(const struct chips_frame *frame, bool at_left);

/* chips_keys.c */
void chips_keys(struct chips_frame *frame);
void chips_edit(struct chips_frame *frame, size_t index);
void chips_commit(struct chips_frame *frame); /* what is being typed becomes an answer */
void chips_answer(struct chips_frame *frame, enum ui_chips_event event, size_t index, size_t other,
                  const char *text);
bool chips_has_words(const char *text);

/* chips_draw.c */
void chips_draw(struct chips_frame *frame);

#endif
