/* Every change of a world's state, on every kind of body. Three runs must give the same bits: going on, going back to a
 * save in the same world, and going on from a save in another world with another number of threads. The save is made
 * before the change or after it. Each pair of body and change is a separate test. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_bodies.h"
#include "helpers_save.h"
#include "slow_build.h"

#include <stdio.h>
#include <string.h>

enum { BEFORE = 5, AFTER = 6 };

/* ---- Changes ---- */

/* How a body is solved, whether it touches itself and another body of its kind, with a mesh and a field in its way, and
 * whether it is attached to the floor and to another body, with a hull in its way. */
typedef struct situation {
    const char *name;
    float stretch;
    bool touches, attached;
} situation;

static const situation situations[] = {
    {"", 0, false, false},
    {", by quality", 0.05f, false, false},
    {", touching another", 0, true, false},
    {", touching another, by quality", 0.05f, true, false},
    {", attached, on a hull", 0, false, true},
    {", attached, on a hull, by quality", 0.05f, false, true},
    {", attached and touching", 0, true, true},
    {", attached and touching, by quality", 0.05f, true, true},
};

/* The world that a change works on. Every world of a test gets the same calls, so ids are the same in all of them. */
typedef struct stage {
    taut_world *world;
    const taut_model *model;
    const situation *in;
    int body, floor, tie;
    float height; /* of the floor */
} stage;

typedef struct change {
    const char *name;
    void (*apply)(stage *s);
    bool (*applies)(const taut_material *m); /* NULL: to all */
    bool silent;                             /* the future is the same without the change */
    bool counts;                             /* the same, for bodies solved by quality */
} change;

static void none(stage *s) { (void)s; }

static void set_material(stage *s, const taut_material *m)
{
    taut_error error = stale();
    if (!taut_body_set_material(s->world, s->body, m, &error)) fail_msg("%s", error.text);
}

static void soften(stage *s)
{
    taut_material m = *taut_body_material(s->world, s->body);
    float *stiffness[] = {&m.edge,        &m.strain.xx,      &m.strain.yy,     &m.strain.zz,
                          &m.strain.xy,   &m.strain.yz,      &m.strain.xz,     &m.strain.volume,
                          &m.strain.area, &m.bend.stiffness, &m.elastic.young, &m.elastic.bend};
    for (int i = 0; i < LENGTH(stiffness); i++) *stiffness[i] *= 0.5f;
    set_material(s, &m);
}

static void damp(stage *s)
{
    taut_material m = *taut_body_material(s->world, s->body);
    m.damping = all_dampings();
    m.damping.global = 2;
    set_material(s, &m);
}

static void thicken(stage *s)
{
    taut_material m = *taut_body_material(s->world, s->body);
    m.thickness = 0.04f;
    m.friction = 0.9f;
    m.contact_friction = 0.1f;
    set_material(s, &m);
}

static bool has_limits(const taut_material *m) { return isfinite(m->limit.stretch[1]) || isfinite(m->limit.edge[1]); }

static void widen_limits(stage *s)
{
    taut_material m = *taut_body_material(s->world, s->body);
    float *most[] = {&m.limit.stretch[1], &m.limit.edge[1], &m.limit.bend[1]};
    for (int i = 0; i < LENGTH(most); i++)
        if (isfinite(*most[i])) *most[i] *= 1.2f;
    m.limit.stretch[0] *= 0.8f;
    set_material(s, &m);
}

static void fewer_limit_iterations(stage *s)
{
    taut_material m = *taut_body_material(s->world, s->body);
    m.limit.iterations = 2;
    set_material(s, &m);
}

static void other_enforcement(stage *s)
{
    taut_material m = *taut_body_material(s->world, s->body);
    m.limit.enforcement = m.limit.enforcement == TAUT_RANDOM ? TAUT_WINDOWED : TAUT_RANDOM;
    m.limit.iterations = 20;
    set_material(s, &m);
}

static int vertices(const stage *s) { return taut_model_vertices(s->model); }

static void make_half_heavy(stage *s)
{
    for (int v = 0; v < vertices(s) / 2; v++) assert_true(taut_body_set_mass(s->world, s->body, v, 0.5f, NULL));
}

static void pin(stage *s) { assert_true(taut_body_pin(s->world, s->body, vertices(s) - 1, NULL, 1, NULL)); }

static void pin_softly(stage *s)
{
    int last = vertices(s) - 1;
    const float *x = &taut_body_positions(s->world, s->body, NULL)[3 * last];
    const float target[3] = {x[0], x[1] + 0.02f, x[2] + 0.02f};
    assert_true(taut_body_pin(s->world, s->body, last, target, 0.4f, NULL));
}

static void unpin(stage *s) { assert_true(taut_body_unpin(s->world, s->body, 0, NULL)); }

