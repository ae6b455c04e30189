/* Warns of cloth that acts much softer than its moduli say: names the modulus, and the setting that would help. */
#include "resolution.h"

#include <math.h>
#include <stdio.h>

/* From here on softness shows: such a sheet sags 1.3 to 1.65 times as much as it should. */
static const double TOO_SOFT = 1.7;
/* The softness that the suggested setting leaves. */
static const double ENOUGH = 1.5;

taut_resolution resolution_of(const taut_scene *scene, const taut_scene_body *body)
{
    if (scene->stretch > 0 && taut_model_has_balance(body->model)) return (taut_resolution){1, 1, 1, 1};
    return taut_model_resolution(body->model, scene->substep, scene->iterations);
}

/* Writes what would help: solving by quality if it is possible, else more substeps. */
static void write_cure(const taut_scene *scene, const taut_scene_body *body, double softer, char *text, size_t size)
{
    double usual = (double)taut_default_world_def().stretch;
    if (taut_model_has_balance(body->model)) {
        snprintf(text, size, "solver.stretch should be %g, not 0", usual);
        return;
    }
    double substeps = ceil(scene->substeps * sqrt((softer - 1) / (ENOUGH - 1)));
    snprintf(text, size, "for so fine a mesh solver.substeps should be %.0f or more, not %d", substeps,
             scene->substeps);
}

bool resolution_warning(const taut_scene *scene, const taut_scene_body *body, char *text, size_t size)
{
    taut_resolution r = resolution_of(scene, body);
    const struct {
        const char *name;
        double softer;
    } moduli[] = {{"stretch along the warp", r.warp},
                  {"stretch along the weft", r.weft},
                  {"shear", r.shear},
                  {"bending", r.bend}};
    int worst = 0;
    for (int i = 1; i < 4; i++)
        if (moduli[i].softer > moduli[worst].softer) worst = i;
    if (!(moduli[worst].softer > TOO_SOFT)) return false;
    char cure[120];
    write_cure(scene, body, moduli[worst].softer, cure, sizeof cure);
    snprintf(text, size, "its %s acts about %.3g times softer than the material says: %s", moduli[worst].name,
             moduli[worst].softer, cure);
    return true;
}
