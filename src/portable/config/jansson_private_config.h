/* The configuration of jansson. */
#include "config.h"
#define INITIAL_HASHTABLE_ORDER 3
#define USE_URANDOM 1
#define USE_WINDOWS_CRYPTOAPI 1