static void move_pin(stage *s)
{
    const float *x = taut_body_positions(s->world, s->body, NULL), target[3] = {x[0] + 0.05f, x[1] + 0.1f, x[2]};
    assert_true(taut_body_pin(s->world, s->body, 0, target, 1, NULL));
}

static void solve_by_quality(stage *s) { assert_true(taut_world_set_quality(s->world, 0.05f, 20, NULL)); }

static void solve_by_quality_and_soften(stage *s)
{
    solve_by_quality(s);
    pin(s);
    soften(s);
}

static void solve_more(stage *s) { assert_true(taut_world_set_solver(s->world, 5, 3, NULL)); }

static void change_weather(stage *s)
{
    const float moon[3] = {0.5f, -1.6f, 0}, wind[3] = {0, 1, 3};
    assert_true(taut_world_set_gravity(s->world, moon, NULL) && taut_world_set_wind(s->world, wind, 1.1f, NULL));
}

static void remove_and_add(stage *s)
{
    taut_world_remove_body(s->world, s->body);
    add_at(s->world, s->model, 0, 0.1f, 0);
    s->body = add_at(s->world, s->model, 0, 0, 0.2f);
}

static void push(stage *s)
{
    int n;
    const float *v = taut_body_velocities(s->world, s->body, &n);
    float *pushed = malloc(3 * (size_t)n * sizeof *pushed);
    assert_non_null(pushed);
    for (int i = 0; i < 3 * n; i++) pushed[i] = v[i] + (i % 3 == 2 ? 0.5f : 0);
    assert_true(taut_body_set_velocities(s->world, s->body, pushed, NULL));
    free(pushed);
}

static void put_elsewhere(stage *s)
{
    int n;
    const float *x = taut_body_positions(s->world, s->body, &n);
    float *moved = malloc(3 * (size_t)n * sizeof *moved);
    assert_non_null(moved);
    for (int i = 0; i < 3 * n; i++) moved[i] = x[i] + 0.25f;
    assert_true(taut_body_set_positions(s->world, s->body, moved, NULL));
    free(moved);
}

/* A low vertex to the floor, drawn there. */
static void attach(stage *s)
{
    taut_attachment_def def = taut_default_attachment_def();
    def.body = s->body, def.vertex = vertices(s) - 4, def.collider = s->floor;
    def.offset[1] = -0.1f;
    assert_true(taut_world_attach(s->world, &def, NULL) >= 0);
}

static void detach(stage *s)
{
    assert_true(taut_world_has_attachment(s->world, s->tie));
    taut_world_detach(s->world, s->tie);
}

static void lift_floor(stage *s)
{
    taut_collider_def def = taut_default_collider_def();
    def.a[1] = s->height + 0.05f;
    assert_true(taut_collider_move(s->world, s->floor, &def, NULL));
}

/* It may have touched nothing yet. */
static void pass_through_all(stage *s)
{
    lift_floor(s);
    assert_true(taut_body_set_filter(s->world, s->body, 2, 2, NULL));
}

static void remove_floor(stage *s) { taut_world_remove_collider(s->world, s->floor); }

static const change changes[] = {
    {"nothing", none, NULL, true, false},
    {"softer material", soften, NULL, false, false},
    {"more damping", damp, NULL, false, false},
    {"thickness and friction", thicken, NULL, false, false},
    {"wider limits", widen_limits, has_limits, false, false},
    {"fewer iterations of limits", fewer_limit_iterations, has_limits, false, false},
    {"another enforcement", other_enforcement, has_limits, false, false},
    {"masses", make_half_heavy, NULL, false, false},
    {"a pin", pin, NULL, false, false},
    {"a soft pin", pin_softly, NULL, false, false},
    {"a pin let go", unpin, NULL, false, false},
    {"a pin moved", move_pin, NULL, false, false},
    {"the solver's counts", solve_more, NULL, false, true},
    {"the solver's quality", solve_by_quality, NULL, true, false},
    {"quality, a pin and a softer material", solve_by_quality_and_soften, NULL, false, false},
    {"gravity and wind", change_weather, NULL, false, false},
    {"a body removed and others added", remove_and_add, NULL, false, false},
    {"velocities", push, NULL, false, false},
    {"positions", put_elsewhere, NULL, false, false},
    {"an attachment", attach, NULL, true, false},
    {"an attachment let go", detach, NULL, false, false},
    {"a collider moved", lift_floor, NULL, false, false},
    {"a collider moved and other groups", pass_through_all, NULL, true, false},
    {"a collider removed", remove_floor, NULL, true, false},
};

/* ---- Worlds and saves ---- */

