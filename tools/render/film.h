/* Films: the program ffmpeg makes them from raw pictures. */
#ifndef TOOLS_RENDER_FILM_H
#define TOOLS_RENDER_FILM_H

#include "output.h"

bool film_open(output *out, taut_error *error);
bool film_put(output *out, const picture *p, taut_error *error);
bool film_close(output *out, bool keep, taut_error *error);

#endif
