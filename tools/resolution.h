/* Moduli that the solver's settings do not resolve, in words. */
#ifndef TAUT_TOOLS_RESOLUTION_H
#define TAUT_TOOLS_RESOLUTION_H

#include <taut_io.h>

/* How many times softer a body acts than its moduli say; 1 if it is solved by quality. */
taut_resolution resolution_of(const taut_scene *scene, const taut_scene_body *body);
/* The sentence that warns of the worst modulus of a body; false when all are resolved. */
bool resolution_warning(const taut_scene *scene, const taut_scene_body *body, char *text, size_t size);

#endif
