/* Materials by name, to begin from. */
#ifndef TAUT_IO_PRESETS_H
#define TAUT_IO_PRESETS_H

#include "taut.h"

/* The names, "cotton|silk|...", and the material of each by its number in that list. */
#define TIO_PRESETS "cotton|silk|denim|rubber|muscle"
taut_material tio_preset(int number);

#endif
