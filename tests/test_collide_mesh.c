/* Colliders that are meshes: compared with closed forms, from both sides, at any speed, moved, deformed, saved.
 * Distances are computed here, by other formulas than the library's. */
#include "scenery.h"
#include "slow_build.h"

#include "base/hash.h"
#include "collide/owned.h"

enum { PARTICLES = 300 };

/* ---- Particles ---- */

static scene free_particles(float thickness, float friction)
{
    taut_error error;
    scene s = bare_scene();
    s.material.thickness = thickness;
    s.material.friction = friction;
    check_done(taut_mesh_chain(&s.mesh, PARTICLES, 1, &error), &error);
    build_scene(&s);
    return s;
}

static void put(scene *s, const d3 *at, const d3 *velocity)
{
    static float xyz[3 * PARTICLES];
    taut_error error;
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < PARTICLES; i++) {
            const d3 from = turn ? velocity[i] : at[i];
            xyz[3 * i] = (float)from.x, xyz[3 * i + 1] = (float)from.y, xyz[3 * i + 2] = (float)from.z;
        }
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

static int add_mesh(scene *s, const taut_mesh *mesh, float friction)
{
    taut_error error;
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_MESH;
    def.mesh = mesh;
    def.friction = friction;
    int id = taut_world_add_collider(s->world, &def, &error);
    check_done(id >= 0, &error);
    return id;
}

static double fastest(const scene *s)
{
    double most = 0;
    for (int p = 0; p < s->mesh.nvertices; p++) most = fmax(most, d3_length(velocity(s, p)));
    return most;
}

/* ---- Closed meshes ---- */

/* A sphere of 1280 triangles, and how far inside the round sphere their middles are. */
enum { LEVELS = 3 };
static const double RADIUS = 0.3, DIP = 0.0021;

static taut_mesh make_sphere(void)
{
    taut_error error;
    taut_mesh mesh;
    check_done(taut_mesh_sphere(&mesh, LEVELS, (float)RADIUS, &error), &error);
    return mesh;
}

static void turn_inside_out(taut_mesh *mesh)
{
    for (int t = 0; t < mesh->ntris; t++) {
        int first = mesh->tri[3 * t];
        mesh->tri[3 * t] = mesh->tri[3 * t + 1], mesh->tri[3 * t + 1] = first;
    }
}

/* Every triangle gets vertices of its own, as meshes with seams have. */
static taut_mesh cut_apart(const taut_mesh *mesh)
{
    taut_error error;
    taut_mesh cut;
    check_done(taut_mesh_allocate(&cut, 3 * (int64_t)mesh->ntris, mesh->ntris, 0, 0, false, false, &error), &error);
    for (int i = 0; i < 3 * mesh->ntris; i++) {
        memcpy(cut.x + 3 * i, mesh->x + 3 * mesh->tri[i], 3 * sizeof *cut.x);
        cut.tri[i] = i;
    }
    return cut;
}

/* Particles that are thrown at the middle stop where a sphere would stop them, whatever the mesh is like. */
static void a_mesh_of_a_sphere_is_a_sphere(void **state)
{
    (void)state;
    static const double speeds[] = {1, 100, 1e4};
    uint64_t random = 3;
    for (int kind = 0; kind < 3; kind++)
        for (int i = 0; i < LENGTH(speeds); i++) {
            static d3 at[PARTICLES], v[PARTICLES];
            taut_mesh mesh = make_sphere();
            if (kind == 1) turn_inside_out(&mesh);
            if (kind == 2) {
                taut_mesh whole = mesh;
                mesh = cut_apart(&whole);
                taut_mesh_free(&whole);
            }
            scene s = free_particles(0.002f, 1000);
            add_mesh(&s, &mesh, 1);
            for (int p = 0; p < PARTICLES; p++) {
                d3 way = random_way(&random);
                at[p] = d3_scale(0.9, way), v[p] = d3_scale(-speeds[i], way);
            }
            put(&s, at, v);
            step(&s, speeds[i] < 2 ? 60 : 3, STEP);
            for (int p = 0; p < PARTICLES; p++)
                check_within("distance", d3_length(vertex(&s, p)), RADIUS + 0.002 - DIP, RADIUS + 0.00201);
            free_scene(&s);
            taut_mesh_free(&mesh);
        }
}

