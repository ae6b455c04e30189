/* Contacts of triangles with the colliders of a world at places where their corners touch nothing (face_kernel.h). */
#ifndef TAUT_COLLIDE_FACES_H
#define TAUT_COLLIDE_FACES_H

#include "collide/broad.h"

/* The triangles of a skin come in runs of TT_FACES. */
static inline int tt_face_runs(const tt_skin *skin) { return (skin->ntris + TT_FACES - 1) / TT_FACES; }
/* Whether a triangle of a run is in a collider, or went through one. All of `batch` but tri and count is set. */
bool tt_faces_touch(const tt_broad *broad, const tt_skin *skin, const tt_face_batch *batch, int run);
/* Moves the corners of a run so that its triangles are in no collider. Returns the number of contacts. */
int tt_faces_keep_out(const tt_broad *broad, const tt_skin *skin, const tt_face_batch *batch, int run);

#endif
