/* Layers that cannot keep the thickness of their material, in words. */
#ifndef TAUT_TOOLS_THICKNESS_H
#define TAUT_TOOLS_THICKNESS_H

#include <taut_io.h>

/* The sentence that warns of a thickness above the mean edge of a body that touches; false if there is nothing to warn
 * of. */
bool thickness_warning(const taut_scene *scene, const taut_scene_body *body, char *text, size_t size);

#endif
