/* From a moving mesh to triangles with smooth normals.
 *
 * Corners of triangles that meet at a vertex share one normal, unless an edge that is sharp in the rest shape separates
 * them. So a box keeps its edges, and cloth stays smooth however it folds. The corners that share a normal are found
 * only once. */
#ifndef TOOLS_RENDER_SKIN_H
#define TOOLS_RENDER_SKIN_H

#include "clip.h"
#include "painter.h"

typedef struct skin {
    int nvertices, ntris, nedges;
    int *source;          /* for each vertex of the skin: its vertex of the mesh */
    unsigned *tri, *edge; /* 3 and 2 vertices each */
    unsigned char front[4], back[4];
} skin;

bool skin_build(skin *s, const clip_object *object);
void skin_free(skin *s);

/* All triangles of one picture. Lists grow and are used again for the next one. */
typedef struct batch {
    paint_vertex *vertex;
    unsigned *triangle, *edge;
    int nvertices, ntriangles, nedges;
    int vertex_room, triangle_room, edge_room;
} batch;

void batch_clear(batch *b);
void batch_free(batch *b);
/* Makes room for this number of further items; false when memory ran out. */
bool batch_reserve(batch *b, int vertices, int triangles, int edges);

/* Appends the mesh at positions xyz. `heat` has an sRGB triple for each of its vertices, or is NULL. */
bool skin_add(const skin *s, const float *xyz, const unsigned char *heat, bool wire, batch *b);
/* Gives triangles of the mesh that was added last a colour of their own, sRGB, to be read off. */
bool skin_mark(const skin *s, const unsigned char *marked, const unsigned char color[3], batch *b);

#endif
