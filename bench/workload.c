#include "workload.h"

#include "base/error.h"
#include "mesh/geodesic.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

static const float CELL = 0.01f; /* m: edge of a cell */

typedef enum shape { FLAT, BOWL, FOLDS, BEAM } shape;

typedef struct recipe {
    const char *name; /* of the row */
    shape shape;
    int (*count)(int nx,
                 int ny); /* constraints of a sheet of nx x ny vertices, or about that many */
    void (*set)(taut_material *material);
    const char *limit; /* the name of the kind if it is a limit; else `name` is that of the kind */
} recipe;

/* ---- How many constraints a sheet has ---- */

static int triangles(int nx, int ny) { return 2 * (nx - 1) * (ny - 1); }

static int edges(int nx, int ny) { return (nx - 1) * ny + nx * (ny - 1) + (nx - 1) * (ny - 1); }

static int hinges(int nx, int ny) { return edges(nx, ny) - 2 * (nx - 1) - 2 * (ny - 1); }

/* Inner vertices have four pairs and two in turn; those along the boundary have three and one in turn. */
static int ring_pairs(int nx, int ny) { return 3 * (nx - 2) * (ny - 2) + 4 * (nx + ny - 4); }

/* Pairs across pleats: inner vertices have three and one in turn, and so do the ends of the pleats. */
static int pleat_pairs(int nx, int ny) { return 2 * (nx - 2) * (ny - 2) + 3 * (nx - 2); }

static int pleat_edges(int nx, int ny) { return (nx - 2) * (ny - 1); }

static int free_vertices(int nx, int ny) { return nx * ny - 2; }

/* ---- The material of each kind: nothing but that kind, at full strength ---- */

static void set_distance(taut_material *m) { m->edge = 1; }

static void set_tether(taut_material *m) { m->tether = 1; }

static void set_strain_tri(taut_material *m) { m->strain.xx = m->strain.yy = m->strain.xy = 1; }

static void set_strain_tet(taut_material *m)
{
    m->strain = (taut_strain){
        .xx = 1, .yy = 1, .zz = 1, .xy = 1, .yz = 1, .xz = 1, .rest = {1, 1, 1}, .volume = 1};
}

static void set_bend(taut_material *m, taut_bend_model model)
{
    m->bend.model = model;
    m->bend.stiffness = 1;
}

static void set_stick(taut_material *m) { set_bend(m, TAUT_BEND_STICK); }

static void set_dihedral(taut_material *m) { set_bend(m, TAUT_BEND_DIHEDRAL); }

static void set_isometric(taut_material *m) { set_bend(m, TAUT_BEND_ISOMETRIC); }

static void set_triangle(taut_material *m) { set_bend(m, TAUT_BEND_TRIANGLE); }

static void set_sided(taut_material *m)
{
    set_triangle(m);
    m->bend.sided = true;
}

static void set_midpoint(taut_material *m)
{
    set_triangle(m);
    m->bend.creation = TAUT_BEND_MIDPOINT;
}

static void set_midpoint_sided(taut_material *m)
{
    set_midpoint(m);
    m->bend.sided = true;
}

/* No element is ever exactly as at rest, so every element is outside. */
static void set_limit(taut_material *m) { m->limit.stretch[0] = m->limit.stretch[1] = 1; }

/* The limit is so wide that every element is within it. */
static void set_loose_limit(taut_material *m)
{
    m->limit.stretch[0] = 0.5f;
    m->limit.stretch[1] = 2;
}

static void set_bend_limit(taut_material *m) { m->limit.bend[0] = m->limit.bend[1] = 0; }

static void set_loose_bend_limit(taut_material *m)
{
    m->limit.bend[0] = -100;
    m->limit.bend[1] = 100;
}

static const recipe recipes[] = {
    {"distance", FLAT, edges, set_distance, NULL},
    {"stick", FLAT, hinges, set_stick, NULL},
    {"tether", FLAT, free_vertices, set_tether, NULL},
    {"strain_tri", FLAT, triangles, set_strain_tri, NULL},
    {"strain_tet", BEAM, NULL, set_strain_tet, NULL},
    {"dihedral", FLAT, hinges, set_dihedral, NULL},
    {"isometric", FLAT, hinges, set_isometric, NULL},
    {"isometric_curved", BOWL, hinges, set_isometric, NULL},
    {"triangle_bend", FLAT, ring_pairs, set_triangle, NULL},
    {"triangle_bend_sided", FOLDS, pleat_pairs, set_sided, NULL},
    {"midpoint_bend", FLAT, hinges, set_midpoint, NULL},
    {"midpoint_bend_sided", FOLDS, pleat_edges, set_midpoint_sided, NULL},
    {"limit_tri", FLAT, triangles, set_limit, "limit_tri"},
    {"limit_tri_skip", FLAT, triangles, set_loose_limit, "limit_tri"},
    {"limit_tet", BEAM, NULL, set_limit, "limit_tet"},
    {"limit_tet_skip", BEAM, NULL, set_loose_limit, "limit_tet"},
    {"limit_bend", FLAT, triangles, set_bend_limit, "limit_bend"},
    {"limit_bend_skip", FLAT, triangles, set_loose_bend_limit, "limit_bend"},
};

