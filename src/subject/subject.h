/* subject/subject.h — what can be looked at layer by layer and head by head: a file of attention
 * that was computed elsewhere, a checkpoint that has read a text, or weights that were learned here
 * (subject/trained.h).
 *
 * Each kind is implemented once, for the window, for the command line and for tests: a row of
 * functions, which callers reach through the functions below and never ask which kind it is. */
#ifndef SUBJECT_SUBJECT_H
#define SUBJECT_SUBJECT_H

#include "file/progress.h"
#include "lab/dump/dump.h"
#include "lab/run/block.h"
#include "model/model.h"

/* A layer, or a head of it; both count from 0. */
struct subject_spot {
    enum model_attention which; /* of a model of two texts; else MODEL_SELF */
    size_t layer, head;         /* the head matters where an experiment is one head */
};

/* A subject that is open. A copy borrows; subject_keep makes one that holds everything once more.
 */
struct subject {
    const struct subject_kind *kind; /* NULL: nothing is open */
    struct file_handle *file; /* where it was looked at, until it is open; NULL: by its path */
    struct model *model;      /* a checkpoint; NULL: it is not open yet */
    struct model_run *run;    /* the text that it has read; NULL: none yet */
    struct lab_dump *dump;    /* a file of attention; NULL: it is not open yet */
    void *owner;              /* of a kind that keeps its state elsewhere; borrowed */
};

/* The facts that all layers of one attention have in common. */
struct subject_sizes {
    size_t layers, heads;
    size_t groups; /* of heads that share keys and values; 0: they share none, or it is not known */
    size_t n, m;   /* queries and keys; 0 before a text was read */
    size_t width;  /* of a token's vector; 0: there are none */
    bool one_head; /* an experiment is one head, since a layer is large; else a whole layer */
};

/* How all heads of one attention are looked at. */
struct subject_look {
    enum model_attention which;
    struct lab_engine engine;
    bool (*on_head)(void *owner, size_t done, size_t all); /* as in lab/run/thumbnails.h */
    void *owner;
};

/* The row of a kind. A function that is NULL has nothing to give. */
struct subject_kind {
    bool reads; /* a text can be given, heads switched off, a next token chosen */
    bool (*open)(struct subject *subject, const char *path, const struct lab_dump_request *request,
                 struct error *error);
    struct subject_sizes (*sizes)(const struct subject *subject, enum model_attention which);
    bool (*is_computed)(const struct subject *subject, const struct subject_spot *spot);
    bool (*compute)(const struct subject *subject, const struct subject_spot *spot,
                    struct error *error);
    bool (*experiment)(const struct subject *subject, const struct subject_spot *spot,
                       const struct file_progress *progress, struct lab_experiment *experiment,
                       struct error *error);
    struct lab_block *(*block)(const struct subject *subject, const struct subject_spot *spot,
                               struct error *error);
    bool (*heads)(const struct subject *subject, const struct subject_look *look, size_t layers,
                  struct lab_thumbnails **thumbnails, struct error *error);
    bool (*logits)(const struct subject *subject, size_t first, size_t count, float *out,
                   struct error *error);
};

extern const struct subject_kind subject_attention_file, subject_checkpoint;

/* Returns the kind that opens a file; NULL: it is neither. An array of two axes may be rows of
 * words, so the numbers of a file of arrays are looked at. */
const struct subject_kind *subject_kind_of(struct file_handle *file);

struct subject subject_keep(const struct subject *subject);
void subject_release(struct subject *subject); /* leaves its kind, with nothing open */

/* Opens the file of subject->kind, or completes what has begun to open. request: of a file of
 * attention, else NULL. On failure nothing is open; false and a sentence. */
bool subject_open(struct subject *subject, const char *path, const struct lab_dump_request *request,
                  struct error *error);

/* Sizes of what is open. */
struct subject_sizes subject_sizes(const struct subject *subject, enum model_attention which);

/* Returns whether the layer can be shown without computing others before it. */
bool subject_is_computed(const struct subject *subject, const struct subject_spot *spot);

/* Computes the layer and those before it, where that has not been done. False and a sentence, or no
 * sentence where its listener gave up. */
bool subject_compute(const struct subject *subject, const struct subject_spot *spot,
                     struct error *error);

/* Makes the experiment of a layer that is computed, or of one head of it; it knows which of how
 * many layers it is. progress (NULL: nobody) is told rows, and may stop it. The caller releases it.
 * False and a sentence (no sentence: it was stopped); there is no experiment then. */
bool subject_experiment(const struct subject *subject, const struct subject_spot *spot,
                        const struct file_progress *progress, struct lab_experiment *experiment,
                        struct error *error);

/* Makes the layer around its attention, which needs the subject as long as it lives. The caller
 * releases it. NULL: the kind has none, or a sentence says that memory is lacking. */
struct lab_block *subject_block(const struct subject *subject, const struct subject_spot *spot,
                                struct error *error);

/* Looks at the heads of the first so many layers that were not looked at yet; *thumbnails NULL: it
 * makes them. False and a sentence, or no sentence where its listener gave up; thumbnails that were
 * there stay. */
bool subject_look_at_heads(const struct subject *subject, const struct subject_look *look,
                           size_t layers, struct lab_thumbnails **thumbnails, struct error *error);

/* Writes what may come behind each of `count` tokens into out [count][vocabulary], when all layers
 * are computed. False and a sentence. */
bool subject_logits(const struct subject *subject, size_t first, size_t count, float *out,
                    struct error *error);

#endif
