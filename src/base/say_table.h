/* base/say_table.h — what po_compile.c generates and say.c reads; for nobody else. */
#ifndef BASE_SAY_TABLE_H
#define BASE_SAY_TABLE_H

#include "base/say.h"

extern const struct language say_table[];
extern const size_t say_table_length;

#endif