static stage open_stage(const taut_model *model, const situation *in, int threads)
{
    taut_world_def def = taut_default_world_def();
    def.threads = threads;
    def.stretch = in->stretch;
    def.budget = 20;
    def.substeps = 3;
    def.iterations = 2;
    def.wind[2] = 2;
    stage s = {.world = taut_world_create(&def, NULL), .model = model, .in = in, .body = -1, .floor = -1, .tie = -1};
    assert_non_null(s.world);
    return s;
}

static void restore(stage *s, const save *from)
{
    taut_error error = stale();
    if (!taut_world_restore(s->world, from->bytes, from->size, &s->model, 1, &error)) fail_msg("%s", error.text);
}

static uint64_t step_on(stage *s)
{
    step_times(s->world, AFTER);
    assert_int_equal(taut_world_stats(s->world).bad_particles, 0);
    return taut_world_hash(s->world);
}

/* ---- The test of a pair ---- */

typedef struct pair {
    char name[120];
    const taut_model *model;
    const situation *in;
    const change *change;
} pair;

static void touch(const stage *s, int body)
{
    taut_material m = *taut_body_material(s->world, body);
    m.contact = s->in->touches ? TAUT_CONTACT_STRICT : TAUT_CONTACT_OFF;
    assert_true(taut_body_set_material(s->world, body, &m, NULL));
}

/* A pyramid on the floor, below the middle of the body. */
static void add_pyramid(const stage *s, taut_shape shape, float x)
{
    static float corner[] = {-0.2f, 0, -0.2f, 0.2f, 0, -0.2f, 0.2f, 0, 0.2f, -0.2f, 0, 0.2f, 0, 0.03f, 0};
    static int tri[] = {0, 1, 2, 0, 2, 3, 1, 0, 4, 2, 1, 4, 3, 2, 4, 0, 3, 4};
    taut_mesh mesh = {.nvertices = 5, .ntris = 6, .x = corner, .tri = tri};
    taut_collider_def def = taut_default_collider_def();
    def.shape = shape, def.mesh = &mesh, def.a[0] = x, def.a[1] = s->height, def.cell = 0.05f;
    taut_error error = stale();
    if (taut_world_add_collider(s->world, &def, &error) < 0) fail_msg("%s", error.text);
}

/* A hull in its way, and leashes to another body that hangs beside it and to the floor. */
static void attach_to_all(stage *s)
{
    add_pyramid(s, TAUT_HULL, 0);
    taut_attachment_def def = taut_default_attachment_def();
    def.body = s->body, def.vertex = vertices(s) - 1;
    def.other = add_at(s->world, s->model, 0.1f, 0.02f, 0.05f), def.corner[0] = def.vertex;
    def.slack = 0.01f;
    if (!s->in->touches) touch(s, def.other);
    s->tie = taut_world_attach(s->world, &def, NULL);
    assert_true(s->tie >= 0);
    def.vertex = vertices(s) - 2, def.other = -1, def.collider = s->floor;
    assert_true(taut_world_attach(s->world, &def, NULL) >= 0);
}

/* A floor that the lower end of every body soon touches. Another body may hang in its way. */
static void begin(stage *s)
{
    s->body = add_at(s->world, s->model, 0, 0, 0);
    int n;
    const float *x = taut_body_positions(s->world, s->body, &n);
    float lowest = 0, front = -INFINITY, back = INFINITY;
    for (int v = 0; v < n; v++) {
        lowest = fminf(lowest, x[3 * v + 1]);
        front = fmaxf(front, x[3 * v + 2]), back = fminf(back, x[3 * v + 2]);
    }
    s->height = lowest + 0.01f;
    s->floor = add_floor(s->world, s->height);
    touch(s, s->body);
    if (s->in->touches) {
        touch(s, add_at(s->world, s->model, 0, 0, front - back + 0.006f));
        add_pyramid(s, TAUT_MESH, 0);
        add_pyramid(s, TAUT_FIELD, 0.1f);
    }
    if (s->in->attached) attach_to_all(s);
    step_times(s->world, BEFORE);
}

static void expect_future(const char *way, uint64_t got, uint64_t future)
{
    if (got != future) fail_msg("%s gives another future than going on", way);
}

/* Acts like a run that is killed after every step: each step runs in a new world, from the bytes of the step before. */
static uint64_t resume_each_step(const pair *p, const save *start)
{
    save last = {.bytes = malloc(start->size), .size = start->size};
    assert_non_null(last.bytes);
    memcpy(last.bytes, start->bytes, start->size);
    uint64_t hash = 0;
    for (int step = 0; step < AFTER; step++) {
        stage s = open_stage(p->model, p->in, 1);
        restore(&s, &last);
        step_times(s.world, 1);
        free(last.bytes);
        last = take_save(s.world);
        hash = taut_world_hash(s.world);
        taut_world_free(s.world);
    }
    free(last.bytes);
    return hash;
}

