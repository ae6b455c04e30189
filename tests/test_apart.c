/* Bodies that touch themselves and each other. The test counts edges that pass through triangles. It does so in double,
 * by trying every pair whose boxes overlap, independently of the library. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"
#include "slow_build.h"

typedef struct heap {
    taut_world *world;
    int nbodies, body[8];
    taut_model *model[8];
    taut_mesh mesh[8];
} heap;

static void add_sheet(heap *h, int n, float size, uint32_t seed, const taut_material *material, taut_body_def def)
{
    taut_error error;
    int i = h->nbodies++;
    assert_true(taut_mesh_sheet_irregular(&h->mesh[i], n, n, size, size, 0.3f, seed, &error));
    h->model[i] = taut_model_build(&h->mesh[i], material, NULL, &error);
    assert_non_null(h->model[i]);
    h->body[i] = taut_world_add_body(h->world, h->model[i], &def, &error);
    assert_true(h->body[i] >= 0);
}

static taut_body_def lying(float x, float y, float z)
{
    taut_body_def def = taut_default_body_def();
    def.rotation[0] = def.rotation[3] = 0.70710678f;
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    return def;
}

static taut_material fabric(const char *name, taut_contact contact)
{
    taut_material material = taut_default_material();
    if (name) assert_true(taut_preset_material(name, &material));
    material.contact = contact;
    return material;
}

static heap open_heap(int threads)
{
    taut_world_def def = taut_default_world_def();
    def.threads = threads;
    heap h = {.world = taut_world_create(&def, NULL)};
    assert_non_null(h.world);
    return h;
}

static void close_heap(heap *h)
{
    taut_world_free(h->world);
    for (int i = 0; i < h->nbodies; i++) {
        taut_model_free(h->model[i]);
        taut_mesh_free(&h->mesh[i]);
    }
}

static void add_floor_and_ball(heap *h)
{
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_PLANE;
    def.normal[1] = 1;
    def.a[1] = -0.25f;
    assert_true(taut_world_add_collider(h->world, &def, NULL) >= 0);
    def.shape = TAUT_SPHERE;
    def.a[1] = 0;
    def.radius = 0.12f;
    assert_true(taut_world_add_collider(h->world, &def, NULL) >= 0);
}

/* ---- Counting ---- */

typedef struct soup {
    int nv, nt;
    float x[3 * 8192];
    int tri[3 * 16384];
    float low[3 * 16384], high[3 * 16384]; /* the box of each triangle */
} soup;

static void box_triangles(soup *s)
{
    for (int t = 0; t < s->nt; t++)
        for (int k = 0; k < 3; k++) {
            float a = s->x[3 * s->tri[3 * t] + k], b = s->x[3 * s->tri[3 * t + 1] + k];
            float c = s->x[3 * s->tri[3 * t + 2] + k];
            s->low[3 * t + k] = fminf(a, fminf(b, c)), s->high[3 * t + k] = fmaxf(a, fmaxf(b, c));
        }
}

/* Whether the box of an edge and that of a triangle have a point in common. */
static bool boxes_meet(const float *low, const float *high, const soup *s, int t)
{
    const float *a = &s->low[3 * t], *b = &s->high[3 * t];
    return low[0] <= b[0] && high[0] >= a[0] && low[1] <= b[1] && high[1] >= a[1] && low[2] <= b[2] && high[2] >= a[2];
}

