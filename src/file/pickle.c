/* file/pickle.c — see pickle.h. A pickle is a program for a stack machine; here it becomes a tree
 * of values, and only the tree of an array of texts is taken.
 *
 *     _reconstruct(ndarray, (0,), b'b')          REDUCE
 *     (1, shape, dtype('O8'), False, [texts])    BUILD
 *
 * Sources: CPython's pickletools.py for the instructions, NumPy's array_reduce for the tree. */
#include "file/pickle.h"

#include <string.h>

#include "base/checked.h"
#include "base/text.h"

enum kind {
    NOTHING, /* None, or anything else that says nothing here */
    TRUTH,
    WHOLE,
    TEXT,
    BYTES,
    TUPLE,
    LIST,
    CALLABLE, /* a class or function, by its name */
    TYPE,     /* a dtype of objects */
    ARRAY,
    MARK,
    KINDS
};

struct value {
    enum kind kind;
    struct bytes text; /* of TEXT, BYTES; the name of a CALLABLE, without its module */
    const char *clean; /* of TEXT, once it was copied: it may be there many times */
    int64_t whole;
    struct value **item; /* of TUPLE and LIST; of ARRAY those of its state */
    size_t items, room;  /* room: of LIST */
};

/* How far the program has been followed. */
struct machine {
    struct bytes code;
    size_t at;
    struct arena *arena; /* of values, which are all released at the end */
    size_t room;         /* of value, stack and memo: no instruction makes more than one value */
    struct value *value; /* [room], of which `values` are in use */
    size_t values;
    struct value **stack;
    size_t depth;
    struct value **memo;
    size_t memos; /* the next place that MEMOIZE takes */
    const struct value *result;
    struct error *error;
};

static bool is_damaged(struct machine *machine)
{
    return error_set(machine->error, ERROR_INPUT,
                     "It holds Python objects, and these are damaged at byte %zu.", machine->at);
}

/* Objects of another kind, as numbers are. */
static bool is_other(struct machine *machine)
{
    return error_set(machine->error, ERROR_INPUT,
                     "It holds Python objects that are no plain texts; only texts are read.");
}

static bool lacks_memory(struct machine *machine)
{
    return error_set(machine->error, ERROR_MEMORY, "There is not enough memory for its texts.");
}

static bool is_too_large(struct error *error)
{
    return error_set(error, ERROR_INPUT,
                     "It holds more Python objects than the tokens of one file can be.");
}

/* ---- values --------------------------------------------------------------------------------- */

static bool push_value(struct machine *machine, struct value *value)
{
    if (machine->depth == machine->room) {
        return is_too_large(machine->error);
    }
    machine->stack[machine->depth++] = value;
    return true;
}

/* A new value of a kind. NULL: it would be one too many. */
static struct value *push_new(struct machine *machine, enum kind kind)
{
    if (machine->values == machine->room) {
        is_too_large(machine->error);
        return NULL;
    }
    struct value *const value = &machine->value[machine->values++];
    value->kind = kind;
    return push_value(machine, value) ? value : NULL;
}

/* The top of the stack, taken off; NULL: there is none, or it is of another kind. */
static const struct value *pop_kind(struct machine *machine, enum kind kind)
{
    const struct value *const top = machine->depth == 0 ? NULL : machine->stack[machine->depth - 1];
    const bool fits = top != NULL && top->kind == kind;
    machine->depth -= fits;
    return fits ? top : NULL;
}

/* The next `size` bytes of the program. */
static bool read_bytes(struct machine *machine, size_t size, struct bytes *out)
{
    if (size > machine->code.size - machine->at) {
        return is_damaged(machine);
    }
    *out = (struct bytes){machine->code.at + machine->at, size};
    machine->at += size;
    return true;
}

/* A whole number of so many bytes, the smallest first. */
static bool read_number(struct machine *machine, size_t bytes, uint64_t *out)
{
    struct bytes read = {NULL, 0};
    if (!read_bytes(machine, bytes, &read)) {
        return false;
    }
    *out = 0;
    for (size_t b = bytes; b-- > 0;) {
        *out = *out << 8 | read.at[b];
    }
    return true;
}

