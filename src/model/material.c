/* Materials: defaults, and what values are allowed. */
#include "base/error.h"
#include "base/exact.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { COOKIE = 0x7a0731a1 };

taut_material taut_default_material(void)
{
    return (taut_material){
        .cookie = COOKIE,
        .units = TAUT_RATIO,
        .density = 0.2f,
        .thickness = 0.005f,
        .strain = {.xx = 1, .yy = 1, .zz = 1, .xy = 0.5f, .yz = 0.5f, .xz = 0.5f, .rest = {1, 1, 1}, .volume = 0.9f},
        .bend = {.model = TAUT_BEND_ISOMETRIC, .stiffness = 0.05f},
        .tether = 1,
        .tether_slack = 1,
        .limit = {.stretch = {0, INFINITY},
                  .axis = {{0, INFINITY}, {0, INFINITY}, {0, INFINITY}},
                  .edge = {0, INFINITY},
                  .bend = {-INFINITY, INFINITY},
                  .iterations = 10},
        .damping = {.global = 0.2f, .dry = -1},
        .friction = 1,
        .drag = 1,
        .lift = 0.5f,
    };
}

/* A named value and the range that it must lie in. */
typedef struct range {
    const char *name;
    float value, low, high;
    bool open; /* low itself is not allowed */
} range;

static bool check_range(range r, taut_error *error)
{
    bool high_enough = r.open ? r.value > r.low : r.value >= r.low;
    if (high_enough && r.value <= r.high) return true;
    const char *bracket = r.open ? "above" : "at least";
    if (r.low < 0)
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.%s must be finite, got %g", r.name, (double)r.value);
    if (r.high > 1 && !isinf(r.high))
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.%s must be %s %g and finite, got %g", r.name, bracket,
                       (double)r.low, (double)r.value);
    if (isinf(r.high))
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.%s must be %s %g, got %g", r.name, bracket,
                       (double)r.low, (double)r.value);
    return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.%s must be in %c%g,%g], got %g", r.name,
                   r.open ? '(' : '[', (double)r.low, (double)r.high, (double)r.value);
}

static bool check_choice(const char *name, int value, int count, taut_error *error)
{
    if (value >= 0 && value < count) return true;
    return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.%s must be one of its %d choices, got %d", name, count,
                   value);
}

static bool check_interval(const char *name, const float *limit, float low, float middle, taut_error *error)
{
    if (limit[0] >= low && limit[0] <= middle && limit[1] >= middle) return true;
    return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.limit.%s must be from %g..%g to %g or more, got %g to %g",
                   name, (double)low, (double)middle, (double)middle, (double)limit[0], (double)limit[1]);
}

static bool check_limit(const taut_limit *limit, taut_error *error)
{
    if (limit->iterations < 1 || limit->iterations > 10000)
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.limit.iterations must be in [1,10000], got %d",
                       limit->iterations);
    return check_interval("stretch", limit->stretch, 0, 1, error) &&
           check_interval("axis[0]", limit->axis[0], 0, 1, error) &&
           check_interval("axis[1]", limit->axis[1], 0, 1, error) &&
           check_interval("axis[2]", limit->axis[2], 0, 1, error) &&
           check_interval("edge", limit->edge, 0, 1, error) &&
           check_interval("bend", limit->bend, -INFINITY, 0, error) &&
           check_range((range){"limit.threshold", limit->threshold, 0, 3e38f, false}, error) &&
           check_choice("limit.enforcement", (int)limit->enforcement, 3, error);
}

static bool check_elastic(const taut_elastic *elastic, taut_error *error)
{
    const float most = 3e38f;
    if (!(elastic->poisson > -1 && elastic->poisson < 1))
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.elastic.poisson must be in (-1,1), got %g",
                       (double)elastic->poisson);
    return check_range((range){"elastic.young", elastic->young, 0, most, false}, error) &&
           check_range((range){"elastic.bend", elastic->bend, 0, most, false}, error) &&
           check_range((range){"elastic.damping", elastic->damping, 0, most, false}, error);
}

bool tt_elastic_check(const taut_material *m, bool solid, taut_error *error)
{
    if (!solid || !(m->elastic.young > 0) || m->elastic.poisson < 0.5f) return true;
    return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.elastic.poisson must be below 0.5 for tets, got %g",
                   (double)m->elastic.poisson);
}

