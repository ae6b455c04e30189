/* Shared by the tests of the constraint kernels: random numbers, and random elements of every kind and form.
 *
 * An element gets its rest data the way a model does: from a small mesh, by the kind's own `create`. */
#ifndef TAUT_TESTS_HELPERS_H
#define TAUT_TESTS_HELPERS_H

#include "base/vec.h"
#include "constraints/constraint.h"
#include "model/model.h"

#include <string.h>

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- Random numbers, vectors, rotations ------------------------------------------------------------------------ */

static uint64_t random_state = 1;

static inline double uniform(double low, double high)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(random_state >> 11) * 0x1p-53;
}

static inline double log_uniform(double low, double high) { return exp(uniform(log(low), log(high))); }

static inline vec3 random_vector(double size)
{
    double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return (vec3){x, y, z};
}

static inline vec3 unit(vec3 a) { return vec_scale(a, 1 / vec_length(a)); }

static inline vec3 random_direction(void)
{
    vec3 a = random_vector(1);
    while (vec_dot(a, a) > 1 || vec_dot(a, a) < 0.01) a = random_vector(1);
    return unit(a);
}

typedef struct matrix {
    vec3 column[3];
} matrix;

static inline vec3 times(const matrix *m, vec3 a)
{
    vec3 xy = vec_add(vec_scale(m->column[0], a.x), vec_scale(m->column[1], a.y));
    return vec_add(xy, vec_scale(m->column[2], a.z));
}

static inline matrix random_rotation(void)
{
    vec3 x = random_direction(), other = random_direction();
    while (fabs(vec_dot(x, other)) > 0.9) other = random_direction();
    vec3 z = unit(vec_cross(x, other));
    return (matrix){{x, vec_cross(z, x), z}};
}

/* Rotation, stretch by factors in [low, high] along three random axes, rotation. */
static inline matrix random_deformation(double low, double high)
{
    matrix first = random_rotation(), last = random_rotation(), m;
    double stretch[3] = {log_uniform(low, high), log_uniform(low, high), log_uniform(low, high)};
    for (int j = 0; j < 3; j++) {
        vec3 a = {first.column[j].x * stretch[0], first.column[j].y * stretch[1], first.column[j].z * stretch[2]};
        m.column[j] = times(&last, a);
    }
    return m;
}

/* ---- Kinds and their forms --------------------------------------------------------------------------------------- */

typedef enum shape { EDGE, TRIANGLE, TET, FLAT_HINGE, HINGE, ARC, FAN } shape;

enum { TRI_XX, TRI_YY, TRI_XY, TRI_AREA };
enum { TET_XX, TET_YY, TET_ZZ, TET_XY, TET_YZ, TET_XZ, TET_VOLUME };

typedef struct variant {
    const char *kind, *label;
    shape shape;
    int spans; /* the first `spans` modes are spans: one projection solves them */
    int stretch_form, shear_form;
    taut_bend_model bend;
    int mode; /* taut_bend_mode */
    bool midpoint, sided;
} variant;