/* A particle that begins inside comes out by the nearest place, as fast as out of any other shape. */
static void what_begins_inside_comes_out_slowly(void **state)
{
    (void)state;
    uint64_t random = 5;
    static d3 at[PARTICLES], v[PARTICLES];
    taut_mesh mesh = make_sphere();
    scene s = free_particles(0.004f, 0);
    add_mesh(&s, &mesh, 0);
    for (int p = 0; p < PARTICLES; p++) {
        at[p] = d3_scale(uniform(&random, 0.05, 0.29), random_way(&random));
        v[p] = (d3){0, 0, 0};
    }
    put(&s, at, v);
    for (int i = 0; i < 60; i++) {
        step(&s, 1, STEP);
        check_within("speed", fastest(&s), 0, 1.001 * 240 * 0.002);
    }
    for (int p = 0; p < PARTICLES; p++) {
        check_within("out", d3_length(vertex(&s, p)), RADIUS + 0.0039 - DIP, 1);
        check_within("the near way", d3_dot(vertex(&s, p), at[p]) / d3_length(at[p]) / d3_length(vertex(&s, p)), 0.9,
                     1.1);
    }
    free_scene(&s);
    taut_mesh_free(&mesh);
}

/* Particles fly through the hole of a torus, past it and against it. None gets in, and those that do not meet it are
 * not disturbed. */
static void a_torus_has_a_hole(void **state)
{
    (void)state;
    const double big = 0.3, small = 0.1;
    uint64_t random = 7;
    static d3 at[PARTICLES], v[PARTICLES];
    taut_error error;
    taut_mesh solid, ring;
    check_done(taut_mesh_torus(&solid, 64, 8, (float)big, (float)small, &error), &error);
    ring = (taut_mesh){.nvertices = solid.nvertices, .x = solid.x};
    ring.tri = taut_mesh_surface(&solid, &ring.ntris, &error);
    scene s = free_particles(0.001f, 0.5f);
    add_mesh(&s, &ring, 1);
    for (int round = 0; round < 4; round++) {
        for (int p = 0; p < PARTICLES; p++) {
            bool hole = p % 3 == 0;
            at[p] = (d3){uniform(&random, -0.1, 0.1), 1, uniform(&random, -0.1, 0.1)};
            if (!hole) at[p] = d3_scale(0.9, random_way(&random));
            v[p] = hole ? (d3){0, -100, 0} : d3_scale(-100, random_way(&random));
        }
        put(&s, at, v);
        step(&s, 2, STEP);
        for (int p = 0; p < PARTICLES; p++) {
            d3 now = vertex(&s, p);
            double across = hypot(now.x, now.z) - big;
            if (p % 3 == 0) check_near("through the hole", now.y, 1 - 200.0 / 60, 1e-4);
            check_within("outside", hypot(across, now.y), small * 0.985, 1e9);
        }
    }
    free_scene(&s);
    free(ring.tri);
    taut_mesh_free(&solid);
}

/* ---- Open meshes ---- */

enum { NX = 41 };

static double height_of(double x, double y) { return 0.1 * sin(9 * x) * cos(7 * y); }

/* A mesh of 2 m x 2 m of hills. */
static taut_mesh make_hills(void)
{
    taut_error error;
    taut_mesh mesh;
    check_done(taut_mesh_sheet(&mesh, NX, NX, 2, 2, &error), &error);
    for (int v = 0; v < mesh.nvertices; v++) {
        float *x = mesh.x + 3 * v;
        x[1] += 1;
        x[2] = (float)height_of((double)x[0], (double)x[1]);
    }
    return mesh;
}

/* How high a point is above the triangles. */
static double clearance(const taut_mesh *mesh, d3 p)
{
    for (int t = 0; t < mesh->ntris; t++) {
        d3 c[3];
        double w[3], sum = 0, z = 0;
        for (int k = 0; k < 3; k++) c[k] = d3_of(mesh->x + 3 * mesh->tri[3 * t + k]);
        for (int k = 0; k < 3; k++) {
            d3 a = c[(k + 1) % 3], b = c[(k + 2) % 3];
            w[k] = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
            sum += w[k], z += w[k] * c[k].z;
        }
        if (w[0] / sum >= -1e-9 && w[1] / sum >= -1e-9 && w[2] / sum >= -1e-9) return p.z - z / sum;
    }
    return NAN; /* the point is beside the mesh */
}