bool tt_material_check(const taut_material *m, taut_error *error)
{
    if (m->cookie != COOKIE)
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "the material does not come from taut_default_material()");
    float stiff = m->units == TAUT_PHYSICAL ? INFINITY : 1, most = 3e38f;
    const taut_strain *s = &m->strain;
    const taut_damping *d = &m->damping;
    const range ranges[] = {
        {"density", m->density, 0, most, true},
        {"thickness", m->thickness, 0, most, false},
        {"edge", m->edge, 0, stiff, false},
        {"strain.xx", s->xx, 0, stiff, false},
        {"strain.yy", s->yy, 0, stiff, false},
        {"strain.zz", s->zz, 0, stiff, false},
        {"strain.xy", s->xy, 0, stiff, false},
        {"strain.yz", s->yz, 0, stiff, false},
        {"strain.xz", s->xz, 0, stiff, false},
        {"strain.rest[0]", s->rest[0], 0, most, true},
        {"strain.rest[1]", s->rest[1], 0, most, true},
        {"strain.rest[2]", s->rest[2], 0, most, true},
        {"strain.area", s->area, 0, stiff, false},
        {"strain.volume", s->volume, 0, stiff, false},
        {"bend.stiffness", m->bend.stiffness, 0, stiff, false},
        {"bend.kappa", m->bend.kappa, -most, most, false},
        {"tether", m->tether, 0, stiff, false},
        {"tether_slack", m->tether_slack, 1, most, false},
        {"damping.global", d->global, 0, most, false},
        {"damping.edge", d->edge, 0, most, false},
        {"damping.stretch", d->stretch, 0, most, false},
        {"damping.shear", d->shear, 0, most, false},
        {"damping.area", d->area, 0, most, false},
        {"damping.volume", d->volume, 0, most, false},
        {"damping.bend", d->bend, 0, most, false},
        {"damping.dry", d->dry, -most, most, false},
        {"friction", m->friction, 0, most, false},
        {"drag", m->drag, 0, most, false},
        {"lift", m->lift, 0, most, false},
    };
    if (!check_choice("units", (int)m->units, 2, error) || !check_limit(&m->limit, error) ||
        !check_elastic(&m->elastic, error))
        return false;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (!check_range(ranges[i], error)) return false;
    return check_choice("strain.stretch_form", (int)s->stretch_form, 2, error) &&
           check_choice("strain.shear_form", (int)s->shear_form, 3, error) &&
           check_choice("bend.model", (int)m->bend.model, 5, error) &&
           check_choice("bend.mode", (int)m->bend.mode, 3, error) &&
           check_choice("bend.creation", (int)m->bend.creation, 2, error);
}

/* How far floats leave an element from the limit it was put on, and some more: stretch or rad. */
static const float ROUNDING = 4e-6f;

/* Implicit decay over h at `rate` per second: never more than all of it. */
static float decay(float rate, float h) { return rate * h / (1 + rate * h); }

void tt_tuning_prepare(const tt_kind *kind, const taut_material *material, float h, int n, tt_tuning *tuning)
{
    *tuning = (tt_tuning){
        .rest = {material->strain.rest[0], material->strain.rest[1], material->strain.rest[2]},
        .stretch_form = (int)material->strain.stretch_form,
        .shear_form = (int)material->strain.shear_form,
        .physical = material->units == TAUT_PHYSICAL,
        .stretch_limit = {material->limit.stretch[0], material->limit.stretch[1]},
        .edge_limit = {material->limit.edge[0], material->limit.edge[1]},
        .bend_limit = {material->limit.bend[0], material->limit.bend[1]},
        .tolerance = fmaxf(material->limit.threshold, ROUNDING),
        .h = h,
    };
    memcpy(tuning->axis_limit, material->limit.axis, sizeof tuning->axis_limit);
    kind->tune(material, tuning);
    for (int mode = 0; mode < kind->modes; mode++) {
        float k = tuning->stiffness[mode];
        if (tuning->physical) {
            double compliance = 1 / ((double)k * (double)h * (double)h);
            tuning->compliance[mode] = k > 0 ? (float)fmin(compliance, 1e30) : 0;
            tuning->stiffness[mode] = k > 0 ? 1 : 0;
        } else {
            tuning->stiffness[mode] = (float)(1 - tt_root(1 - (double)k, n));
        }
        tuning->damping[mode] = decay(tuning->damping[mode], h);
        tuning->active = tuning->active || k > 0;
        tuning->damped = tuning->damped || tuning->damping[mode] > 0;
    }
    tuning->active = tuning->active && kind->project;
    tuning->damped = tuning->damped && kind->damp;
}
