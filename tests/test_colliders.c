/* Shapes of colliders and free particles: these are kept out, stopped however fast they are, carried along, and let out
 * slowly. Distances are computed here in double, by other formulas than the library's. */
#include "scenery.h"

enum { SHAPES = 6, PARTICLES = 200 };

static const taut_shape shapes[SHAPES] = {TAUT_SPHERE, TAUT_CAPSULE, TAUT_BOX, TAUT_TAPERED, TAUT_HULL, TAUT_MESH};

/* The corners of a box of 0.6 x 0.4 x 0.2 with one corner cut off, and points inside and on its sides. */
static float hull_points[] = {-0.3f, -0.2f, -0.1f, 0.3f,  -0.2f, -0.1f, -0.3f, 0.2f, -0.1f, 0.3f, 0.2f, -0.1f, -0.3f,
                              -0.2f, 0.1f,  0.3f,  -0.2f, 0.1f,  -0.3f, 0.2f,  0.1f, 0.1f,  0.2f, 0.1f, 0.3f,  0,
                              0.1f,  0.3f,  0.2f,  0,     0,     0,     0,     0.3f, 0,     0,    0,    0.2f,  0};
static taut_mesh hull_mesh = {.nvertices = LENGTH(hull_points) / 3, .x = hull_points};
static taut_mesh closed_mesh; /* its triangles */

static int make_closed_mesh(void **state)
{
    (void)state;
    return !taut_mesh_hull(&closed_mesh, hull_points, LENGTH(hull_points) / 3, NULL);
}

static int free_closed_mesh(void **state)
{
    (void)state;
    taut_mesh_free(&closed_mesh);
    return 0;
}

static void random_turn(uint64_t *random, float q[4])
{
    double norm = 0, r[4];
    for (int i = 0; i < 4; i++) r[i] = uniform(random, -1, 1), norm += r[i] * r[i];
    for (int i = 0; i < 4; i++) q[i] = (float)(r[i] / sqrt(norm));
}

static d3 turn(const float q[4], d3 v)
{
    d3 u = d3_of(q), t = d3_scale(2, d3_cross(u, v));
    return d3_add(d3_add(v, d3_scale((double)q[3], t)), d3_cross(u, t));
}

static d3 turn_back(const float q[4], d3 v)
{
    const float other[4] = {-q[0], -q[1], -q[2], q[3]};
    return turn(other, v);
}

static taut_collider_def collider_of(taut_shape shape)
{
    taut_collider_def def = taut_default_collider_def();
    def.shape = shape;
    def.radius = 0.2f, def.radius_b = 0.1f, def.b[0] = 0.3f, def.b[1] = 0.1f;
    def.size[0] = 0.6f, def.size[1] = 0.4f, def.size[2] = 0.2f;
    def.mesh = shape == TAUT_MESH ? &closed_mesh : &hull_mesh;
    return def;
}

/* ---- Distances ---- */

static double clear_of_ball(d3 p, d3 centre, double radius) { return d3_length(d3_sub(p, centre)) - radius; }

/* The distance from a tapered capsule: the least over many balls along the axis. */
static double clear_of_balls(d3 p, const taut_collider_def *def)
{
    enum { BALLS = 20000 };
    double least = INFINITY, end = def->shape == TAUT_CAPSULE ? (double)def->radius : (double)def->radius_b;
    for (int i = 0; i <= BALLS; i++) {
        double s = (double)i / BALLS;
        d3 at = d3_add(d3_of(def->a), d3_scale(s, d3_sub(d3_of(def->b), d3_of(def->a))));
        least = fmin(least, clear_of_ball(p, at, (double)def->radius + s * (end - (double)def->radius)));
    }
    return least;
}

static double clear_of_box(d3 p, const taut_collider_def *def)
{
    d3 own = turn_back(def->rotation, d3_sub(p, d3_of(def->a)));
    const double over[3] = {fabs(own.x) - (double)def->size[0] / 2, fabs(own.y) - (double)def->size[1] / 2,
                            fabs(own.z) - (double)def->size[2] / 2};
    double square = 0, most = -INFINITY;
    for (int i = 0; i < 3; i++) square += over[i] > 0 ? over[i] * over[i] : 0, most = fmax(most, over[i]);
    return square > 0 ? sqrt(square) : most;
}

