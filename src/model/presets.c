/* Fabrics and soft materials by name, in physical units. docs/fabrics.md shows them.
 *
 * Samples of one name differ by factors of two and more, so each row is one plausible sample, and its source says what
 * the figures rest on. If no paper is named, they are textbook orders of magnitude, not a single measurement.
 * Units: KES-F bending B 1 gf cm^2/cm = 9.81e-5 N m, KES-F shear G 1 gf/cm/degree = 56 N/m a radian; the extension E100
 * of FAST is the strain under 98.1 N/m; a bending length c has B = density * 9.81 * c^3.
 *
 * Solids: in a material that keeps its volume, a stretch modulus k along each axis and a shear modulus k/2 give Young's
 * modulus E = 1.5 k. Foam gives way in volume, so its modes hardly couple, and k is about E itself. */
#include "taut.h"

#include <math.h>
#include <string.h>

typedef struct fabric {
    taut_preset about;
    float density;    /* kg/m^2 */
    float warp, weft; /* N/m    */
    float shear;      /* N/m    */
    float bending;    /* N m    */
} fabric;

typedef struct solid {
    taut_preset about;
    float density;       /* kg/m^3 */
    float along, across; /* Pa     */
    float shear;         /* Pa     */
    float volume;        /* Pa     */
} solid;

static const fabric fabrics[] = {
    {{"cotton", "cotton poplin, a shirt", "shirting of 150 g/m^2; KES-F B 0.05 to 0.1, G 0.9; FAST E100 3 to 5 %",
      false},
     0.15f,
     3000,
     2000,
     50,
     7e-6f},
    {{"silk", "silk crepe de chine, a blouse", "16 momme of 4.34 g/m^2; KES-F B 0.01 to 0.02, G 0.3 to 0.5", false},
     0.07f,
     3000,
     3000,
     20,
     1.2e-6f},
    {{"denim", "denim, jeans", "12 oz/yd^2 of 33.9 g/m^2; bending length near 3 cm; KES-F G 3 to 5", false},
     0.4f,
     10000,
     6000,
     200,
     1e-4f},
    {{"wool", "worsted wool, a suit", "suiting of 220 g/m^2; FAST B 6 to 12 uN m, G 30 to 50 N/m, E100 3 to 4 %",
      false},
     0.22f,
     3000,
     2500,
     35,
     8e-6f},
    {{"linen", "linen, a tablecloth", "plain weave of 200 g/m^2; bending length 2 to 2.5 cm; KES-F G 1 to 2", false},
     0.2f,
     5000,
     4000,
     80,
     2e-5f},
    {{"jersey", "single jersey, a T-shirt", "knit of 160 g/m^2; KES-F B 0.01 to 0.02, G 0.5; E100 25 and 60 %", false},
     0.16f,
     400,
     160,
     30,
     1.5e-6f},
    {{"leather", "garment leather, a jacket",
      "0.9 mm, 650 g/m^2; Young's modulus near 20 MPa, bending softer than a "
      "plate of that by its loose inner side",
      false},
     0.65f,
     18000,
     14000,
     6000,
     3e-4f},
    {{"paper", "copy paper", "80 g/m^2, 0.1 mm; Young's modulus 5 and 2.5 GPa, B = E t^3/12 between both", false},
     0.08f,
     500000,
     250000,
     130000,
     3e-4f},
    {{"ripstop", "nylon ripstop, a kite", "cloth of 45 g/m^2; KES-F B 0.02 to 0.05, G 3 and more", false},
     0.045f,
     8000,
     6000,
     200,
     2.5e-6f},
    {{"felt", "wool felt, a hat", "2 mm, 400 g/m^2; common knowledge: no threads, so shear is a third of stretch",
      false},
     0.4f,
     4000,
     4000,
     1300,
     3e-4f},
};

static const solid solids[] = {
    {{"rubber", "soft rubber", "Shore A 30: Young's modulus 1 MPa; bulk modulus of water", true},
     1100,
     6.7e5f,
     6.7e5f,
     3.3e5f,
     2e9f},
    {{"muscle", "relaxed muscle", "Young's modulus 60 kPa along the fibres (x), 30 kPa across; bulk modulus of water",
      true},
     1060,
     5e4f,
     1.7e4f,
     8e3f,
     2e9f},
    {{"fat", "body fat", "Young's modulus 3 kPa (breast fat, Samani and others 2007: 3.2 kPa); bulk modulus of water",
      true},
     920,
     2e3f,
     2e3f,
     1e3f,
     2e9f},
    {{"skin", "skin", "Young's modulus near 200 kPa (in vivo 0.1 to 0.4 MPa); bulk modulus of water", true},
     1100,
     1.3e5f,
     1.3e5f,
     6.7e4f,
     2e9f},
    {{"foam", "upholstery foam", "polyurethane of 30 kg/m^3, Young's modulus 50 kPa, hardly any Poisson effect", true},
     30,
     4.5e4f,
     4.5e4f,
     2e4f,
     1e4f},
    {{"gelatine", "table jelly", "gelatine of 5 %, Young's modulus near 6 kPa; bulk modulus of water", true},
     1020,
     4e3f,
     4e3f,
     2e3f,
     2e9f},
};

enum { FABRICS = sizeof fabrics / sizeof fabrics[0], SOLIDS = sizeof solids / sizeof solids[0] };

int taut_preset_count(void) { return FABRICS + SOLIDS; }

const taut_preset *taut_preset_at(int index)
{
    if (index < 0 || index >= FABRICS + SOLIDS) return NULL;
    return index < FABRICS ? &fabrics[index].about : &solids[index - FABRICS].about;
}

static void fill_fabric(const fabric *f, taut_material *m)
{
    m->density = f->density;
    m->strain = (taut_strain){.xx = f->warp, .yy = f->weft, .xy = f->shear, .rest = {1, 1, 1}};
    m->bend = (taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = f->bending};
    m->tether = 0;
    m->damping.global = 1;
    m->damping.bend = 20;
}

static void fill_solid(const solid *s, taut_material *m)
{
    m->density = s->density;
    m->strain = (taut_strain){.xx = s->along,
                              .yy = s->across,
                              .zz = s->across,
                              .xy = s->shear,
                              .yz = s->shear,
                              .xz = s->shear,
                              .rest = {1, 1, 1},
                              .volume = s->volume};
    m->bend = (taut_bend){.model = TAUT_BEND_NONE};
    m->tether = 0;
}

bool taut_init_preset(taut_material *material, size_t size, const char *name)
{
    taut_init_material(material, size);
    if (size != sizeof *material) return true; /* the material has the cookie of another version and will be refused */
    int index = 0;
    while (index < FABRICS + SOLIDS && strcmp(taut_preset_at(index)->name, name) != 0) index++;
    if (index == FABRICS + SOLIDS) return false;
    material->units = TAUT_PHYSICAL;
    if (index < FABRICS) fill_fabric(&fabrics[index], material);
    else fill_solid(&solids[index - FABRICS], material);
    return true;
}
