/* What the solver's settings do not resolve, in words. */
#ifndef TAUT_TOOLS_RESOLUTION_H
#define TAUT_TOOLS_RESOLUTION_H

#include <taut_io.h>

/* The sentence that warns of the worst modulus of a body; false when all are resolved. */
bool resolution_warning(const taut_scene *scene, const taut_scene_body *body, char *text, size_t size);

#endif
