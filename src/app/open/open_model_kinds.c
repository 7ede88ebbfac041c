/* What can be open beside the experiment: a row for each kind. */
#include "app/open/open_model_internal.h"
#include "file/kinds.h"

static bool layer_of_model(const struct layer_ref *stand, struct lab_dump_page *page,
                           struct lab_experiment *experiment, struct error *error)
{
    (void)page; /* and no head: a layer has all of them */
    return gpt2_experiment(stand->run, stand->layer, experiment, error);
}

static bool layer_of_dump(const struct layer_ref *stand, struct lab_dump_page *page,
                          struct lab_experiment *experiment, struct error *error)
{
    return lab_dump_experiment(stand->dump, page, stand->layer, stand->head, experiment, error);
}

#define TASK(works)                                                                                \
    {                                                                                              \
        .doing = "", .work = (works), .take = open_model_take_work, .drop = open_model_drop_work,  \
        .forget = open_model_work_free, .say = open_model_say, .beside = TASK_BESIDE               \
    }

static const struct open_model_kind kinds[] = {
    {FILE_AS_MODEL, TASK(open_model_work), layer_of_model, true},
    {FILE_AS_ATTENTION, TASK(open_model_work_on_dump), layer_of_dump, false},
};

const struct open_model_kind *const open_model_kind_dump = &kinds[1];

/* An array of two axes may be rows of words: lab_dump_probe looks at its numbers. */
const struct open_model_kind *open_model_kind_of(const char *path)
{
    const enum file_kind kind = file_kind_of_path(path);
    return file_kind_opens(kind, FILE_AS_MODEL)                               ? &kinds[0]
           : file_kind_opens(kind, FILE_AS_ATTENTION) && lab_dump_probe(path) ? &kinds[1]
                                                                              : NULL;
}

const struct open_model_kind *open_model_kind_meant(const char *path)
{
    const struct open_model_kind *const kind = open_model_kind_of(path);
    return kind != NULL ? kind : &kinds[0];
}