/* Particles are thrown at hills from above and below, with and without thickness and friction, and then pressed against
 * them. */
static void an_open_mesh_has_two_sides(void **state)
{
    (void)state;
    static const double speeds[] = {3, 100, 3000};
    taut_mesh hills = make_hills();
    uint64_t random = 11;
    for (int i = 0; i < 4 * LENGTH(speeds); i++) {
        static d3 at[PARTICLES], v[PARTICLES];
        double speed = speeds[i % LENGTH(speeds)];
        bool thick = i >= 2 * LENGTH(speeds), rough = i / LENGTH(speeds) % 2;
        scene s = free_particles(thick ? 0.003f : 0, rough ? 1 : 0);
        add_mesh(&s, &hills, 1);
        for (int p = 0; p < PARTICLES; p++) {
            double side = p % 2 ? 1 : -1;
            d3 target = {uniform(&random, -0.5, 0.5), uniform(&random, -0.5, 0.5), 0};
            at[p] = (d3){uniform(&random, -0.9, 0.9), uniform(&random, -0.9, 0.9), side * uniform(&random, 0.15, 1)};
            d3 way = d3_sub(target, at[p]);
            v[p] = d3_scale(speed / d3_length(way), way);
        }
        put(&s, at, v);
        step(&s, speed < 4 ? 60 : 2, STEP);
        for (int p = 0; p < PARTICLES; p++) v[p] = (d3){0, 0, p % 2 ? -1 : 1};
        for (int p = 0; p < PARTICLES; p++) at[p] = vertex(&s, p);
        put(&s, at, v);
        step(&s, 30, STEP);
        for (int p = 0; p < PARTICLES; p++) {
            double clear = clearance(&hills, vertex(&s, p)) * (p % 2 ? 1 : -1);
            if (!isnan(clear)) check_within("on its side", clear, 0, 1e9);
        }
        free_scene(&s);
    }
    taut_mesh_free(&hills);
}

/* Two sheets lie on either side of thin hills that are thinner than cloth. */
static void cloth_lies_on_hills(void **state)
{
    (void)state;
    SKIP_IF_BRIEF();
    for (int quality = 0; quality < 2; quality++) {
        taut_error error;
        taut_mesh hills = make_hills();
        scene s = bare_scene();
        check_done(taut_mesh_sheet(&s.mesh, 31, 31, 1, 1, &error), &error);
        check_done(taut_init_preset(&s.material, sizeof s.material, "cotton"), &error);
        s.material.thickness = 0.004f;
        s.def.gravity[2] = -9.81f;
        s.def.stretch = quality ? 0.02f : 0;
        s.def.substeps = 8;
        s.place.position[1] = 0.5f, s.place.position[2] = 0.15f;
        build_scene(&s);
        add_mesh(&s, &hills, 1);
        step(&s, 180, STEP);
        for (int p = 0; p < s.mesh.nvertices; p++) check_within("above", clearance(&hills, vertex(&s, p)), 0.0019, 0.2);
        check_within("at rest", fastest(&s), 0, 0.05);
        free_scene(&s);
        taut_mesh_free(&hills);
    }
}

/* ---- Motion ---- */

/* A sphere of triangles that crosses the room in a step sweeps all particles in its way before it. */
static void a_fast_mesh_carries_what_it_meets(void **state)
{
    (void)state;
    uint64_t random = 13;
    for (int open = 0; open < 2; open++) {
        static d3 at[PARTICLES], v[PARTICLES];
        taut_error error;
        taut_mesh mesh = make_sphere();
        if (open) mesh.ntris -= 7;
        scene s = free_particles(0, 1000);
        int id = add_mesh(&s, &mesh, 1);
        for (int p = 0; p < PARTICLES; p++) {
            at[p] = (d3){uniform(&random, -0.05, 0.05), uniform(&random, -0.05, 0.05), 5};
            v[p] = (d3){0, 0, 0};
        }
        put(&s, at, v);
        taut_collider_def def = taut_default_collider_def();
        def.shape = TAUT_MESH, def.a[2] = 20;
        check_done(taut_collider_move(s.world, id, &def, &error), &error);
        step(&s, 1, STEP);
        for (int p = 0; p < PARTICLES; p++) check_within("ahead of it", vertex(&s, p).z, 20.28, 1e9);
        free_scene(&s);
        taut_mesh_free(&mesh);
    }
}

