/* Warns of bodies that act much softer than their moduli or limits say: names the modulus, and the setting that would
 * help. */
#include "resolution.h"

#include <math.h>
#include <stdio.h>

/* From here on softness shows: such a sheet sags 1.3 to 1.65 times as much as it should. */
static const double TOO_SOFT = 1.7;
/* The softness that the suggested setting leaves. */
static const double ENOUGH = 1.5;
/* From this mean strain above a limit on it shows: the worst place of a hanging sheet has about five times that. */
static const double TOO_FAR = 0.01, NEAR_ENOUGH = 0.005;

taut_resolution resolution_of(const taut_scene *scene, const taut_scene_body *body)
{
    if (scene->stretch > 0 && taut_model_has_balance(body->model))
        return (taut_resolution){.warp = 1, .weft = 1, .shear = 1, .bend = 1, .depth = 1, .edge = 1};
    return taut_model_resolution(body->model, scene->substep, scene->iterations);
}

/* Writes what would help: solving by quality if it is possible, else more substeps. What is delivered grows with their
 * square, so it takes sqrt(by) times as many for `by` times as much. */
static void write_cure(const taut_scene *scene, const taut_scene_body *body, double by, char *text, size_t size)
{
    double usual = (double)taut_default_world_def().stretch;
    if (taut_model_has_balance(body->model)) {
        snprintf(text, size, "solver.stretch should be %g, not 0", usual);
        return;
    }
    double substeps = ceil(scene->substeps * sqrt(by));
    snprintf(text, size, "for so fine a mesh solver.substeps should be %.0f or more, not %d", substeps,
             scene->substeps);
}

static bool warn_of_limits(const taut_scene *scene, const taut_scene_body *body, double over, char *text, size_t size)
{
    char cure[120];
    if (!(over > TOO_FAR)) return false;
    write_cure(scene, body, over / NEAR_ENOUGH, cure, sizeof cure);
    snprintf(text, size, "its own weight stretches it beyond its limits, by about %.1f %% in the mean: %s", 100 * over,
             cure);
    return true;
}

bool resolution_warning(const taut_scene *scene, const taut_scene_body *body, char *text, size_t size)
{
    taut_resolution r = resolution_of(scene, body);
    bool solid = body->file.mesh.ntets > 0;
    const struct {
        const char *name;
        double softer;
    } moduli[] = {{solid ? "stretch along x" : "stretch along the warp", r.warp},
                  {solid ? "stretch along y" : "stretch along the weft", r.weft},
                  {"stretch along z", r.depth},
                  {"stretch", r.edge},
                  {"shear", r.shear},
                  {"bending", r.bend}};
    size_t worst = 0;
    for (size_t i = 1; i < sizeof moduli / sizeof *moduli; i++)
        if (moduli[i].softer > moduli[worst].softer) worst = i;
    if (!(moduli[worst].softer > TOO_SOFT)) return warn_of_limits(scene, body, r.limit, text, size);
    char cure[120];
    write_cure(scene, body, (moduli[worst].softer - 1) / (ENOUGH - 1), cure, sizeof cure);
    double softer = moduli[worst].softer;
    snprintf(text, size, "its %s acts about %.*f times softer than the material says: %s", moduli[worst].name,
             softer < 100 ? 1 : 0, softer, cure);
    return true;
}
