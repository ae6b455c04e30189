#include "model/hierarchy.h"

#include "mesh/coarse_rest.h"
#include "mesh/coarsen.h"
#include "mesh/coarsen_lines.h"
#include "mesh/coarsen_tets.h"
#include "mesh/frame.h"
#include "model/reach_means.h"

#include <math.h>

/* AUTO: from this size on a mesh gets levels with TAUT_LEVELS_AUTO. LEVEL: how many times smaller the next level is.
 * FEWEST: the smallest level. */
enum {
    AUTO_BALANCED = 97,
    AUTO_VERTICES = 600,
    LEVEL_VERTICES = 5,
    WIDEST_LEVEL_VERTICES = 12,
    FEWEST_VERTICES = 9, /* of cloth  */
    AUTO_LINES = 64,
    FEWEST_LINES = 4, /* of ropes  */
    AUTO_TETS = 4000,
    LEVEL_TETS = 8,
    FEWEST_TETS = 12 /* of solids */
};

/* A lattice with more than this times the volume of the finer mesh is mostly outside of it, and too little would ride
 * on its vertices. */
static const double MOST_AIR = 3;

/* Makes the mesh of level `number` (0: the first coarser one) over `fine`. *found becomes false when no coarser mesh is
 * possible; `next` is then undefined. */
typedef bool coarsen_mesh(tt_scope *scope, const tt_metric *fine, const taut_model_options *options, int number,
                          tt_coarse_mesh *next, bool *found);

/* How many times fewer vertices the next level of cloth has. If fewer levels are asked for than the mesh would have by
 * itself, the steps are wider, so that the last level is about as coarse. The coarsest level matters because it is the
 * first to settle motions that span the whole mesh. */
static int coarser_by(int nvertices, const taut_model_options *options, int number)
{
    int by = LEVEL_VERTICES;
    for (; options->levels != TAUT_LEVELS_AUTO && by < WIDEST_LEVEL_VERTICES; by++) {
        int last = nvertices;
        for (int level = number; level < options->levels; level++) last /= by;
        if (last < LEVEL_VERTICES * FEWEST_VERTICES) break;
    }
    return by;
}

static bool coarsen_cloth(tt_scope *scope, const tt_metric *fine, const taut_model_options *options, int number,
                          tt_coarse_mesh *next, bool *found)
{
    const taut_mesh *mesh = fine->mesh;
    int target = mesh->nvertices / coarser_by(mesh->nvertices, options, number);
    *found = target >= FEWEST_VERTICES;
    if (!*found) return true;
    if (!tt_coarsen(scope, mesh, options->axis, target, mesh->pinned, &next->mesh, &next->origin)) return false;
    *found = next->mesh.ntris > 0 && next->mesh.nvertices <= mesh->nvertices / 2;
    return true;
}

static bool coarsen_ropes(tt_scope *scope, const tt_metric *fine, const taut_model_options *options, int number,
                          tt_coarse_mesh *next, bool *found)
{
    (void)options, (void)number;
    const taut_mesh *mesh = fine->mesh;
    if (!tt_coarsen_lines(scope, mesh, &fine->topology, &next->mesh, &next->origin, &next->up)) return false;
    *found = next->mesh.nlines >= FEWEST_LINES && next->mesh.nlines <= 3 * mesh->nlines / 4;
    return true;
}

static double volume_of(const taut_mesh *mesh)
{
    double inverse[9], volume, sum = 0;
    for (int t = 0; t < mesh->ntets; t++)
        if (tt_tet_frame(mesh, t, inverse, &volume)) sum += volume;
    return sum;
}

static bool coarsen_solid(tt_scope *scope, const tt_metric *fine, const taut_model_options *options, int number,
                          tt_coarse_mesh *next, bool *found)
{
    (void)options, (void)number;
    const taut_mesh *mesh = fine->mesh;
    int target = mesh->ntets / LEVEL_TETS;
    *found = target >= FEWEST_TETS;
    if (!*found) return true;
    if (!tt_coarsen_tets(scope, mesh, target, &next->mesh)) return false;
    *found = next->mesh.ntets > 0 && next->mesh.ntets <= mesh->ntets / 2 &&
             volume_of(&next->mesh) <= MOST_AIR * volume_of(mesh);
    return true;
}