/* Makes a plate. */
static taut_mesh make_plate(void)
{
    taut_error error;
    taut_mesh mesh;
    check_done(taut_mesh_sheet(&mesh, 11, 11, 3, 3, &error), &error);
    for (int v = 0; v < mesh.nvertices; v++) mesh.x[3 * v + 1] += 1.5f;
    return mesh;
}

static scene sheet_on_plate(float friction)
{
    taut_error error;
    scene s = bare_scene();
    check_done(taut_mesh_sheet(&s.mesh, 15, 15, 0.5f, 0.5f, &error), &error);
    check_done(taut_init_preset(&s.material, sizeof s.material, "cotton"), &error);
    s.material.thickness = 0.005f;
    s.material.friction = friction;
    s.material.drag = s.material.lift = 0;
    s.def.gravity[2] = -9.81f;
    s.def.substeps = 8;
    s.place.position[1] = 0.25f, s.place.position[2] = 0.006f;
    build_scene(&s);
    return s;
}

/* A plate accelerates to 1 m/s, as a whole or by its vertices. With friction the cloth on it goes along, without
 * friction the cloth stays. */
static void a_plate_that_moves_carries_cloth(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        bool deforms = kind & 1, rough = kind & 2;
        taut_error error;
        taut_mesh plate = make_plate(), moved = make_plate();
        scene s = sheet_on_plate(rough ? 1 : 0);
        int id = add_mesh(&s, &plate, 0.6f);
        double way = 0;
        for (int i = 0; i < 60; i++) {
            taut_collider_def def = taut_default_collider_def();
            way += fmin(1, 0.05 * i) / 60;
            def.shape = TAUT_MESH, def.friction = 0.6f;
            for (int v = 0; v < moved.nvertices; v++) moved.x[3 * v] = plate.x[3 * v] + (float)way;
            if (deforms) def.mesh = &moved;
            else def.a[0] = (float)way;
            check_done(taut_collider_move(s.world, id, &def, &error), &error);
            step(&s, 1, STEP);
        }
        for (int v = 0; v < s.mesh.nvertices; v++)
            check_near("goes along", vertex(&s, v).x - (double)s.mesh.x[3 * v], rough ? way : 0, 0.01);
        free_scene(&s);
        taut_mesh_free(&plate);
        taut_mesh_free(&moved);
    }
}

/* The vertices of a plate rise fast to hills and sink to hollows; cloth and particles stay above. */
static void a_plate_that_deforms_lifts_what_lies_on_it(void **state)
{
    (void)state;
    uint64_t random = 17;
    for (int fast = 0; fast < 2; fast++) {
        static d3 at[PARTICLES], v[PARTICLES];
        taut_error error;
        taut_mesh hills = make_hills(), now = make_hills();
        for (int i = 0; i < now.nvertices; i++) now.x[3 * i + 2] = 0;
        scene s = free_particles(0.002f, 0.5f);
        check_done(taut_world_set_gravity(s.world, (float[]){0, 0, -9.81f}, &error), &error);
        int id = add_mesh(&s, &now, 1);
        for (int p = 0; p < PARTICLES; p++) {
            at[p] = (d3){uniform(&random, -0.7, 0.7), uniform(&random, -0.7, 0.7), 0.0021};
            v[p] = (d3){0, 0, 0};
        }
        put(&s, at, v);
        for (int i = 0; i < 40; i++) {
            taut_collider_def def = taut_default_collider_def();
            def.shape = TAUT_MESH, def.mesh = &now;
            double part = fast ? i % 2 == 0 : sin(0.3 * i);
            for (int k = 0; k < now.nvertices; k++) now.x[3 * k + 2] = (float)(part * (double)hills.x[3 * k + 2]);
            check_done(taut_collider_move(s.world, id, &def, &error), &error);
            step(&s, 1, STEP);
            for (int p = 0; p < PARTICLES; p++) {
                double clear = clearance(&now, vertex(&s, p));
                if (!isnan(clear)) check_within("above", clear, 0.0002, 1e9);
            }
        }
        free_scene(&s);
        taut_mesh_free(&hills);
        taut_mesh_free(&now);
    }
}