/* A world that begins on its own, is changed, and later goes back to either save. */
static void expect_same_in_another_world(const pair *p, const save *before, const save *after, uint64_t future)
{
    stage s = open_stage(p->model, p->in, 2);
    begin(&s);
    int body = s.body;
    p->change->apply(&s);
    expect_future("another number of threads", step_on(&s), future);
    restore(&s, before);
    s.body = body;
    p->change->apply(&s);
    expect_future("a restore, then the change", step_on(&s), future);
    restore(&s, after);
    expect_future("the change, then a restore", step_on(&s), future);
    taut_world_free(s.world);
}

static void goes_on_the_same(void **state)
{
    const pair *p = *state;
    stage s = open_stage(p->model, p->in, 1);
    begin(&s);
    save before = take_save(s.world);
    uint64_t unchanged = step_on(&s);
    restore(&s, &before);
    expect_future("going back", step_on(&s), unchanged);
    taut_world_free(s.world);

    s = open_stage(p->model, p->in, 1);
    begin(&s);
    p->change->apply(&s);
    save after = take_save(s.world);
    uint64_t future = step_on(&s);
    bool silent = p->change->silent || (p->change->counts && p->in->stretch > 0);
    if (!silent && future == unchanged) fail_msg("the change has no effect");
    restore(&s, &after);
    expect_future("a restore in place", step_on(&s), future);
    taut_world_free(s.world);
    expect_same_in_another_world(p, &before, &after, future);
    expect_future("resuming at every step", resume_each_step(p, &after), future);
    free(before.bytes);
    free(after.bytes);
}

/* ---- The table ---- */

enum {
    BODIES = LENGTH(kinds_of_bodies),
    CHANGES = LENGTH(changes),
    SITUATIONS = LENGTH(situations)
};

static taut_model *models[BODIES][2];
static pair pairs[BODIES * CHANGES * SITUATIONS];
static struct CMUnitTest tests[BODIES * CHANGES * SITUATIONS];

/* The kinds that touch: one for each way in which bodies are solved. */
static const char *const touching[] = {"ratio cloth with levels",   "physical cloth", "limited cloth with levels",
                                       "solid with limits and levels", "elastic cloth",  "rope",
                                       "ball of gas"};

static bool takes_part(const kind_of_body *body, const taut_model *model, const situation *in)
{
    bool touches = false;
    for (int i = 0; i < LENGTH(touching); i++) touches = touches || strcmp(body->name, touching[i]) == 0;
    /* Elastic forces are stable near the rest shape only (docs/elastic.md), and this takes them far from it. */
    if (in->touches && in->attached && strcmp(body->name, "elastic cloth") == 0) return false;
    return ((!in->touches && !in->attached) || touches) && (!(in->stretch > 0) || taut_model_has_balance(model));
}

static void add_pair(int *count, const kind_of_body *body, const taut_model *model, const situation *in,
                     const change *what)
{
    pair *p = &pairs[*count];
    *p = (pair){.model = model, .in = in, .change = what};
    snprintf(p->name, sizeof p->name, "%s%s: %s", body->name, in->name, what->name);
    tests[(*count)++] = (struct CMUnitTest){p->name, goes_on_the_same, NULL, NULL, p};
}

/* The material of a model, read from a body, because only a world tells it. */
static taut_material material_of(const taut_model *model)
{
    stage s = open_stage(model, &situations[0], 1);
    taut_material m = *taut_body_material(s.world, add_at(s.world, model, 0, 0, 0));
    taut_world_free(s.world);
    return m;
}

int main(void)
{
    /* Slow builds try some pairs of every body, situation and change. */
    const int every = is_brief() ? 7 : SLOW_BUILD ? 3 : 1;
    int count = 0;
    for (int b = 0; b < BODIES; b++) {
        const kind_of_body *body = &kinds_of_bodies[b];
        models[b][LARGE] = build_body(body, LARGE);
        models[b][SMALL] = build_body(body, SMALL); /* contact takes long */
        taut_material m = material_of(models[b][LARGE]);
        for (int i = 0; i < SITUATIONS; i++)
            for (int c = 0; c < CHANGES; c++) {
                const taut_model *model = models[b][situations[i].touches || situations[i].attached ? SMALL : LARGE];
                if (changes[c].apply == detach && !situations[i].attached) continue;
                if ((b + i + c) % every != 0) continue;
                if (takes_part(body, model, &situations[i]) && (!changes[c].applies || changes[c].applies(&m)))
                    add_pair(&count, body, model, &situations[i], &changes[c]);
            }
    }
    int failed = _cmocka_run_group_tests("crossed", tests, (size_t)count, NULL, NULL);
    for (int b = 0; b < BODIES; b++) taut_model_free(models[b][LARGE]), taut_model_free(models[b][SMALL]);
    return failed;
}
