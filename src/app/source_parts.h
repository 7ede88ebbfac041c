/* app/source_parts.h — what the files of app/source share. */
#ifndef APP_SOURCE_PARTS_H
#define APP_SOURCE_PARTS_H

#include "app/job.h"
#include "app/source.h"
#include "base/random.h"
#include "lab/dump.h"
#include "model/gpt2.h"
#include "view/glance.h"

enum { SOURCE_TEXTS_MAX = 64 };

struct app_source;

/* Whom a run tells of its layers. It lives as long as the run, jobs come and go. */
struct source_ear {
    struct app_job *job;
};

struct source_work;

/* Which layer, or which head of it, of what is open. */
struct source_stand {
    const struct gpt2_run *run;
    const struct lab_dump *dump;
    size_t layer, layers, head;
    bool residual; /* X + O is shown */
    char isa[16];
};

/* A layer as the stages take it: the experiment, and all that follows from it. */
struct source_ready {
    bool there;
    struct source_stand stand;
    struct lab_experiment experiment;
    const struct lab_trace *trace;
    struct error error; /* of what could not be read */
};

/* A layer that is being made ready on a thread of its own. */
struct source_layer {
    const struct source_kind *kind;
    struct source_stand stand; /* what is asked for */
    struct source_ready ready; /* the thread's until it is done */
    struct app_job *job;
    bool given_up;
};

/* The kinds of what can be open: a row each in app/source_kinds.c. */
struct source_kind {
    bool (*probe)(const char *path);
    void (*work)(struct app_job *job, void *subject); /* of a struct source_work */
    /* A layer, or a head of it, for the stages. */
    bool (*experiment)(const struct source_stand *stand, struct lab_dump_page *page,
                       struct lab_experiment *experiment, struct error *error);
    bool reads; /* words can be changed, heads switched off, a next word taken */
};
const struct source_kind *source_kind_of(const char *path);    /* NULL: it is none of them */
const struct source_kind *source_kind_meant(const char *path); /* a model then, to be refused */
extern const struct source_kind *const source_kind_dump;       /* that of files of attention */

/* What a job is asked, and what it made. */
struct source_work {
    const struct source_kind *kind;
    char path[4096], isa[16];
    struct app_dump_options asked; /* of a file of attention */
    char *text;                    /* to be made into ids; NULL: ids are given */
    uint32_t *ids;                 /* [count], owned */
    size_t count;
    bool *off;               /* [layers · heads], owned; NULL: all are on */
    bool appends;            /* the last id is one more for `run` */
    char name[APP_NAME_MAX]; /* of the step of history; "": it makes none */
    struct attn_pool *pool;
    struct source_ear *ear;
    struct gpt2 *model; /* NULL before a model is open */
    struct gpt2_run *run;
    struct lab_dump *dump; /* NULL before a file of attention is open */
    struct lab_dump *list; /* its arrays, where it has to be asked what they are */
    struct lab_atlas *atlas;
    struct source_stand first; /* what of it stands on the stages first: layer, head … */
    struct source_ready ready; /* … as it was made ready with the rest */
    float *logits;             /* [vocabulary] behind the last word */
    struct error error;        /* NONE and atlas NULL: it was given up */
    struct app_job *job;       /* that works on this */
};

/* The parts that the progress of a job is told in. */
enum source_part { SOURCE_OPENS, SOURCE_COMPUTES, SOURCE_LOOKS };

/* The likeliest next words at the temperature, and the id of one drawn at random by its share. */
void source_find_next(struct app_source *source);
uint32_t source_draw_next(struct app_source *source);

/* The job itself: opens the model, reads the text, computes, looks at every head. */
void source_work(struct app_job *job, void *subject);

/* The same for a file of attention: opens it; when it is open, looks at every head. */
void source_work_on_dump(struct app_job *job, void *subject);

/* Reads and computes a layer; what is wrong stands in ready->error or the trace. It tells the job
 * (NULL: nobody) how far it is, and stops when that is given up: then there is neither. */
void source_make_ready(struct app_job *job, const struct source_kind *kind,
                       const struct source_stand *stand, struct source_ready *ready);
void source_ready_free(struct source_ready *ready);

/* A struct source_layer, as a job. */
void source_work_on_layer(struct app_job *job, void *subject);

/* Frees what the work owns and nobody took. */
void source_work_free(struct source_work *work);

/* --- source.c, for the other two --- */

/* What a job opened and nobody took. */
void source_drop_opened(struct app_source *source, struct source_work *work);

/* All of it, and what was open before; waits for its job. NULL is fine. */
void source_free(struct app_source *source);

/* What was open before stands there again. */
void source_bring_back(struct app_state *state);

struct source_text;
void source_forget_text(struct source_text *text);

/* Gives up the job that is under way, if one is. */
void source_cancel(struct app_source *source);

/* What every job needs: the path, the set, the heads that are off; ids are copied (NULL: none).
 * name is of the step of history that it makes ("": none). NULL: no memory. */
struct source_work *source_new_work(struct app_state *state, const uint32_t *ids, size_t count,
                                    const char *name);

/* Starts it; NULL and what cannot be started are said to the person. */
bool source_begin(struct app_state *state, struct source_work *work, double time);

/* A text of these ids from now on. */
bool source_read(struct app_state *state, const uint32_t *ids, size_t count, const char *name,
                 double time);

/* --- source_take.c --- */

/* The wanted layer onto the stages, in place: at once where it is small, else when a job has made
 * it ready. */
void source_show_layer(struct app_state *state, double time);

/* Waits for the layer that is being made ready, and forgets it. */
void source_drop_layer(struct app_source *source);

/* Takes a layer that is ready; true while one is not. */
bool source_advance_layer(struct app_state *state, double time);

/* The order of the heads, by the habit that was chosen. */
void source_sort(struct app_source *source);

/* A text that was read: to go back to. */
struct source_text {
    const struct lab_words *words; /* the very list, through all its layers */
    uint32_t *ids;
    size_t count;
    bool *off; /* [layers · heads] */
};

struct app_source {
    const struct source_kind *kind;
    char path[4096], name[64];
    struct app_dump_options asked; /* what is meant by the arrays of a file */
    size_t layers, heads;          /* 0 before it is open */
    struct lab_dump *dump;         /* a file of attention */
    struct source_layer *next;     /* a layer on its way to the stages; NULL: none */
    struct attn_pool *pool;
    struct source_ear ear;
    struct gpt2 *model;
    struct gpt2_run *run;
    struct lab_atlas *atlas;
    bool *off;        /* [layers · heads] */
    bool off_changed; /* since the run began */
    size_t *order;    /* [layers · heads] */
    float *logits;
    float *stream; /* [count][width]: a copy of the run's, before the layer that stands there */
    size_t layer, head;                        /* wanted on the stages */
    size_t first_head;                         /* where it begins when it has been opened … */
    enum lab_stage first_stage;                /* … and at which stage */
    const struct lab_words *followed;          /* of the experiment that was last looked at */
    struct source_text text[SOURCE_TEXTS_MAX]; /* the latest ones, the latest last */
    size_t texts;
    struct random draw;
    struct source_work *work;  /* under way; NULL: none */
    struct app_source *former; /* what was open before, until this is; owned; NULL: nothing */
    char doing[64];
    char title[96];
    char next_word[VIEW_NEXT_MAX][64];
    uint32_t next_id[VIEW_NEXT_MAX];
    struct view_glance glance;
};

#endif