/* ---- Saves, threads ---- */

static void wave(taut_mesh *now, const taut_mesh *rest, int frame)
{
    for (int v = 0; v < now->nvertices; v++) {
        double x = (double)rest->x[3 * v], y = (double)rest->x[3 * v + 1];
        now->x[3 * v + 2] = (float)(0.05 * sin(6 * x + 0.2 * frame) * cos(5 * y));
    }
}

/* Moves the collider of `id` on, and the world. */
static void go_on(taut_world *world, int id, const taut_mesh *rest, int from, int to)
{
    taut_error error;
    taut_mesh now = make_plate();
    for (int i = from; i < to; i++) {
        taut_collider_def def = taut_default_collider_def();
        wave(&now, rest, i);
        def.shape = TAUT_MESH, def.mesh = &now;
        def.a[0] = 0.002f * (float)i;
        check_done(taut_collider_move(world, id, &def, &error), &error);
        taut_world_step(world, STEP);
    }
    taut_mesh_free(&now);
}

/* The save is made in the middle of contact, when the next move is already set. It is restored into the same world and
 * into an empty one, with any number of threads. */
static void a_save_brings_back_a_deforming_mesh(void **state)
{
    (void)state;
    taut_error error;
    uint64_t hash = 0;
    char *bytes = NULL;
    size_t size = 0;
    for (int threads = 1; threads <= 4; threads++) {
        taut_mesh plate = make_plate(), aim = make_plate();
        scene s = sheet_on_plate(0.5f);
        s.def.threads = threads;
        taut_world_free(s.world);
        s.world = taut_world_create(&s.def, &error);
        check_done(s.world && taut_world_add_body(s.world, s.model, &s.place, &error) == s.body, &error);
        int id = add_mesh(&s, &plate, 0.6f);
        const taut_model *models[] = {s.model};
        taut_collider_def def = taut_default_collider_def();
        go_on(s.world, id, &plate, 0, 20);
        wave(&aim, &plate, 70);
        def.shape = TAUT_MESH, def.mesh = &aim, def.a[0] = 0.04f;
        check_done(taut_collider_move(s.world, id, &def, &error), &error);
        if (threads == 1) {
            size = taut_world_save(s.world, NULL, 0);
            bytes = malloc(size);
            assert_true(taut_world_save(s.world, bytes, size) == size);
        }
        for (int again = 0; again < 2; again++) {
            taut_world_step(s.world, STEP);
            go_on(s.world, id, &plate, 21, 40);
            check_within("contacts", taut_world_stats(s.world).contacts, 1, 1e9);
            if (threads == 1 && again == 0) hash = taut_world_hash(s.world);
            assert_true(taut_world_hash(s.world) == hash);
            if (again == 1) {
                taut_world_free(s.world);
                s.world = taut_world_create(&s.def, &error);
            }
            check_done(taut_world_restore(s.world, bytes, size, models, 1, &error), &error);
        }
        taut_world_step(s.world, STEP);
        go_on(s.world, id, &plate, 21, 40);
        assert_true(taut_world_hash(s.world) == hash);
        free_scene(&s);
        taut_mesh_free(&plate);
        taut_mesh_free(&aim);
    }
    free(bytes);
}

