/* How far apart two vertices of cloth can get: the limits of coarse edges. */
#ifndef TAUT_MODEL_REACH_H
#define TAUT_MODEL_REACH_H

#include "base/pool.h"
#include "constraints/constraint.h"

/* The largest stretch in every direction (all), along warp (x) and along weft (y). `shear` tells how much longer shear
 * makes ways across warp and weft: 1: not at all, 0: as much as it can. */
typedef struct tt_reach {
    double all, x, y, shear;
    double curl; /* how sharply a shell that cannot be squeezed may curl, 1/m; INFINITY: it may wrinkle */
} tt_reach;

/* `lines`: for ropes instead of cloth. */
tt_reach tt_reach_of(const taut_material *material, bool lines);
bool tt_reach_exists(const tt_reach *reach);
/* The factor by which lengths that were found for `built` must grow to be safe for `now`. */
double tt_reach_growth(const tt_reach *built, const tt_reach *now);

/* A mesh and the lengths of its edges, measured along the finest mesh rather than through the air. */
typedef struct tt_metric {
    const taut_mesh *mesh;
    tt_topology topology;
    double *length; /* NULL: those of the positions */
} tt_metric;

/* Lists the pairs of vertices that hold the coarse mesh together, and how far apart they may get. Vertex v of the
 * coarse mesh is vertex origin[v] of the finer one. Sets the lengths of the coarse edges. The threads of the pool take
 * memory by the allocator of `scope`. False when memory ran out. */
bool tt_reach_links(tt_scope *scope, tt_pool *pool, const tt_reach *reach, const tt_metric *fine, const int *origin,
                    const float axis[3], tt_metric *coarse, int *nlinks, tt_link **links);

#endif
