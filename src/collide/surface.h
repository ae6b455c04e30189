/* The surface of a mesh out of which particles keep: its triangles in a tree, and the side that is outside.
 *
 * The vertices may move in a step, each in a straight line from its place `now` to its `target`. Boxes contain the
 * whole way. Everything else is given at a fraction of the way. */
#ifndef TAUT_COLLIDE_SURFACE_H
#define TAUT_COLLIDE_SURFACE_H

#include "mesh/bvh.h"

typedef struct tt_surface_node {
    float low[3];
    int first; /* a leaf: its first triangle; else its children are nodes first and first + 1 */
    float high[3];
    int count; /* triangles of a leaf; 0: it is no leaf */
} tt_surface_node;

typedef struct tt_surface {
    int nvertices, ntris, nnodes; /* of the triangles, those too thin to have an area come last; no tree has them */
    int (*corner)[3];             /* vertices of triangles, in the order of the tree                           */
    tt_surface_node *node;        /* children come after their parent                                          */
    float *now, *target;          /* 3 numbers a vertex                                                        */
    bool moves;                   /* the two differ                                                            */
    double travel;                /* the longest way of a vertex                                               */
    bool stale;                   /* one of them has changed since the last refit                              */
    uint64_t look;                /* tells the shapes apart that it has had                                    */
    /* A closed surface has an inside: every edge has two triangles, which run opposite ways. Vertices at one place are
     * one vertex. */
    bool closed;
    double facing;        /* 1; -1: its triangles face in                                       */
    int *first;           /* per vertex: the first one at its place                             */
    int (*across)[3];     /* the triangle over the side from corner k to the next one           */
    int *fan_start, *fan; /* 3 times the triangle, plus which of its corners it is: around each first vertex */
    tt_box box;           /* around all of the way                                              */
} tt_surface;

/* Builds the surface of a checked mesh. False with an error: no memory, or no triangle that has an area. */
bool tt_surface_build(tt_scope *scope, const taut_mesh *mesh, tt_surface *surface, taut_error *error);
/* Puts boxes around the vertices where they are now and will be, if they are stale. Then it has the next look. */
void tt_surface_refit(tt_surface *surface, uint64_t *looks);
/* Where the vertices are to be when the step is over; they are there. */
void tt_surface_aim(tt_surface *surface, const float *xyz);
void tt_surface_arrive(tt_surface *surface);

/* The places of the corners of a triangle at a fraction of the way. */
static inline void tt_surface_corners(const tt_surface *s, int triangle, double fraction, vec3 corner[3])
{
    for (int k = 0; k < 3; k++) {
        size_t at = 3 * (size_t)s->corner[triangle][k];
        corner[k] = vec_of(&s->now[at]);
        if (!s->moves) continue;
        vec3 way = vec_sub(vec_of(&s->target[at]), corner[k]);
        corner[k] = vec_add(corner[k], vec_scale(way, fraction));
    }
}

/* A place on the surface. */
typedef struct tt_spot {
    int triangle;
    double weight[3];
    vec3 at;
} tt_spot;

/* The place nearest to a point, if it is nearer than the square root of `square`. */
bool tt_surface_nearest(const tt_surface *surface, vec3 point, double fraction, double square, tt_spot *spot);
/* Whether a point is inside of a closed surface; `spot` is the place nearest to it (Bærentzen and Aanæs 2005). */
bool tt_surface_is_inside(const tt_surface *surface, vec3 point, double fraction, const tt_spot *spot);

/* A search for the triangles whose boxes meet a box, some at a time. */
typedef struct tt_surface_search {
    float low[3], high[3];
    int depth, stack[64];
} tt_surface_search;

void tt_surface_search_begin(tt_surface_search *search, const tt_box *box);
/* Finds the next triangles, at most `most`, which must be at least as many as a leaf has; 0: there are no more. */
int tt_surface_search_next(tt_surface_search *search, const tt_surface *surface, int *found, int most);
static inline bool tt_surface_search_is_over(const tt_surface_search *search) { return search->depth == 0; }

#endif