enum { RECIPES = sizeof recipes / sizeof recipes[0] };

const char *workload_name(int index) { return index < RECIPES ? recipes[index].name : NULL; }

bool workload_is_limit(int index) { return recipes[index].limit != NULL; }

/* ---- Meshes ---- */

/* Chooses the sides of a sheet, at most 2 : 1, so that it has as nearly as possible that many constraints. */
static void choose_sheet(const recipe *r, int elements, int *nx, int *ny)
{
    int best = elements;
    *nx = *ny = 3;
    for (int y = 3; (y - 3) * (y - 3) <= elements; y++) {
        int x = y;
        while (x < 2 * y && r->count(x, y) < elements) x++;
        for (int side = x > y ? x - 1 : x; side <= x; side++) {
            int off = abs(r->count(side, y) - elements);
            if (off > best || (off == best && side - y > *nx - *ny)) continue;
            best = off;
            *nx = side;
            *ny = y;
        }
    }
}

/* Chooses the cells of a beam, as near to a cube as possible, with five tets each. */
static void choose_beam(int elements, int *nx, int *ny, int *nz)
{
    int cells = elements / 5 > 0 ? elements / 5 : 1, best = cells;
    *nx = *ny = *nz = 1;
    for (int y = 1; y * y * y <= cells; y++)
        for (int z = y; y * z * z <= cells && z <= 2 * y; z++) {
            int x = (cells + y * z / 2) / (y * z), off = abs(x * y * z - cells);
            if (x > 2 * y || off > best) continue;
            best = off;
            *nx = x;
            *ny = y;
            *nz = z;
        }
}

static bool make_sheet(workload *w, const recipe *r, int elements, taut_error *error)
{
    int nx, ny;
    choose_sheet(r, elements, &nx, &ny);
    float width = CELL * (float)(nx - 1), height = CELL * (float)(ny - 1);
    if (!taut_mesh_sheet(&w->mesh, nx, ny, width, height, error)) return false;
    /* Pleats, so that virtual triangles across them stand out of the surface. */
    for (int v = 0; v < w->mesh.nvertices && r->shape == FOLDS; v++)
        w->mesh.x[3 * v + 2] = v % nx % 2 == 0 ? 0.5f * CELL : 0;
    /* Twisted as well as curved, because otherwise the four corners of a cell would stay in a plane. */
    for (int v = 0; v < w->mesh.nvertices && r->shape == BOWL; v++) {
        float x = w->mesh.x[3 * v], y = w->mesh.x[3 * v + 1];
        w->mesh.x[3 * v + 2] = (0.25f * (x * x + y * y) + 0.2f * x * y) / width;
    }
    if (strcmp(r->name, "tether") != 0) return true;
    return taut_mesh_pin(&w->mesh, 0, error) && taut_mesh_pin(&w->mesh, nx - 1, error);
}

static bool make_beam(workload *w, int elements, taut_error *error)
{
    int nx, ny, nz;
    choose_beam(elements, &nx, &ny, &nz);
    return taut_mesh_beam(&w->mesh, nx, ny, nz, CELL * (float)nx, CELL * (float)ny,
                          CELL * (float)nz, error);
}

/* ---- Shuffling ---- */

static int *random_order(tt_scope *scope, int n, uint32_t seed)
{
    int *order = TT_TAKE(scope, int, n);
    for (int i = 0; order && i < n; i++) {
        int j = (int)(next_random(&seed) % (uint32_t)(i + 1));
        order[i] = order[j];
        order[j] = i;
    }
    return order;
}

/* Moves item i of n, each of `size` bytes, to to[i]. */
static bool move_items(tt_scope *scope, void *items, int n, size_t size, const int *to)
{
    if (!items) return true;
    char *copy = tt_take(scope, (size_t)n, size);
    if (!copy) return false;
    memcpy(copy, items, (size_t)n * size);
    for (int i = 0; i < n; i++)
        memcpy((char *)items + (size_t)to[i] * size, copy + (size_t)i * size, size);
    return true;
}

