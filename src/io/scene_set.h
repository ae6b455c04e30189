/* Values from outside that replace those of the file, such as those of --set on the command line. */
#ifndef TAUT_IO_SCENE_SET_H
#define TAUT_IO_SCENE_SET_H

#include "io/scene_check.h"

/* `text` is PATH=VALUE, such as bodies[0].material.strain.xx=0.1 or bodies[flag].mesh.nx=65 (a body by its name).
 * Missing keys are made. VALUE is JSON; any other text is taken as a string. Errors, also later ones about the
 * value, give "--set TEXT" as the place. */
bool tio_apply_set(const tio_check *check, tio_json *document, const char *text);

#endif
