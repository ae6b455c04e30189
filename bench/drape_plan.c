#include "drape_plan.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const drape_test_name[DRAPE_TESTS] = {"hang", "shake", "ball", "table", "top"};
const char *const drape_mesh_name[2] = {"regular", "irregular"};

/* ---- Lists ---- */

/* Takes the word up to the next comma off the front of *text, which is NULL after the last word. */
static void next_word(const char **text, const char **word, int *length)
{
    *word = *text;
    *length = (int)strcspn(*text, ",");
    *text = (*text)[*length] ? *text + *length + 1 : NULL;
}

static bool append(drape_list *list, int value, const char *option, taut_error *error)
{
    if (list->count == DRAPE_MOST)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s takes at most %d items", option, DRAPE_MOST);
    list->value[list->count++] = value;
    return true;
}

static bool read_numbers(const char *option, const char *text, int least, int most, drape_list *list, taut_error *error)
{
    if (!text) return true;
    list->count = 0;
    do {
        const char *word;
        char *end;
        int length;
        next_word(&text, &word, &length);
        long value = strtol(word, &end, 10);
        if (length == 0 || end != word + length || value < least || value > most)
            return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s takes whole numbers in %d .. %d and commas, got '%.*s'",
                           option, least, most, length, word);
        if (!append(list, (int)value, option, error)) return false;
    } while (text);
    return true;
}

static bool read_words(const char *option, const char *text, const char *const *names, int count, drape_list *list,
                       taut_error *error)
{
    if (!text) return true;
    list->count = 0;
    do {
        const char *word;
        int length, found = 0;
        next_word(&text, &word, &length);
        while (found < count && (strncmp(names[found], word, (size_t)length) != 0 || names[found][length])) found++;
        if (found == count) {
            char all[80] = "";
            for (int i = 0, used = 0; i < count && used < (int)sizeof all; i++)
                used += snprintf(all + used, sizeof all - (size_t)used, "%s%s", i ? ", " : "", names[i]);
            return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s: there is no '%.*s', only %s", option, length, word, all);
        }
        if (!append(list, found, option, error)) return false;
    } while (text);
    return true;
}

/* ---- The plan ---- */

static bool find_material(drape_plan *plan, const char *name, taut_error *error)
{
    plan->material_name = name ? name : "default";
    plan->usual_material = strcmp(plan->material_name, "default") == 0;
    if (taut_preset_material(plan->usual_material ? TAUT_DEFAULT_CLOTH : name, &plan->material)) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                   "--material: there is no '%s', only default and those of `taut materials --presets`", name);
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
    drape_list tests = {{0, 1, 2, 3, 4}, DRAPE_TESTS};
    *plan = options->quick ? few : all;
    if (!read_words("--test", options->tests, drape_test_name, DRAPE_TESTS, &tests, error) ||
        !read_numbers("--n", options->sides, 8, 2000, &plan->sides, error) ||
        !read_words("--mesh", options->meshes, drape_mesh_name, 2, &plan->meshes, error) ||
        !read_numbers("--fps", options->rates, 1, 10000, &plan->rates, error) ||
        !read_numbers("--threads", options->threads, 1, TAUT_MOST_THREADS, &plan->threads, error) ||
        !find_material(plan, options->material, error))
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
