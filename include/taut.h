/* taut.h: cloth and soft bodies that stretch only as far as they should.
 *
 * A short manual
 * --------------
 * Data flows one way:
 *
 *     taut_mesh (plain arrays)  ->  taut_model (immutable, shared)  ->  taut_world (everything that moves)
 *
 *     taut_error error;
 *     taut_mesh mesh;
 *     taut_mesh_sheet(&mesh, 33, 33, 1.0f, 1.0f, &error);           // 33 x 33 vertices, 1 m x 1 m
 *     taut_mesh_pin(&mesh, 0, &error);                              // hold a corner; tethers measure from it
 *     taut_model *model = taut_model_build(&mesh, NULL, NULL, &error); // no material given: cloth is a light cotton
 *     taut_world *world = taut_world_create(NULL, &error);
 *     int flag = taut_world_add_body(world, model, NULL, &error);
 *     for (int frame = 0; frame < 300; frame++) taut_world_step(world, 1.0f / 60.0f);
 *     const float *xyz = taut_body_positions(world, flag, NULL);    // in the mesh's vertex order
 *
 * Conventions
 *   Units are SI: metre, kilogram, second, newton, pascal, radian. Vectors are three floats, x y z.
 *   Definitions (`taut_material`, `taut_world_def`, ...) come from their `taut_default_...` function. A zeroed struct
 *   is refused, because zero is a meaningful stiffness. A NULL definition means the default one. A NULL material means
 *   TAUT_DEFAULT_CLOTH for cloth, and taut_default_material() for ropes and solids.
 *   Bodies and colliders are small integers (ids) that stay valid until removed. Vertices keep the mesh's numbers.
 *   Every array passed in is copied unless the comment says otherwise. A pointer may be NULL where this file says so.
 *
 * Trouble comes in three kinds, never mixed
 *   Bad data: the function returns NULL, false or -1 and fills `taut_error` (which may be NULL).
 *   A caller's bug (an id that was never handed out, a NULL that is not allowed): an assertion in debug builds, or a
 *   crash.
 *   Trouble while running (a particle that would turn NaN): the step goes on, and `taut_stats` counts it.
 *
 * Determinism: the same calls give the same bits for any number of threads, instruction set, compiler and
 * optimisation level. See docs/determinism.md.
 *
 * Threads: a model may be shared by worlds in different threads. A world belongs to one thread at a time.
 */
#ifndef TAUT_H
#define TAUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAUT_VERSION_MAJOR 0
#define TAUT_VERSION_MINOR 1
#define TAUT_VERSION_PATCH 0
#define TAUT_VERSION "0.1.0"

#define TAUT_MOST_THREADS 256        /* of a world, of a training or of a build */
#define TAUT_MOST_VERTICES 100000000 /* of a mesh */
#define TAUT_MOST_SIDES 1073741823   /* of the elements of a mesh: 3 a triangle, 6 a tet, 1 a line */
#define TAUT_MOST_LEVELS 12          /* coarser meshes of a model */

#if defined(_WIN32)
#define TAUT_API
#else
#define TAUT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that runs; TAUT_VERSION is the version of the header. */
TAUT_API const char *taut_version(void);

/* ---- Errors and memory ---------------------------------------------------------------------------------------- */

typedef enum taut_code {
    TAUT_OK = 0,
    TAUT_BAD_MESH,     /* the mesh's arrays are wrong; `index` is the vertex or element                     */
    TAUT_BAD_MATERIAL, /* a material value is out of range                                                  */
    TAUT_BAD_ARGUMENT, /* any other value is out of range                                                   */
    TAUT_NO_MEMORY,    /* an allocation failed; nothing was changed                                         */
    TAUT_BAD_SAVE,     /* the bytes given to taut_world_restore are no save, or a save of another model     */
    TAUT_BAD_TRAINING  /* trained limits are incomplete, damaged, or of another mesh or material            */
} taut_code;

typedef struct taut_error {
    taut_code code;
    int index;      /* vertex, element or item that is wrong; -1 when it does not apply */
    char text[240]; /* one sentence that says what is wrong and where                   */
} taut_error;

/* Memory hook. `allocate` returns `size` bytes aligned to `alignment` (a power of two, at most 64), or NULL.
 * `release` also accepts NULL. The struct is copied; `user` must outlive everything built with it. Two threads never
 * call it at the same time, but a build may call it from threads of its own. */
typedef struct taut_allocator {
    void *(*allocate)(size_t size, size_t alignment, void *user);
    void (*release)(void *memory, void *user);
    void *user;
} taut_allocator;

/* ---- Meshes --------------------------------------------------------------------------------------------------- */

/* Plain arrays, owned by the caller (or by a generator: free those with taut_mesh_free). Vertices carry the rest
 * shape. Triangles are cloth and shells, tets are solids, lines are ropes, chains and branches; a mesh may mix
 * them. Optional arrays are NULL when absent. */
typedef struct taut_mesh {
    int nvertices, ntris, ntets, nlines;
    float *x;             /* 3 per vertex: rest positions, m                                                */
    int *tri;             /* 3 vertices per triangle                                                        */
    int *tet;             /* 4 vertices per tet                                                             */
    int *line;            /* 2 vertices per line                                                            */
    float *uv;            /* optional, 6 per triangle: (u,v) of each corner; u is the warp, v the weft      */
    float *direction;     /* optional, 3 per triangle: the warp direction, projected to the triangle;
                             used where there are no UVs                                                    */
    float *frame;         /* optional, 9 per tet: its material axes x, y, z, each a vector of 3             */
    float *tri_scale;     /* optional, 1 per triangle, >= 0: multiplies the stiffness there; in ratio units
                             values above 1 count as 1, except for elastic forces                           */
    float *tet_scale;     /* optional, 1 per tet, >= 0                                                      */
    float *mass;          /* optional, 1 per vertex, kg; absent: from the material's density                */
    unsigned char *pinned; /* optional, 1 per vertex: non-zero = pinned in every body of the model. Tethers
                             measure from these vertices                                                    */
} taut_mesh;

/* Generators. Each fills `mesh` with new arrays (free them with taut_mesh_free) or returns false. */

/* nx x ny vertices in the x-y plane, centred on x = 0, top edge at y = 0, facing +z; vertex (i,j) is j*nx + i,
 * j = 0 at the top. Diagonals alternate. UVs in metres: u along x, v along y. */
TAUT_API bool taut_mesh_sheet(taut_mesh *mesh, int nx, int ny, float width, float height, taut_error *error);
/* The same sheet with vertices moved by up to `jitter` (0..0.45) of a cell and diagonals flipped at random by `seed`:
 * an irregular mesh with UVs still along x and y. Boundary vertices stay on the boundary. */
TAUT_API bool taut_mesh_sheet_irregular(taut_mesh *mesh, int nx, int ny, float width, float height, float jitter,
                                        uint32_t seed, taut_error *error);
