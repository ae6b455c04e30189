/* Materials in physical units. All figures are orders of magnitude from common knowledge, not measurements: fabrics of
 * one name differ by factors of two and more.
 *
 * Fabrics: the areal density is what shops state in g/m^2 (silk: momme, 4.34 g/m^2 each; denim: oz/yd^2, 33.9 g/m^2
 * each). Tables of the Kawabata system have shear of woven cloth near 1 gf/cm/degree, which is 56 N/m a radian, and
 * bending near 0.1 gf cm^2/cm, which is 1e-5 N m. Woven cloth resists stretch with some kN/m along its threads; tethers
 * that are rigid stand for how little it stretches under its own weight.
 *
 * Solids: rubber has Young's modulus near 1 MPa and shear modulus a third of that; relaxed muscle is softer than rubber
 * by a factor of 30 or so and stiffest along its fibres (material x). Both keep their volume about as well as water
 * (bulk modulus 2 GPa). Densities are those of the stuff itself, in kg/m^3. */
#include "io/presets.h"

#include <math.h>

static taut_material fabric(float density, float warp, float weft, float shear, float bending)
{
    taut_material m = taut_default_material();
    m.units = TAUT_PHYSICAL;
    m.density = density;
    m.strain = (taut_strain){.xx = warp, .yy = weft, .xy = shear, .rest = {1, 1, 1}};
    m.bend = (taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = bending};
    m.tether = INFINITY;
    m.tether_slack = 1.02f;
    return m;
}

static taut_material solid(float density, float along, float across, float shear)
{
    taut_material m = taut_default_material();
    m.units = TAUT_PHYSICAL;
    m.density = density;
    m.strain = (taut_strain){.xx = along, .yy = across, .zz = across, .xy = shear, .yz = shear, .xz = shear,
                             .rest = {1, 1, 1}, .volume = 2e9f};
    m.bend = (taut_bend){.model = TAUT_BEND_NONE};
    m.tether = 0;
    return m;
}

taut_material tio_preset(int number)
{
    switch (number) {
    case 0: return fabric(0.15f, 3000, 2000, 50, 1e-5f);    /* cotton: shirting of 150 g/m^2    */
    case 1: return fabric(0.07f, 3000, 3000, 20, 3e-6f);    /* silk: 16 momme                   */
    case 2: return fabric(0.4f, 10000, 6000, 200, 1e-4f);   /* denim: 12 oz/yd^2                */
    case 3: return solid(1100, 1e6f, 1e6f, 3e5f);           /* rubber: soft, filled             */
    case 4: return solid(1060, 5e4f, 2e4f, 1e4f);           /* muscle: relaxed                  */
    default: return taut_default_material();
    }
}
