/* Where pictures go: a PNG, one PNG a frame, a contact sheet, or a film. Files appear under their names only when
 * they are whole. */
#ifndef TOOLS_RENDER_OUTPUT_H
#define TOOLS_RENDER_OUTPUT_H

#include "font.h"
#include "painter.h"
#include "taut_io.h"

#include <sys/types.h>

typedef enum output_kind { OUTPUT_PICTURE, OUTPUT_FRAMES, OUTPUT_SHEET, OUTPUT_FILM } output_kind;

typedef struct output {
    output_kind kind;
    const char *path;
    int width, height;         /* of the pictures that come in */
    int columns, rows, placed; /* of the sheet */
    double fps;
    const paint_module *module;

    picture sheet;
    char folder[4096], part[4096 + 8]; /* where the film is made, and its name there */
    int pipe;                          /* to ffmpeg; -1: none */
    pid_t ffmpeg;
} output;

/* The kind of output that belongs to a name; false when there is none. */
bool output_kind_of(const char *path, output_kind *kind);

/* Set the members above the gap first. ffmpeg starts here, so that its absence is known before the work begins. */
bool output_open(output *out, taut_error *error);
/* `frame` names the picture: in file names, and in the corner of a sheet's pictures. */
bool output_put(output *out, const picture *p, int frame, taut_error *error);
/* Finishes the file. After a failure, or if `keep` is false, nothing of it is left. */
bool output_close(output *out, bool keep, taut_error *error);

#endif