/* An open tube along y: `around` vertices (>= 3) around, `along` (>= 2) along, with UVs across a seam. */
TAUT_API bool taut_mesh_tube(taut_mesh *mesh, int around, int along, float radius, float length, taut_error *error);
/* A closed sphere from a subdivided icosahedron: 20 * 4^levels triangles, levels 0..8, facing out. No UVs. */
TAUT_API bool taut_mesh_sphere(taut_mesh *mesh, int levels, float radius, taut_error *error);
/* A solid beam of nx x ny x nz cells, five tets a cell, along +x from the origin, centred in y and z. */
TAUT_API bool taut_mesh_beam(taut_mesh *mesh, int nx, int ny, int nz, float sx, float sy, float sz, taut_error *error);
/* A solid torus about y: `around` (>= 3) sections along its axis, cross-sections of `rings` (>= 1) rings. Frames:
 * material x along the axis (the tangent of the big circle), y radial, z along the torus's axis of symmetry. */
TAUT_API bool taut_mesh_torus(taut_mesh *mesh, int around, int rings, float big_radius, float small_radius,
                              taut_error *error);
/* A ribbon of 2 x n vertices along +x. */
TAUT_API bool taut_mesh_strip(taut_mesh *mesh, int n, float length, float width, taut_error *error);
/* A chain of n vertices (n - 1 lines) along +x from the origin. */
TAUT_API bool taut_mesh_chain(taut_mesh *mesh, int n, float length, taut_error *error);
/* A branching plant of lines growing along +y: a stem of `segments` lines that forks in two `levels` times, each
 * generation shorter. Vertex 0 is the root. */
TAUT_API bool taut_mesh_branch(taut_mesh *mesh, int segments, int levels, float length, taut_error *error);
/* Pins a vertex of a mesh: sets its entry in mesh->pinned. If there is no such array, it is made with malloc. */
TAUT_API bool taut_mesh_pin(taut_mesh *mesh, int vertex, taut_error *error);
/* Frees the arrays of a mesh and empties it: a generated mesh, or any whose arrays come from malloc. */
TAUT_API void taut_mesh_free(taut_mesh *mesh);

/* The convex hull of `count` points: a closed mesh of triangles that face out. Its vertices are the points that are
 * corners of the hull, in the order given. At most 4096 points; they must not lie in a plane. */
TAUT_API bool taut_mesh_hull(taut_mesh *hull, const float *xyz, int count, taut_error *error);

/* What is in a mesh, and what is odd about it. None of the odd things stops a model from being built. */
typedef struct taut_mesh_report {
    int edges, hinges, boundary_edges;
    int nonmanifold_edges;      /* edges of three or more triangles: every neighbouring pair gets a hinge */
    int first_nonmanifold[2];   /* the vertices of the first one, or -1 -1                                */
    int inconsistent_edges;     /* edges whose two triangles run the same way round                       */
    int degenerate_tris, degenerate_tets, inverted_tets;
    int unreferenced_vertices, duplicate_vertices;
    float min[3], max[3];
    float area, volume;
} taut_mesh_report;
TAUT_API bool taut_mesh_inspect(const taut_mesh *mesh, taut_mesh_report *report, taut_error *error);

/* ---- Work on meshes -------------------------------------------------------------------------------------------- */

/* Allocates zeroed arrays of these sizes, to be filled by the caller; UVs only if `uv` is true, frames only if `frame`
 * is. Free with taut_mesh_free. */
TAUT_API bool taut_mesh_allocate(taut_mesh *mesh, int64_t nvertices, int64_t ntris, int64_t ntets, int64_t nlines,
                                 bool uv, bool frame, taut_error *error);
/* Whether the arrays are right: counts, indices, finite numbers, masses above 0, no vertex twice in an element. */
TAUT_API bool taut_mesh_check(const taut_mesh *mesh, taut_error *error);
/* Sets boundary[v] to 1 for every vertex v on an edge of a single triangle, to 0 for all others. */
TAUT_API bool taut_mesh_boundary(const taut_mesh *mesh, unsigned char *boundary, taut_error *error);

/* Fills the inside of a closed surface with tets of a body-centred cubic lattice of about `cell` m (0: a 20th of the
 * largest extent), whatever the surface's quality. Tets are positively oriented. */
TAUT_API bool taut_mesh_fill(const taut_mesh *surface, float cell, taut_mesh *solid, taut_error *error);

/* The triangles around the tets of a mesh, facing out at rest: 3 vertices each, to be freed with free(). NULL on
 * error. */
TAUT_API int *taut_mesh_surface(const taut_mesh *solid, int *ntris, taut_error *error);

/* An edge and a triangle that have a point in common, and no vertex. */
typedef struct taut_crossing {
    int edge[2];  /* its vertices, the smaller number first */
    int triangle; /* of the mesh; of taut_mesh_surface if the mesh has tets and no triangles */
} taut_crossing;
/* Finds all crossings of the edges of triangles and lines with triangles, at positions `xyz` (NULL: those of the mesh).
 * If a mesh has tets and no triangles, the surface of its tets counts. The answer is exact: floats are taken as they
 * are, nothing is rounded, and touching counts. Only triangles that lie side by side in a plane may touch. Returns how
 * many crossings there are, -1 on error. `list` (NULL if `most` is 0) gets the first `most`, sorted by triangle and
 * then by edge. *npairs (may be NULL) becomes the number of pairs of triangles in which an edge of one crosses the
 * other. */
TAUT_API int64_t taut_mesh_crossings(const taut_mesh *mesh, const float *xyz, taut_crossing *list, int most,
                                     int64_t *npairs, taut_error *error);

/* A fine mesh that rides on a simulated one: each of its vertices keeps its place relative to the tet that holds it (or
 * is nearest), or to the nearest triangle and its normal. */
typedef struct taut_embedding taut_embedding;
TAUT_API taut_embedding *taut_embedding_build(const taut_mesh *simulated, const float *xyz, int count,
                                              taut_error *error);
TAUT_API void taut_embedding_apply(const taut_embedding *embedding, const float *simulated_xyz, float *xyz);
TAUT_API void taut_embedding_free(taut_embedding *embedding);

/* ---- Measures -------------------------------------------------------------------------------------------------- */

/* How a mesh is deformed: one number per cell. Cells are the triangles of the rest mesh, or its tets if it has no
 * triangles. F is the deformation gradient in the material axes, which come from UVs, directions or frames as in a
 * model. */
