/* taut info of a scene: describes what the scene builds, without running it. */
#include "info.h"
#include "resolution.h"
#include "thickness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

/* Bytes that are allocated now; 0 if the system does not tell. */
static double allocated(void)
{
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 now = mallinfo2();
    return (double)now.uordblks + (double)now.hblkhd;
#else
    return 0;
#endif
}

static int count_pins(const taut_mesh *mesh)
{
    int pins = 0;
    for (int v = 0; mesh->pinned && v < mesh->nvertices; v++) pins += mesh->pinned[v] != 0;
    return pins;
}

static bool is_cloth(const taut_mesh *mesh) { return mesh->ntris > 0 && mesh->ntets == 0; }

static bool is_physical(const taut_scene *scene, const taut_scene_body *body)
{
    return taut_body_material(scene->world, body->body)->units == TAUT_PHYSICAL;
}

/* The figures of a body, for both forms of the description. */
typedef struct body_figures {
    taut_mesh_report report;
    int pins;
} body_figures;

static bool measure_body(const taut_scene_body *body, body_figures *f, taut_error *error)
{
    if (!taut_mesh_inspect(&body->file.mesh, &f->report, error)) return false;
    f->pins = count_pins(&body->file.mesh);
    return true;
}

/* ---- Text ---- */

static void print_constraints(const taut_model *model)
{
    bool first = true;
    for (int kind = 0; kind < taut_kind_count(); kind++) {
        int count = taut_model_constraints(model, kind);
        if (count == 0) continue;
        info_row(first ? "constraints" : "", "%-20s %9d", taut_kind_name(kind), count);
        first = false;
    }
    if (first) info_row("constraints", "none");
}

static void print_material(const taut_scene *scene, const taut_scene_body *body)
{
    const char *usual = is_cloth(&body->file.mesh) ? "the preset " TAUT_DEFAULT_CLOTH : "the default";
    const char *units = is_physical(scene, body) ? "physical units" : "ratios for stiffnesses";
    if (body->has_material) info_row("material", "as the scene says, %s", units);
    else info_row("material", "%s, because the scene gives none; %s", usual, units);
}

/* Elastic forces are stable only up to a certain length of step. */
static void print_stable_step(const taut_model *model, double substep)
{
    double stable = (double)taut_model_stable_step(model);
    if (!(stable < INFINITY)) return;
    info_row("stable step", "%.3g ms; a substep is %.3g ms%s", 1000 * stable, 1000 * substep,
             substep > stable ? ": steps will have more" : "");
}

static void print_body(const taut_scene *scene, const taut_scene_body *body, const body_figures *f)
{
    const taut_mesh *mesh = &body->file.mesh;
    printf("\n%s: body\n", body->name);
    info_row("vertices", "%d, %d of them pinned", mesh->nvertices, f->pins);
    if (mesh->ntris) info_row("triangles", "%d, %.6g m^2", mesh->ntris, (double)f->report.area);
    if (mesh->ntets) info_row("tets", "%d, %.6g m^3", mesh->ntets, (double)f->report.volume);
    if (mesh->nlines) info_row("lines", "%d", mesh->nlines);
    print_material(scene, body);
    info_row("mass", "%.6g kg", body->mass);
    info_row("levels", "%d", taut_model_levels(body->model));
    if (is_cloth(mesh))
        info_row("imperfection", "%.3g of an edge, where the mesh is flat", (double)body->imperfection);
    print_stable_step(body->model, scene->substep);
    char warning[300];
    if (resolution_warning(scene, body, warning, sizeof warning)) info_row("WARNING", "%s", warning);
    if (thickness_warning(scene, body, warning, sizeof warning)) info_row("WARNING", "%s", warning);
    print_constraints(body->model);
}

static void print_scene(const char *path, const taut_scene *scene, double bytes)
{
    taut_stats stats = taut_world_stats(scene->world);
    printf("%s: scene\n", path);
    info_row("frames", "%d at %.6g a second: %.6g s", scene->frames, scene->fps, scene->frames / scene->fps);
    info_row("bodies", "%d", scene->nbodies);
    info_row("particles", "%d", stats.particles);
    info_row("colliders", "%d", stats.colliders);
    if (stats.attachments) info_row("attachments", "%d vertices", stats.attachments);
    for (int i = 0; i < scene->noutputs; i++) info_row(i ? "" : "writes", "%s", scene->output[i]);
    if (bytes > 0) info_row("memory", "%.1f MB", bytes / 1e6);
}

