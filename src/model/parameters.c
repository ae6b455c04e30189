/* The one table of material parameters: names, places, ranges, units and meanings. The check of materials, the scene
 * reader, the schema of scene files and the reference in docs/scenes.md all come from these rows. */
#include "taut.h"

#include <math.h>

_Static_assert(sizeof(taut_units) == sizeof(int) && sizeof(taut_stretch_form) == sizeof(int) &&
                   sizeof(taut_shear_form) == sizeof(int) && sizeof(taut_bend_model) == sizeof(int) &&
                   sizeof(taut_bend_mode) == sizeof(int) && sizeof(taut_bend_creation) == sizeof(int) &&
                   sizeof(taut_enforcement) == sizeof(int) && sizeof(taut_contact) == sizeof(int),
               "a choice is as large as an int");

#define NAMED(member, path)                                                                                            \
    .name = #member, .key = (path), .offset = offsetof(taut_material, member),                                         \
    .size = sizeof(((taut_material *)0)->member)
#define MEMBER(member) NAMED(member, #member)

/* Types with their ranges. */
#define ENDLESS .high = {INFINITY, INFINITY}
#define FINITE .type = TAUT_PARAMETER_FLOAT, .low = -INFINITY, .low_open = true, ENDLESS, .high_open = true
#define FROM(least) .type = TAUT_PARAMETER_FLOAT, .low = (least), ENDLESS, .high_open = true
#define ABOVE_ZERO .low = 0, .low_open = true, ENDLESS, .high_open = true
#define STIFFNESS .type = TAUT_PARAMETER_STIFFNESS, .low = 0, .high = {1, INFINITY}
#define STRETCHES .type = TAUT_PARAMETER_INTERVAL, .low = 0, .rest = 1, ENDLESS
#define CHOICE(names) .type = TAUT_PARAMETER_CHOICE, .choices = (names)
#define SWITCH .type = TAUT_PARAMETER_BOOL

#define MODULUS "N/m of triangles, Pa of tets"