typedef enum taut_measure {
    TAUT_STRETCH_X = 0, /* |F x| - 1: stretch along the warp; 0.1 is 10 % longer                                 */
    TAUT_STRETCH_Y,     /* |F y| - 1: along the weft                                                             */
    TAUT_SHEAR,         /* rad: the angle between F x and F y, minus a right angle                               */
    TAUT_PRINCIPAL,     /* s - 1, s the singular value of F that is farthest from 1                              */
    TAUT_BEND,          /* rad, >= 0: the largest change of the angle over an edge of the triangle; 0 for tets   */
    TAUT_MEASURES       /* how many there are */
} taut_measure;

/* The name of a measure: stretch_x, stretch_y, shear, principal or bend. And the measure that has a name, or -1. */
TAUT_API const char *taut_measure_name(taut_measure which);
TAUT_API int taut_measure_find(const char *name);

/* Measures the deformation of a mesh. `warp_axis` is as taut_model_options.axis; NULL: 0 0 0. `rest` may be freed
 * afterwards. NULL on error. */
typedef struct taut_measurer taut_measurer;
TAUT_API taut_measurer *taut_measurer_build(const taut_mesh *rest, const float warp_axis[3], taut_error *error);
TAUT_API void taut_measurer_free(taut_measurer *measurer);
TAUT_API int taut_measurer_cells(const taut_measurer *measurer);
/* Measures positions `xyz` of all vertices. Cells without a rest area (or volume) get 0. */
TAUT_API void taut_measurer_apply(const taut_measurer *measurer, const float *xyz, taut_measure which,
                                  float *per_cell);
/* The mean of the cells around each vertex, weighted by rest area (or volume), for smooth shading; 0 at vertices that
 * belong to no cell. False when memory ran out. */
TAUT_API bool taut_measurer_to_vertices(const taut_measurer *measurer, const float *per_cell, float *per_vertex);
/* The mean of the triangles of each polygon, weighted by rest area. Polygon i has polygon_start[i+1] - polygon_start[i]
 * corners. When the triangles were not cut from such polygons, it returns false and writes nothing. */
TAUT_API bool taut_measurer_to_polygons(const taut_measurer *measurer, int npolygons, const int *polygon_start,
                                        const float *per_cell, float *per_polygon);

/* ---- Materials ------------------------------------------------------------------------------------------------ */

/* What a stiffness means. RATIO: 0 = off .. 1 = as stiff as the iterations allow, made independent of their number by
 * k' = 1 - (1 - k)^(1/n), n = substeps * iterations. PHYSICAL: a modulus (XPBD); INFINITY is rigid, 0 is off. Once the
 * solver converges, step, substeps and iterations do not change how stiff a modulus acts. Stiffer and finer cloth needs
 * more substeps to converge. The stiffnesses of taut_default_material are ratios, so with PHYSICAL set all of them
 * yourself. The units are fixed when the model is built. */
typedef enum taut_units { TAUT_RATIO = 0, TAUT_PHYSICAL = 1 } taut_units;

typedef enum taut_stretch_form { TAUT_STRETCH_SPAN = 0, TAUT_STRETCH_RAW = 1 } taut_stretch_form;
typedef enum taut_shear_form { TAUT_SHEAR_ANGLE = 0, TAUT_SHEAR_COSINE = 1, TAUT_SHEAR_RAW = 2 } taut_shear_form;

typedef enum taut_bend_model {
    TAUT_BEND_NONE = 0,
    TAUT_BEND_DIHEDRAL,  /* the signed angle of two triangles, any rest angle                       */
    TAUT_BEND_ISOMETRIC, /* quadratic bending of two triangles; cheapest good one for flat cloth   */
    TAUT_BEND_TRIANGLE,  /* distance of a vertex from the centroid of a virtual triangle            */
    TAUT_BEND_STICK      /* a distance between the far vertices of two triangles                    */
} taut_bend_model;

/* Triangle bending: keep the rest curvature, or let the surface be flatter (AT_MOST) or more curved (AT_LEAST). */
typedef enum taut_bend_mode { TAUT_BEND_EQUAL = 0, TAUT_BEND_AT_MOST = 1, TAUT_BEND_AT_LEAST = 2 } taut_bend_mode;

/* Where triangle bending puts its virtual triangles: across the one-ring of each vertex, or across each edge with the
 * edge's midpoint as the tip. */
typedef enum taut_bend_creation { TAUT_BEND_ONE_RING = 0, TAUT_BEND_MIDPOINT = 1 } taut_bend_creation;

typedef struct taut_strain {
    float xx, yy, zz;   /* stretch along the material axes: ratio, or N/m (triangles), Pa (tets)    */
    float xy, yz, xz;   /* shear between them                                                      */
    float rest[3];      /* rest stretch along each axis, > 0; 1 = as modelled                       */
    float area;         /* of triangles: ratio or N/m                                               */
    float volume;       /* of tets: ratio or Pa. Above 0, it has full strength while a tet is inverted */
    taut_stretch_form stretch_form;
    taut_shear_form shear_form;
} taut_strain;

typedef struct taut_bend {
    taut_bend_model model;
    float stiffness;    /* ratio; or N m (sheets), N m^2 (lines), N/m (stick)                       */
    float kappa;        /* triangle bending: slack added to the rest height, m                      */
    taut_bend_mode mode;
    taut_bend_creation creation;
    bool sided;         /* triangle bending: tell a fold up from a fold down                        */
    bool flat;          /* take the rest state as flat whatever the mesh is                         */
} taut_bend;

/* How limits are enforced: block after block in a fixed order, block after block in a new random order each pass, or
 * all at once, so that each vertex takes the mean of the corrections of its elements. */
typedef enum taut_enforcement { TAUT_WINDOWED = 0, TAUT_RANDOM = 1, TAUT_JACOBI = 2 } taut_enforcement;

/* Hard limits, enforced after everything else (docs/limits.md), whatever the units and the stiffness. By default no
 * limit is set, and those that you set get 10 iterations, a threshold of 0 and TAUT_WINDOWED. */
typedef struct taut_limit {
    float stretch[2];  /* least and largest principal stretch; 1 = as modelled; 0 and INFINITY: no limit  */
    float axis[3][2];  /* the same along each material axis                                               */
    float edge[2];     /* the same of edges and lines                                                     */
    float bend[2];     /* rad per metre: a hinge may differ from its rest angle by this times the heights of its two
                          triangles. The first is <= 0, the second >= 0; -INFINITY and INFINITY: no limit  */
    int iterations;    /* the most passes, in each substep and on each level, 1..10000; from 16 on they are done in
                          rounds over all levels                                                           */
    float threshold;   /* >= 0: elements outside their limits by no more than this are left alone; the passes end
                          when that is true of all elements                                                */
    taut_enforcement enforcement;
} taut_limit;

/* Elastic forces in place of constraints, or besides them (docs/elastic.md): a linear law for Green strain, and bending
 * by angles. They are integrated explicitly, which is stable only below taut_model_stable_step. So a step has more
 * substeps than the solver says if they need them, but at most 1000. All 0: none. */
