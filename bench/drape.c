#include "drape.h"

#include "drape_row.h"

#include <stdio.h>

/* The progress of a run, in vertices times frames. */
typedef struct course {
    const drape_options *options;
    double all, done, each; /* each: for one frame of the present scene */
    char about[80];
    bool any; /* a row is printed */
    drape_summary summary;
} course;

static void tick(void *user)
{
    course *c = user;
    c->done += c->each;
    if (c->options->progress) c->options->progress(c->done / c->all, c->about);
}

/* The last test of a scene that is asked for; shaking comes after hanging. DRAPE_TESTS: none is asked for. */
static drape_test last_test(const drape_plan *plan, drape_test scene)
{
    if (scene == DRAPE_SHAKE) return DRAPE_TESTS;
    if (scene == DRAPE_HANG && plan->test[DRAPE_SHAKE]) return DRAPE_SHAKE;
    return plan->test[scene] ? scene : DRAPE_TESTS;
}

/* A scene, and the last test that is made with it. */
typedef struct scene_case {
    drape_test scene, last;
    int n, rate;
    bool irregular;
    double work;
} scene_case;

/* The scenes of a plan by number, tests first; false after the last one. */
static bool case_at(const drape_plan *plan, int number, scene_case *c)
{
    int rates = plan->rates.count, meshes = rates * plan->meshes.count, tests = meshes * plan->sides.count;
    if (tests < 1 || number >= DRAPE_TESTS * tests) return false;
    *c = (scene_case){.scene = (drape_test)(number / tests),
                      .n = plan->sides.value[number % tests / meshes],
                      .irregular = plan->meshes.value[number % meshes / rates] == 1,
                      .rate = plan->rates.value[number % rates]};
    c->last = last_test(plan, c->scene);
    if (c->last < DRAPE_TESTS) c->work = drape_test_times[c->last].ends * c->rate * c->n * c->n * plan->threads.count;
    return true;
}

/* Runs every test up to the last, because each goes on where the one before ends. Prints only those asked for. */
static bool run_tests(const drape_plan *plan, drape_scene *s, drape_test last, course *c, taut_error *error)
{
    for (int test = (int)s->test; test <= (int)last; test++) {
        drape_row row;
        snprintf(c->about, sizeof c->about, "%s, n %d, %s, %d fps", drape_test_name[test], s->n,
                 drape_mesh_name[s->irregular], s->rate);
        if (!drape_row_measure(&row, s, (drape_test)test, tick, c, error)) return false;
        if (!plan->test[test]) continue;
        if (c->options->progress) c->options->progress(c->done / c->all, NULL);
        drape_print_row(plan, &row, c->options->json, !c->any);
        drape_summary_add(&c->summary, &row);
        c->any = true;
    }
    return true;
}

static bool run_scene(const drape_plan *plan, const scene_case *wanted, course *c, taut_error *error)
{
    drape_scene s;
    if (!drape_scene_open(&s, plan, wanted->scene, wanted->n, wanted->irregular, wanted->rate, error)) return false;
    c->each = wanted->work / (drape_test_times[wanted->last].ends * wanted->rate);
    bool ok = run_tests(plan, &s, wanted->last, c, error);
    drape_scene_close(&s);
    return ok;
}

bool drape_run(const drape_options *options, taut_error *error)
{
    drape_plan plan;
    scene_case wanted;
    course c = {.options = options};
    if (!drape_plan_make(&plan, options, error)) return false;
    for (int i = 0; case_at(&plan, i, &wanted); i++) c.all += wanted.work;
    drape_print_begin(&plan, options->json);
    for (int i = 0; case_at(&plan, i, &wanted); i++)
        if (wanted.work > 0 && !run_scene(&plan, &wanted, &c, error)) return false;
    drape_print_end(options->json, &c.summary);
    return true;
}
