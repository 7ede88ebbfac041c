/* base/translate_table.h — what po_compile.c generates and translate.c reads; for nobody else. */
#ifndef BASE_TRANSLATE_TABLE_H
#define BASE_TRANSLATE_TABLE_H

#include "base/translate.h"

extern const struct language translate_table[];
extern const size_t translate_table_length;

#endif