static bool is_text(struct bytes text, const char *wanted)
{
    return text.size == strlen(wanted) && memcmp(text.at, wanted, text.size) == 0;
}

/* ---- instructions: `argument` is how many bytes stand behind it, or what it makes -------------
 */

static bool check_protocol(struct machine *machine, size_t argument)
{
    enum { OLDEST = 2, NEWEST = 5 };
    uint64_t protocol = 0;
    return read_number(machine, argument, &protocol) &&
           ((protocol >= OLDEST && protocol <= NEWEST) || is_damaged(machine));
}

static bool pass_number(struct machine *machine, size_t argument)
{
    uint64_t size = 0; /* of a frame: it says how much may be read ahead */
    return read_number(machine, argument, &size);
}

static bool push_kind(struct machine *machine, size_t argument)
{
    return push_new(machine, (enum kind)argument) != NULL;
}

static bool push_truth(struct machine *machine, size_t argument)
{
    struct value *const value = push_new(machine, TRUTH);
    if (value != NULL) {
        value->whole = (int64_t)argument;
    }
    return value != NULL;
}

static bool push_whole(struct machine *machine, size_t argument)
{
    uint64_t number = 0;
    struct value *const value =
        read_number(machine, argument, &number) ? push_new(machine, WHOLE) : NULL;
    if (value != NULL) { /* the only one that may be negative is of 4 bytes */
        value->whole = argument == 4 ? (int64_t)(int32_t)(uint32_t)number : (int64_t)number;
    }
    return value != NULL;
}

static bool push_letters(struct machine *machine, size_t argument, enum kind kind)
{
    uint64_t size = 0;
    struct bytes text;
    struct value *const value = read_number(machine, argument, &size) &&
                                        (size <= machine->code.size || is_damaged(machine)) &&
                                        read_bytes(machine, (size_t)size, &text)
                                    ? push_new(machine, kind)
                                    : NULL;
    if (value != NULL) {
        value->text = text;
    }
    return value != NULL;
}

static bool push_text(struct machine *machine, size_t argument)
{
    return push_letters(machine, argument, TEXT);
}

static bool push_bytes(struct machine *machine, size_t argument)
{
    return push_letters(machine, argument, BYTES);
}

/* The values from `first` on become one. */
static bool gather_values(struct machine *machine, size_t first, enum kind kind)
{
    const size_t items = machine->depth - first;
    struct value **const item = arena_array(machine->arena, items + 1, sizeof *item);
    if (item == NULL) {
        return lacks_memory(machine);
    }
    for (size_t i = 0; i < items; i++) {
        item[i] = machine->stack[first + i];
    }
    machine->depth = first;
    struct value *const value = push_new(machine, kind);
    if (value != NULL) {
        value->item = item;
        value->items = items;
    }
    return value != NULL;
}

/* The place behind the last mark; false: there is none. */
static bool find_mark(const struct machine *machine, size_t *behind)
{
    for (size_t place = machine->depth; place > 0; place--) {
        if (machine->stack[place - 1]->kind == MARK) {
            *behind = place;
            return true;
        }
    }
    return false;
}

static bool make_tuple(struct machine *machine, size_t argument)
{
    return machine->depth < argument ? is_damaged(machine)
                                     : gather_values(machine, machine->depth - argument, TUPLE);
}

/* Takes the mark out from under what stands on it. */
static bool make_marked_tuple(struct machine *machine, size_t argument)
{
    size_t behind = 0;
    (void)argument;
    if (!find_mark(machine, &behind)) {
        return is_damaged(machine);
    }
    machine->depth--;
    memmove(machine->stack + behind - 1, machine->stack + behind,
            (machine->depth - (behind - 1)) * sizeof *machine->stack);
    return gather_values(machine, behind - 1, TUPLE);
}

/* Appends the values from `first` on to the list. */
static bool extend_list(struct machine *machine, size_t first, size_t list)
{
    struct value *const into = machine->stack[list];
    const size_t all = into->items + machine->depth - first;
    if (all > into->room) { /* twice as much each time, for lists that grow by single items */
        struct value **const item = arena_array(machine->arena, 2 * all, sizeof *item);
        if (item == NULL) {
            return lacks_memory(machine);
        }
        if (into->items > 0) {
            memcpy(item, into->item, into->items * sizeof *item);
        }
        into->item = item;
        into->room = 2 * all;
    }
    for (size_t i = first; i < machine->depth; i++) {
        into->item[into->items++] = machine->stack[i];
    }
    machine->depth = list + 1;
    return true;
}