/* The distance from the shape in hull_points, by its planes. Beside edges it is less than the true distance. */
static double clear_of_hull(d3 p, const taut_collider_def *def)
{
    d3 own = turn_back(def->rotation, d3_sub(p, d3_of(def->a)));
    d3 ab = {0.2, -0.2, 0}, ac = {0.2, 0, -0.1}, n = d3_cross(ac, ab); /* the cut through 0.1 0.2 0.1 */
    d3 cut = d3_scale(-1 / d3_length(n), n);
    if (cut.x < 0) cut = d3_scale(-1, cut);
    double most = d3_dot(cut, d3_sub(own, (d3){0.1, 0.2, 0.1}));
    most = fmax(most, fmax(fabs(own.x) - 0.3, fmax(fabs(own.y) - 0.2, fabs(own.z) - 0.1)));
    return most;
}

static double off_segment(d3 p, d3 a, d3 b)
{
    d3 ab = d3_sub(b, a);
    double along = fmax(0, fmin(1, d3_dot(d3_sub(p, a), ab) / d3_dot(ab, ab)));
    return d3_length(d3_sub(p, d3_add(a, d3_scale(along, ab))));
}

/* The distance from the nearest triangle; inside, by the planes. */
static double clear_of_mesh(d3 p, const taut_collider_def *def)
{
    d3 own = turn_back(def->rotation, d3_sub(p, d3_of(def->a)));
    double nearest = INFINITY, planes = clear_of_hull(p, def);
    for (int t = 0; t < closed_mesh.ntris && planes > 0; t++) {
        d3 c[3];
        for (int k = 0; k < 3; k++) c[k] = d3_of(closed_mesh.x + 3 * closed_mesh.tri[3 * t + k]);
        d3 n = d3_cross(d3_sub(c[1], c[0]), d3_sub(c[2], c[0]));
        bool over = true;
        for (int k = 0; k < 3; k++) {
            d3 side = d3_sub(c[(k + 1) % 3], c[k]);
            over = over && d3_dot(d3_cross(n, side), d3_sub(own, c[k])) >= 0;
            nearest = fmin(nearest, off_segment(own, c[k], c[(k + 1) % 3]));
        }
        if (over) nearest = fmin(nearest, fabs(d3_dot(n, d3_sub(own, c[0]))) / d3_length(n));
    }
    return planes > 0 ? nearest : planes;
}

static double clear_of(d3 p, const taut_collider_def *def)
{
    if (def->shape == TAUT_SPHERE) return clear_of_ball(p, d3_of(def->a), (double)def->radius);
    if (def->shape == TAUT_BOX) return clear_of_box(p, def);
    if (def->shape == TAUT_HULL) return clear_of_hull(p, def);
    if (def->shape == TAUT_MESH) return clear_of_mesh(p, def);
    return clear_of_balls(p, def);
}

/* ---- Particles ---- */

/* Free particles at places and with velocities that are set later. */
static scene free_particles(float thickness, float friction)
{
    taut_error error;
    scene s = bare_scene();
    s.material.thickness = thickness;
    s.material.friction = friction;
    check_done(taut_mesh_chain(&s.mesh, PARTICLES, 1, &error), &error);
    s.mesh.nlines = 0; /* lines would collide too */
    s.mesh.mass = malloc(PARTICLES * sizeof *s.mesh.mass);
    assert_non_null(s.mesh.mass);
    for (int p = 0; p < PARTICLES; p++) s.mesh.mass[p] = 1;
    build_scene(&s);
    return s;
}

static void put(scene *s, const d3 *at, const d3 *velocity)
{
    static float xyz[3 * PARTICLES];
    taut_error error;
    for (int turn = 0; turn < 2; turn++) {
        const d3 *from = turn ? velocity : at;
        for (int i = 0; i < PARTICLES; i++)
            xyz[3 * i] = (float)from[i].x, xyz[3 * i + 1] = (float)from[i].y, xyz[3 * i + 2] = (float)from[i].z;
        check_done(turn ? taut_body_set_velocities(s->world, s->body, xyz, &error)
                        : taut_body_set_positions(s->world, s->body, xyz, &error),
                   &error);
    }
}

static d3 random_way(uint64_t *random)
{
    d3 way;
    do way = (d3){uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1)};
    while (d3_length(way) > 1 || d3_length(way) < 0.1);
    return d3_scale(1 / d3_length(way), way);
}

