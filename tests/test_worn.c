/* Cloth on characters: backstops, tethers to pins that move, attachments to meshes that deform, layers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_save.h"
#include "helpers_world.h"

#include <stdio.h>

enum { N = 9, NV = N * N };
#define QUALITY ((void *)1)

static taut_world *world_of(bool quality, float gx, float gy, float gz)
{
    const float gravity[3] = {gx, gy, gz};
    taut_world_def def = taut_default_world_def();
    def.threads = 1;
    if (!quality) def.stretch = 0;
    taut_world *world = taut_world_create(&def, NULL);
    assert_true(world && taut_world_set_gravity(world, gravity, NULL));
    return world;
}

static const float *at(const taut_world *world, int body, int vertex)
{
    return taut_body_positions(world, body, NULL) + 3 * vertex;
}

/* Saves the world, makes `steps` steps, and makes them again after a restore: with the same bits. `move` (or NULL)
 * prepares step number i. */
typedef void mover(taut_world *world, int i, void *data);

static void goes_on_to_the_bit(taut_world *world, const taut_model *const *models, int nmodels, mover *move, void *data,
                               int from)
{
    uint64_t hash[2];
    save s = take_save(world);
    for (int again = 0; again < 2; again++) {
        if (again) assert_true(taut_world_restore(world, s.bytes, s.size, models, nmodels, NULL));
        for (int i = from; i < from + 10; i++) {
            if (move) move(world, i, data);
            step_times(world, 1);
        }
        hash[again] = taut_world_hash(world);
    }
    assert_true(hash[0] == hash[1]);
    free(s.bytes);
}

/* ---- Backstops ---- */

/* An animated sheet in x and y that faces +z, and cloth 2 cm before it. */
typedef struct dressed {
    taut_world *world;
    taut_model *model;
    taut_mesh mesh;
    int skin, cloth;
} dressed;

static const float SLACK = 0.05f, BACKSTOP = 0.01f;

/* The skin leans and moves. */
static void move_skin(taut_world *world, int i, void *data)
{
    const dressed *d = data;
    float time = (float)i / 60, angle = 0.5f * sinf(4 * time), c = cosf(angle), s = sinf(angle);
    for (int v = 0; v < NV; v++) {
        const float *x = &d->mesh.x[3 * v], to[3] = {x[0] + 0.2f * sinf(5 * time), c * x[1], s * x[1]};
        assert_true(taut_body_pin(world, d->skin, v, to, 1, NULL));
    }
}

/* A triangle whose first corner is the vertex. */
static void corners_at(const taut_mesh *mesh, int vertex, taut_attachment_def *def)
{
    for (int slot = 0; slot < 3 * mesh->ntris; slot++)
        for (int k = 0; k < 3 && mesh->tri[slot] == vertex; k++)
            def->corner[k] = mesh->tri[slot / 3 * 3 + (slot + k) % 3], def->weight[k] = k == 0;
}

static dressed dress(bool quality, float gz)
{
    taut_material cotton;
    dressed d = {.world = world_of(quality, 0, 0, gz)};
    assert_true(taut_preset_material("cotton", &cotton) && taut_mesh_sheet(&d.mesh, N, N, 0.5f, 0.5f, NULL));
    cotton.contact = TAUT_CONTACT_OFF; /* the cloth may be behind the skin */
    d.model = taut_model_build(&d.mesh, &cotton, NULL, NULL);
    assert_non_null(d.model);
    d.skin = add_at(d.world, d.model, 0, 0, 0), d.cloth = add_at(d.world, d.model, 0, 0, 0.02f);
    move_skin(d.world, 0, &d);
    taut_attachment_def def = taut_default_attachment_def();
    def.body = d.cloth, def.other = d.skin, def.slack = SLACK, def.backstop = BACKSTOP;
    for (int v = 0; v < NV; v++) {
        def.vertex = v;
        corners_at(&d.mesh, v, &def);
        assert_true(taut_world_attach(d.world, &def, NULL) >= 0);
    }
    return d;
}