/* ---- JSON ---- */

static void json_body(const taut_scene *scene, const taut_scene_body *body, const body_figures *f)
{
    info_json object = {0};
    int kinds = 0;
    putchar('{');
    info_key(&object, "name");
    info_string(body->name);
    info_integer(&object, "vertices", body->file.mesh.nvertices);
    info_integer(&object, "triangles", body->file.mesh.ntris);
    info_integer(&object, "tets", body->file.mesh.ntets);
    info_integer(&object, "lines", body->file.mesh.nlines);
    info_integer(&object, "pinned", f->pins);
    info_integer(&object, "has_material", body->has_material);
    info_integer(&object, "physical", is_physical(scene, body));
    info_number(&object, "mass", body->mass);
    info_integer(&object, "levels", taut_model_levels(body->model));
    if (is_cloth(&body->file.mesh)) info_number(&object, "imperfection", (double)body->imperfection);
    if (taut_model_stable_step(body->model) < INFINITY) {
        info_number(&object, "stable_step", (double)taut_model_stable_step(body->model));
        info_number(&object, "substep", scene->substep);
    }
    taut_resolution softer = resolution_of(scene, body);
    info_number(&object, "softer_warp", softer.warp);
    info_number(&object, "softer_weft", softer.weft);
    info_number(&object, "softer_shear", softer.shear);
    info_number(&object, "softer_bend", softer.bend);
    info_number(&object, "softer_depth", softer.depth);
    info_number(&object, "softer_edge", softer.edge);
    info_number(&object, "over_limit", softer.limit);
    info_key(&object, "constraints");
    putchar('{');
    for (int kind = 0; kind < taut_kind_count(); kind++) {
        int count = taut_model_constraints(body->model, kind);
        if (count > 0) printf("%s\"%s\": %d", kinds++ ? ", " : "", taut_kind_name(kind), count);
    }
    printf("}}");
}

/* Leaves the list of bodies open. */
static void json_scene(const char *path, const taut_scene *scene, double bytes)
{
    info_json object;
    taut_stats stats = taut_world_stats(scene->world);
    info_open(&object, "scene", path);
    info_number(&object, "fps", scene->fps);
    info_integer(&object, "frames", scene->frames);
    info_integer(&object, "particles", stats.particles);
    info_integer(&object, "colliders", stats.colliders);
    info_integer(&object, "attachments", stats.attachments);
    if (bytes > 0) info_number(&object, "bytes", bytes);
    info_key(&object, "outputs");
    putchar('[');
    for (int i = 0; i < scene->noutputs; i++) {
        if (i) printf(", ");
        info_string(scene->output[i]);
    }
    putchar(']');
    info_key(&object, "bodies");
    putchar('[');
}

/* Measures each body; free the result. NULL after an error. */
static body_figures *measure_bodies(const taut_scene *scene, taut_error *error)
{
    body_figures *f = calloc((size_t)scene->nbodies + 1, sizeof *f);
    bool good = f != NULL;
    if (!good) snprintf(error->text, sizeof error->text, "out of memory");
    for (int i = 0; good && i < scene->nbodies; i++) good = measure_body(&scene->body[i], &f[i], error);
    if (good) return f;
    free(f);
    return NULL;
}

bool info_scene(const char *path, bool json, taut_error *error)
{
    double before = allocated();
    taut_scene *scene = taut_scene_load(path, &(taut_scene_options){.threads = 1}, error);
    if (!scene) return false;
    double bytes = allocated() - before;
    body_figures *f = measure_bodies(scene, error);
    if (f) {
        (json ? json_scene : print_scene)(path, scene, bytes);
        for (int i = 0; i < scene->nbodies; i++) {
            if (json && i) printf(", ");
            (json ? json_body : print_body)(scene, &scene->body[i], &f[i]);
        }
        if (json) printf("]}");
    }
    taut_scene_free(scene);
    bool good = f != NULL;
    free(f);
    return good;
}