static const taut_parameter rows[] = {
    {MEMBER(units), CHOICE("ratio|physical"), .unit = "",
     .meaning = "whether a stiffness is a ratio from 0 to 1 or a physical modulus"},
    {MEMBER(density), .type = TAUT_PARAMETER_FLOAT, ABOVE_ZERO,
     .unit = "kg/m^2 of triangles, kg/m^3 of tets, kg/m of lines", .meaning = "how heavy it is"},
    {MEMBER(thickness), FROM(0), .unit = "m",
     .meaning = "how far particles keep from colliders, and layers from each other"},
    {MEMBER(contact), CHOICE("off|fast|strict|auto"), .unit = "",
     .meaning = "whether the body touches itself and such others: no, without a guarantee, never passing through, "
                "strict for cloth but not for ropes and solids"},
    {MEMBER(contact_friction), FROM(0), .unit = "",
     .meaning = "Coulomb coefficient of bodies that touch; between two bodies the geometric mean counts"},
    {MEMBER(layer), .type = TAUT_PARAMETER_INT, .low = 0, .high = {1000, 1000}, .unit = "",
     .meaning = "of two bodies that start crossed, that of the higher layer gets to where the other's triangles face"},
    {MEMBER(edge), STIFFNESS, .unit = "N/m of triangles and tets, N of lines",
     .meaning = "stiffness of distances along edges"},

    {MEMBER(strain.xx), STIFFNESS, .unit = MODULUS, .meaning = "stretch along x (warp)"},
    {MEMBER(strain.yy), STIFFNESS, .unit = MODULUS, .meaning = "stretch along y (weft)"},
    {MEMBER(strain.zz), STIFFNESS, .unit = "Pa", .meaning = "stretch along z, of tets"},
    {MEMBER(strain.xy), STIFFNESS, .unit = MODULUS, .meaning = "shear between x and y"},
    {MEMBER(strain.yz), STIFFNESS, .unit = "Pa", .meaning = "shear between y and z, of tets"},
    {MEMBER(strain.xz), STIFFNESS, .unit = "Pa", .meaning = "shear between x and z, of tets"},
    {MEMBER(strain.rest), .type = TAUT_PARAMETER_VECTOR, ABOVE_ZERO, .unit = "",
     .meaning = "rest stretch along each axis; 1 is as modelled"},
    {MEMBER(strain.area), STIFFNESS, .unit = "N/m", .meaning = "change of area, of triangles"},
    {MEMBER(strain.volume), STIFFNESS, .unit = "Pa", .meaning = "change of volume, of tets"},
    {MEMBER(strain.stretch_form), CHOICE("span|raw"), .unit = "", .meaning = "how stretch is measured"},
    {MEMBER(strain.shear_form), CHOICE("angle|cosine|raw"), .unit = "", .meaning = "how shear is measured"},

    {MEMBER(bend.model), CHOICE("none|dihedral|isometric|triangle|stick"), .unit = "",
     .meaning = "how bending is resisted"},
    {MEMBER(bend.stiffness), STIFFNESS, .unit = "N m of sheets, N m^2 of lines, N/m of sticks",
     .meaning = "stiffness of bending"},
    {MEMBER(bend.kappa), FINITE, .unit = "m", .meaning = "triangle bending: slack added to the rest height"},
    {MEMBER(bend.mode), CHOICE("equal|at_most|at_least"), .unit = "",
     .meaning = "triangle bending: keep the rest curvature, or let it be at most or at least that"},
    {MEMBER(bend.creation), CHOICE("one_ring|midpoint"), .unit = "",
     .meaning = "triangle bending: around vertices or across edges"},
    {MEMBER(bend.sided), SWITCH, .unit = "", .meaning = "triangle bending: tell a fold up from a fold down"},
    {MEMBER(bend.flat), SWITCH, .unit = "", .meaning = "take the rest state as flat, whatever the mesh is"},

    {MEMBER(tether), STIFFNESS, .unit = "N",
     .meaning = "upper limit on the distance to the nearest pin along the surface"},
    {MEMBER(tether_slack), FROM(1), .unit = "", .meaning = "tethers hold at this many times the rest distance"},

    {MEMBER(limit.stretch), STRETCHES, .unit = "", .meaning = "least and largest principal stretch"},
    {NAMED(limit.axis[0], "limit.x"), STRETCHES, .unit = "", .meaning = "least and largest stretch along the warp"},
    {NAMED(limit.axis[1], "limit.y"), STRETCHES, .unit = "", .meaning = "least and largest stretch along the weft"},
    {NAMED(limit.axis[2], "limit.z"), STRETCHES, .unit = "",
     .meaning = "least and largest stretch along the third axis of solids"},
    {MEMBER(limit.edge), STRETCHES, .unit = "", .meaning = "least and largest stretch of edges and lines"},
    {MEMBER(limit.bend), .type = TAUT_PARAMETER_INTERVAL, .low = -INFINITY, .rest = 0, ENDLESS, .unit = "rad/m",
     .meaning = "how far the angle at an edge may be off its rest angle, either way"},
    {MEMBER(limit.iterations), .type = TAUT_PARAMETER_INT, .low = 1, .high = {10000, 10000}, .unit = "",
     .meaning = "passes over the limits: at most this many in a substep, on each level"},
    {MEMBER(limit.threshold), FROM(0), .unit = "", .meaning = "violations up to this are left alone"},
    {MEMBER(limit.enforcement), CHOICE("windowed|random|jacobi"), .unit = "",
     .meaning = "the order in which limits are enforced"},

    {MEMBER(elastic.young), FROM(0), .unit = MODULUS, .meaning = "Young's modulus of elastic forces"},
    {MEMBER(elastic.poisson), .type = TAUT_PARAMETER_FLOAT, .low = -1, .low_open = true, .high = {1, 1},
     .high_open = true, .unit = "", .meaning = "how much it narrows when pulled; below 0.5 for tets"},
    {MEMBER(elastic.bend), FROM(0), .unit = "N m", .meaning = "bending rigidity of sheets"},
    {MEMBER(elastic.damping), FROM(0), .unit = "s", .meaning = "Kelvin-Voigt damping of elastic forces"},

    {MEMBER(gas.pressure), FINITE, .unit = "Pa", .meaning = "pressure of gas in a closed shell, above that outside"},
    {MEMBER(gas.volume), FROM(0), .unit = "", .meaning = "volume that the gas aims at, as a multiple of that at rest"},
    {MEMBER(gas.stiffness), FROM(0), .unit = "Pa",
     .meaning = "how much the pressure falls when the volume grows by the volume at rest"},

    {MEMBER(damping.global), FROM(0), .unit = "1/s", .meaning = "rate at which every velocity dies away"},
    {MEMBER(damping.edge), FROM(0), .unit = "1/s", .meaning = "rate at which motion along edges dies away"},
    {MEMBER(damping.stretch), FROM(0), .unit = "1/s", .meaning = "rate at which stretching dies away"},
    {MEMBER(damping.shear), FROM(0), .unit = "1/s", .meaning = "rate at which shearing dies away"},
    {MEMBER(damping.area), FROM(0), .unit = "1/s", .meaning = "rate at which change of area dies away"},
    {MEMBER(damping.volume), FROM(0), .unit = "1/s", .meaning = "rate at which change of volume dies away"},
    {MEMBER(damping.bend), FROM(0), .unit = "1/s", .meaning = "rate at which bending dies away"},
    {MEMBER(damping.dry), FINITE, .unit = "",
     .meaning = "dry friction of slow motion inside a body, a share of gravity; below 0: 0.08 for cloth whose levels "
                "keep limits, 0.02 for other cloth solved by quality, 0 for all else"},

    {MEMBER(friction), FROM(0), .unit = "", .meaning = "Coulomb coefficient, multiplied by the collider's"},
    {MEMBER(drag), FROM(0), .unit = "", .meaning = "aerodynamic drag coefficient of triangles"},
    {MEMBER(lift), FROM(0), .unit = "", .meaning = "aerodynamic lift coefficient of triangles"},
};

enum { COUNT = sizeof rows / sizeof rows[0] };

int taut_parameter_count(void) { return COUNT; }

const taut_parameter *taut_parameter_at(int index) { return index >= 0 && index < COUNT ? &rows[index] : NULL; }