static void undress(dressed *d)
{
    taut_world_free(d->world);
    taut_model_free(d->model);
    taut_mesh_free(&d->mesh);
}

/* How far a vertex of the cloth is from that of the skin, and how far in front of its triangle. */
static double distance_at(const dressed *d, int v, double *front)
{
    taut_attachment_def def;
    double gap[3], side[2][3], n[3], size = 0, square = 0;
    corners_at(&d->mesh, v, &def);
    const float *p = at(d->world, d->cloth, v), *o = at(d->world, d->skin, v);
    for (int c = 0; c < 3; c++) {
        gap[c] = (double)p[c] - (double)o[c];
        square += gap[c] * gap[c];
        for (int k = 0; k < 2; k++) side[k][c] = (double)at(d->world, d->skin, def.corner[k + 1])[c] - (double)o[c];
    }
    *front = 0;
    for (int c = 0; c < 3; c++) {
        int e = (c + 1) % 3, f = (c + 2) % 3;
        n[c] = side[0][e] * side[1][f] - side[0][f] * side[1][e];
        size += n[c] * n[c];
        *front += n[c] * gap[c];
    }
    *front /= sqrt(size);
    return sqrt(square);
}

static void measure(const dressed *d, double *farthest, double *deepest)
{
    for (int v = 0; v < NV; v++) {
        double front, distance = distance_at(d, v, &front);
        *farthest = fmax(*farthest, distance), *deepest = fmax(*deepest, -front);
    }
}

/* Gravity presses the cloth into the skin, then pulls it away. Positions are floats of about 0.5 m. */
static void cloth_stays_before_its_backstop(void **state)
{
    for (int away = 0; away < 2; away++) {
        double farthest = 0, deepest = -1;
        dressed d = dress(*state != NULL, away ? 9.81f : -9.81f);
        for (int i = 1; i <= 90; i++) {
            if (i > 45) move_skin(d.world, i - 45, &d);
            step_times(d.world, 1);
            measure(&d, &farthest, &deepest);
        }
        print_message("%s: at most %.6f m away, %.6f m behind\n", away ? "pulled" : "pressed", farthest, deepest);
        assert_true(farthest < (double)SLACK * 1.02 && deepest < (double)BACKSTOP + 1e-4);
        if (away) assert_true(farthest > 0.99 * (double)SLACK);
        else assert_true(deepest > 0.99 * (double)BACKSTOP);
        const taut_model *models[] = {d.model, d.model};
        goes_on_to_the_bit(d.world, models, 2, move_skin, &d, 46);
        assert_int_equal(taut_world_stats(d.world).bad_particles, 0);
        undress(&d);
    }
}

/* Without a leash a backstop holds one side only; and what begins behind it comes out at its speed. */
static void a_backstop_alone_lets_cloth_fly_away(void **state)
{
    dressed d = dress(*state != NULL, 9.81f);
    double farthest = 0, deepest = -1;
    float behind[3 * NV];
    for (int v = 0; v < NV; v++)
        for (int c = 0; c < 3; c++) behind[3 * v + c] = d.mesh.x[3 * v + c] - (c == 2 ? 0.1f : 0);
    for (int i = 0; i < NV; i++) taut_world_detach(d.world, i);
    assert_int_equal(taut_world_stats(d.world).attachments, 0);
    assert_true(taut_body_set_positions(d.world, d.cloth, behind, NULL));
    const float none[3] = {0, 0, 0};
    assert_true(taut_world_set_gravity(d.world, none, NULL));
    taut_attachment_def def = taut_default_attachment_def();
    def.body = d.cloth, def.other = d.skin, def.slack = INFINITY, def.backstop = 0, def.speed = 0.3f;
    for (int v = 0; v < NV; v++) {
        def.vertex = v;
        corners_at(&d.mesh, v, &def);
        assert_true(taut_world_attach(d.world, &def, NULL) >= 0);
    }
    for (int i = 1; i <= 30; i++) {
        step_times(d.world, 1);
        deepest = -1;
        measure(&d, &farthest, &deepest);
        double allowed = fmax(0, 0.1 - 0.3 * i / 60);
        assert_true(deepest < allowed + 1e-4); /* flat cloth begins a thousandth of an edge out of its plane */
    }
    farthest = 0;
    for (int i = 0; i < 60; i++) step_times(d.world, 1);
    measure(&d, &farthest, &deepest);
    assert_true(farthest > 0.1); /* it keeps the speed at which it came */
    undress(&d);
}

