/* Contact of layers neither glues them together nor throws them apart, and does not add energy. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"
#include "slow_build.h"

enum { N = 11, MOST = 5 };
static const double STEP = 1.0 / 60;

/* Sheets of one mesh, level, one above the other. */
typedef struct pile {
    taut_world *world;
    taut_model *model;
    int count, body[MOST];
    double mass[N * N];
} pile;

static pile open_pile(int count, double gap, bool counts, bool pinned)
{
    pile s = {.count = count};
    taut_material cotton;
    taut_world_def def = taut_default_world_def();
    taut_mesh mesh;
    def.threads = 1;
    if (counts) def.stretch = 0;
    s.world = taut_world_create(&def, NULL);
    assert_true(s.world && taut_init_preset(&cotton, sizeof cotton, "cotton"));
    cotton.contact = TAUT_CONTACT_STRICT;
    cotton.damping.global = cotton.damping.dry = cotton.drag = cotton.lift = 0;
    assert_true(taut_mesh_sheet_irregular(&mesh, N, N, 0.3f, 0.3f, 0.3f, 4, NULL));
    for (int i = 0; i < mesh.nvertices; i++) {
        float *x = &mesh.x[3 * i], y = x[1];
        x[1] = 0, x[2] = -0.15f - y;
    }
    assert_true(taut_mesh_masses(&mesh, &cotton, s.mass, NULL));
    if (pinned) assert_true(taut_mesh_pin(&mesh, 0, NULL) && taut_mesh_pin(&mesh, N - 1, NULL));
    s.model = model_of(&mesh, &cotton);
    for (int k = 0; k < count; k++) s.body[k] = add_at(s.world, s.model, 0, (float)(gap * k), 0);
    return s;
}

static void close_pile(pile *s)
{
    taut_world_free(s->world);
    taut_model_free(s->model);
}

static void run_for(pile *s, double seconds)
{
    for (int i = 0; i < (int)(seconds / STEP + 0.5); i++) assert_true(taut_world_step(s->world, (float)STEP));
    assert_int_equal(taut_world_stats(s->world).bad_particles, 0);
}

static void speed_up(pile *s, int k, float x, float y)
{
    float v[3 * N * N];
    for (int i = 0; i < N * N; i++) v[3 * i] = x, v[3 * i + 1] = y, v[3 * i + 2] = 0;
    assert_true(taut_body_set_velocities(s->world, s->body[k], v, NULL));
}

/* Of all sheets: mean height, mean velocity, energy of motion, the fastest vertex. */
typedef struct motion {
    double height, velocity[3], energy, fastest;
} motion;

static motion measure(const pile *s)
{
    motion m = {0};
    double all = 0;
    for (int k = 0; k < s->count; k++) {
        const float *x = taut_body_positions(s->world, s->body[k], NULL);
        const float *v = taut_body_velocities(s->world, s->body[k], NULL);
        for (int i = 0; i < N * N; i++) {
            double square = 0;
            for (int c = 0; c < 3; c++) {
                double u = (double)v[3 * i + c];
                square += u * u;
                m.velocity[c] += s->mass[i] * u;
            }
            m.height += s->mass[i] * (double)x[3 * i + 1];
            m.energy += 0.5 * s->mass[i] * square;
            m.fastest = fmax(m.fastest, sqrt(square));
            all += s->mass[i];
        }
    }
    m.height /= all;
    for (int c = 0; c < 3; c++) m.velocity[c] /= all;
    return m;
}

/* Sheets that touch each other fall freely. In n substeps of h they fall by g h^2 n (n + 1) / 2. Contact is the only
 * force beside gravity, and it keeps the momentum. */
static void a_falling_stack_falls_as_if_alone(void **state)
{
    (void)state;
    const double seconds = is_brief() ? 0.1 : 0.5;
    for (int counts = 0; counts < 2; counts++) {
        pile s = open_pile(MOST, 0.0051, counts, false), one = open_pile(1, 0, counts, false);
        double from = measure(&s).height;
        run_for(&s, seconds);
        run_for(&one, seconds);
        double way = measure(&s).height - from, alone = measure(&one).height;
        if (!(fabs(way - alone) <= 1e-3 * fabs(alone))) fail_msg("the stack falls %g m, one sheet %g m", way, alone);
        close_pile(&s);
        close_pile(&one);
    }
}

/* The upper of two sheets moves to the side. Without gravity nothing presses them together, so neither takes the other
 * along. */
static void sheets_slide_off_each_other(void **state)
{
    (void)state;
    const float none[3] = {0, 0, 0};
    for (int counts = 0; counts < 2; counts++) {
        pile s = open_pile(2, 0.0051, counts, false);
        assert_true(taut_world_set_gravity(s.world, none, NULL));
        speed_up(&s, 1, 0.5f, 0);
        run_for(&s, 0.5);
        double way[2] = {0, 0};
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < N * N; i++)
                way[k] += (double)taut_body_velocities(s.world, s.body[k], NULL)[3 * i] / (N * N);
        if (!(way[1] > 0.475 && fabs(way[0]) < 0.025)) fail_msg("they move at %g and %g m/s", way[0], way[1]);
        close_pile(&s);
    }
}

/* Two sheets meet head-on, and one a little to the side. */
static void a_collision_adds_no_energy(void **state)
{
    (void)state;
    const float none[3] = {0, 0, 0};
    for (int i = 0; i < 6; i++) {
        float speed = i / 2 == 0 ? 0.3f : i / 2 == 1 ? 2 : 10;
        pile s = open_pile(2, 0.02, i % 2, false);
        assert_true(taut_world_set_gravity(s.world, none, NULL));
        speed_up(&s, 0, 0, speed);
        speed_up(&s, 1, 0.2f * speed, -speed);
        motion before = measure(&s);
        for (int k = 0; k < 20; k++) {
            run_for(&s, STEP);
            motion now = measure(&s);
            if (!(now.energy <= before.energy * (1 + 1e-4)))
                fail_msg("%g m/s: %g J after %g J in step %d", (double)speed, now.energy, before.energy, k);
        }
        motion after = measure(&s);
        for (int c = 0; c < 3; c++) {
            double off = fabs(after.velocity[c] - before.velocity[c]);
            if (!(off <= 0.002 * (double)speed)) fail_msg("%g m/s: the momentum is off by %g m/s", (double)speed, off);
        }
        close_pile(&s);
    }
}

static double fastest_of(int count, bool counts)
{
    pile s = open_pile(count, 0, counts, true);
    double fastest = 0;
    for (int k = 0; k < (is_brief() ? 5 : 30); k++) {
        run_for(&s, STEP);
        fastest = fmax(fastest, measure(&s).fastest);
    }
    close_pile(&s);
    return fastest;
}

/* Sheets in the very same place hang from the same corners. Neighbours come apart at no more than 2 m/s. */
static void layers_in_one_place_do_not_explode(void **state)
{
    (void)state;
    for (int counts = 0; counts < 2; counts++) {
        double one = fastest_of(1, counts), all = fastest_of(MOST, counts);
        if (!(all <= one + 2 * (MOST - 1)))
            fail_msg("a vertex moves at %g m/s, and at %g m/s without the others", all, one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_falling_stack_falls_as_if_alone),
        cmocka_unit_test(sheets_slide_off_each_other),
        cmocka_unit_test(a_collision_adds_no_energy),
        cmocka_unit_test(layers_in_one_place_do_not_explode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