/* Every byte of a save is changed, and the checksum is made right again. A save that is accepted must step soundly. */
static void a_forged_save_does_no_harm(void **state)
{
    (void)state;
    taut_error error;
    taut_mesh ball;
    int taken = 0, refused = 0;
    check_done(taut_mesh_sphere(&ball, 0, 0.3f, &error), &error);
    scene s = bare_scene();
    check_done(taut_mesh_sheet(&s.mesh, 4, 4, 0.4f, 0.4f, &error), &error);
    s.material.edge = 1;
    s.def.gravity[1] = -9.81f;
    build_scene(&s);
    add_mesh(&s, &ball, 0.5f);
    step(&s, 2, STEP);
    const taut_model *models[] = {s.model};
    size_t size = taut_world_save(s.world, NULL, 0), body = size - sizeof(uint64_t);
    unsigned char *bytes = malloc(size);
    assert_true(taut_world_save(s.world, bytes, size) == size);
    for (size_t at = 0; at < body; at++)
        for (int way = 0; way < 3; way++) {
            unsigned char change = (unsigned char)(way == 0 ? 0xff : way == 1 ? 1u << at % 8 : 0x40);
            bytes[at] ^= change;
            uint64_t check = tt_hash(TT_HASH_SEED, bytes, body);
            memcpy(bytes + body, &check, sizeof check);
            bool sound = taut_world_restore(s.world, bytes, size, models, 1, NULL);
            bytes[at] ^= change;
            *(sound ? &taken : &refused) += 1;
            if (!sound || !taut_world_has_body(s.world, s.body)) continue;
            step(&s, 1, STEP);
            for (int v = 0; v < s.mesh.nvertices; v++)
                if (!isfinite(d3_length(vertex(&s, v)))) fail_msg("byte %zu, way %d", at, way);
        }
    assert_true(taken > 0 && refused > 0);
    free(bytes);
    free_scene(&s);
    taut_mesh_free(&ball);
}

/* ---- Odd and bad meshes ---- */

static void refuse(taut_world *world, const taut_mesh *mesh, taut_code code, const char *text)
{
    taut_error error;
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_MESH;
    def.mesh = mesh;
    assert_int_equal(taut_world_add_collider(world, &def, &error), -1);
    assert_string_equal(error.text, text);
    assert_int_equal(error.code, code);
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    taut_error error;
    float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0}, odd[] = {0, 0, 0, 1, 0, 0, 0, NAN, 0, 2, 0, 0};
    int tri[] = {0, 1, 2}, out[] = {0, 1, 4}, twice[] = {0, 1, 1}, line[] = {0, 1, 3};
    taut_world *world = taut_world_create(NULL, &error);
    taut_mesh mesh = {.nvertices = 4, .ntris = 1, .x = x, .tri = tri};
    refuse(world, NULL, TAUT_BAD_ARGUMENT, "collider.mesh is NULL");
    mesh.ntris = 0;
    refuse(world, &mesh, TAUT_BAD_MESH, "the mesh of a collider has no triangles");
    mesh.ntris = 1, mesh.x = odd;
    refuse(world, &mesh, TAUT_BAD_MESH, "vertex 2: position is not finite");
    mesh.x = x, mesh.tri = out;
    refuse(world, &mesh, TAUT_BAD_MESH, "triangle 0: vertex index 4 is outside 0..3");
    mesh.tri = twice;
    refuse(world, &mesh, TAUT_BAD_MESH, "triangle 0 uses vertex 1 twice");
    mesh.tri = line;
    refuse(world, &mesh, TAUT_BAD_MESH, "the mesh of a collider has no triangle with an area");
    assert_int_equal(taut_world_stats(world).colliders, 0);

    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_MESH;
    mesh.tri = tri, def.mesh = &mesh;
    int id = taut_world_add_collider(world, &def, &error);
    check_done(id >= 0, &error);
    mesh.nvertices = 3;
    assert_false(taut_collider_move(world, id, &def, &error));
    assert_string_equal(error.text, "the mesh has 3 vertices, that of the collider has 4");
    mesh.nvertices = 4, mesh.x = odd;
    assert_false(taut_collider_move(world, id, &def, &error));
    assert_string_equal(error.text, "vertex 2: position is not finite");
    taut_world_free(world);
}

/* Very many triangles on the same three vertices, or on the same three places, count as one, so that no particle has to
 * be tested against each of them. */