/* Takes a mesh of the user as a level. The arrays stay the user's; they outlive the hierarchy. */
static bool take_given(tt_scope *scope, const tt_metric *fine, const taut_model_options *options, int number,
                       tt_coarse_mesh *next, bool *found)
{
    const taut_mesh *given = options->coarse[number];
    next->mesh = (taut_mesh){.nvertices = given->nvertices, .ntets = given->ntets, .x = given->x, .tet = given->tet};
    *found = true;
    return tt_inherit_frames(scope, fine->mesh, &next->mesh);
}

bool tt_hierarchy_ride(tt_scope *scope, tt_hierarchy *hierarchy, int i)
{
    tt_coarse_mesh *level = &hierarchy->level[i];
    const taut_mesh *fine = i == 0 ? hierarchy->finest.mesh : &hierarchy->level[i - 1].mesh;
    if (tt_mesh_type_of(fine) == TT_MESH_ROPES) return true; /* coarsening has made their weights */
    return tt_transfer_build(scope, &level->mesh, fine, (tt_transfer_options){.origin = level->origin}, &level->up);
}

/* Makes the restriction from the finer mesh. Vertices of a coarse rope are means, by mass, of the vertices that ride on
 * them. Only then the forces of its links have an energy. If they were copies, a hanging rope would tremble for
 * ever. */
static bool follow(tt_scope *scope, tt_mesh_type type, const taut_mesh *fine, const double *mass, tt_coarse_mesh *level)
{
    if (type == TT_MESH_ROPES)
        return tt_restriction_mean(scope, fine, &level->mesh, &level->up, mass, level->origin, &level->down);
    return tt_restriction_copy(scope, level->origin, level->mesh.nvertices, &level->down);
}

/* Gives the level its masses. *mass are those of the finer vertices before, and those of the coarse ones afterwards. A
 * vertex on which nothing rides is in no tet, so its mass does not matter. */
static bool set_masses(tt_scope *scope, tt_coarse_mesh *level, double *own, double **mass)
{
    int count = level->mesh.nvertices;
    level->mesh.mass = TT_TAKE(scope, float, count);
    if (!level->mesh.mass) return false;
    for (int v = 0; v < count; v++) level->mesh.mass[v] = own[v] > 0 ? (float)own[v] : 1;
    *mass = own;
    return true;
}

/* A coarse vertex has the mass of its riders, each with its weight. So a change of the coarse level has the same
 * momentum when it arrives on the finer one. Every vertex has at least a hundredth of the mean mass, because a vertex
 * with next to no riders would shake. */
static bool weigh(tt_scope *scope, tt_coarse_mesh *coarse, double **mass)
{
    int count = coarse->mesh.nvertices;
    const tt_transfer *up = &coarse->up;
    double *own = TT_TAKE(scope, double, count), total = 0;
    if (!own) return false;
    for (int v = 0; v < up->count; v++)
        for (int i = 0; i < 4; i++) own[up->index[v][i]] += (double)up->weight[v][i] * (*mass)[v];
    for (int v = 0; v < count; v++) total += own[v];
    for (int v = 0; v < count; v++) own[v] = fmax(own[v], 0.01 * total / count);
    return set_masses(scope, coarse, own, mass);
}

/* Vertices of a coarse solid are not vertices of the finer mesh: they follow the fine vertices that ride on them. */
static bool tie_solid(tt_scope *scope, const taut_mesh *fine, double **mass, tt_coarse_mesh *level)
{
    double *own = TT_TAKE(scope, double, level->mesh.nvertices);
    return own && tt_restriction_fit(scope, fine, &level->mesh, *mass, &level->up, own, &level->down) &&
           set_masses(scope, level, own, mass);
}

static bool tie_solids(tt_scope *scope, double *mass, tt_hierarchy *h)
{
    const taut_mesh *fine = h->finest.mesh;
    for (int i = 0; i < h->count; i++) {
        if (!tie_solid(scope, fine, &mass, &h->level[i])) return false;
        fine = &h->level[i].mesh;
    }
    fine = h->finest.mesh; /* rest shapes come last, because transfers are made between the meshes as they were built */
    for (int i = 0; i < h->count; i++) {
        if (!tt_coarse_rest(scope, fine, &h->level[i].down, &h->level[i].mesh)) return false;
        fine = &h->level[i].mesh;
    }
    return true;
}

