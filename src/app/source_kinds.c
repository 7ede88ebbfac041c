/* What can be open beside the experiment: a row for each kind. */
#include "app/source_parts.h"

static bool layer_of_model(const struct source_stand *stand, struct lab_dump_page *page,
                           struct lab_experiment *experiment, struct error *error)
{
    (void)page; /* and no head: a layer has all of them */
    return gpt2_experiment(stand->run, stand->layer, experiment, error);
}

static bool layer_of_dump(const struct source_stand *stand, struct lab_dump_page *page,
                          struct lab_experiment *experiment, struct error *error)
{
    return lab_dump_experiment(stand->dump, page, stand->layer, stand->head, experiment, error);
}

static const struct source_kind kinds[] = {
    {gpt2_probe, source_work, layer_of_model, true},
    {lab_dump_probe, source_work_on_dump, layer_of_dump, false},
};

const struct source_kind *const source_kind_dump = &kinds[1];

const struct source_kind *source_kind_of(const char *path)
{
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        if (kinds[k].probe(path)) {
            return &kinds[k];
        }
    }
    return NULL;
}

const struct source_kind *source_kind_meant(const char *path)
{
    const struct source_kind *const kind = source_kind_of(path);
    return kind != NULL ? kind : &kinds[0];
}