typedef struct taut_elastic {
    float young;    /* N/m of triangles (Pa times the thickness), Pa of tets; >= 0                      */
    float poisson;  /* Poisson's ratio, above -1 and below 1; below 0.5 for tets                        */
    float bend;     /* bending rigidity of sheets, N m; >= 0                                            */
    float damping;  /* s: stress and torque also grow with the rate of strain and angle times this; >= 0 */
} taut_elastic;

/* Rates at which motion along each kind of constraint dies away, 1/s. Only `global` damps rigid motion in
 * flight; `dry` damps it where a body hangs or touches something. */
typedef struct taut_damping {
    float global;  /* every velocity: dv/dt = -global * v */
    float edge, stretch, shear, area, volume, bend;
    float dry;     /* dry friction: brakes slow motion inside a body by dry * |gravity| until it rests. It never holds
                      the body as a whole against gravity. Below 0: 0.08 for cloth whose coarser levels keep
                      limits, 0.02 for other cloth solved by quality, else 0 */
} taut_damping;

/* What fills a closed shell of triangles: gas, whose pressure above that of the air outside is
 * pressure + stiffness * (volume - volume now / volume at rest). */
typedef struct taut_gas {
    float pressure;  /* Pa; below 0 sucks. Constant if there is no stiffness                   */
    float volume;    /* the volume that the stiffness aims at, as a multiple of that at rest, >= 0  */
    float stiffness; /* Pa, >= 0: the pressure falls by this if the volume grows by that at rest    */
} taut_gas;

/* How a body touches itself and other bodies (docs/contact.md). Between two bodies the lower one counts: off, fast,
 * strict. */
typedef enum taut_contact {
    TAUT_CONTACT_OFF = 0, /* not at all                                                     */
    TAUT_CONTACT_FAST,    /* layers push each other apart, but may pass through             */
    TAUT_CONTACT_STRICT,  /* no edge ever passes through a triangle                         */
    TAUT_CONTACT_AUTO     /* the default: strict for cloth (triangles, no tets), else off   */
} taut_contact;

typedef struct taut_material {
    uint32_t cookie;   /* set by taut_default_material */
    taut_units units;
    float density;     /* kg/m^2 of triangles, kg/m^3 of tets, kg/m of lines; > 0           */
    float thickness;   /* m: how far particles keep from colliders, and layers from each other, >= 0 */
    taut_contact contact; /* how the body touches itself, and other bodies with contact     */
    float contact_friction; /* Coulomb coefficient there, >= 0; between two bodies the geometric mean */
    int layer;         /* >= 0: of two bodies that start crossed, that of the higher layer gets outside of the other */
    float edge;        /* distance along edges: ratio; or N/m (triangles and tets), N (lines) */
    taut_strain strain;
    taut_bend bend;
    float tether;      /* upper limit on the distance to the nearest pin along the surface: ratio or N, 0 = none */
    float tether_slack; /* times the rest distance, >= 1                                     */
    taut_limit limit;
    taut_elastic elastic;
    taut_gas gas;      /* none by default: pressure and stiffness are 0                     */
    taut_damping damping;
    float friction;    /* Coulomb coefficient against colliders, multiplied by theirs, >= 0 */
    float drag, lift;  /* aerodynamic coefficients of triangles, >= 0                       */
} taut_material;

/* Stiffnesses as ratios: strain 1/1/0.5, isometric bending, tethers. Ratios fade as a mesh gets finer; the moduli of
 * presets do not depend on it. */
static inline taut_material taut_default_material(void);

/* Fabrics (cotton, silk, denim, ...) and soft materials (rubber, muscle, ...) by name, in physical units.
 * docs/fabrics.md shows them. */
typedef struct taut_preset {
    const char *name;    /* "cotton"                                */
    const char *meaning; /* what it is                              */
    const char *source;  /* the source of its figures                */
    bool solid;          /* for tets; else for triangles            */
} taut_preset;
TAUT_API int taut_preset_count(void);
/* NULL when there is no such row. */
TAUT_API const taut_preset *taut_preset_at(int index);
/* The preset of cloth (triangles, no tets) that has no material: NULL in C, none in a scene. Ropes and solids without a
 * material get taut_default_material(). */
#define TAUT_DEFAULT_CLOTH "cotton"
/* Fills the material. If no preset has that name, returns false and fills it with the default material. */
static inline bool taut_preset_material(const char *name, taut_material *material);

/* The table of what a material holds, one row per member, for tools that set values by name, list or store them. */
typedef enum taut_parameter_type {
    TAUT_PARAMETER_FLOAT = 0, /* a float                                                                    */
    TAUT_PARAMETER_STIFFNESS, /* a float: a ratio or a modulus, by taut_material.units                      */
    TAUT_PARAMETER_VECTOR,    /* float[3], each within the range                                            */
    TAUT_PARAMETER_INTERVAL,  /* float[2]: the first from `low` to `rest`, the second from `rest` to `high` */
    TAUT_PARAMETER_INT,       /* an int                                                                     */
    TAUT_PARAMETER_BOOL,      /* a bool; the range does not matter                                          */
    TAUT_PARAMETER_CHOICE     /* an enum as large as an int: the number of one of the choices               */
} taut_parameter_type;

typedef struct taut_parameter {
    const char *name;    /* the member of taut_material: "strain.xx", "limit.axis[0]"                       */
    const char *key;     /* the same in the material of a scene file: "strain.xx", "limit.x"                */
    const char *meaning; /* in one line                                                                     */
    const char *unit;    /* empty if there is none; scene files have degrees where this says rad            */
    const char *choices; /* their names in scene files, "ratio|physical"; NULL: no choice                   */
    taut_parameter_type type;
    size_t offset, size; /* in taut_material, bytes                                                         */
    double low, rest;
    double high[2];      /* in ratio and in physical units: high[material.units]                            */
    bool low_open, high_open; /* the bound itself is not allowed; an open infinite bound: any finite number */
} taut_parameter;

/* Every member of taut_material but the cookie, in their order; index 0 .. taut_parameter_count() - 1. */
TAUT_API int taut_parameter_count(void);
TAUT_API const taut_parameter *taut_parameter_at(int index);

/* ---- Models --------------------------------------------------------------------------------------------------- */

typedef struct taut_model taut_model;

typedef struct taut_training taut_training;

#define TAUT_LEVELS_AUTO (-1)