/* ---- Tethers to pins that move ---- */

typedef struct swung {
    taut_mesh mesh;
    int body;
} swung;

static void swing(taut_world *world, int i, void *data)
{
    const swung *s = data;
    float time = (float)i / 60, angle = 1.2f * sinf(6 * time);
    for (int v = 0; v < N; v++) { /* the top edge turns and goes up and down */
        float x = s->mesh.x[3 * v], to[3] = {x * cosf(angle), 0.3f * sinf(9 * time), x * sinf(angle)};
        assert_true(taut_body_pin(world, s->body, v, to, 1, NULL));
    }
}

/* The longest distance to the nearest pin, as a multiple of that along the sheet, which is straight up. */
static double longest_tether(float tether)
{
    double longest = 0;
    taut_material soft = taut_default_material();
    soft.strain.xx = soft.strain.yy = soft.strain.xy = 0.02f;
    soft.tether = tether;
    swung s;
    assert_true(taut_mesh_sheet(&s.mesh, N, N, 1, 1, NULL));
    for (int v = 0; v < N; v++) assert_true(taut_mesh_pin(&s.mesh, v, NULL));
    taut_model *model = taut_model_build(&s.mesh, &soft, NULL, NULL);
    taut_world *world = world_of(false, 0, -9.81f, 0);
    assert_non_null(model);
    s.body = add_at(world, model, 0, 0, 0);
    for (int i = 1; i <= 90; i++) {
        swing(world, i, &s);
        step_times(world, 1);
        for (int v = N; v < NV; v++) {
            const float *p = at(world, s.body, v), *o = at(world, s.body, v % N);
            double x = (double)(p[0] - o[0]), y = (double)(p[1] - o[1]), z = (double)(p[2] - o[2]);
            longest = fmax(longest, sqrt(x * x + y * y + z * z) / (double)-s.mesh.x[3 * v + 1]);
        }
    }
    const taut_model *models[] = {model};
    goes_on_to_the_bit(world, models, 1, swing, &s, 91);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&s.mesh);
    return longest;
}

static void tethers_hold_to_pins_that_move(void **state)
{
    (void)state;
    double with = longest_tether(1), without = longest_tether(0);
    print_message("%.4f of its length with tethers, %.4f without\n", with, without);
    assert_true(with < 1.02 && without > 1.2);
}

/* ---- On a mesh that deforms ---- */

typedef struct carried {
    taut_mesh mesh;
    float *shape; /* of the mesh now */
    int collider, body;
    float a[3], turn[4];
} carried;

static void deform(taut_world *world, int i, void *data)
{
    carried *d = data;
    float time = (float)i / 60;
    for (int v = 0; v < d->mesh.nvertices; v++) {
        const float *x = &d->mesh.x[3 * v];
        d->shape[3 * v] = x[0] * (1 + 0.3f * sinf(3 * time)), d->shape[3 * v + 1] = x[1];
        d->shape[3 * v + 2] = 0.3f * sinf(3 * x[0] + 2 * x[1] + 5 * time) - 0.3f * sinf(3 * x[0] + 2 * x[1]);
    }
    taut_mesh now = d->mesh;
    now.x = d->shape;
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_MESH, def.mesh = &now, def.mask = 0;
    float half = 0.4f * time;
    def.rotation[1] = d->turn[1] = sinf(half), def.rotation[3] = d->turn[3] = cosf(half);
    def.a[0] = d->a[0] = 0.5f * time;
    assert_true(taut_collider_move(world, d->collider, &def, NULL));
}

