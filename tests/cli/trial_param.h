/* A parameter that only a test has: one row more in lab/experiment/params.inc. It stands in the
 * room that the last member leaves, so that the libraries see the experiment they were built with.
 */
#define LAB_TRIAL_PARAM                                                                            \
    LAB_NUMBER(TRIAL, trial, .key = "trial", .low = 0.5, .high = 2, .standard = 1,                 \
               .option = "trial", .argument = "X", .help = "a trial of the table",                 \
               .title = "trial size", .symbol = "ξ", .what = "The trial", .also = "probe",         \
               .group = LAB_GROUP_ATTENTION, .stages = LAB_AT_SCORE, .id = "trial",                \
               .label = "trial ξ", .tip = "A trial", .step = 0.1, .decimals = 1,                   \
               .differs = "trial %s")

/* A setting of training likewise: one row more in learn/recipe.inc. */
#define LEARN_TRIAL_MEMBER                                                                         \
    LEARN_MEMBER(TRIAL, trial, LINE("attempt", 28), .type = RECORD_NUMBER, .key = "attempt",       \
                 .low = 0.5, .high = 2, .standard = 1, .what = "The attempt", .option = "attempt", \
                 .option_rank = 20, .argument = "X", .help = "an attempt of the table",            \
                 .title = "another attempt", .group = LEARN_GROUP_LEARNING, .control_rank = 9,     \
                 .label = "attempt ζ", .tip = "An attempt", .step = 0.1, .decimals = 1,            \
                 NEEDS(OPTIMIZER, LEARN_SGD))