typedef struct taut_model_options {
    uint32_t cookie;   /* set by taut_default_model_options */
    float axis[3];     /* warp direction of triangles that have neither UVs nor a direction; 0 0 0: their first edge */
    int levels;        /* how many coarser meshes carry loads across fine cloth (docs/limits.md); TAUT_LEVELS_AUTO, the
                          default: by the mesh's size; 0: none; the fewer there are, the coarser each one is   */
    /* Coarser meshes of a solid in place of those that the library makes, from fine to coarse. Each has tets only, and
     * fewer than the one before. The build alone reads them, and only their vertices and tets; everything else comes
     * from the mesh. If `levels` is a number, that many of them are used. */
    const taut_mesh *const *coarse;
    int ncoarse;       /* 0: none are given */
    const taut_training *training; /* NULL, or limits of the coarser meshes from taut_train; read by the build only */
    const taut_allocator *allocator; /* NULL: the C library's; copied */
    int threads;       /* 0: one per core; at most TAUT_MOST_THREADS; small meshes take fewer; the result is the same */
    /* Called now and then while a model is built, in the caller's thread; `done` is the share done, 0 to 1. Or NULL. */
    void (*progress)(float done, void *user);
    void *progress_user;
} taut_model_options;

static inline taut_model_options taut_default_model_options(void);

/* Compiles mesh and material. The model has the constraints whose stiffness is above zero now. Mesh and material may be
 * freed afterwards. `material` (see TAUT_DEFAULT_CLOTH) and `options` may be NULL. NULL on error. The model must
 * outlive its bodies. */
TAUT_API taut_model *taut_model_build(const taut_mesh *mesh, const taut_material *material,
                                      const taut_model_options *options, taut_error *error);
/* Whether taut_model_options.coarse may have `coarse` as the next coarser mesh after the solid `finer`, which has
 * passed taut_mesh_check. */
TAUT_API bool taut_mesh_check_coarse(const taut_mesh *coarse, const taut_mesh *finer, taut_error *error);
/* kg of each vertex, as a model of this mesh and material has them: the mesh's own, or from the density. */
TAUT_API bool taut_mesh_masses(const taut_mesh *mesh, const taut_material *material, double *mass, taut_error *error);
TAUT_API void taut_model_free(taut_model *model);
TAUT_API int taut_model_vertices(const taut_model *model);
TAUT_API int taut_model_levels(const taut_model *model); /* coarser meshes; a small mesh has fewer than asked for */
/* A hash of everything in the model that a step reads. The material is not in it, as every body has its own. */
TAUT_API uint64_t taut_model_hash(const taut_model *model);

/* The longest substep (dt / substeps, s) with which elastic forces are stable near the rest shape; an estimate on the
 * safe side. INFINITY without elastic forces. It holds for the material that the model was built with, and as long as
 * no vertex becomes lighter. */
TAUT_API float taut_model_stable_step(const taut_model *model);

/* How many times softer a body in physical units acts than its moduli say, because the substep (s) is too long or the
 * iterations are too few for so fine a mesh. An estimate: above 1.7 it is right to a third. 1: as soft as it should be,
 * or no modulus. It holds for the material that the model was built with. The volume of solids is left out: it only has
 * to be much stiffer than the rest. */
typedef struct taut_resolution {
    double warp, weft, shear, bend; /* of solids: along x and y, and the softest shear; no bending           */
    double depth;                   /* of solids: along z                                                    */
    double edge;                    /* of ropes                                                              */
    double limit;                   /* how far the body is stretched above its limits, in the mean, when it hangs by
                                       one end: strain. 0: not at all, or no such limit. For any units       */
} taut_resolution;
TAUT_API taut_resolution taut_model_resolution(const taut_model *model, double substep, int iterations);
/* Whether bodies of this model are solved by quality in a world whose `stretch` is above 0. True for cloth and ropes in
 * physical units with finite moduli, if `levels` is not 0 and there is no dihedral bending, no limit and no elastic
 * force. taut_model_resolution does not hold for bodies solved by quality. */
TAUT_API bool taut_model_has_balance(const taut_model *model);

/* Constraint kinds, for counts and residuals. */
TAUT_API int taut_kind_count(void);
TAUT_API const char *taut_kind_name(int kind);
TAUT_API int taut_kind_find(const char *name); /* -1 when there is none of that name, or it is NULL */
TAUT_API int taut_model_constraints(const taut_model *model, int kind);

/* ---- Trained limits --------------------------------------------------------------------------------------------- */

/* Training finds the limits of a coarser mesh by trying: it pushes each triangle and hinge as far as the limits of
 * finer meshes nearby allow. DIRECT enforces the limits of the mesh itself. INDIRECT enforces those of the next finer
 * level, which is faster if there are many levels, but looser, and the more so the coarser the level. */
typedef enum taut_train_way { TAUT_TRAIN_DIRECT = 0, TAUT_TRAIN_INDIRECT = 1 } taut_train_way;

typedef struct taut_train_def {
    uint32_t cookie;     /* set by taut_default_train_def */
    taut_train_way way;
    int threads;         /* 0: one per core; at most TAUT_MOST_THREADS; the result is the same */
    /* Called now and then, in the caller's thread. If it returns false, the training stops. NULL: never called. */
    bool (*progress)(const taut_training *so_far, void *user);
    void *user;
    const taut_training *resume; /* NULL, or a training that was stopped: this one goes on from a copy of it */
} taut_train_def;

static inline taut_train_def taut_default_train_def(void);
/* Trains the limits of all coarser levels that a model of this mesh, material and options has. The material must limit
 * bending, because all other limits of levels come by themselves. NULL on error. If `progress` stops the training, what
 * is there so far is returned. */
TAUT_API taut_training *taut_train(const taut_mesh *mesh, const taut_material *material,
                                   const taut_model_options *options, const taut_train_def *def, taut_error *error);
TAUT_API void taut_training_free(taut_training *training);

/* How far a training is, in triangles and hinges of all levels. It is whole when `done` equals `total`. */
typedef struct taut_training_state {
    taut_train_way way;
    int levels, done, total;
} taut_training_state;
TAUT_API taut_training_state taut_training_state_of(const taut_training *training);

/* Least, mean and largest of the trained limits of a level, 1 being the first coarser mesh. */
typedef struct taut_training_level {
    int triangles, hinges;
    float low[3], high[3];             /* principal stretches                                    */
    float bend_low[3], bend_high[3];   /* rad off the rest angle; pi: free to fold               */
} taut_training_level;
TAUT_API bool taut_training_level_of(const taut_training *training, int level, taut_training_level *summary);

/* Writes flat bytes, the same on every machine, if `size` is large enough. Returns the number of bytes needed. */
TAUT_API size_t taut_training_save(const taut_training *training, void *bytes, size_t size);
/* NULL when the bytes are not those of a training. `allocator` NULL: the C library's. */
TAUT_API taut_training *taut_training_load(const void *bytes, size_t size, const taut_allocator *allocator,
                                           taut_error *error);

/* ---- Worlds --------------------------------------------------------------------------------------------------- */

typedef struct taut_world taut_world;

/* An engine's own task system: run task(argument, i) for every i in 0..count-1, on any threads and in any order, and
 * return when all are done. */