static coarsen_mesh *coarsener(tt_mesh_type type, const taut_model_options *options)
{
    if (options->ncoarse) return take_given;
    return type == TT_MESH_ROPES ? coarsen_ropes : type == TT_MESH_SOLID ? coarsen_solid : coarsen_cloth;
}

/* The most levels that the mesh may get. */
static int most_levels(const taut_mesh *mesh, tt_mesh_type type, const taut_material *material,
                       const taut_model_options *options)
{
    bool automatic = options->levels == TAUT_LEVELS_AUTO;
    int given = options->ncoarse, most = automatic ? TAUT_MOST_LEVELS : options->levels;
    tt_reach reach = tt_reach_of(material, type == TT_MESH_ROPES);
    bool balanced = tt_can_be_balanced(material, type);
    bool small = given                   ? false
                 : type == TT_MESH_ROPES ? mesh->nlines < AUTO_LINES
                 : type == TT_MESH_SOLID ? mesh->ntets < AUTO_TETS
                                         : mesh->nvertices < (balanced ? AUTO_BALANCED : AUTO_VERTICES);
    bool useful = balanced || (type == TT_MESH_SOLID ? tt_limits_solids(material) : tt_reach_exists(&reach));
    if (type == TT_MESH_MIXED || (automatic && small) || !useful) return 0;
    return given && given < most ? given : most;
}

bool tt_hierarchy_coarsen(tt_scope *scope, const taut_mesh *mesh, const tt_topology *topology,
                          const taut_material *material, const taut_model_options *options, tt_hierarchy *hierarchy)
{
    tt_mesh_type type = tt_mesh_type_of(mesh);
    coarsen_mesh *coarsen = coarsener(type, options);
    int most = most_levels(mesh, type, material, options);
    *hierarchy = (tt_hierarchy){.finest = {.mesh = mesh, .topology = *topology}};
    for (const tt_metric *fine = &hierarchy->finest; hierarchy->count < most; hierarchy->count++) {
        tt_coarse_mesh *next = &hierarchy->level[hierarchy->count];
        bool found;
        if (!coarsen(scope, fine, options, hierarchy->count, next, &found)) return false;
        if (!found) return true;
        next->metric.mesh = &next->mesh;
        if (type != TT_MESH_SOLID && !tt_topology_build(scope, &next->mesh, &next->metric.topology)) return false;
        fine = &next->metric;
    }
    return true;
}

bool tt_hierarchy_tie(tt_scope *scope, tt_pool *pool, const taut_material *material, const taut_model_options *options,
                      tt_hierarchy *hierarchy)
{
    const tt_metric *fine = &hierarchy->finest;
    tt_mesh_type type = tt_mesh_type_of(fine->mesh);
    tt_reach reach = tt_reach_of(material, type == TT_MESH_ROPES);
    bool uneven = type == TT_MESH_ROPES || fine->mesh->mass; /* nothing rides on the ends of ropes */
    bool linked = type != TT_MESH_SOLID && tt_reach_exists(&reach);
    if (hierarchy->count == 0) return true;
    double *mass = TT_TAKE(scope, double, fine->mesh->nvertices);
    if (!mass) return false;
    tt_masses(fine->mesh, material, mass);
    if (type == TT_MESH_SOLID) return tie_solids(scope, mass, hierarchy);
    for (int i = 0; i < hierarchy->count; i++) {
        tt_coarse_mesh *level = &hierarchy->level[i];
        if (!follow(scope, type, fine->mesh, mass, level)) return false;
        if (uneven && !weigh(scope, level, &mass)) return false;
        if (linked && !tt_reach_links(scope, pool, &reach, fine, level->origin, options->axis, &level->metric,
                                      &level->nlinks, &level->link))
            return false;
        if (linked && type == TT_MESH_ROPES && !tt_reach_means(scope, &reach, fine, level)) return false;
        fine = &level->metric;
    }
    return true;
}

bool tt_hierarchy_build(tt_scope *scope, const taut_mesh *mesh, const taut_material *material,
                        const taut_model_options *options, tt_hierarchy *hierarchy)
{
    tt_topology topology;
    bool ok = tt_topology_build(scope, mesh, &topology) &&
              tt_hierarchy_coarsen(scope, mesh, &topology, material, options, hierarchy);
    for (int i = 0; ok && i < hierarchy->count; i++) ok = tt_hierarchy_ride(scope, hierarchy, i);
    return ok && tt_hierarchy_tie(scope, NULL, material, options, hierarchy);
}
