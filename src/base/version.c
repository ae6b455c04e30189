#include "taut.h"

const char *taut_version(void) { return TAUT_VERSION; }
