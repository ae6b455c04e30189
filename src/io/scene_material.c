#include "io/scene_material.h"
#include "io/presets.h"

#include <math.h>

_Static_assert(sizeof(taut_units) == sizeof(int) && sizeof(taut_bend_model) == sizeof(int),
               "choices are read as ints");

#define UNITS "ratio|physical"

/* The material and the objects within it. */
typedef struct parts {
    taut_material material;
    const tio_json *preset, *strain, *bend, *limit, *elastic, *damping;
} parts;

static bool read_strain(const tio_check *check, const tio_json *object, tio_range stiff, taut_strain *strain)
{
    const tio_key keys[] = {
        {"xx", TIO_STIFFNESS, offsetof(taut_strain, xx), stiff, NULL, false},
        {"yy", TIO_STIFFNESS, offsetof(taut_strain, yy), stiff, NULL, false},
        {"zz", TIO_STIFFNESS, offsetof(taut_strain, zz), stiff, NULL, false},
        {"xy", TIO_STIFFNESS, offsetof(taut_strain, xy), stiff, NULL, false},
        {"yz", TIO_STIFFNESS, offsetof(taut_strain, yz), stiff, NULL, false},
        {"xz", TIO_STIFFNESS, offsetof(taut_strain, xz), stiff, NULL, false},
        {"rest", TIO_VECTOR, offsetof(taut_strain, rest), TIO_POSITIVE, NULL, false},
        {"area", TIO_STIFFNESS, offsetof(taut_strain, area), stiff, NULL, false},
        {"volume", TIO_STIFFNESS, offsetof(taut_strain, volume), stiff, NULL, false},
        {"stretch_form", TIO_CHOICE, offsetof(taut_strain, stretch_form), TIO_ANY, "span|raw", false},
        {"shear_form", TIO_CHOICE, offsetof(taut_strain, shear_form), TIO_ANY, "angle|cosine|raw", false},
    };
    return tio_read_object(check, object, keys, TIO_COUNT(keys), strain);
}

static bool read_bend(const tio_check *check, const tio_json *object, tio_range stiff, taut_bend *bend)
{
    const tio_key keys[] = {
        {"model", TIO_CHOICE, offsetof(taut_bend, model), TIO_ANY, "none|dihedral|isometric|triangle|stick", false},
        {"stiffness", TIO_STIFFNESS, offsetof(taut_bend, stiffness), stiff, NULL, false},
        {"kappa", TIO_FLOAT, offsetof(taut_bend, kappa), TIO_ANY, NULL, false},
        {"mode", TIO_CHOICE, offsetof(taut_bend, mode), TIO_ANY, "equal|at_most|at_least", false},
        {"creation", TIO_CHOICE, offsetof(taut_bend, creation), TIO_ANY, "one_ring|midpoint", false},
        {"sided", TIO_BOOL, offsetof(taut_bend, sided), TIO_ANY, NULL, false},
        {"flat", TIO_BOOL, offsetof(taut_bend, flat), TIO_ANY, NULL, false},
    };
    return tio_read_object(check, object, keys, TIO_COUNT(keys), bend);
}

static bool read_elastic(const tio_check *check, const tio_json *object, taut_elastic *elastic)
{
    static const tio_key keys[] = {
        {"young", TIO_FLOAT, offsetof(taut_elastic, young), {0, TIO_MOST, false}, NULL, false},
        {"poisson", TIO_FLOAT, offsetof(taut_elastic, poisson), {-TIO_MOST, TIO_MOST, false}, NULL, false},
        {"bend", TIO_FLOAT, offsetof(taut_elastic, bend), {0, TIO_MOST, false}, NULL, false},
        {"damping", TIO_FLOAT, offsetof(taut_elastic, damping), {0, TIO_MOST, false}, NULL, false},
    };
    if (!tio_read_object(check, object, keys, TIO_COUNT(keys), elastic)) return false;
    if (elastic->poisson > -1 && elastic->poisson < 1) return true;
    return tio_fail_at(check, tio_json_member(object, "poisson"), "must be in (-1,1), got %.9g",
                       (double)elastic->poisson);
}

static bool read_damping(const tio_check *check, const tio_json *object, taut_damping *damping)
{
    static const tio_key keys[] = {
        {"global", TIO_FLOAT, offsetof(taut_damping, global), {0, TIO_MOST, false}, NULL, false},
        {"edge", TIO_FLOAT, offsetof(taut_damping, edge), {0, TIO_MOST, false}, NULL, false},
        {"stretch", TIO_FLOAT, offsetof(taut_damping, stretch), {0, TIO_MOST, false}, NULL, false},
        {"shear", TIO_FLOAT, offsetof(taut_damping, shear), {0, TIO_MOST, false}, NULL, false},
        {"area", TIO_FLOAT, offsetof(taut_damping, area), {0, TIO_MOST, false}, NULL, false},
        {"volume", TIO_FLOAT, offsetof(taut_damping, volume), {0, TIO_MOST, false}, NULL, false},
        {"bend", TIO_FLOAT, offsetof(taut_damping, bend), {0, TIO_MOST, false}, NULL, false},
        {"dry", TIO_FLOAT, offsetof(taut_damping, dry), {0, TIO_MOST, false}, NULL, false},
    };
    return tio_read_object(check, object, keys, TIO_COUNT(keys), damping);
}

