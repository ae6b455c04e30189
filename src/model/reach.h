/* How far apart two vertices of cloth can get: the limits of coarse edges. */
#ifndef TAUT_MODEL_REACH_H
#define TAUT_MODEL_REACH_H

#include "base/pool.h"
#include "constraints/constraint.h"

/* The largest stretch in every direction (all), along warp (x) and weft (y). shear: how little shear adds to the last
 * two; 1: nothing, 0: all it can. */
typedef struct tt_reach {
    double all, x, y, shear;
    double curl; /* how sharply a shell that cannot be squeezed may curl, 1/m; INFINITY: it may wrinkle */
} tt_reach;

/* `lines`: of ropes, rather than of cloth. */
tt_reach tt_reach_of(const taut_material *material, bool lines);
bool tt_reach_exists(const tt_reach *reach);
/* A factor by which lengths of `built` are safe for `now`. */
double tt_reach_growth(const tt_reach *built, const tt_reach *now);

/* A mesh and the lengths of its edges, along the finest mesh rather than through the air. */
typedef struct tt_metric {
    const taut_mesh *mesh;
    tt_topology topology;
    double *length; /* NULL: as the positions say */
} tt_metric;

/* Lists the pairs of vertices that hold the coarse mesh together, and how far apart they may get. Vertex v of it is
 * vertex origin[v] of the finer mesh. Sets the lengths of the coarse edges. The threads of the pool take memory by the
 * allocator of `scope`. False when memory ran out. */
bool tt_reach_links(tt_scope *scope, tt_pool *pool, const tt_reach *reach, const tt_metric *fine, const int *origin,
                    const float axis[3], tt_metric *coarse, int *nlinks, tt_link **links);

#endif