static bool shuffle(tt_scope *scope, taut_mesh *mesh)
{
    int *vertex = random_order(scope, mesh->nvertices, 12345);
    int *tri = random_order(scope, mesh->ntris, 23456);
    int *tet = random_order(scope, mesh->ntets, 34567);
    if (!vertex || !tri || !tet) return false;
    for (int i = 0; i < 3 * mesh->ntris; i++) mesh->tri[i] = vertex[mesh->tri[i]];
    for (int i = 0; i < 4 * mesh->ntets; i++) mesh->tet[i] = vertex[mesh->tet[i]];
    return move_items(scope, mesh->x, mesh->nvertices, 3 * sizeof *mesh->x, vertex) &&
           move_items(scope, mesh->pinned, mesh->nvertices, sizeof *mesh->pinned, vertex) &&
           move_items(scope, mesh->tri, mesh->ntris, 3 * sizeof *mesh->tri, tri) &&
           move_items(scope, mesh->uv, mesh->ntris, 6 * sizeof *mesh->uv, tri) &&
           move_items(scope, mesh->tet, mesh->ntets, 4 * sizeof *mesh->tet, tet);
}

/* ---- The workload ---- */

/* Lists the constraints as the kind makes them, before the model changes their order. */
static bool list_constraints(workload *w, const taut_material *material)
{
    static const float no_axis[3] = {0, 0, 0};
    tt_topology topology;
    tt_maker maker = {
        .mesh = &w->mesh,
        .topology = &topology,
        .material = material,
        .axis = no_axis,
        .scope = &w->scope,
        .kind = tt_kind_table()[w->kind],
    };
    if (!tt_topology_build(&w->scope, &w->mesh, &topology)) return false;
    if (w->mesh.pinned) {
        double *distance = TT_TAKE(&w->scope, double, w->mesh.nvertices);
        int *nearest = TT_TAKE(&w->scope, int, w->mesh.nvertices);
        if (!distance || !nearest) return false;
        if (!tt_geodesic(&w->scope, &w->mesh, &topology, w->mesh.pinned, distance, nearest))
            return false;
        maker.geodesic = distance;
        maker.nearest = nearest;
    }
    if (!maker.kind->create(&maker)) return false;
    w->count = maker.count;
    w->particle = maker.particle;
    return true;
}

/* The start is three percent too large, which tightens every tether, and each vertex is off by up to two percent of a
 * cell. */
static bool set_start(workload *w)
{
    int n = w->mesh.nvertices;
    uint32_t seed = 98765;
    w->start = TT_TAKE(&w->scope, float, 3 * n);
    w->inverse_mass = TT_TAKE(&w->scope, float, n);
    if (!w->start || !w->inverse_mass) return false;
    for (int i = 0; i < 3 * n; i++) {
        float noise = (float)(next_random(&seed) >> 8) / (float)(1 << 23) - 1;
        w->start[i] = 1.03f * w->mesh.x[i] + 0.02f * CELL * noise;
    }
    for (int v = 0; v < n; v++) {
        bool pinned = w->mesh.pinned && w->mesh.pinned[v];
        w->inverse_mass[v] = pinned ? 0 : w->model->rest[4 * (size_t)w->model->place[v] + 3];
    }
    return true;
}

static taut_material material_of(const recipe *r)
{
    taut_material m = taut_default_material();
    m.strain = (taut_strain){.rest = {1, 1, 1}};
    m.bend = (taut_bend){.model = TAUT_BEND_NONE};
    m.edge = m.tether = m.drag = m.lift = 0;
    r->set(&m);
    return m;
}

bool workload_open(workload *w, int index, int elements, bool shuffled, taut_error *error)
{
    const recipe *r = &recipes[index];
    taut_material material = material_of(r);
    *w = (workload){.kind = taut_kind_find(r->limit ? r->limit : r->name)};
    tt_scope_open(&w->scope, NULL);
    bool made =
        r->shape == BEAM ? make_beam(w, elements, error) : make_sheet(w, r, elements, error);
    if (!made) return false;
    if (shuffled && !shuffle(&w->scope, &w->mesh)) return tt_no_memory(error);
    w->model = taut_model_build(&w->mesh, &material, NULL, error);
    if (!w->model) return false;
    if (!list_constraints(w, &material) || !set_start(w)) return tt_no_memory(error);
    return true;
}

void workload_close(workload *w)
{
    taut_model_free(w->model);
    taut_mesh_free(&w->mesh);
    tt_scope_close(&w->scope);
}
