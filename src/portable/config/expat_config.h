/* The configuration of expat. */
#include "config.h"