static void copies_of_a_triangle_are_one(void **state)
{
    (void)state;
    enum { COPIES = 300000 };
    for (int kind = 0; kind < 2; kind++) {
        taut_error error;
        taut_mesh mesh;
        static d3 at[PARTICLES], v[PARTICLES];
        check_done(taut_mesh_allocate(&mesh, kind ? 3 * COPIES : 3, COPIES, 0, 0, false, false, &error), &error);
        for (int i = 0; i < mesh.nvertices; i++) mesh.x[3 * i + i % 3] = 1;
        for (int i = 0; i < 3 * COPIES; i++) mesh.tri[i] = kind ? i : (i % 3 + i / 3) % 3;
        scene s = free_particles(0.001f, 1);
        add_mesh(&s, &mesh, 1);
        tt_scope scope;
        tt_scope_open(&scope, NULL);
        tt_owned *owned = tt_owned_create(&scope, TAUT_MESH, &mesh, &error);
        check_done(owned, &error);
        assert_int_equal(owned->surface->ntris, 1);
        assert_false(owned->surface->closed);
        tt_owned_free(owned);
        tt_scope_close(&scope);
        for (int p = 0; p < PARTICLES; p++) at[p] = (d3){1, 1, 1}, v[p] = (d3){-100, -100, -100};
        put(&s, at, v);
        step(&s, 2, STEP);
        for (int p = 0; p < PARTICLES; p++) {
            d3 now = vertex(&s, p);
            check_near("on it", now.x + now.y + now.z, 1 + 0.001 * sqrt(3), 1e-5);
        }
        free_scene(&s);
        taut_mesh_free(&mesh);
    }
}

/* Triangles without an area among others, and unused vertices, have no effect. */
static void thin_triangles_do_no_harm(void **state)
{
    (void)state;
    uint64_t random = 19;
    static d3 at[PARTICLES], v[PARTICLES];
    taut_error error;
    taut_mesh whole = make_sphere(), mesh;
    int n = whole.ntris;
    check_done(taut_mesh_allocate(&mesh, whole.nvertices + 2, n + 2, 0, 0, false, false, &error), &error);
    memcpy(mesh.x, whole.x, 3 * (size_t)whole.nvertices * sizeof *mesh.x);
    memcpy(mesh.tri, whole.tri, 3 * (size_t)n * sizeof *mesh.tri);
    int a = mesh.tri[0], b = mesh.tri[1], middle = whole.nvertices;
    for (int k = 0; k < 3; k++) mesh.x[3 * middle + k] = (mesh.x[3 * a + k] + mesh.x[3 * b + k]) / 2;
    const int thin[6] = {a, b, middle, b, a, middle};
    memcpy(mesh.tri + 3 * n, thin, sizeof thin);
    scene s = free_particles(0.002f, 1000);
    add_mesh(&s, &mesh, 1);
    for (int p = 0; p < PARTICLES; p++) {
        d3 way = p < 50 ? d3_scale(1 / RADIUS, d3_of(mesh.x + 3 * (p % 2 ? a : b))) : random_way(&random);
        at[p] = d3_scale(0.9, way), v[p] = d3_scale(-100, way);
    }
    put(&s, at, v);
    step(&s, 3, STEP);
    for (int p = 0; p < PARTICLES; p++)
        check_within("distance", d3_length(vertex(&s, p)), RADIUS + 0.002 - DIP, RADIUS + 0.00201);
    free_scene(&s);
    taut_mesh_free(&mesh);
    taut_mesh_free(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_of_a_sphere_is_a_sphere),
        cmocka_unit_test(what_begins_inside_comes_out_slowly),
        cmocka_unit_test(a_torus_has_a_hole),
        cmocka_unit_test(an_open_mesh_has_two_sides),
        cmocka_unit_test(cloth_lies_on_hills),
        cmocka_unit_test(a_fast_mesh_carries_what_it_meets),
        cmocka_unit_test(a_plate_that_moves_carries_cloth),
        cmocka_unit_test(a_plate_that_deforms_lifts_what_lies_on_it),
        cmocka_unit_test(a_save_brings_back_a_deforming_mesh),
        cmocka_unit_test(a_forged_save_does_no_harm),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(copies_of_a_triangle_are_one),
        cmocka_unit_test(thin_triangles_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