static d3 middle_of(const taut_collider_def *def)
{
    bool long_one = def->shape == TAUT_CAPSULE || def->shape == TAUT_TAPERED;
    return long_one ? d3_scale(0.5, d3_add(d3_of(def->a), d3_of(def->b))) : d3_of(def->a);
}

/* Pushed through the middle of a shape at any speed, particles stop before it. */
static void nothing_jumps_through_however_fast(void **state)
{
    (void)state;
    static const double speeds[] = {1, 90, 1000, 1e5};
    uint64_t random = 3;
    for (int k = 0; k < SHAPES; k++)
        for (int i = 0; i < 2 * LENGTH(speeds); i++) {
            bool rough = i >= LENGTH(speeds);
            double speed = speeds[i % LENGTH(speeds)], rounding = 5e-9 * speed; /* rounding of the full way */
            static d3 at[PARTICLES], v[PARTICLES];
            taut_error error;
            scene s = free_particles(0.002f, rough ? 1000 : 0);
            taut_collider_def def = collider_of(shapes[k]);
            random_turn(&random, def.rotation);
            check_done(taut_world_add_collider(s.world, &def, &error) >= 0, &error);
            for (int p = 0; p < PARTICLES; p++) {
                d3 way = random_way(&random);
                at[p] = d3_sub(middle_of(&def), way), v[p] = d3_scale(speed, way);
            }
            put(&s, at, v);
            step(&s, speed < 2 ? 90 : 1, STEP);
            for (int p = 0; p < PARTICLES; p++) {
                d3 now = vertex(&s, p), way = d3_scale(1 / speed, v[p]);
                check_within("outside", clear_of(now, &def), 0.0019 - rounding, 1e9);
                if (rough && speed > 2) check_within("before it", d3_dot(d3_sub(now, at[p]), way), 0, 1.0001);
            }
            free_scene(&s);
        }
}

/* A collider that crosses the room in a step sweeps all particles in its way before it. */
static void a_fast_collider_carries_what_it_meets(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int k = 0; k < SHAPES; k++) {
        static d3 at[PARTICLES], v[PARTICLES];
        taut_error error;
        scene s = free_particles(0, 1000);
        taut_collider_def def = collider_of(shapes[k]);
        int id = taut_world_add_collider(s.world, &def, &error);
        check_done(id >= 0, &error);
        for (int p = 0; p < PARTICLES; p++) {
            at[p] = d3_add(middle_of(&def), (d3){uniform(&random, -0.02, 0.02), uniform(&random, -0.02, 0.02), 5});
            v[p] = (d3){0, 0, 0};
        }
        put(&s, at, v);
        def.a[2] += 20, def.b[2] += 20;
        check_done(taut_collider_move(s.world, id, &def, &error), &error);
        step(&s, 1, STEP);
        for (int p = 0; p < PARTICLES; p++) check_within("ahead of it", vertex(&s, p).z, 20, 1e9);
        free_scene(&s);
    }
}

/* A blade that turns by a right angle in a step: particles stay on their side of it. */
static void a_turning_blade_carries_what_it_meets(void **state)
{
    (void)state;
    static const taut_shape blades[] = {TAUT_BOX, TAUT_HULL, TAUT_CAPSULE, TAUT_PLANE};
    uint64_t random = 7;
    for (int k = 0; k < LENGTH(blades); k++) {
        static d3 at[PARTICLES], v[PARTICLES];
        taut_error error;
        float corners[24];
        taut_mesh thin = {.nvertices = 8, .x = corners};
        for (int i = 0; i < 8; i++)
            corners[3 * i] = i & 1 ? 1 : -1, corners[3 * i + 1] = i & 2 ? 1 : -1,
                        corners[3 * i + 2] = i & 4 ? 0.01f : -0.01f;
        scene s = free_particles(0, 0);
        taut_collider_def def = collider_of(blades[k]);
        def.size[0] = def.size[1] = 2, def.size[2] = 0.02f, def.mesh = &thin;
        def.b[0] = 1, def.b[1] = 0, def.radius = 0.02f;
        def.normal[0] = def.normal[1] = 0, def.normal[2] = 1;
        int id = taut_world_add_collider(s.world, &def, &error);
        check_done(id >= 0, &error);
        bool line = blades[k] == TAUT_CAPSULE;
        for (int p = 0; p < PARTICLES; p++) {
            at[p] =
                (d3){uniform(&random, 0.3, 0.8), line ? 0 : uniform(&random, -0.5, 0.5), uniform(&random, 0.05, 0.2)};
            v[p] = (d3){0, 0, 0};
        }
        put(&s, at, v);
        def.rotation[1] = -sqrtf(0.5f), def.rotation[3] = sqrtf(0.5f); /* x goes to z */
        def.b[0] = 0, def.b[2] = 1;
        def.normal[0] = -1, def.normal[2] = 0;
        check_done(taut_collider_move(s.world, id, &def, &error), &error);
        step(&s, 1, STEP);
        for (int p = 0; p < PARTICLES; p++) check_within("on its side", vertex(&s, p).x, -1e9, 1e-4);
        free_scene(&s);
    }
}

