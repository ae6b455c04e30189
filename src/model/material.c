/* Materials: defaults, the check of all ranges (parameters.c), and the stiffness for a substep. */
#include "base/definition.h"
#include "base/error.h"
#include "base/exact.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COOKIE = 0x7a0731a1 };

void taut_init_material(taut_material *material, size_t size)
{
    static const taut_material usual = {
        .cookie = COOKIE,
        .units = TAUT_RATIO,
        .density = 0.2f,
        .thickness = 0.005f,
        .contact = TAUT_CONTACT_AUTO,
        .contact_friction = 0.3f,
        .strain = {.xx = 1, .yy = 1, .zz = 1, .xy = 0.5f, .yz = 0.5f, .xz = 0.5f, .rest = {1, 1, 1}, .volume = 0.9f},
        .bend = {.model = TAUT_BEND_ISOMETRIC, .stiffness = 0.05f},
        .tether = 1,
        .tether_slack = 1,
        .limit = {.stretch = {0, INFINITY},
                  .axis = {{0, INFINITY}, {0, INFINITY}, {0, INFINITY}},
                  .edge = {0, INFINITY},
                  .bend = {-INFINITY, INFINITY},
                  .iterations = 10},
        .gas = {.volume = 1},
        .damping = {.global = 0.2f, .dry = -1},
        .friction = 1,
        .drag = 1,
        .lift = 0.5f,
    };
    tt_definition_fill(material, size, &usual, sizeof usual);
}

const taut_material *tt_material_or_usual(const taut_material *given, tt_mesh_type type, taut_material *usual)
{
    if (given) return given;
    *usual = taut_default_material();
    if (type == TT_MESH_CLOTH) taut_preset_material(TAUT_DEFAULT_CLOTH, usual);
    return usual;
}

taut_contact tt_contact_of(const taut_material *material, tt_mesh_type type)
{
    if (material->contact != TAUT_CONTACT_AUTO) return material->contact;
    return type == TT_MESH_CLOTH ? TAUT_CONTACT_STRICT : TAUT_CONTACT_OFF;
}

/* ---- Whether all values are in their ranges -------------------------------------------------- */

/* Fails with "material.NAME must be ..."; `item` is the place in a vector, -1 where there is only one value. */
static bool fail_range(const taut_parameter *p, int item, double high, double got, taut_error *error)
{
    char name[48];
    const char *least = p->low_open ? "above" : "at least";
    snprintf(name, sizeof name, item < 0 ? "%s" : "%s[%d]", p->name, item);
    if (isinf(p->low)) return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.%s must be finite, got %g", name, got);
    if (isinf(high))
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.%s must be %s %g%s, got %g", name, least, p->low,
                       p->high_open ? " and finite" : "", got);
    return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.%s must be in %c%g,%g%c, got %g", name,
                   p->low_open ? '(' : '[', p->low, high, p->high_open ? ')' : ']', got);
}

static bool check_number(const taut_parameter *p, int item, double high, double value, taut_error *error)
{
    bool high_enough = p->low_open ? value > p->low : value >= p->low;
    bool low_enough = p->high_open ? value < high : value <= high;
    return (high_enough && low_enough) || fail_range(p, item, high, value, error);
}

static bool check_interval(const taut_parameter *p, double high, const float end[2], taut_error *error)
{
    double first = (double)end[0], second = (double)end[1];
    if (first >= p->low && first <= p->rest && second >= p->rest && second <= high) return true;
    return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.%s must be from %g..%g to %g or more, got %g to %g", p->name,
                   p->low, p->rest, p->rest, first, second);
}

static bool check_choice(const taut_parameter *p, int value, taut_error *error)
{
    int count = 1;
    for (const char *c = p->choices; *c; c++) count += *c == '|';
    if (value >= 0 && value < count) return true;
    return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.%s must be one of its %d choices, got %d", p->name, count,
                   value);
}

static bool check_parameter(const taut_material *m, const taut_parameter *p, taut_error *error)
{
    float number[3];
    int whole;
    const char *at = (const char *)m + p->offset;
    if (p->type == TAUT_PARAMETER_BOOL) return true;
    if (p->type == TAUT_PARAMETER_CHOICE) {
        memcpy(&whole, at, sizeof whole);
        return check_choice(p, whole, error);
    }
    double high = p->high[m->units];
    if (p->type == TAUT_PARAMETER_INT) {
        memcpy(&whole, at, sizeof whole);
        return check_number(p, -1, high, whole, error);
    }
    memcpy(number, at, p->size);
    if (p->type == TAUT_PARAMETER_INTERVAL) return check_interval(p, high, number, error);
    int count = (int)(p->size / sizeof *number);
    for (int i = 0; i < count; i++)
        if (!check_number(p, count > 1 ? i : -1, high, (double)number[i], error)) return false;
    return true;
}

bool tt_material_check(const taut_material *m, taut_error *error)
{
    if (!tt_cookie_check(m->cookie, COOKIE, TAUT_BAD_MATERIAL,
                         "the material does not come from taut_default_material()", error))
        return false;
    /* The units are the first row: the ranges of the others depend on them. */
    for (int i = 0; i < taut_parameter_count(); i++)
        if (!check_parameter(m, taut_parameter_at(i), error)) return false;
    return true;
}

bool tt_elastic_check(const taut_material *m, bool solid, taut_error *error)
{
    if (!solid || !(m->elastic.young > 0) || m->elastic.poisson < 0.5f) return true;
    return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.elastic.poisson must be below 0.5 for tets, got %g",
                   (double)m->elastic.poisson);
}

/* ---- Stiffness for a substep ----------------------------------------------------------------- */

/* An element that was put on its limit is off by rounding. This is more than that: stretch or rad. */
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
