/* How much softer a body acts than its moduli say, and how far it exceeds its limits, because substeps are too long or
 * passes too few.
 *
 * Multipliers start each substep at zero, and one pass can deliver at most the stiffness m/h^2 of the particles that it
 * moves. So a body of the modulus k acts about 1 + k/D times softer, where D is the modulus that all passes deliver:
 *
 *     cloth    D = m/h^2 passes              along the threads of a grid, whatever the size d of its cells
 *     ropes    D = m/h^2 passes d            d = m/density, the length of a line
 *     solids   D = m/h^2 passes / (0.4 d)    d = (m/density)^(1/3); 0.4 because a particle has many tets
 *
 * Bending over cells of the size d has k = 4 B/d^2. Coarser levels that carry the same modulus deliver more, because
 * their particles are heavier.
 *
 * Limits are stiff without bound, so they act as if their modulus were D. A body that hangs by its upper end has the
 * mean strain (density g L/2)/D above its limit.
 *
 * Sheets, ropes and bars that hang, of 3 sizes of cells, 4 and 32 substeps of 1 or 4 iterations, are as much softer as
 * this rule says, or up to a third less, where it says much (tests/test_resolve.c). */
#include "model/model.h"

#include <math.h>
#include <string.h>

static const double GRAVITY = 9.81, SHARE_OF_TETS = 0.4;

/* The mean mass of the particles that can move. */
static double mean_mass(const taut_model *model)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < model->nparticles; i++) {
        double w = (double)model->rest[4 * (size_t)i + 3];
        if (w > 0) sum += 1 / w, count++;
    }
    return count > 0 ? sum / count : 0;
}

/* The modulus that one pass with a constraint on each particle delivers. */
static double delivered_once(const taut_model *model, const taut_material *material, double h)
{
    double mass = mean_mass(model), measure = mass / (double)material->density, stiffness = mass / (h * h);
    if (!(measure > 0)) return 0;
    if (model->mesh_type == TT_MESH_ROPES) return stiffness * measure;
    return model->mesh_type == TT_MESH_SOLID ? stiffness / (SHARE_OF_TETS * cbrt(measure)) : stiffness;
}

typedef bool some_kinds(const taut_model *model, int kind);

static bool present(const taut_model *model, int kind) { return kind >= 0 && model->group[kind].count > 0; }

/* The same of one pass over all levels that have constraints of some kinds. */
static double delivered(const taut_model *model, some_kinds *kinds, int kind, double h)
{
    double sum = 0;
    for (const taut_model *level = model; level; level = level->coarser)
        if (kinds(level, kind)) sum += delivered_once(level, &model->material, h);
    return sum;
}

static bool has_kind(const taut_model *model, int kind) { return present(model, kind); }

/* Whether the model has limits. `kind` is not used. */
static bool has_limits(const taut_model *model, int kind)
{
    (void)kind;
    for (int k = 0; k < TT_KINDS; k++)
        if (tt_kind_table()[k]->limit && present(model, k)) return true;
    return false;
}

/* How many times softer it acts; 1 if there is no modulus. */
static double softness(double k, double deliverable)
{
    return k > 0 && isfinite(k) && deliverable > 0 ? 1 + k / deliverable : 1;
}

static int bending_kind(const taut_model *model)
{
    static const char *const names[] = {"dihedral", "isometric", "isometric_curved"};
    for (int i = 0; i < 3; i++)
        if (present(model, taut_kind_find(names[i]))) return taut_kind_find(names[i]);
    return -1;
}

static int strain_kind(const taut_model *model)
{
    return taut_kind_find(model->mesh_type == TT_MESH_CLOTH   ? "strain_tri"
                          : model->mesh_type == TT_MESH_ROPES ? "distance"
                                                              : "strain_tet");
}

static taut_resolution of_moduli(const taut_model *model, double h, int iterations)
{
    const taut_material *m = &model->material;
    taut_resolution r = {.warp = 1, .weft = 1, .depth = 1, .shear = 1, .bend = 1, .edge = 1};
    double strain = iterations * delivered(model, has_kind, strain_kind(model), h);
    double square = mean_mass(model) / (double)m->density; /* the area of a cell of cloth */
    int bending = bending_kind(model);
    if (model->mesh_type == TT_MESH_ROPES) r.edge = softness((double)m->edge, strain);
    if (model->mesh_type == TT_MESH_ROPES || !(square > 0)) return r;
    r.warp = softness((double)m->strain.xx, strain);
    r.weft = softness((double)m->strain.yy, strain);
    r.shear = softness((double)m->strain.xy, strain);
    if (model->mesh_type == TT_MESH_SOLID) {
        r.depth = softness((double)m->strain.zz, strain);
        r.shear = fmax(r.shear, softness((double)fmaxf(m->strain.yz, m->strain.xz), strain));
    } else if (bending >= 0) {
        r.bend = softness(4 * (double)m->bend.stiffness / square, iterations * delivered(model, has_kind, bending, h));
    }
    return r;
}

/* The largest stretch that the limits allow along any axis. */
static double most_stretch(const taut_limit *limit)
{
    double most = fmin((double)limit->stretch[1], (double)limit->edge[1]), axes = 0;
    for (int i = 0; i < 3; i++) axes = fmax(axes, (double)limit->axis[i][1]);
    return fmin(most, axes);
}

/* The modulus along warp and weft, or along lines, that acts besides the limits. */
static double acting(const taut_model *model, double h, int iterations)
{
    const taut_material *m = &model->material;
    double strain = iterations * delivered(model, has_kind, strain_kind(model), h);
    double k = model->mesh_type == TT_MESH_ROPES ? (double)m->edge : fmin((double)m->strain.xx, (double)m->strain.yy);
    if (!(k > 0) || !(strain > 0)) return 0;
    return m->units == TAUT_PHYSICAL && isfinite(k) ? 1 / (1 / k + 1 / strain) : strain;
}

/* The longest side of the box around the body at rest. */
static double extent(const taut_model *model)
{
    double most = 0;
    for (size_t c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < model->nvertices; i++) {
            double x = (double)model->rest[4 * (size_t)i + c];
            if (x < low) low = x;
            if (x > high) high = x;
        }
        most = fmax(most, high - low);
    }
    return most;
}

static double excess(const taut_model *model, double h, int iterations)
{
    const taut_limit *limit = &model->material.limit;
    double deliverable = limit->iterations * delivered(model, has_limits, -1, h), room = most_stretch(limit) - 1;
    double load = (double)model->material.density * GRAVITY * extent(model) / 2;
    if (!has_limits(model, -1) || !(deliverable > 0) || !isfinite(room)) return 0;
    return fmax(load - acting(model, h, iterations) * fmax(room, 0), 0) / deliverable;
}

taut_resolution taut_model_resolution(const taut_model *model, double substep, int iterations)
{
    taut_resolution r = {.warp = 1, .weft = 1, .depth = 1, .shear = 1, .bend = 1, .edge = 1};
    if (model->mesh_type == TT_MESH_MIXED) return r;
    if (model->material.units == TAUT_PHYSICAL) r = of_moduli(model, substep, iterations);
    r.limit = excess(model, substep, iterations);
    return r;
}