/* The place of a vertex of the mesh in the world. */
static void place_of(const carried *d, int v, double place[3])
{
    double s = (double)d->turn[1], c = (double)d->turn[3], sin2 = 2 * s * c, cos2 = c * c - s * s;
    const float *x = &d->shape[3 * v];
    place[0] = cos2 * (double)x[0] + sin2 * (double)x[2] + (double)d->a[0];
    place[1] = (double)x[1];
    place[2] = -sin2 * (double)x[0] + cos2 * (double)x[2];
}

/* Every vertex of the top edge is at a vertex of the mesh. Vertex N + 4 is at the middle of a side, whose ends it
 * follows. */
static void attachments_follow_a_mesh_that_deforms(void **state)
{
    bool quality = *state != NULL;
    taut_world *world = world_of(quality, 0, -9.81f, 0);
    carried d = {.a = {0, 0, 0}};
    taut_material cotton;
    assert_true(taut_preset_material("cotton", &cotton) && taut_mesh_sheet(&d.mesh, N, N, 0.6f, 0.6f, NULL));
    taut_model *model = taut_model_build(&d.mesh, &cotton, NULL, NULL);
    d.shape = malloc(3 * (size_t)NV * sizeof(float));
    assert_true(model && d.shape);
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_MESH, def.mesh = &d.mesh, def.mask = 0;
    d.collider = taut_world_add_collider(world, &def, NULL);
    d.body = add_perfect(world, model);
    taut_attachment_def hold = taut_default_attachment_def();
    hold.body = d.body, hold.collider = d.collider;
    for (hold.vertex = 0; hold.vertex < N; hold.vertex++) assert_true(taut_world_attach(world, &hold, NULL) >= 0);
    double worst = 0, moved = 0;
    for (int i = 1; i <= 60; i++) {
        deform(world, i, &d);
        step_times(world, 1);
        for (int v = 0; v < N; v++) {
            double place[3];
            place_of(&d, v, place);
            for (int c = 0; c < 3; c++) worst = fmax(worst, fabs(place[c] - (double)at(world, d.body, v)[c]));
            moved = fmax(moved, fabs((double)d.shape[3 * v + 2]));
        }
    }
    print_message("at most %.2g m off, where the mesh moved by up to %.2g m\n", worst, moved);
    assert_true(worst < 2e-6 && moved > 0.3);
    const taut_model *models[] = {model};
    goes_on_to_the_bit(world, models, 1, deform, &d, 61);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&d.mesh);
    free(d.shape);
}

/* A place off the surface turns with its triangle. */
static void a_place_off_the_mesh_turns_with_it(void **state)
{
    (void)state;
    taut_world *world = world_of(true, 0, -9.81f, 0);
    taut_material cotton;
    taut_mesh mesh, now;
    assert_true(taut_preset_material("cotton", &cotton) && taut_mesh_sheet(&mesh, 2, 2, 1, 1, NULL));
    assert_true(taut_mesh_sheet(&now, 2, 2, 1, 1, NULL));
    taut_model *model = taut_model_build(&mesh, &cotton, NULL, NULL);
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_MESH, def.mesh = &mesh, def.mask = 0;
    int collider = taut_world_add_collider(world, &def, NULL), body = add_at(world, model, 0, 0, 0.25f);
    taut_attachment_def hold = taut_default_attachment_def();
    hold.body = body, hold.collider = collider;
    for (hold.vertex = 0; hold.vertex < 4; hold.vertex++) assert_true(taut_world_attach(world, &hold, NULL) >= 0);
    for (int i = 1; i <= 30; i++) { /* about its lower edge, x: a quarter turn, vertex by vertex */
        float angle = 1.57079633f * (float)i / 30, up = cosf(angle), out = sinf(angle);
        for (int v = 0; v < 4; v++) {
            float y = mesh.x[3 * v + 1] + 1;
            now.x[3 * v + 1] = y * up - 1, now.x[3 * v + 2] = -y * out;
        }
        def.mesh = &now;
        assert_true(taut_collider_move(world, collider, &def, NULL));
        step_times(world, 1);
    }
    for (int v = 0; v < 4; v++) { /* the mesh lies behind its edge now and faces up */
        const float *p = at(world, body, v);
        float y = mesh.x[3 * v + 1] + 1;
        expect_near((double)p[1], -1 + 0.25, 1e-5);
        expect_near((double)p[2], (double)-y, 1e-5);
    }
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
    taut_mesh_free(&now);
}

