/* Loads the module that draws: taut-render.so, beside the tool or in the folder where it was installed. */
#ifndef TOOLS_RENDER_MODULE_H
#define TOOLS_RENDER_MODULE_H

#include "painter.h"

/* Returns the module, which stays loaded until the program ends; NULL on failure. */
const paint_module *module_load(paint_message *why);

#endif