static const variant variants[] = {
    {"distance", "distance", EDGE, .spans = 1},
    {"stick", "stick", ARC, .spans = 1, .bend = TAUT_BEND_STICK},
    {"tether", "tether", EDGE, .spans = 1},
    {"strain_tri", "tri span angle", TRIANGLE, .spans = 2},
    {"strain_tri", "tri raw cosine", TRIANGLE, .stretch_form = TAUT_STRETCH_RAW, .shear_form = TAUT_SHEAR_COSINE},
    {"strain_tri", "tri span raw", TRIANGLE, .spans = 2, .shear_form = TAUT_SHEAR_RAW},
    {"strain_tet", "tet span angle", TET, .spans = 3},
    {"strain_tet", "tet raw cosine", TET, .stretch_form = TAUT_STRETCH_RAW, .shear_form = TAUT_SHEAR_COSINE},
    {"strain_tet", "tet span raw", TET, .spans = 3, .shear_form = TAUT_SHEAR_RAW},
    {"dihedral", "dihedral", HINGE, .bend = TAUT_BEND_DIHEDRAL},
    {"isometric", "isometric", FLAT_HINGE, .spans = 1, .bend = TAUT_BEND_ISOMETRIC},
    {"isometric_curved", "isometric curved", HINGE, .bend = TAUT_BEND_ISOMETRIC},
    {"triangle_bend", "bend equal", ARC, .spans = 1, .bend = TAUT_BEND_TRIANGLE},
    {"triangle_bend", "bend at most", ARC, .bend = TAUT_BEND_TRIANGLE, .mode = TAUT_BEND_AT_MOST},
    {"triangle_bend", "bend at least", ARC, .bend = TAUT_BEND_TRIANGLE, .mode = TAUT_BEND_AT_LEAST},
    {"triangle_bend_sided", "sided equal", FAN, .bend = TAUT_BEND_TRIANGLE, .sided = true},
    {"triangle_bend_sided", "sided at most", FAN, .bend = TAUT_BEND_TRIANGLE, .mode = TAUT_BEND_AT_MOST, .sided = true},
    {"triangle_bend_sided", "sided at least", FAN, .bend = TAUT_BEND_TRIANGLE, .mode = TAUT_BEND_AT_LEAST,
     .sided = true},
    {"midpoint_bend", "midpoint equal", HINGE, .spans = 1, .bend = TAUT_BEND_TRIANGLE, .midpoint = true},
    {"midpoint_bend", "midpoint at most", HINGE, .bend = TAUT_BEND_TRIANGLE, .mode = TAUT_BEND_AT_MOST,
     .midpoint = true},
    {"midpoint_bend", "midpoint at least", HINGE, .bend = TAUT_BEND_TRIANGLE, .mode = TAUT_BEND_AT_LEAST,
     .midpoint = true},
    {"midpoint_bend_sided", "midpoint sided", HINGE, .bend = TAUT_BEND_TRIANGLE, .midpoint = true, .sided = true},
    {"midpoint_bend_sided", "midpoint sided at most", HINGE, .bend = TAUT_BEND_TRIANGLE, .mode = TAUT_BEND_AT_MOST,
     .midpoint = true, .sided = true},
    {"midpoint_bend_sided", "midpoint sided at least", HINGE, .bend = TAUT_BEND_TRIANGLE, .mode = TAUT_BEND_AT_LEAST,
     .midpoint = true, .sided = true},
};

static inline const variant *variant_named(const char *label)
{
    for (int i = 0; i < LENGTH(variants); i++)
        if (strcmp(variants[i].label, label) == 0) return &variants[i];
    fail_msg("there is no variant %s", label);
    return NULL;
}

static inline int kind_of(const variant *a) { return taut_kind_find(a->kind); }
static inline const tt_kind *oracle_of(const variant *a) { return tt_oracle()[kind_of(a)]; }
static inline bool is_tether(const variant *a) { return strcmp(a->kind, "tether") == 0; }

/* A material with everything on, at full strength. */
static inline taut_material material_of(const variant *a)
{
    taut_material m = taut_default_material();
    m.edge = m.tether = 1;
    m.strain = (taut_strain){.xx = 1,
                             .yy = 1,
                             .zz = 1,
                             .xy = 1,
                             .yz = 1,
                             .xz = 1,
                             .rest = {1, 1, 1},
                             .area = 1,
                             .volume = 1,
                             .stretch_form = (taut_stretch_form)a->stretch_form,
                             .shear_form = (taut_shear_form)a->shear_form};
    m.bend = (taut_bend){.model = a->bend,
                         .stiffness = 1,
                         .mode = (taut_bend_mode)a->mode,
                         .sided = a->sided,
                         .creation = a->midpoint ? TAUT_BEND_MIDPOINT : TAUT_BEND_ONE_RING};
    m.elastic = (taut_elastic){.young = 2, .poisson = 0.3f, .bend = 1, .damping = 0.05f};
    return m;
}