static double volume(const float *a, const float *b, const float *c, const float *d)
{
    double m[3][3];
    for (int k = 0; k < 3; k++)
        m[0][k] = (double)a[k] - d[k], m[1][k] = (double)b[k] - d[k], m[2][k] = (double)c[k] - d[k];
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static bool passes_through(const soup *s, int p, int q, const int *t)
{
    const float *a = &s->x[3 * t[0]], *b = &s->x[3 * t[1]], *c = &s->x[3 * t[2]], *u = &s->x[3 * p], *v = &s->x[3 * q];
    if (p == t[0] || p == t[1] || p == t[2] || q == t[0] || q == t[1] || q == t[2]) return false;
    double from = volume(a, b, c, u), to = volume(a, b, c, v);
    if (from * to > 0 || (from == 0 && to == 0)) return false; /* an edge in the plane of the triangle slides past */
    double ab = volume(u, v, a, b), bc = volume(u, v, b, c), ca = volume(u, v, c, a);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

static int count_at_edge(const soup *s, int p, int q)
{
    int crossings = 0;
    float low[3], high[3];
    for (int k = 0; k < 3; k++) {
        float u = s->x[3 * p + k], v = s->x[3 * q + k];
        low[k] = fminf(u, v), high[k] = fmaxf(u, v);
    }
    for (int t = 0; t < s->nt; t++)
        if (boxes_meet(low, high, s, t)) crossings += passes_through(s, p, q, &s->tri[3 * t]);
    return crossings;
}

static int count_crossings(const heap *h)
{
    static soup s;
    s.nv = s.nt = 0;
    for (int i = 0; i < h->nbodies; i++) {
        int count;
        const float *x = taut_body_positions(h->world, h->body[i], &count);
        memcpy(&s.x[3 * s.nv], x, 3 * (size_t)count * sizeof *x);
        for (int k = 0; k < 3 * h->mesh[i].ntris; k++) s.tri[3 * s.nt + k] = h->mesh[i].tri[k] + s.nv;
        s.nv += count, s.nt += h->mesh[i].ntris;
    }
    int crossings = 0;
    box_triangles(&s);
    for (int t = 0; t < s.nt; t++)
        for (int k = 0; k < 3; k++) crossings += count_at_edge(&s, s.tri[3 * t + k], s.tri[3 * t + (k + 1) % 3]);
    return crossings;
}

static int run(heap *h, int frames, float fps)
{
    int crossings = 0;
    for (int i = 0; i < frames; i++) {
        taut_world_step(h->world, 1 / fps);
        crossings += count_crossings(h);
    }
    assert_int_equal(taut_world_stats(h->world).bad_particles, 0);
    return crossings;
}

/* ---- Tests ---- */

static int drape(const char *material, taut_contact contact, float fps, float seconds)
{
    heap h = open_heap(2);
    taut_material m = fabric(material, contact);
    add_sheet(&h, 25, 1, 7, &m, lying(0.03f, 0.3f, 0.5f));
    add_floor_and_ball(&h);
    int crossings = run(&h, (int)(seconds * fps), fps);
    close_heap(&h);
    return crossings;
}

static void cloth_passes_through_itself_without_contact(void **state)
{
    (void)state;
    assert_true(drape("cotton", TAUT_CONTACT_OFF, 60, 1.5f) > 0);
}

static void nothing_passes_through_itself(void **state)
{
    (void)state;
    assert_int_equal(drape("cotton", TAUT_CONTACT_STRICT, 60, 1.5f), 0);
    if (is_brief()) return;
    assert_int_equal(drape("silk", TAUT_CONTACT_STRICT, 24, 1.5f), 0);
    assert_int_equal(drape(NULL, TAUT_CONTACT_AUTO, 60, 1.5f), 0);
}

/* Sheets of real moduli and of ratios in one pile: an island whose bodies have different substeps. */
static heap open_pile(int threads)
{
    heap h = open_heap(threads);
    taut_material m[2] = {fabric("cotton", TAUT_CONTACT_STRICT), fabric(NULL, TAUT_CONTACT_STRICT)};
    for (int i = 0; i < 4; i++)
        add_sheet(&h, 13, 0.3f, (uint32_t)i + 1, &m[i % 2],
                  lying(0.02f * (float)i, -0.2f + 0.02f * (float)i, 0.15f + 0.01f * (float)i));
    add_floor_and_ball(&h);
    return h;
}

static void layers_stay_layers(void **state)
{
    (void)state;
    SKIP_IF_BRIEF();
    heap h = open_pile(2);
    assert_int_equal(run(&h, 60, 60), 0);
    taut_stats stats = taut_world_stats(h.world);
    assert_true(stats.contact_pairs > 0);
    assert_true(stats.contact_pushes > 0);
    for (int i = 0; i < h.nbodies; i++) { /* each lies on the one below, and none went through the floor */
        int count;
        const float *x = taut_body_positions(h.world, h.body[i], &count);
        for (int k = 0; k < count; k++) assert_true(x[3 * k + 1] > -0.26f);
    }
    close_heap(&h);
}

/* The triangles of both bodies have the same numbers, which must not be confused. */
static void bodies_of_one_model_touch(void **state)
{
    (void)state;
    heap h = open_heap(1);
    taut_material m = fabric("cotton", TAUT_CONTACT_STRICT);
    taut_body_def above = lying(0, 0.02f, 0.005f);
    add_sheet(&h, 5, 0.3f, 1, &m, lying(0, 0, 0));
    h.nbodies = 2;
    h.mesh[1] = h.mesh[0];
    above.velocity[1] = -2;
    h.body[1] = taut_world_add_body(h.world, h.model[0], &above, NULL);
    assert_true(h.body[1] >= 0);
    assert_int_equal(run(&h, 30, 60), 0);
    const float *low = taut_body_positions(h.world, h.body[0], NULL);
    const float *high = taut_body_positions(h.world, h.body[1], NULL);
    assert_true(high[1] > low[1]);
    h.nbodies = 1;
    close_heap(&h);
}

static void threads_do_not_change_contacts(void **state)
{
    (void)state;
    uint64_t hash[3];
    const int frames = is_brief() ? 10 : 30;
    for (int i = 0; i < 3; i++) {
        heap h = open_pile(i + 1);
        for (int k = 0; k < frames; k++) taut_world_step(h.world, 1 / 60.0f);
        hash[i] = taut_world_hash(h.world);
        close_heap(&h);
    }
    assert_true(hash[0] == hash[1]);
    assert_true(hash[0] == hash[2]);
}

static void a_save_amid_contacts_goes_on_to_the_bit(void **state)
{
    (void)state;
    heap h = open_pile(2);
    for (int i = 0; i < 20; i++) taut_world_step(h.world, 1 / 60.0f);
    size_t size = taut_world_save(h.world, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    taut_world_save(h.world, bytes, size);
    for (int i = 0; i < 10; i++) taut_world_step(h.world, 1 / 60.0f);
    uint64_t hash = taut_world_hash(h.world);
    taut_world *other = taut_world_create(NULL, NULL);
    assert_true(taut_world_restore(other, bytes, size, (const taut_model *const *)h.model, h.nbodies, NULL));
    for (int i = 0; i < 10; i++) taut_world_step(other, 1 / 60.0f);
    assert_true(taut_world_hash(other) == hash);
    assert_true(taut_world_restore(h.world, bytes, size, (const taut_model *const *)h.model, h.nbodies, NULL));
    for (int i = 0; i < 10; i++) taut_world_step(h.world, 1 / 60.0f);
    assert_true(taut_world_hash(h.world) == hash);
    taut_world_free(other);
    free(bytes);
    close_heap(&h);
}

/* They are so fast that there is no room for all pairs that could meet. */
static void bodies_that_wait_for_room_keep_their_speeds(void **state)
{
    (void)state;
    heap h = open_heap(1);
    taut_material m = fabric("leather", TAUT_CONTACT_STRICT);
    taut_body_def def = taut_default_body_def();
    m.drag = m.lift = m.damping.global = 0;
    assert_true(taut_mesh_sphere(&h.mesh[0], 2, 0.1f, NULL));
    h.model[0] = taut_model_build(&h.mesh[0], &m, NULL, NULL);
    assert_non_null(h.model[0]);
    h.nbodies = 1;
    for (int i = 0; i < 2; i++) {
        def.position[0] = i ? 2 : -2, def.velocity[0] = i ? -100 : 100;
        h.body[i] = taut_world_add_body(h.world, h.model[0], &def, NULL);
        assert_true(h.body[i] >= 0);
    }
    taut_world_step(h.world, 1 / 60.0f);
    assert_true(taut_world_stats(h.world).contact_crowded > 0);
    for (int i = 0; i < 2; i++) {
        int n;
        const float *v = taut_body_velocities(h.world, h.body[i], &n);
        for (int k = 0; k < n; k++) assert_true((i ? -v[3 * k] : v[3 * k]) > 99);
    }
    close_heap(&h);
}

static void bodies_of_other_groups_do_not_touch(void **state)
{
    (void)state;
    heap h = open_heap(1);
    taut_material m = fabric("cotton", TAUT_CONTACT_STRICT);
    taut_body_def upper = lying(0.01f, 0.05f, 0.02f);
    upper.group = 2, upper.mask = 2;
    upper.velocity[1] = -3;
    add_sheet(&h, 9, 0.3f, 1, &m, lying(0, 0, 0));
    add_sheet(&h, 9, 0.3f, 2, &m, upper);
    for (int i = 0; i < 20; i++) taut_world_step(h.world, 1 / 60.0f);
    const float *low = taut_body_positions(h.world, h.body[0], NULL);
    const float *high = taut_body_positions(h.world, h.body[1], NULL);
    assert_true(high[1] < low[1]); /* the upper one fell through */
    close_heap(&h);
}

static double rms_speed(const heap *h)
{
    double sum = 0, count = 0;
    for (int i = 0; i < h->nbodies; i++) {
        int n;
        const float *v = taut_body_velocities(h->world, h->body[i], &n);
        for (int k = 0; k < 3 * n; k++) sum += (double)v[k] * (double)v[k];
        count += n;
    }
    return sqrt(sum / count);
}

/* The search for balance moves particles into the ball and layers into each other. If that is undone only in the next
 * substep, the cloth trembles at 30 mm/s for ever. */
static void cloth_that_lies_on_itself_comes_to_rest(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    for (int i = 0; i < 2; i++) {
        heap h = open_heap(2);
        taut_material m = fabric("cotton", i ? TAUT_CONTACT_STRICT : TAUT_CONTACT_OFF);
        taut_collider_def def = taut_default_collider_def();
        add_sheet(&h, 31, 1.5f, 7, &m, lying(0.03f, 0.35f, -0.02f));
        def.shape = TAUT_PLANE, def.normal[1] = 1, def.a[1] = -0.3f;
        assert_true(taut_world_add_collider(h.world, &def, NULL) >= 0);
        def.shape = TAUT_SPHERE, def.a[1] = 0, def.radius = 0.3f;
        assert_true(taut_world_add_collider(h.world, &def, NULL) >= 0);
        for (int k = 0; k < 240; k++) taut_world_step(h.world, 1 / 60.0f);
        double speed = rms_speed(&h);
        if (!(speed < 0.001)) fail_msg("after four seconds it moves at %g m/s", speed);
        if (i) assert_int_equal(count_crossings(&h), 0);
        close_heap(&h);
    }
}

static void stacked_sheets_come_to_rest(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    heap h = open_heap(2);
    taut_material m = fabric("cotton", TAUT_CONTACT_STRICT);
    taut_collider_def def = taut_default_collider_def();
    for (int i = 0; i < 3; i++) {
        float n = (float)i;
        add_sheet(&h, 15, 0.5f, (uint32_t)i + 1, &m, lying(0.003f * n, 0.05f + 0.01f * n, 0.002f * n));
    }
    def.shape = TAUT_PLANE, def.normal[1] = 1;
    assert_true(taut_world_add_collider(h.world, &def, NULL) >= 0);
    assert_int_equal(run(&h, 90, 60), 0);
    double speed = rms_speed(&h);
    if (!(speed < 0.001)) fail_msg("after 1.5 s they move at %g m/s", speed);
    close_heap(&h);
}

/* One of two free sheets flies at the other. In the end their momentum may be off by this share. */
static void collide_at(float speed, float from, double most)
{
    const float none[3] = {0, 0, 0};
    heap h = open_heap(2);
    taut_material m = fabric("cotton", TAUT_CONTACT_STRICT);
    taut_body_def def = taut_default_body_def();
    m.drag = m.lift = 0;
    m.damping.global = 0;
    assert_true(taut_world_set_gravity(h.world, none, NULL));
    add_sheet(&h, 11, 0.5f, 2, &m, def);
    def.position[0] = 0.05f, def.position[2] = -from, def.velocity[2] = speed;
    add_sheet(&h, 11, 0.5f, 2, &m, def);
    for (int k = 0; k < 20; k++) taut_world_step(h.world, 1 / 60.0f);
    assert_true(taut_world_stats(h.world).contact_pairs > 0);
    double momentum[3] = {0, 0, 0}, before = 0, mass[11 * 11];
    for (int i = 0; i < 2; i++) {
        const float *v = taut_body_velocities(h.world, h.body[i], NULL);
        assert_true(taut_mesh_masses(&h.mesh[i], &m, mass, NULL));
        for (int k = 0; k < 11 * 11; k++) {
            for (int c = 0; c < 3; c++) momentum[c] += mass[k] * (double)v[3 * k + c];
            before += i * (double)speed * mass[k];
        }
    }
    for (int c = 0; c < 3; c++) {
        double off = fabs(momentum[c] - (c == 2 ? before : 0)) / before;
        if (!(off < most)) fail_msg("%g m/s: momentum %d is %g of the whole off", (double)speed, c, off);
    }
    close_heap(&h);
}

/* The load that each search leaves must not change the momentum of both together. */
static void sheets_that_collide_keep_their_momentum(void **state)
{
    (void)state;
    collide_at(2, 0.05f, 0.002);
}

/* In a substep the sheet flies 40 cm. What acceptance takes back, it takes back from both. */
static void sheets_that_collide_at_100_m_s_keep_their_momentum(void **state)
{
    (void)state;
    collide_at(100, 0.5f, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_passes_through_itself_without_contact),
        cmocka_unit_test(nothing_passes_through_itself),
        cmocka_unit_test(layers_stay_layers),
        cmocka_unit_test(bodies_of_one_model_touch),
        cmocka_unit_test(threads_do_not_change_contacts),
        cmocka_unit_test(a_save_amid_contacts_goes_on_to_the_bit),
        cmocka_unit_test(bodies_that_wait_for_room_keep_their_speeds),
        cmocka_unit_test(bodies_of_other_groups_do_not_touch),
        cmocka_unit_test(cloth_that_lies_on_itself_comes_to_rest),
        cmocka_unit_test(stacked_sheets_come_to_rest),
        cmocka_unit_test(sheets_that_collide_keep_their_momentum),
        cmocka_unit_test(sheets_that_collide_at_100_m_s_keep_their_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