static bool append_marked(struct machine *machine, size_t argument)
{
    size_t behind = 0;
    (void)argument;
    return find_mark(machine, &behind) && behind >= 2 && machine->stack[behind - 2]->kind == LIST
               ? extend_list(machine, behind, behind - 2)
               : is_damaged(machine);
}

static bool append_one(struct machine *machine, size_t argument)
{
    (void)argument;
    return machine->depth >= 2 && machine->stack[machine->depth - 2]->kind == LIST
               ? extend_list(machine, machine->depth - 1, machine->depth - 2)
               : is_damaged(machine);
}

/* Which classes and functions an array of texts needs; any other is refused, and none is run. */
static bool name_callable(struct machine *machine, struct bytes module, struct bytes name)
{
    static const struct {
        const char *module, *name;
    } known[] = {{"numpy._core.multiarray", "_reconstruct"}, /* NumPy 2 */
                 {"numpy.core.multiarray", "_reconstruct"},
                 {"numpy", "ndarray"},
                 {"numpy", "dtype"},
                 {"_codecs", "encode"}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (is_text(module, known[k].module) && is_text(name, known[k].name)) {
            struct value *const value = push_new(machine, CALLABLE);
            if (value != NULL) {
                value->text = name;
            }
            return value != NULL;
        }
    }
    const char *const of = text_clean(machine->arena, (const char *)module.at,
                                      module.size < 60 ? module.size : 60, NULL);
    const char *const what =
        text_clean(machine->arena, (const char *)name.at, name.size < 60 ? name.size : 60, NULL);
    return of == NULL || what == NULL
               ? lacks_memory(machine)
               : error_set(machine->error, ERROR_INPUT,
                           "It holds Python objects (%.60s.%.60s); of these only plain texts are "
                           "read, and nothing is run.",
                           of, what);
}

/* One line of the program. */
static bool read_line(struct machine *machine, struct bytes *out)
{
    const uint8_t *const from = machine->code.at + machine->at;
    const size_t left = machine->code.size - machine->at;
    const uint8_t *const end = left == 0 ? NULL : memchr(from, '\n', left);
    struct bytes line_break;
    return end == NULL ? is_damaged(machine)
                       : read_bytes(machine, (size_t)(end - from), out) &&
                             read_bytes(machine, 1, &line_break);
}

static bool push_callable(struct machine *machine, size_t argument)
{
    struct bytes module, name;
    (void)argument;
    return read_line(machine, &module) && read_line(machine, &name) &&
           name_callable(machine, module, name);
}

static bool push_stacked_callable(struct machine *machine, size_t argument)
{
    const struct value *const name = pop_kind(machine, TEXT);
    const struct value *const module = name == NULL ? NULL : pop_kind(machine, TEXT);
    (void)argument;
    return module == NULL ? is_damaged(machine) : name_callable(machine, module->text, name->text);
}

static bool is_whole(const struct value *value, int64_t number)
{
    return value->kind == WHOLE && value->whole == number;
}

/* ndarray, (0,), b'b': an array that is filled later. */
static bool begins_array(const struct value *arguments)
{
    struct value *const *const item = arguments->item;
    return arguments->items == 3 && item[0]->kind == CALLABLE &&
           is_text(item[0]->text, "ndarray") && item[1]->kind == TUPLE && item[1]->items == 1 &&
           is_whole(item[1]->item[0], 0) && item[2]->kind == BYTES && is_text(item[2]->text, "b");
}

static bool is_type_of_objects(const struct value *arguments)
{
    struct value *const *const item = arguments->item;
    return arguments->items == 3 && item[0]->kind == TEXT &&
           (is_text(item[0]->text, "O8") || is_text(item[0]->text, "O4") ||
            is_text(item[0]->text, "O"));
}