static inline tt_tuning tuning_of(const variant *a)
{
    tt_tuning tuning;
    taut_material material = material_of(a);
    tt_tuning_prepare(oracle_of(a), &material, 1, 1, &tuning);
    return tuning;
}

static inline void only_mode(tt_tuning *tuning, int mode)
{
    for (int i = 0; i < TT_MAX_MODES; i++) tuning->stiffness[i] = i == mode ? 1 : 0;
}

/* ---- Elements -------------------- */

enum { MAX_SLOTS = 5 };

typedef struct element {
    int particles, slots; /* slots: particles, then anchors                  */
    vec3 rest[MAX_SLOTS]; /* exact in float                                  */
    vec3 x[MAX_SLOTS];    /* present positions                               */
    double w[MAX_SLOTS];  /* inverse masses                                  */
    double data[TT_MAX_FIELDS];
} element;

/* Vertices of a unit shape with some randomness, and its elements. A hinge is p1 p2 p3 p4, an arc and a fan b0 b1 v. */
static inline int unit_shape(shape s, vec3 *x)
{
    double fold = s == FLAT_HINGE ? 0 : uniform(0.3, 2.2) * (uniform(0, 1) < 0.5 ? -1 : 1);
    vec3 leg = {uniform(0.2, 0.8), -uniform(0.6, 1.2), 0}, wing = {uniform(0.2, 0.8), uniform(0.6, 1.2), 0};
    double rise = uniform(0.1, 0.5) * (uniform(0, 1) < 0.5 ? -1 : 1);
    switch (s) {
    case EDGE:
        x[0] = (vec3){0, 0, 0}, x[1] = (vec3){uniform(0.5, 1.5), 0, 0};
        return 2;
    case TRIANGLE:
        x[0] = (vec3){0, 0, 0}, x[1] = (vec3){1, 0, 0}, x[2] = wing;
        return 3;
    case TET:
        x[0] = (vec3){0, 0, 0}, x[1] = (vec3){1, 0, 0}, x[2] = wing;
        x[3] = (vec3){uniform(0.2, 0.8), uniform(0.2, 0.5), uniform(0.6, 1.2)};
        return 4;
    case FLAT_HINGE:
    case HINGE:
        x[0] = leg, x[1] = (vec3){wing.x, wing.y * cos(fold), wing.y * sin(fold)};
        x[2] = (vec3){0, 0, 0}, x[3] = (vec3){1, 0, 0};
        return 4;
    default:
        x[0] = (vec3){-uniform(0.7, 1.3), 0, 0}, x[1] = (vec3){uniform(0.7, 1.3), uniform(-0.2, 0.2), 0};
        x[2] = (vec3){0, 0, rise}, x[3] = (vec3){uniform(-0.2, 0.2), 1, 0}, x[4] = (vec3){uniform(-0.2, 0.2), -1, 0};
        return s == ARC ? 3 : 5;
    }
}

typedef struct little_mesh {
    taut_mesh mesh;
    float x[3 * MAX_SLOTS], direction[6], frame[9];
} little_mesh;

static inline void set_little_mesh(const variant *a, double size, little_mesh *little)
{
    static int triangle[] = {0, 1, 2}, tet[] = {0, 1, 2, 3}, hinge[] = {0, 2, 3, 1, 3, 2};
    static int arc[] = {0, 2, 2, 1}, edge[] = {0, 1}, fan[] = {2, 0, 4, 2, 4, 1, 2, 1, 3, 2, 3, 0};
    vec3 x[MAX_SLOTS];
    int n = unit_shape(a->shape, x);
    matrix turn = random_rotation(), frame = random_rotation();
    for (int v = 0; v < n; v++) {
        vec3 at = vec_scale(times(&turn, x[v]), size);
        little->x[3 * v] = (float)at.x, little->x[3 * v + 1] = (float)at.y, little->x[3 * v + 2] = (float)at.z;
    }
    for (int i = 0; i < 9; i++) little->frame[i] = (float)((const double *)frame.column)[i];
    memcpy(little->direction, little->frame, sizeof little->direction);
    little->mesh = (taut_mesh){.nvertices = n, .x = little->x, .direction = little->direction, .frame = little->frame};
    taut_mesh *mesh = &little->mesh;
    if (a->shape == EDGE) mesh->nlines = 1, mesh->line = edge;
    if (a->shape == ARC) mesh->nlines = 2, mesh->line = arc;
    if (a->shape == TRIANGLE) mesh->ntris = 1, mesh->tri = triangle;
    if (a->shape == TET) mesh->ntets = 1, mesh->tet = tet;
    if (a->shape == HINGE || a->shape == FLAT_HINGE) mesh->ntris = 2, mesh->tri = hinge;
    if (a->shape == FAN) mesh->ntris = 4, mesh->tri = fan;
}