/* ---- Coming out ---- */

static double fastest(const scene *s)
{
    double most = 0;
    for (int p = 0; p < s->mesh.nvertices; p++) most = fmax(most, d3_length(velocity(s, p)));
    return most;
}

/* A particle comes out by half of the thickness, or 2 % of an edge if that is more, 240 times a second. */
static void what_begins_inside_comes_out_slowly(void **state)
{
    (void)state;
    uint64_t random = 11;
    for (int k = 0; k < SHAPES; k++) {
        static d3 at[PARTICLES], v[PARTICLES];
        taut_error error;
        scene s = free_particles(0.004f, 0);
        taut_collider_def def = collider_of(shapes[k]);
        check_done(taut_world_add_collider(s.world, &def, &error) >= 0, &error);
        for (int p = 0; p < PARTICLES; p++) {
            at[p] = d3_add(middle_of(&def), d3_scale(0.08, random_way(&random)));
            v[p] = (d3){0, 0, 0};
        }
        put(&s, at, v);
        for (int i = 0; i < 60; i++) {
            step(&s, 1, STEP);
            check_within("speed", fastest(&s), 0, 1.001 * 240 * 0.002);
        }
        for (int p = 0; p < PARTICLES; p++) check_within("out", clear_of(vertex(&s, p), &def), 0.0039, 1e9);
        free_scene(&s);
    }
}

/* The same for cloth with a ball in it, by counts and by quality. */
static void cloth_around_a_ball_is_not_shot_out(void **state)
{
    (void)state;
    for (int quality = 0; quality < 2; quality++) {
        taut_error error;
        scene s = bare_scene();
        check_done(taut_mesh_sheet(&s.mesh, 21, 21, 1, 1, &error), &error);
        check_done(taut_init_preset(&s.material, sizeof s.material, "cotton"), &error);
        s.material.thickness = 0.005f;
        s.def.stretch = quality ? 0.02f : 0;
        s.def.substeps = 8;
        build_scene(&s);
        taut_collider_def ball = collider_of(TAUT_SPHERE);
        ball.a[1] = -0.5f, ball.a[2] = 0.02f, ball.radius = 0.15f;
        check_done(taut_world_add_collider(s.world, &ball, &error) >= 0, &error);
        double speed = 0;
        for (int i = 0; i < 90; i++) {
            step(&s, 1, STEP);
            speed = fmax(speed, fastest(&s));
        }
        check_within("speed", speed, 0.01, 6); /* its own edges pull it along */
        for (int v = 0; v < s.mesh.nvertices; v++) check_within("out", clear_of(vertex(&s, v), &ball), 0, 1e9);
        free_scene(&s);
    }
}

/* ---- Pinched ---- */