typedef void taut_parallel_for(int count, void (*task)(void *argument, int index), void *argument, void *user);

typedef struct taut_world_def {
    uint32_t cookie;     /* set by taut_default_world_def */
    float gravity[3];    /* m/s^2 */
    float wind[3];       /* m/s   */
    float air_density;   /* kg/m^3 */
    /* Solving by quality (docs/balance.md). Bodies of models with taut_model_has_balance find the balance of their
     * forces in substeps of at most 1/240 s. They search until the error is small compared with their speed and with
     * the speed that gravity adds. `stretch`, 0..1, says how small; the default is 0.02. `budget`, 1..1000, is the
     * most searches in a substep; the default is 40. All other bodies take `substeps` and `iterations`, and so do all
     * bodies if `stretch` is 0. */
    float stretch;
    int budget;
    /* ms, >= 0; 0, the default, is no bound. Once a step has taken that long, each of its searches ends after one
     * round. For real time only: with it, results depend on the machine and its load. A save does not hold it. */
    float budget_ms;
    int substeps;        /* per step, 1..1000; default 16    */
    int iterations;      /* per substep, 1..1000; default 1  */
    int threads;         /* 0: one per core; at most TAUT_MOST_THREADS; ignored with parallel_for */
    taut_parallel_for *parallel_for; /* NULL: the world's own threads */
    void *parallel_user;
    const taut_allocator *allocator; /* NULL: the C library's; copied */
} taut_world_def;

static inline taut_world_def taut_default_world_def(void);
TAUT_API taut_world *taut_world_create(const taut_world_def *def, taut_error *error);
TAUT_API void taut_world_free(taut_world *world);

/* Advances time by dt seconds (> 0). Keep dt about the same: the shorter the step, the stiffer the constraints.
 * Allocates nothing while bodies do not touch. Those that do may need more memory than ever before; a step takes it
 * before anything moves. False when nothing was changed: because there was no memory, or because dt is not a positive
 * finite number. */
TAUT_API bool taut_world_step(taut_world *world, float dt);

TAUT_API bool taut_world_set_gravity(taut_world *world, const float gravity[3], taut_error *error);
TAUT_API bool taut_world_set_wind(taut_world *world, const float wind[3], float air_density, taut_error *error);
TAUT_API bool taut_world_set_solver(taut_world *world, int substeps, int iterations, taut_error *error);
/* Sets `stretch` and `budget` of taut_world_def. */
TAUT_API bool taut_world_set_quality(taut_world *world, float stretch, int budget, taut_error *error);

/* ---- Bodies ---------------------------------------------------------------------------------------------------- */

typedef struct taut_body_def {
    uint32_t cookie;     /* set by taut_default_body_def */
    float position[3];   /* where the mesh's origin goes */
    float rotation[4];   /* unit quaternion x y z w      */
    float velocity[3];   /* m/s                          */
    uint32_t group, mask; /* what it touches: see taut_collider_def; default 1 and all ones */
    double origin[3];    /* the position is measured from here; for places far from 0 0 0, where floats are coarse */
    float imperfection;  /* only for exactly flat cloth, because a perfect sheet would not buckle: vertices that are not
                            pinned begin up to this share of the mean edge, 0..1, out of the plane, in a fixed pattern
                            of waves. Default 0.001; 0: none. Rest lengths stay as modelled */
} taut_body_def;

static inline taut_body_def taut_default_body_def(void);
/* Returns the body's id, or -1. The id of a removed body is recognised wherever it is passed and never used again. */
TAUT_API int taut_world_add_body(taut_world *world, const taut_model *model, const taut_body_def *def,
                                 taut_error *error);
TAUT_API void taut_world_remove_body(taut_world *world, int body);
TAUT_API bool taut_world_has_body(const taut_world *world, int body);

/* Positions (velocities) of a body, 3 floats a vertex in the mesh's order; `count` (may be NULL) gets the number of
 * vertices. Valid until the body is removed; the values change with each step. */
TAUT_API const float *taut_body_positions(const taut_world *world, int body, int *count);
TAUT_API const float *taut_body_velocities(const taut_world *world, int body, int *count);
/* The same positions relative to an origin of your own, such as the camera. They are precise near that origin, even
 * 1000 km from 0 0 0, where the floats above are 6 cm apart. Copies 3 numbers a vertex; false when there is no such
 * body. */
TAUT_API bool taut_body_positions_from(const taut_world *world, int body, const double origin[3], float *xyz);
TAUT_API bool taut_body_positions_double(const taut_world *world, int body, double *xyz);
/* Moves every vertex at once, pins and their targets too; velocities are kept. NaN and infinities are refused. */
TAUT_API bool taut_body_set_positions(taut_world *world, int body, const float *xyz, taut_error *error);
/* The same, to origin + xyz. */
TAUT_API bool taut_body_set_positions_from(taut_world *world, int body, const double origin[3], const float *xyz,
                                           taut_error *error);
TAUT_API bool taut_body_set_velocities(taut_world *world, int body, const float *xyz, taut_error *error);

/* Pins a vertex at `target`; NULL: where it is now. With stiffness 1 the vertex moves to the target evenly over the
 * next step and is exactly there at its end. With a stiffness below 1 (a ratio, whatever the material's units) it is
 * pulled there. Pinning again moves the target. */
TAUT_API bool taut_body_pin(taut_world *world, int body, int vertex, const float target[3], float stiffness,
                            taut_error *error);
/* The same, with the target at origin + target. */
TAUT_API bool taut_body_pin_from(taut_world *world, int body, int vertex, const double origin[3],
                                 const float target[3], float stiffness, taut_error *error);
TAUT_API bool taut_body_unpin(taut_world *world, int body, int vertex, taut_error *error);
/* Sets the mass of a vertex, kg, > 0. A pinned vertex gets it when it is unpinned. */
TAUT_API bool taut_body_set_mass(taut_world *world, int body, int vertex, float mass, taut_error *error);

/* The volume inside a body that is filled with gas, m^3, and the pressure there, Pa. False when the body has no gas, or
 * there is no such body. */
TAUT_API bool taut_body_gas(const taut_world *world, int body, double *volume, double *pressure);

TAUT_API const taut_material *taut_body_material(const taut_world *world, int body);
/* Changes what a body is made of while it moves. Units and bend.creation must stay as built, and so must bend.model,
 * except that TAUT_BEND_NONE switches bending off. Kinds of constraints that the model was built without must stay off:
 * `index` of the error is the parameter (taut_parameter_at) that would switch one on. density, bend.flat and bend.sided
 * have no effect, because only a build reads them. NULL: the material that taut_model_build takes for NULL, if its
 * units are those of the model. */
TAUT_API bool taut_body_set_material(taut_world *world, int body, const taut_material *material, taut_error *error);