static bool read_fields(const tio_check *check, const tio_json *object, tio_range stiff, parts *p)
{
    const tio_key keys[] = {
        {"preset", TIO_VALUE, offsetof(parts, preset), TIO_ANY, NULL, false},
        {"units", TIO_CHOICE, offsetof(parts, material.units), TIO_ANY, UNITS, false},
        {"density", TIO_FLOAT, offsetof(parts, material.density), TIO_POSITIVE, NULL, false},
        {"thickness", TIO_FLOAT, offsetof(parts, material.thickness), TIO_NOT_NEGATIVE, NULL, false},
        {"edge", TIO_STIFFNESS, offsetof(parts, material.edge), stiff, NULL, false},
        {"strain", TIO_VALUE, offsetof(parts, strain), TIO_ANY, NULL, false},
        {"bend", TIO_VALUE, offsetof(parts, bend), TIO_ANY, NULL, false},
        {"tether", TIO_STIFFNESS, offsetof(parts, material.tether), stiff, NULL, false},
        {"tether_slack", TIO_FLOAT, offsetof(parts, material.tether_slack), {1, TIO_MOST, false}, NULL, false},
        {"limit", TIO_VALUE, offsetof(parts, limit), TIO_ANY, NULL, false},
        {"elastic", TIO_VALUE, offsetof(parts, elastic), TIO_ANY, NULL, false},
        {"damping", TIO_VALUE, offsetof(parts, damping), TIO_ANY, NULL, false},
        {"friction", TIO_FLOAT, offsetof(parts, material.friction), TIO_NOT_NEGATIVE, NULL, false},
        {"drag", TIO_FLOAT, offsetof(parts, material.drag), TIO_NOT_NEGATIVE, NULL, false},
        {"lift", TIO_FLOAT, offsetof(parts, material.lift), TIO_NOT_NEGATIVE, NULL, false},
    };
    return tio_read_object(check, object, keys, TIO_COUNT(keys), p);
}

static void leave_out_stiffness(taut_material *material)
{
    material->edge = material->tether = material->bend.stiffness = 0;
    material->strain = (taut_strain){.rest = {1, 1, 1}};
}

/* The material that the object's fields change, in the units that they are in. */
static bool read_base(const tio_check *check, const tio_json *object, taut_material *material)
{
    static const tio_key preset_key = {.name = "preset", .kind = TIO_CHOICE, .choices = TIO_PRESETS};
    static const tio_key units_key = {.name = "units", .kind = TIO_CHOICE, .choices = UNITS};
    const tio_json *preset = tio_json_member(object, "preset"), *units = tio_json_member(object, "units");
    int number = 0;
    *material = taut_default_material();
    if (preset) {
        if (!tio_read_value(check, preset, &preset_key, &number)) return false;
        *material = tio_preset(number);
    }
    taut_units base_units = material->units;
    if (!preset && tio_json_member(object, "elastic")) leave_out_stiffness(material);
    if (units && !tio_read_value(check, units, &units_key, &material->units)) return false;
    if (material->units == base_units) return true;
    if (preset)
        return tio_fail_at(check, units, "must be \"%s\" like those of the preset \"%s\"",
                           base_units == TAUT_PHYSICAL ? "physical" : "ratio", preset->string);
    leave_out_stiffness(material);
    return true;
}

bool tio_read_material(const tio_check *check, const tio_json *object, taut_material *material)
{
    parts p = {.preset = NULL};
    if (!tio_expect(check, object, TIO_JSON_OBJECT) || !read_base(check, object, &p.material)) return false;
    tio_range stiff = {0, p.material.units == TAUT_PHYSICAL ? INFINITY : 1, false};
    if (!read_fields(check, object, stiff, &p)) return false;
    if (p.strain && !read_strain(check, p.strain, stiff, &p.material.strain)) return false;
    if (p.bend && !read_bend(check, p.bend, stiff, &p.material.bend)) return false;
    if (p.limit && !tio_read_limit(check, p.limit, &p.material.limit)) return false;
    if (p.elastic && !read_elastic(check, p.elastic, &p.material.elastic)) return false;
    if (p.damping && !read_damping(check, p.damping, &p.material.damping)) return false;
    *material = p.material;
    return true;
}