/* Two plates close on a sheet until less than its thickness is left, wait, and open. */
static void pinched_cloth_waits_and_comes_free(void **state)
{
    (void)state;
    for (int quality = 0; quality < 2; quality++) {
        taut_error error;
        scene s = bare_scene();
        check_done(taut_mesh_sheet(&s.mesh, 13, 13, 0.6f, 0.6f, &error), &error);
        check_done(taut_init_preset(&s.material, sizeof s.material, "cotton"), &error);
        s.material.thickness = 0.01f;
        s.def.stretch = quality ? 0.02f : 0;
        s.def.substeps = 8;
        build_scene(&s);
        taut_collider_def plate[2] = {collider_of(TAUT_BOX), collider_of(TAUT_BOX)};
        int id[2];
        for (int k = 0; k < 2; k++) {
            plate[k].a[1] = -0.3f, plate[k].a[2] = k ? 0.07f : -0.07f;
            plate[k].size[0] = plate[k].size[1] = 1.4f, plate[k].size[2] = 0.1f;
            id[k] = taut_world_add_collider(s.world, &plate[k], &error);
            check_done(id[k] >= 0, &error);
        }
        double shaking = 0;
        for (int i = 0; i < 150; i++) {
            if (i == 40) check_done(taut_world_set_gravity(s.world, (float[]){0, -9.81f, 0}, &error), &error);
            double gap = i < 30 ? 0.07 - 0.018 * i / 29 : i < 90 ? 0.052 : 0.052 + 0.098 * (i - 89) / 60;
            for (int k = 0; k < 2; k++) {
                plate[k].a[2] = (float)(k ? gap : -gap);
                check_done(taut_collider_move(s.world, id[k], &plate[k], &error), &error);
            }
            step(&s, 1, STEP);
            if (i >= 75 && i < 90) shaking = fmax(shaking, fastest(&s));
        }
        check_within("shaking while pinched", shaking, 0, 0.05);
        double falls = vertex(&s, 84).y;
        step(&s, 30, STEP);
        check_within("free again", vertex(&s, 84).y - falls, -1e9, -0.5);
        for (int v = 0; v < s.mesh.nvertices; v++) check_within("nothing is lost", fabs(vertex(&s, v).z), 0, 1);
        free_scene(&s);
    }
}

/* A ball that is thrown on a floor at any speed does not press what lies there into it. */
static void nothing_is_pressed_into_the_floor(void **state)
{
    (void)state;
    static d3 at[PARTICLES], v[PARTICLES];
    taut_error error;
    scene s = free_particles(0.005f, 0);
    taut_collider_def ball = collider_of(TAUT_SPHERE), ground = collider_of(TAUT_PLANE);
    ball.a[1] = 20;
    int id = taut_world_add_collider(s.world, &ball, &error);
    check_done(id >= 0 && taut_world_add_collider(s.world, &ground, &error) >= 0, &error);
    for (int p = 0; p < PARTICLES; p++) at[p] = (d3){0.0005 * p, 0.005, 0}, v[p] = (d3){0, 0, 0};
    put(&s, at, v);
    ball.a[1] = 0.1f;
    check_done(taut_collider_move(s.world, id, &ball, &error), &error);
    step(&s, 1, STEP);
    for (int p = 0; p < PARTICLES; p++) check_within("above the floor", vertex(&s, p).y, -1e-5, 1);
    free_scene(&s);
}

/* ---- Surfaces ---- */

/* A belt accelerates cloth that lies on it to the speed of the belt, while the collider itself does not move. */
static void a_belt_takes_things_along(void **state)
{
    (void)state;
    static d3 at[PARTICLES], v[PARTICLES];
    taut_error error;
    scene s = free_particles(0.01f, 1);
    check_done(taut_world_set_gravity(s.world, (float[]){0, -10, 0}, &error), &error);
    taut_collider_def belt = collider_of(TAUT_BOX);
    belt.size[0] = 50, belt.size[2] = 5, belt.a[1] = -0.2f, belt.belt[0] = 2, belt.friction = 0.5f;
    check_done(taut_world_add_collider(s.world, &belt, &error) >= 0, &error);
    for (int p = 0; p < PARTICLES; p++) at[p] = (d3){0, 0.01, 0.001 * p}, v[p] = (d3){0, 0, 0};
    put(&s, at, v);
    step(&s, 12, STEP);
    check_near("at first it slides", velocity(&s, 5).x, 1, 0.05); /* 0.5 * 10 m/s^2 * 0.2 s */
    step(&s, 60, STEP);
    check_near("then it goes along", velocity(&s, 5).x, 2, 1e-3);
    free_scene(&s);
}

