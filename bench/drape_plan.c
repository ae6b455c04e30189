#include "drape_plan.h"

#include "base/error.h"

#include <string.h>

const char *const drape_test_name[DRAPE_TESTS] = {"hang", "shake", "ball", "table", "top"};
const char *const drape_contact_name[TAUT_CONTACT_AUTO + 1] = {"off", "fast", "strict", "auto"};
const char *const drape_mesh_name[2] = {"regular", "irregular"};

/* ---- The plan ---- */

static bool find_material(drape_plan *plan, const char *name, taut_error *error)
{
    plan->material_name = name ? name : "default";
    plan->usual_material = strcmp(plan->material_name, "default") == 0;
    if (taut_preset_material(plan->usual_material ? TAUT_DEFAULT_CLOTH : name, &plan->material)) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                   "--material: there is no '%s', only default and those of `taut materials --presets`", name);
}

static bool set_contact(drape_plan *plan, const char *name, taut_error *error)
{
    number_list contact = {{(int)plan->material.contact}, 1};
    if (!list_read_words("--contact", name, drape_contact_name, TAUT_CONTACT_AUTO + 1, &contact, error)) return false;
    if (contact.count > 1) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "--contact takes one word, got '%s'", name);
    plan->material.contact = (taut_contact)contact.value[0];
    return true;
}

static void set_solver(drape_plan *plan, const drape_options *options)
{
    plan->world = taut_default_world_def();
    plan->model = taut_default_model_options();
    /* Cloth without levels is not solved by quality. */
    bool counts = options->counts || options->substeps || options->iterations || options->levels == 0;
    plan->usual_solver = !counts && options->levels == TAUT_LEVELS_AUTO;
    if (counts) plan->world.stretch = 0;
    if (options->substeps) plan->world.substeps = options->substeps;
    if (options->iterations) plan->world.iterations = options->iterations;
    plan->model.levels = options->levels;
}

bool drape_plan_make(drape_plan *plan, const drape_options *options, taut_error *error)
{
    static const drape_plan all = {.sides = {{25, 50, 100, 200}, 4},
                                   .meshes = {{0, 1}, 2},
                                   .rates = {{24, 60, 120}, 3},
                                   .threads = {{1, 2}, 2}},
                            few = {.sides = {{25, 50}, 2}, .meshes = {{1}, 1}, .rates = {{60}, 1}, .threads = {{1}, 1}};
    number_list tests = {{0, 1, 2, 3, 4}, DRAPE_TESTS};
    *plan = options->quick ? few : all;
    if (!list_read_words("--test", options->tests, drape_test_name, DRAPE_TESTS, &tests, error) ||
        !list_read_numbers("--n", options->sides, 8, 2000, &plan->sides, error) ||
        !list_read_words("--mesh", options->meshes, drape_mesh_name, 2, &plan->meshes, error) ||
        !list_read_numbers("--fps", options->rates, 1, 10000, &plan->rates, error) ||
        !list_read_numbers("--threads", options->threads, 1, TAUT_MOST_THREADS, &plan->threads, error) ||
        !find_material(plan, options->material, error) || !set_contact(plan, options->contact, error))
        return false;
    for (int i = 0; i < tests.count; i++) plan->test[tests.value[i]] = true;
    plan->flat = options->flat;
    set_solver(plan, options);
    return true;
}

double drape_hang_density(const drape_plan *plan)
{
    return plan->usual_material ? (double)0.2f : (double)plan->material.density;
}