/* Changes what the body touches from the next step on: see taut_collider_def. */
TAUT_API bool taut_body_set_filter(taut_world *world, int body, uint32_t group, uint32_t mask, taut_error *error);
/* Says how two bodies touch each other from the next step on, whatever their materials say; TAUT_CONTACT_AUTO: as these
 * say again. Bodies whose filters keep them apart do not touch. */
TAUT_API bool taut_world_set_contact(taut_world *world, int body, int other, taut_contact contact, taut_error *error);

/* ---- Colliders -------------------------------------------------------------------------------------------------- */

typedef enum taut_shape {
    TAUT_PLANE = 0,
    TAUT_SPHERE = 1,
    TAUT_CAPSULE = 2,
    TAUT_BOX = 3,
    TAUT_TAPERED = 4, /* a capsule with a radius at each end */
    TAUT_HULL = 5,    /* the convex hull of points           */
    TAUT_MESH = 6,    /* triangles, with two sides           */
    TAUT_FIELD = 7    /* a field of distances from a mesh    */
} taut_shape;

typedef struct taut_collider_def {
    uint32_t cookie;    /* set by taut_default_collider_def */
    taut_shape shape;
    float a[3];         /* plane: a point of it; sphere, box: centre; capsules: one end of the axis; hull, mesh, field:
                           where 0 0 0 of its vertices goes                                   */
    float b[3];         /* capsules: the other end                                            */
    float normal[3];    /* plane: out of the solid side; any length above 0                   */
    float radius;       /* sphere, capsule: m, > 0; tapered capsule: at a, >= 0               */
    float spin[3];      /* rad/s: how fast the surface turns, about a (capsules: about their axis) */
    float friction;     /* Coulomb coefficient, >= 0                                          */
    /* The groups that it belongs to and the groups that it touches, one bit per group; default 1 and all ones. A body
     * and a collider touch when each belongs to a group that the other touches. */
    uint32_t group, mask;
    double origin[3];   /* a and b are measured from here; for places far from 0 0 0          */
    float rotation[4];  /* box, hull, mesh, field: unit quaternion x y z w, about a           */
    float size[3];      /* box: lengths of its sides, m, >= 0                                 */
    float radius_b;     /* tapered capsule: radius at b, m, >= 0; one of the two is above 0   */
    float thickness;    /* m, >= 0: added to that of what touches it                          */
    float belt[3];      /* m/s: its surface runs like a belt, while the collider stays where it is */
    /* hull: its vertices, at most 4096, not all in a plane; taut_collider_move ignores them.
       field: its triangles; the mesh must be closed, and taut_collider_move ignores it.
       mesh: its triangles. Vertices at one place count as one. The mesh is closed if every edge has two triangles,
       which run opposite ways; then it has an inside. taut_collider_move takes from here where its vertices are to be;
       NULL: they stay. The world keeps a copy. */
    const taut_mesh *mesh;
    float cell;         /* field: m, >= 0: from point to point of its lattice, at most 16777216 points; 0: a 64th of the
                           longest side of the mesh; taut_collider_move ignores it */
} taut_collider_def;

static inline taut_collider_def taut_default_collider_def(void);
TAUT_API int taut_world_add_collider(taut_world *world, const taut_collider_def *def, taut_error *error);
TAUT_API void taut_world_remove_collider(taut_world *world, int collider);
/* Sets where the collider is at the end of the next step. It moves there evenly and drags what touches it. No particle
 * jumps through it, however fast either of them is. A particle that begins inside comes out slowly
 * (docs/contact.md). */
TAUT_API bool taut_collider_move(taut_world *world, int collider, const taut_collider_def *def, taut_error *error);

/* ---- Attachments ------------------------------------------------------------------------------------------------ */

/* An attachment holds a vertex of a body to a place on a collider, on another body, or on the same body. Bodies at both
 * ends feel the pull. A seam is an attachment for each pair of vertices. docs/character.md shows what to use when. */
typedef struct taut_attachment_def {
    uint32_t cookie;  /* set by taut_default_attachment_def */
    int body, vertex; /* the vertex that is held                                                           */
    int collider;     /* the collider that holds it, or -1. The place moves and turns with the collider, and on a
                         mesh (without spin) with the triangle that is nearest to it                        */
    int other;        /* or else the body that holds it, or -1                                              */
    int corner[4];    /* the place on `other` is the mean of these vertices, all different; -1 ends the list */
    float weight[4];  /* their weights in the mean, 1 in all; by default the first counts alone             */
    float offset[3];  /* m: from where the vertex is now to the place on a collider; 0 0 0: it stays there   */
    float slack;      /* m, >= 0: how far the vertex may be from its place. Above 0 the attachment is a leash; INFINITY:
                         any way */
    float backstop;   /* m, >= 0: how far the vertex may be behind its place. The first three corners are then those of
                         a triangle, and in front is where it faces; default INFINITY: any way */
    float speed;      /* m/s, > 0: how fast a vertex that is farther away is drawn in; default 1             */
    float strength;   /* N, > 0: the attachment breaks when its mean pull over a step is more; default INFINITY */
} taut_attachment_def;

static inline taut_attachment_def taut_default_attachment_def(void);
/* Returns the attachment's id, or -1. An attachment is gone when it breaks, or when a body or collider of it is
 * removed. Its id is then recognised wherever it is passed and never used again. */
TAUT_API int taut_world_attach(taut_world *world, const taut_attachment_def *def, taut_error *error);
TAUT_API void taut_world_detach(taut_world *world, int attachment);
TAUT_API bool taut_world_has_attachment(const taut_world *world, int attachment);
/* N: its mean pull over the last step; -1 if there is no such attachment. The pull is not measured, and 0 is returned,
 * if the attachment cannot break and a collider or a pinned vertex holds a vertex of a body solved by counts. */
TAUT_API float taut_attachment_force(const taut_world *world, int attachment);

/* A place on the surface of a body, as an attachment has it. */
typedef struct taut_place {
    int corner[4];
    float weight[4];
    float distance; /* m: from the point that was asked for */
} taut_place;
/* The place on the triangles (or lines) of a body that is nearest to a point in the world. False when there is no such
 * body, or the body has neither. */
TAUT_API bool taut_body_nearest(const taut_world *world, int body, const double point[3], taut_place *place);

/* ---- Looking inside ---------------------------------------------------------------------------------------------- */