static void the_thickness_of_a_collider_is_added(void **state)
{
    (void)state;
    uint64_t random = 13;
    for (int k = 0; k < SHAPES; k++) {
        static d3 at[PARTICLES], v[PARTICLES];
        taut_error error;
        scene s = free_particles(0.01f, 0);
        taut_collider_def def = collider_of(shapes[k]);
        random_turn(&random, def.rotation);
        def.thickness = 0.02f;
        check_done(taut_world_add_collider(s.world, &def, &error) >= 0, &error);
        for (int p = 0; p < PARTICLES; p++) {
            d3 way = random_way(&random);
            at[p] = d3_sub(middle_of(&def), way), v[p] = d3_scale(2, way);
        }
        put(&s, at, v);
        step(&s, 60, STEP);
        for (int p = 0; p < PARTICLES; p++)
            check_within("clear", clear_of(vertex(&s, p), &def), shapes[k] == TAUT_HULL ? 0.01 : 0.0299, 1e9);
        free_scene(&s);
    }
}

/* ---- Odd sizes and places ---- */

/* The same bits at the origin and a lattice step of the world away. */
static void far_away_is_as_near(void **state)
{
    (void)state;
    for (int k = 0; k < SHAPES; k++) {
        double end[2][3] = {{0}};
        for (int far = 0; far < 2; far++) {
            taut_error error;
            scene s = bare_scene();
            check_done(taut_mesh_sheet(&s.mesh, 11, 11, 0.5f, 0.5f, &error), &error);
            check_done(taut_init_preset(&s.material, sizeof s.material, "cotton"), &error);
            s.def.gravity[1] = -9.81f;
            s.def.stretch = 0.02f;
            s.place.rotation[0] = -sqrtf(0.5f), s.place.rotation[3] = sqrtf(0.5f);
            s.place.position[1] = 0.3f, s.place.position[2] = -0.25f;
            s.place.origin[0] = far ? 65536 : 0;
            build_scene(&s);
            taut_collider_def def = collider_of(shapes[k]);
            def.origin[0] = far ? 65536 : 0;
            check_done(taut_world_add_collider(s.world, &def, &error) >= 0, &error);
            step(&s, 40, STEP);
            assert_true(taut_world_stats(s.world).contacts > 0);
            float xyz[3 * 121];
            assert_true(taut_body_positions_from(s.world, s.body, def.origin, xyz));
            for (int c = 0; c < 3; c++) end[far][c] = (double)xyz[3 * 60 + c];
            free_scene(&s);
        }
        for (int c = 0; c < 3; c++)
            if (end[0][c] != end[1][c]) fail_msg("shape %d: %.9g is not %.9g", (int)shapes[k], end[0][c], end[1][c]);
    }
}

/* A plate without thickness, a tapered capsule whose one ball is inside the other, a hull of points that coincide. */
static void odd_sizes_are_fine(void **state)
{
    (void)state;
    uint64_t random = 17;
    taut_collider_def plate = collider_of(TAUT_BOX), cone = collider_of(TAUT_TAPERED), ball = cone, tip = cone;
    plate.size[2] = 0;
    ball.radius_b = 0.9f, ball.b[0] = 0.1f;
    tip.radius_b = 0;
    cone.b[0] = cone.a[0], cone.b[1] = cone.a[1];
    const taut_collider_def odd[] = {plate, cone, ball, tip};
    for (int k = 0; k < LENGTH(odd); k++) {
        static d3 at[PARTICLES], v[PARTICLES];
        taut_error error;
        scene s = free_particles(0.001f, 1000);
        check_done(taut_world_add_collider(s.world, &odd[k], &error) >= 0, &error);
        for (int p = 0; p < PARTICLES; p++) {
            d3 target = {uniform(&random, -0.05, 0.05), uniform(&random, -0.05, 0.05), 0};
            at[p] = d3_add(target, (d3){0, 0, 3}), v[p] = (d3){0, 0, -700};
        }
        put(&s, at, v);
        step(&s, 1, STEP);
        for (int p = 0; p < PARTICLES; p++) {
            check_within("outside", clear_of(vertex(&s, p), &odd[k]), 0.0009, 1e9);
            check_within("above", vertex(&s, p).z, 0, 3);
        }
        free_scene(&s);
    }
}

static void refuse(taut_world *world, const taut_collider_def *def, const char *text)
{
    taut_error error;
    assert_int_equal(taut_world_add_collider(world, def, &error), -1);
    assert_string_equal(error.text, text);
}

