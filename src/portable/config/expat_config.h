/* What expat asks of the system. */
#include "config.h"