typedef struct taut_stats {
    int bodies, colliders, particles, attachments;
    int broken;                  /* attachments that broke in the last step */
    int threads;                 /* 0 with an engine's parallel_for */
    const char *simd;            /* scalar, sse2, avx2, avx512 or neon */
    int64_t steps;
    double seconds;              /* simulated time */
    /* Times of the last step. Small bodies run side by side, and all their time counts as constraints. */
    double ms_step, ms_forces, ms_constraints, ms_limits, ms_contacts, ms_velocities, ms_publish;
    double ms_search;            /* the part of these times that contact_searches took; small bodies add up */
    int contacts;                /* particle-collider contacts in the last substep: the most of any iteration */
    /* Bodies that touch themselves and each other, in the last step: */
    int contact_searches;        /* searches for pairs of features that could meet: the most of any island     */
    int contact_pairs;           /* pairs that the searches found                                              */
    int contact_pushes;          /* how often a pair was pushed apart in the last pass of an iteration         */
    int contact_held;            /* how often the motion of a particle was cut short                           */
    int contact_stuck;           /* pairs that could not be separated, so that their particles had to stay     */
    int contact_crowded;         /* searches that found more pairs than there was room for: the island waits   */
    /* Bodies solved by quality, in the last step: */
    double stretch_reached;      /* how far the balance was off in the worst substep, in the measure of `stretch` of
                                    taut_world_def: at most `stretch`, unless searches were cut short; 0 without such
                                    bodies */
    int searches;                /* the most of any body, in all substeps together                                 */
    int searches_cut;            /* substeps of a body whose searches the budget cut short: the most of any body   */
    int limit_passes;            /* passes over the limits of the finest level in the last substep: the most of any
                                    body */
    double limit_excess;         /* the largest violation of a limit that the last pass met: strain or rad           */
    int bodies_over_limits;      /* bodies whose passes ended while a limit was violated by more than the threshold
                                    or 0.001, whichever is more                                                   */
    int bad_particles;           /* how often, in all substeps, a particle would have turned NaN or infinite and was
                                    put back at rest */
} taut_stats;

TAUT_API taut_stats taut_world_stats(const taut_world *world);

typedef struct taut_residual {
    int constraints; /* how many there are; each counts once for each mode that is on */
    double rms, max; /* of |C|: strain, rad or m, see docs/constraints.md */
    int violated;    /* those whose C is not exactly 0; of limits, those that are violated */
    double mean;     /* of |C| of the violated ones */
} taut_residual;

/* How far the constraints of a kind are from satisfied now (all bodies). Costs about one iteration in double. */
TAUT_API taut_residual taut_world_residual(const taut_world *world, int kind);

/* The worst edges of a body now, whatever their direction, so shear shows in the diagonal ones. Edges of zero length
 * are passed over. */
typedef struct taut_stretch {
    double stretch;     /* the largest length/rest - 1, 0 when no edge is longer than at rest  */
    double compression; /* the largest 1 - length/rest, 0 when no edge is shorter than at rest */
} taut_stretch;

TAUT_API taut_stretch taut_body_stretch(const taut_world *world, int body);
/* The larger of the two: the largest |length/rest - 1|. */
TAUT_API double taut_body_worst_stretch(const taut_world *world, int body);

/* How a quantity is spread over a body: 50 %, 99 % and all of its cells (or edges) have no more than these values. */
typedef struct taut_spread {
    double p50, p99, worst;
} taut_spread;

/* How a body is deformed now. A stretch of 0.1 is 10 % longer than at rest, a compression of 0.1 is 10 % shorter. What
 * is shorter has a stretch of 0, and what is longer has a compression of 0. */
typedef struct taut_deformation {
    taut_spread stretch, compression; /* along the material axes of the measurer's cells: warp and weft of triangles,
                                         all three axes of tets; if there are no cells, of edges                  */
    taut_spread shear;                /* rad: how far warp and weft (tets: axes x and y) are from a right angle   */
    taut_spread edge_stretch, edge_compression; /* of edges, whatever their direction, as taut_body_stretch has them */
    double rms_speed;                 /* root mean square of the speeds of all vertices, m/s                      */
} taut_deformation;

/* `measurer` must be of the mesh that the body's model was built from; NULL: edges alone. Costs about as much as one or
 * two iterations. False when memory ran out, there is no such body, or the measurer has another number of vertices. */
TAUT_API bool taut_body_deformation(const taut_world *world, int body, const taut_measurer *measurer,
                                    taut_deformation *deformation, taut_error *error);

/* A hash of 64 bits over all positions, velocities and the clock: equal hashes mean equal bits. */
TAUT_API uint64_t taut_world_hash(const taut_world *world);

/* Saves the whole world, if `size` is large enough. Returns the number of bytes needed. */
TAUT_API size_t taut_world_save(const taut_world *world, void *bytes, size_t size);
/* Restores a world exactly to the bit: bodies, colliders, pins, materials, clock. `models` are the models of the saved
 * bodies, in any order. On error the world stays as it was. */
TAUT_API bool taut_world_restore(taut_world *world, const void *bytes, size_t size, const taut_model *const *models,
                                 int nmodels, taut_error *error);

/* ---- Definitions of another version ---------------------------------------------------------------------------- */

/* The taut_default_... functions call these, and so do bindings of other languages. `size` is the size of the struct in
 * the caller's header. If the library's struct has another size, the caller's is left empty except for a cookie that
 * says so, and nothing is written past its end. Every function then refuses the struct. */
TAUT_API void taut_init_material(taut_material *material, size_t size);
TAUT_API bool taut_init_preset(taut_material *material, size_t size, const char *name);
TAUT_API void taut_init_model_options(taut_model_options *options, size_t size);
TAUT_API void taut_init_train_def(taut_train_def *def, size_t size);
TAUT_API void taut_init_world_def(taut_world_def *def, size_t size);
TAUT_API void taut_init_body_def(taut_body_def *def, size_t size);
TAUT_API void taut_init_collider_def(taut_collider_def *def, size_t size);
TAUT_API void taut_init_attachment_def(taut_attachment_def *def, size_t size);

static inline taut_material taut_default_material(void)
{
    taut_material material;
    taut_init_material(&material, sizeof material);
    return material;
}

static inline bool taut_preset_material(const char *name, taut_material *material)
{
    return taut_init_preset(material, sizeof *material, name);
}

static inline taut_model_options taut_default_model_options(void)
{
    taut_model_options options;
    taut_init_model_options(&options, sizeof options);
    return options;
}

static inline taut_train_def taut_default_train_def(void)
{
    taut_train_def def;
    taut_init_train_def(&def, sizeof def);
    return def;
}

static inline taut_world_def taut_default_world_def(void)
{
    taut_world_def def;
    taut_init_world_def(&def, sizeof def);
    return def;
}

static inline taut_body_def taut_default_body_def(void)
{
    taut_body_def def;
    taut_init_body_def(&def, sizeof def);
    return def;
}

static inline taut_collider_def taut_default_collider_def(void)
{
    taut_collider_def def;
    taut_init_collider_def(&def, sizeof def);
    return def;
}

static inline taut_attachment_def taut_default_attachment_def(void)
{
    taut_attachment_def def;
    taut_init_attachment_def(&def, sizeof def);
    return def;
}

#ifdef __cplusplus
}
#endif
#endif