/* A call becomes what it would give: nothing is called. */
static bool push_call_result(struct machine *machine, size_t argument)
{
    const struct value *const arguments = pop_kind(machine, TUPLE);
    const struct value *const callable = arguments == NULL ? NULL : pop_kind(machine, CALLABLE);
    (void)argument;
    if (callable == NULL) {
        return is_damaged(machine);
    }
    if (is_text(callable->text, "_reconstruct") && begins_array(arguments)) {
        return push_new(machine, ARRAY) != NULL;
    }
    if (is_text(callable->text, "dtype") && is_type_of_objects(arguments)) {
        return push_new(machine, TYPE) != NULL;
    }
    if (is_text(callable->text, "encode") && arguments->items == 2 &&
        arguments->item[0]->kind == TEXT) { /* bytes, as protocol 2 has them */
        struct value *const value = push_new(machine, BYTES);
        if (value != NULL) {
            value->text = arguments->item[0]->text;
        }
        return value != NULL;
    }
    return is_other(machine);
}

/* An object gets its state: of a type nothing of it matters here. */
static bool set_object_state(struct machine *machine, size_t argument)
{
    const struct value *const state = pop_kind(machine, TUPLE);
    struct value *const object =
        state == NULL || machine->depth == 0 ? NULL : machine->stack[machine->depth - 1];
    (void)argument;
    if (object == NULL || (object->kind != TYPE && object->kind != ARRAY)) {
        return is_damaged(machine);
    }
    if (object->kind == ARRAY) {
        object->item = state->item;
        object->items = state->items;
    }
    return true;
}

static bool remember_at(struct machine *machine, size_t place)
{
    if (machine->depth == 0) {
        return is_damaged(machine);
    }
    if (place >= machine->room) {
        return is_too_large(machine->error);
    }
    machine->memo[place] = machine->stack[machine->depth - 1];
    return true;
}

static bool remember_top(struct machine *machine, size_t argument)
{
    uint64_t place = 0;
    return read_number(machine, argument, &place) && remember_at(machine, (size_t)place);
}

static bool remember_next(struct machine *machine, size_t argument)
{
    (void)argument;
    return remember_at(machine, machine->memos++);
}

static bool push_remembered(struct machine *machine, size_t argument)
{
    uint64_t place = 0;
    if (!read_number(machine, argument, &place)) {
        return false;
    }
    return place < machine->room && machine->memo[place] != NULL
               ? push_value(machine, machine->memo[place])
               : is_damaged(machine);
}

static bool finish_program(struct machine *machine, size_t argument)
{
    (void)argument;
    machine->result = machine->depth == 1 ? pop_kind(machine, ARRAY) : NULL;
    return machine->result != NULL || is_damaged(machine);
}

static const struct instruction {
    uint8_t code;
    bool (*execute)(struct machine *machine, size_t argument);
    size_t argument;
} instructions[] = {
    {0x80, check_protocol, 1},        /* PROTO */
    {0x95, pass_number, 8},           /* FRAME */
    {'N', push_kind, NOTHING},        /* NONE */
    {0x88, push_truth, true},         /* NEWTRUE */
    {0x89, push_truth, false},        /* NEWFALSE */
    {'K', push_whole, 1},             /* BININT1 */
    {'M', push_whole, 2},             /* BININT2 */
    {'J', push_whole, 4},             /* BININT */
    {0x8c, push_text, 1},             /* SHORT_BINUNICODE */
    {'X', push_text, 4},              /* BINUNICODE */
    {0x8d, push_text, 8},             /* BINUNICODE8 */
    {'C', push_bytes, 1},             /* SHORT_BINBYTES */
    {'B', push_bytes, 4},             /* BINBYTES */
    {'(', push_kind, MARK},           /* MARK */
    {')', make_tuple, 0},             /* EMPTY_TUPLE */
    {0x85, make_tuple, 1},            /* TUPLE1 */
    {0x86, make_tuple, 2},            /* TUPLE2 */
    {0x87, make_tuple, 3},            /* TUPLE3 */
    {'t', make_marked_tuple, 0},      /* TUPLE */
    {']', push_kind, LIST},           /* EMPTY_LIST */
    {'a', append_one, 0},             /* APPEND */
    {'e', append_marked, 0},          /* APPENDS */
    {'c', push_callable, 0},          /* GLOBAL */
    {0x93, push_stacked_callable, 0}, /* STACK_GLOBAL */
    {'R', push_call_result, 0},       /* REDUCE */
    {'b', set_object_state, 0},       /* BUILD */
    {'q', remember_top, 1},           /* BINPUT */
    {'r', remember_top, 4},           /* LONG_BINPUT */
    {0x94, remember_next, 0},         /* MEMOIZE */
    {'h', push_remembered, 1},        /* BINGET */
    {'j', push_remembered, 4},        /* LONG_BINGET */
    {'.', finish_program, 0},         /* STOP */
};

