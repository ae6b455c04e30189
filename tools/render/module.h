/* Loads the part that draws: taut-render.so, beside the tool or where it was installed. */
#ifndef TOOLS_RENDER_MODULE_H
#define TOOLS_RENDER_MODULE_H

#include "painter.h"

/* NULL on failure. It stays loaded until the program ends. */
const paint_module *module_load(paint_message *why);

#endif