/* ---- Layers ---- */

enum { AROUND = 20, ALONG = 9, RING = AROUND * ALONG };

typedef struct layered {
    taut_world *world;
    taut_model *inner, *outer;
    int body[2];
    taut_mesh both;
} layered;

/* Two tubes in each other. The outer one is shifted, so that half of it begins inside of the inner one. Each is held at
 * its upper edge: the outer one, where it belongs. */
static layered put_on(bool quality, int layer)
{
    layered l = {.world = world_of(quality, 0, 0, 0)};
    taut_mesh mesh;
    taut_material m;
    assert_true(taut_preset_material("jersey", &m));
    m.contact = TAUT_CONTACT_STRICT, m.thickness = 0.003f;
    for (int k = 0; k < 2; k++) {
        m.layer = k ? layer : 0;
        assert_true(taut_mesh_tube(&mesh, AROUND, ALONG, k ? 0.115f : 0.1f, 0.3f, NULL));
        if (k == 0) {
            l.both = (taut_mesh){.nvertices = 2 * RING, .ntris = 2 * mesh.ntris};
            l.both.x = calloc(6 * (size_t)RING, sizeof(float));
            l.both.tri = malloc(6 * (size_t)mesh.ntris * sizeof(int));
            assert_true(l.both.x && l.both.tri);
        }
        for (int i = 0; i < 3 * mesh.ntris; i++) l.both.tri[3 * mesh.ntris * k + i] = mesh.tri[i] + k * RING;
        *(k ? &l.outer : &l.inner) = model_of(&mesh, &m);
        l.body[k] = add_at(l.world, k ? l.outer : l.inner, k ? 0.045f : 0, k ? 0.0071f : 0, k ? 0.013f : 0);
    }
    return l;
}

static int crossings(layered *l)
{
    for (int k = 0; k < 2; k++)
        memcpy(&l->both.x[3 * RING * k], taut_body_positions(l->world, l->body[k], NULL), 3 * RING * sizeof(float));
    return (int)taut_mesh_crossings(&l->both, NULL, NULL, 0, NULL, NULL);
}

/* How many vertices of the outer tube are nearer to the axis of the inner tube than the vertices of the inner tube in
 * that direction, by a tenth: the tubes do not stay round. */
static int inside(const layered *l)
{
    int count = 0;
    double middle[2] = {0, 0};
    for (int v = 0; v < RING; v++) {
        middle[0] += (double)at(l->world, l->body[0], v)[0] / RING;
        middle[1] += (double)at(l->world, l->body[0], v)[2] / RING;
    }
    for (int v = 0; v < RING; v++) {
        const float *p = at(l->world, l->body[1], v);
        double x = (double)p[0] - middle[0], z = (double)p[2] - middle[1], nearest = 10, radius = 0;
        for (int i = 0; i < RING; i++) {
            const float *q = at(l->world, l->body[0], i);
            double qx = (double)q[0] - middle[0], qz = (double)q[2] - middle[1], off = fabs((double)(p[1] - q[1]));
            double across = fabs(x * qz - z * qx) / sqrt(x * x + z * z) + off;
            if (!(x * qx + z * qz > 0) || !(across < nearest)) continue;
            nearest = across, radius = sqrt(qx * qx + qz * qz);
        }
        count += sqrt(x * x + z * z) < 0.9 * radius;
    }
    return count;
}

static void take_off(layered *l)
{
    taut_world_free(l->world);
    taut_model_free(l->inner);
    taut_model_free(l->outer);
    free(l->both.x);
    free(l->both.tri);
}