/* Takes the first element that `kind` makes of a mesh; false when it makes none. */
static inline bool first_element(const tt_kind *kind, const taut_mesh *mesh, const taut_material *material, element *e)
{
    const float no_axis[3] = {0, 0, 0}, *x = mesh->x;
    tt_scope scope;
    tt_topology topology;
    tt_scope_open(&scope, NULL);
    assert_true(tt_topology_build(&scope, mesh, &topology));
    double geodesic[MAX_SLOTS] = {0}; /* of a tether from vertex 0 to its pin, vertex 1 */
    int nearest[MAX_SLOTS] = {0, 0, -1, -1, -1};
    geodesic[0] = vec_length(vec_sub(vec_of(x), vec_of(x + 3)));
    tt_maker maker = {.mesh = mesh,
                      .topology = &topology,
                      .material = material,
                      .axis = no_axis,
                      .scope = &scope,
                      .geodesic = geodesic,
                      .nearest = nearest,
                      .kind = kind};
    assert_true(kind->create(&maker));
    *e = (element){.particles = kind->particles, .slots = kind->particles + kind->anchors};
    for (int k = 0; maker.count > 0 && k < e->slots; k++) {
        int vertex = k < e->particles ? maker.particle[k] : 1;
        e->x[k] = e->rest[k] = vec_of(&x[3 * vertex]);
        e->w[k] = k < e->particles;
    }
    for (int f = 0; maker.count > 0 && f < kind->fields; f++) e->data[f] = (double)maker.data[f];
    tt_scope_close(&scope);
    return maker.count > 0;
}

static inline void make_element(const variant *a, double size, element *e)
{
    little_mesh little;
    taut_material material = material_of(a);
    int tries = 0;
    do { /* a sided kind takes only shapes whose height stands out of the surface */
        set_little_mesh(a, size, &little);
        assert_true(tries++ < 1000);
    } while (!first_element(oracle_of(a), &little.mesh, &material, e));
}

static inline double value_of(const variant *a, const element *e, const tt_tuning *tuning, int mode, vec3 *gradient)
{
    return oracle_of(a)->value((const double *)e->x, e->data, tuning, mode, (double *)gradient);
}

/* The largest coordinate difference from the first slot, and the largest coordinate. */
static inline double extent(const element *e)
{
    double most = 0;
    for (int k = 1; k < e->slots; k++) most = fmax(most, vec_length(vec_sub(e->x[k], e->x[0])));
    return most;
}

static inline double farthest(const element *e)
{
    double most = 0;
    for (int k = 0; k < e->slots; k++) most = fmax(most, vec_length(e->x[k]));
    return most;
}

/* Deforms the rest shape by factors in [low, high], moves each particle by up to `jitter` of the size, and shifts all.
 * */
static inline void deform(element *e, double low, double high, double jitter, vec3 shift)
{
    matrix m = random_deformation(low, high);
    memcpy(e->x, e->rest, sizeof e->x);
    double size = extent(e);
    for (int k = 0; k < e->slots; k++) {
        vec3 at = vec_add(times(&m, e->rest[k]), random_vector(jitter * size));
        e->x[k] = vec_add(at, shift);
    }
}

#endif
