/* Intersections in a clip: all its objects are searched together, as one mesh. */
#ifndef TOOLS_CHECK_H
#define TOOLS_CHECK_H

#include "render/clip.h"

typedef struct check {
    const clip *clip;
    taut_mesh mesh;     /* the triangles and lines of all objects; positions come frame by frame */
    int *first_vertex;  /* of each object, and the number of all */
    int *first_triangle;
} check;

typedef struct check_counts {
    int64_t pairs, crossings; /* pairs of triangles; edges with triangles */
} check_counts;

/* A vertex or triangle of an object, by its number there. */
typedef struct check_place {
    int object, number;
} check_place;

/* The clip must stay. On failure the check is closed. */
bool check_open(check *c, const clip *from, taut_error *error);
void check_close(check *c);

/* Searches a frame. `list` gets the first `most` crossings. */
bool check_search(const check *c, const float *xyz, taut_crossing *list, int most, check_counts *counts,
                  taut_error *error);
/* Sets marked[t] to 1 for each triangle t that intersects something, else to 0. `checker` is the check. */
bool check_mark(void *checker, const float *xyz, unsigned char *marked, taut_error *error);

check_place check_place_of_vertex(const check *c, int vertex);
check_place check_place_of_triangle(const check *c, int triangle);
/* The triangle after `triangle` (-1: the first) that has the edge; -1 when there is none. */
int check_next_on_edge(const check *c, const int edge[2], int triangle);

#endif