static void the_outer_layer_gets_outside(void **state)
{
    SKIP_IF_SLOW();
    for (int layer = 0; layer < 2; layer++) {
        layered l = put_on(*state != NULL, layer);
        int before = crossings(&l), first = inside(&l), last = 0, then = -1;
        for (int i = 1; i <= 180; i++) {
            step_times(l.world, 1);
            int now = crossings(&l);
            if (now > 0) last = i;
            if (now == 0 && last == i - 15) then = inside(&l);
        }
        print_message("layer %d: %d crossings, %d vertices inside; none after frame %d, then %d vertices inside\n",
                      layer, before, first, last, then);
        assert_true(before > 20 && first > 20);
        assert_int_equal(taut_world_stats(l.world).bad_particles, 0);
        assert_true(layer ? last < 90 && then == 0 : last > 90);
        if (layer) {
            const taut_model *models[] = {l.inner, l.outer};
            goes_on_to_the_bit(l.world, models, 2, NULL, NULL, 0);
        }
        take_off(&l);
    }
}

/* ---- Limits, levels and contact ---- */

/* A fine sheet of 1 m with levels and a limit of 2 % falls on a ball, folds and lies on itself. Every step the stretch
 * is within the limit, or the statistics say by how much it is not. Half of the thickness stays between ball and
 * vertices (docs/contact.md). */
static void limits_hold_in_contact_or_are_reported(void **state)
{
    (void)state;
    SKIP_IF_SLOW();
    enum { SIDE = 41 };
    taut_material m;
    taut_mesh mesh;
    taut_world *world = world_of(true, 0, -9.81f, 0);
    assert_true(taut_preset_material("silk", &m) && taut_mesh_sheet(&mesh, SIDE, SIDE, 1, 1, NULL));
    m.contact = TAUT_CONTACT_STRICT, m.limit.stretch[1] = 1.02f, m.thickness = 0.005f;
    for (int v = 0; v < mesh.nvertices; v++) { /* level, above the ball */
        float *x = &mesh.x[3 * v], down = x[1];
        x[1] = 0.55f, x[2] = down + 0.45f;
    }
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    assert_true(model && taut_model_levels(model) > 0);
    add_floor(world, 0);
    add_ball(world, 0, 0.25f, 0, 0.25f);
    int body = add_at(world, model, 0, 0, 0), over = 0;
    taut_measurer *measurer = taut_measurer_build(&mesh, NULL, NULL);
    assert_non_null(measurer);
    double most = 0, hidden = 0, nearest = 1, p99 = 0;
    for (int i = 0; i < 180; i++) {
        taut_deformation now;
        step_times(world, 1);
        taut_stats stats = taut_world_stats(world);
        assert_true(taut_body_deformation(world, body, measurer, &now, NULL));
        most = fmax(most, now.stretch.worst), p99 = fmax(p99, now.stretch.p99);
        hidden = fmax(hidden, now.stretch.worst - 0.02 - stats.limit_excess);
        over += stats.bodies_over_limits > 0;
        for (int v = 0; v < mesh.nvertices; v++) {
            const float *p = at(world, body, v), x = p[0], y = p[1] - 0.25f, z = p[2];
            nearest = fmin(nearest, sqrt((double)(x * x + y * y + z * z)) - 0.25);
        }
    }
    print_message("stretch p99 %.4f, worst %.4f, over the limits in %d of 180 frames, not reported %.5f; gap %.5f m\n",
                  p99, most, over, hidden, nearest);
    assert_true(hidden < 1e-5 && nearest > 0);
    assert_int_equal(taut_mesh_crossings(&mesh, taut_body_positions(world, body, NULL), NULL, 0, NULL, NULL), 0);
    taut_measurer_free(measurer);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

#define BOTH(test)                                                                                                     \
    {#test ", by quality", test, NULL, NULL, QUALITY}, { #test ", by counts", test, NULL, NULL, NULL }

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(cloth_stays_before_its_backstop),
        BOTH(a_backstop_alone_lets_cloth_fly_away),
        cmocka_unit_test(tethers_hold_to_pins_that_move),
        BOTH(attachments_follow_a_mesh_that_deforms),
        cmocka_unit_test(a_place_off_the_mesh_turns_with_it),
        BOTH(the_outer_layer_gets_outside),
        cmocka_unit_test(limits_hold_in_contact_or_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