static const struct instruction *find_instruction(uint8_t code)
{
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        if (instructions[i].code == code) {
            return &instructions[i];
        }
    }
    return NULL;
}

static bool run_program(struct machine *machine)
{
    bool fine = true;
    while (fine && machine->result == NULL) {
        struct bytes code = {NULL, 0};
        fine = read_bytes(machine, 1, &code);
        const struct instruction *const known = fine ? find_instruction(code.at[0]) : NULL;
        if (fine && known == NULL) {
            return is_other(machine);
        }
        fine = fine && known->execute(machine, known->argument);
    }
    return fine;
}

/* ---- the tree ------------------------------------------------------------------------------- */

/* The list of an array of objects of that shape: (1, shape, dtype, is it by columns, list). The
 * list is by rows, whatever the array was. NULL: it is none. */
static const struct value *list_of(const struct value *array, size_t rank, const size_t *shape)
{
    struct value *const *const state = array->item;
    bool fits = array->items == 5 && is_whole(state[0], 1) && state[1]->kind == TUPLE &&
                state[1]->items == rank && state[2]->kind == TYPE && state[3]->kind == TRUTH &&
                state[4]->kind == LIST;
    size_t count = 1;
    for (size_t axis = 0; fits && axis < rank; axis++) {
        const struct value *const size = state[1]->item[axis];
        fits = size->kind == WHOLE && size->whole >= 0 && (uint64_t)size->whole == shape[axis] &&
               checked_multiply(count, shape[axis], &count);
    }
    return fits && state[4]->items == count ? state[4] : NULL;
}

static bool copy_texts(const struct value *list, struct arena *arena, const char *const **texts,
                       struct error *error)
{
    const char **const text = arena_array(arena, list->items + 1, sizeof *text);
    for (size_t t = 0; text != NULL && t < list->items; t++) {
        struct value *const value = list->item[t];
        if (value->kind != TEXT) {
            return error_set(error, ERROR_INPUT,
                             "It holds Python objects: number %zu is no plain text.", t + 1);
        }
        if (value->clean == NULL) {
            value->clean = text_clean(arena, (const char *)value->text.at, value->text.size, NULL);
        }
        text[t] = value->clean;
    }
    *texts = text;
    return (text != NULL && !arena->lacking) ||
           error_set(error, ERROR_MEMORY, "There is not enough memory for its texts.");
}

bool pickle_read_texts(struct bytes content, size_t rank, const size_t *shape, struct arena *arena,
                       const char *const **texts, size_t *count, struct error *error)
{
    struct arena values = {0};
    struct machine machine = {.code = content, .arena = &values, .error = error};
    if (content.size > PICKLE_BYTES_MAX) {
        return is_too_large(error);
    }
    machine.room = content.size < PICKLE_VALUES_MAX ? content.size + 1 : PICKLE_VALUES_MAX;
    machine.value = arena_array(&values, machine.room, sizeof *machine.value);
    machine.stack = arena_array(&values, machine.room, sizeof *machine.stack);
    machine.memo = arena_array(&values, machine.room, sizeof *machine.memo);
    bool done = !values.lacking ? run_program(&machine) : lacks_memory(&machine);
    const struct value *const list = done ? list_of(machine.result, rank, shape) : NULL;
    done = done && (list == NULL ? is_damaged(&machine) : copy_texts(list, arena, texts, error));
    *count = done ? list->items : 0;
    arena_free(&values);
    return done;
}