static void bad_shapes_are_refused(void **state)
{
    (void)state;
    taut_error error;
    float flat[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0.3f, 0.2f, 0};
    float many[3 * 4097] = {0};
    taut_world *world = taut_world_create(NULL, &error);
    taut_mesh level = {.nvertices = 5, .x = flat}, few = {.nvertices = 3, .x = flat},
              crowd = {.nvertices = 4097, .x = many};
    taut_collider_def def = collider_of(TAUT_HULL);
    def.mesh = NULL;
    refuse(world, &def, "collider.mesh is NULL");
    def.mesh = &level;
    refuse(world, &def, "the points of a hull must not lie in a plane");
    def.mesh = &few;
    refuse(world, &def, "a hull needs 4 to 4096 points, got 3");
    def.mesh = &crowd;
    refuse(world, &def, "a hull needs 4 to 4096 points, got 4097");
    def = collider_of(TAUT_BOX);
    def.size[1] = -1;
    refuse(world, &def, "collider.size[1] must be at least 0, got -1");
    def = collider_of(TAUT_BOX);
    def.rotation[0] = 1;
    refuse(world, &def, "collider.rotation must be a unit quaternion, its length squared is 2");
    def = collider_of(TAUT_TAPERED);
    def.radius = def.radius_b = 0;
    refuse(world, &def, "collider.radius and radius_b must be at least 0 and one of them above 0, got 0 and 0");
    def = collider_of(TAUT_SPHERE);
    def.thickness = -1;
    refuse(world, &def, "collider.thickness must be at least 0, got -1");
    def.thickness = 0, def.belt[1] = NAN;
    refuse(world, &def, "collider.belt is not finite");
    assert_int_equal(taut_world_stats(world).colliders, 0);
    taut_world_free(world);
}

/* ---- Hulls ---- */

static double volume_of(const taut_mesh *mesh)
{
    double volume = 0;
    for (int t = 0; t < mesh->ntris; t++) {
        d3 a = d3_of(mesh->x + 3 * mesh->tri[3 * t]), b = d3_of(mesh->x + 3 * mesh->tri[3 * t + 1]);
        d3 c = d3_of(mesh->x + 3 * mesh->tri[3 * t + 2]);
        volume += d3_dot(a, d3_cross(b, c)) / 6;
    }
    return volume;
}

/* Random points, points on a grid (many in a plane and on a line), and on a ball. */
static void a_hull_holds_all_points(void **state)
{
    (void)state;
    static float xyz[3 * 1000];
    uint64_t random = 19;
    for (int kind = 0; kind < 3; kind++) {
        taut_error error;
        taut_mesh hull;
        taut_mesh_report report;
        for (int i = 0; i < 1000; i++) {
            d3 way = random_way(&random);
            const double ball[3] = {way.x, way.y, way.z}, grid[3] = {i % 10, i / 10 % 10, i / 100};
            for (int c = 0; c < 3; c++)
                xyz[3 * i + c] = (float)(kind == 0 ? uniform(&random, -1, 1) : kind == 1 ? grid[c] : ball[c]);
        }
        check_done(taut_mesh_hull(&hull, xyz, 1000, &error), &error);
        check_done(taut_mesh_inspect(&hull, &report, &error), &error);
        assert_true(report.boundary_edges == 0 && report.nonmanifold_edges == 0 && report.inconsistent_edges == 0);
        if (kind != 1) assert_int_equal(hull.ntris, 2 * hull.nvertices - 4);
        if (kind == 1) check_near("volume", volume_of(&hull), 729, 1e-9);
        for (int t = 0; t < hull.ntris; t++) {
            d3 a = d3_of(hull.x + 3 * hull.tri[3 * t]), b = d3_of(hull.x + 3 * hull.tri[3 * t + 1]);
            d3 c = d3_of(hull.x + 3 * hull.tri[3 * t + 2]), n = d3_cross(d3_sub(b, a), d3_sub(c, a));
            for (int i = 0; i < 1000; i++)
                check_within("outside of a side", d3_dot(n, d3_sub(d3_of(xyz + 3 * i), a)), -1e9, 1e-12);
        }
        taut_mesh_free(&hull);
    }
}

/* ---- Saves ---- */

static void add_all(scene *s)
{
    taut_error error;
    for (int k = 0; k < SHAPES; k++) {
        taut_collider_def def = collider_of(shapes[k]);
        def.a[0] += 0.4f * (float)(k - 2), def.b[0] += 0.4f * (float)(k - 2);
        def.thickness = 0.01f, def.belt[0] = 0.3f;
        check_done(taut_world_add_collider(s->world, &def, &error) >= 0, &error);
    }
}

