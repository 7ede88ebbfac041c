/* fontconfig finds its objects by name here; its own table is made by gperf, which fewer machines
 * have. */
struct FcObjectTypeInfo {
    const char *name;
    int id;
};

static const struct FcObjectTypeInfo *FcObjectTypeLookup(const char *text, FC_GPERF_SIZE_T length)
{
    static const struct FcObjectTypeInfo objects[] = {
#define FC_OBJECT(NAME, Type, Cmp) {FC_##NAME, FC_##NAME##_OBJECT},
#include "fcobjs.h"
#undef FC_OBJECT
    };
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        if (strlen(objects[i].name) == length && memcmp(objects[i].name, text, length) == 0) {
            return &objects[i];
        }
    }
    return NULL;
}