static scene sheet_over_all(void)
{
    taut_error error;
    scene s = bare_scene();
    check_done(taut_mesh_sheet(&s.mesh, 25, 15, 2, 1, &error), &error);
    check_done(taut_init_preset(&s.material, sizeof s.material, "cotton"), &error);
    s.def.gravity[1] = -9.81f;
    s.def.stretch = 0.02f;
    s.place.rotation[0] = -sqrtf(0.5f), s.place.rotation[3] = sqrtf(0.5f);
    s.place.position[1] = 0.4f, s.place.position[2] = -0.5f;
    build_scene(&s);
    return s;
}

/* The save is made in the middle of contact, and restored into the same world and into an empty one. */
static void a_save_brings_back_every_shape(void **state)
{
    (void)state;
    taut_error error;
    scene s = sheet_over_all();
    add_all(&s);
    step(&s, 30, STEP);
    assert_true(taut_world_stats(s.world).contacts > 10);
    size_t size = taut_world_save(s.world, NULL, 0);
    char *bytes = malloc(size);
    assert_true(taut_world_save(s.world, bytes, size) == size);
    step(&s, 30, STEP);
    uint64_t hash = taut_world_hash(s.world);
    const taut_model *models[] = {s.model};
    taut_world *other = taut_world_create(&s.def, &error);
    for (int twice = 0; twice < 2; twice++) {
        check_done(taut_world_restore(s.world, bytes, size, models, 1, &error), &error);
        step(&s, 30, STEP);
        assert_true(taut_world_hash(s.world) == hash);
        check_done(taut_world_restore(other, bytes, size, models, 1, &error), &error);
        for (int i = 0; i < 30; i++) taut_world_step(other, STEP);
        assert_true(taut_world_hash(other) == hash);
    }
    taut_world_free(other);
    free(bytes);
    free_scene(&s);
}

/* The world has a copy of the points: the caller's may change. */
static void a_hull_is_a_copy(void **state)
{
    (void)state;
    uint64_t hash[2];
    for (int spoiled = 0; spoiled < 2; spoiled++) {
        taut_error error;
        float points[LENGTH(hull_points)];
        memcpy(points, hull_points, sizeof points);
        taut_mesh mine = {.nvertices = hull_mesh.nvertices, .x = points};
        scene s = sheet_over_all();
        taut_collider_def def = collider_of(TAUT_HULL);
        def.mesh = &mine;
        int id = taut_world_add_collider(s.world, &def, &error);
        check_done(id >= 0, &error);
        if (spoiled) memset(points, 0xff, sizeof points);
        def.mesh = NULL; /* the world has its copy */
        for (int i = 0; i < 40; i++) {
            def.a[1] = 0.002f * (float)i;
            check_done(taut_collider_move(s.world, id, &def, &error), &error);
            step(&s, 1, STEP);
        }
        hash[spoiled] = taut_world_hash(s.world);
        taut_world_remove_collider(s.world, id);
        step(&s, 1, STEP);
        free_scene(&s);
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_jumps_through_however_fast),
        cmocka_unit_test(a_fast_collider_carries_what_it_meets),
        cmocka_unit_test(a_turning_blade_carries_what_it_meets),
        cmocka_unit_test(what_begins_inside_comes_out_slowly),
        cmocka_unit_test(cloth_around_a_ball_is_not_shot_out),
        cmocka_unit_test(pinched_cloth_waits_and_comes_free),
        cmocka_unit_test(nothing_is_pressed_into_the_floor),
        cmocka_unit_test(a_belt_takes_things_along),
        cmocka_unit_test(the_thickness_of_a_collider_is_added),
        cmocka_unit_test(far_away_is_as_near),
        cmocka_unit_test(odd_sizes_are_fine),
        cmocka_unit_test(bad_shapes_are_refused),
        cmocka_unit_test(a_hull_holds_all_points),
        cmocka_unit_test(a_save_brings_back_every_shape),
        cmocka_unit_test(a_hull_is_a_copy),
    };
    return cmocka_run_group_tests(tests, make_closed_mesh, free_closed_mesh);
}
