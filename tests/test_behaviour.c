/* test_behaviour.c: strain by direction, area and volume, recovery from inversion, bending of
 * shapes. */
#include "scenery.h"

/* ---- Each stiffness changes its own mode only (SBD Fig. 3) ---- */

enum { XX, YY, XY, SHEET_MODES };

/* Turns the UVs so that the warp lies at an angle to the x axis. */
static void turn_uvs(taut_mesh *mesh, double angle)
{
    for (int i = 0; i < 3 * mesh->ntris; i++) {
        double u = mesh->uv[2 * i], v = mesh->uv[2 * i + 1];
        mesh->uv[2 * i] = (float)(cos(angle) * u + sin(angle) * v);
        mesh->uv[2 * i + 1] = (float)(-sin(angle) * u + cos(angle) * v);
    }
}

/* Area-weighted means over a sheet: stretches and shear along axes n of the rest plane. */
static void sheet_strain(const scene *s, const d3 n[2], double mean[SHEET_MODES])
{
    double total = 0;
    memset(mean, 0, SHEET_MODES * sizeof *mean);
    for (int t = 0; t < s->mesh.ntris; t++) {
        const int *v = &s->mesh.tri[3 * t];
        double area = tri_area(s->mesh.x, v);
        d3 f[2];
        tri_axes(s->mesh.x, positions(s), v, n, f);
        mean[XX] += area * d3_length(f[0]);
        mean[YY] += area * d3_length(f[1]);
        mean[XY] += area * shear_angle(f[0], f[1]);
        total += area;
    }
    for (int mode = 0; mode < SHEET_MODES; mode++) mean[mode] /= total;
}

/* Deforms by x -> R^T G R x, with G along axes at `angle` in the plane. */
static void deform_along(scene *s, double angle, double g11, double g12, double g21, double g22)
{
    double c = cos(angle), d = sin(angle), R[2][2] = {{c, d}, {-d, c}},
           G[2][2] = {{g11, g12}, {g21, g22}};
    double A[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++)
                for (int l = 0; l < 2; l++) A[i][j] += R[k][i] * G[k][l] * R[l][j];
    deform(s, A);
}

/* Stretches a sheet by 8 % along both axes, shears it by 0.1 rad, and lets it go with the stiffnesses given. It is so
 * damped that it creeps to rest. */
static void relax_sheet(double angle, const float stiffness[SHEET_MODES], double mean[SHEET_MODES])
{
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_sheet_irregular(&s.mesh, 7, 7, 1, 1, 0.3f, 5, &error), &error);
    turn_uvs(&s.mesh, angle);
    s.material.strain.xx = stiffness[XX];
    s.material.strain.yy = stiffness[YY];
    s.material.strain.xy = stiffness[XY];
    s.material.damping.global = 1e9f;
    s.def.iterations = 400;
    build_scene(&s);
    deform_along(&s, angle, 1.08, 1.08 * sin(0.05), 1.08 * sin(0.05), 1.08);
    step(&s, 1, STEP);
    check_sound("relaxed sheet", &s);
    const d3 axes[2] = {{cos(angle), sin(angle), 0}, {-sin(angle), cos(angle), 0}};
    sheet_strain(&s, axes, mean);
    free_scene(&s);
}

static void test_sheet_modes_are_independent(void **state)
{
    (void)state;
    const double degrees[] = {0, 17, 45, 80}, rest[SHEET_MODES] = {1, 1, 0};
    const char *const name[SHEET_MODES] = {"xx", "yy", "xy"};
    for (int a = 0; a < LENGTH(degrees); a++)
        for (int off = 0; off <= SHEET_MODES; off++) { /* the last round has all modes on */
            float stiffness[SHEET_MODES] = {1, 1, 1};
            double mean[SHEET_MODES], start[SHEET_MODES] = {1.08, 1.08, 0.1};
            char what[64];
            if (off < SHEET_MODES) stiffness[off] = 0;
            relax_sheet(degrees[a] * PI / 180, stiffness, mean);
            for (int mode = 0; mode < SHEET_MODES; mode++) {
                snprintf(what, sizeof what, "%g degrees, %s off: mean %s", degrees[a],
                         off < 3 ? name[off] : "none", name[mode]);
                if (mode == off) check_near(what, mean[mode], start[mode], 0.02);
                else check_near(what, mean[mode], rest[mode], 1e-3);
            }
        }
}

/* One mode is strained. The softer the mode is, the more of its strain is left. The other modes stay at rest. */
static void test_sheet_softness_grows_as_stiffness_falls(void **state)
{
    (void)state;
    for (int soft = 0; soft < SHEET_MODES; soft++) {
        double last = -1;
        for (int i = 0; i < 3; i++) {
            const float k[3] = {1, 0.3f, 0};
            float stiffness[SHEET_MODES] = {1, 1, 1};
            double mean[SHEET_MODES];
            stiffness[soft] = k[i];
            scene s = bare_scene();
            taut_error error;
            check_done(taut_mesh_sheet_irregular(&s.mesh, 7, 7, 1, 1, 0.3f, 9, &error), &error);
            turn_uvs(&s.mesh, 0.6);
            s.material.strain.xx = stiffness[XX], s.material.strain.yy = stiffness[YY];
            s.material.strain.xy = stiffness[XY];
            s.material.damping.global = 1e9f;
            s.def.iterations = 20;
            build_scene(&s);
            deform_along(&s, 0.6, soft == XX ? 1.1 : 1, soft == XY ? 0.1 : 0, 0,
                         soft == YY ? 1.1 : 1);
            const d3 axes[2] = {{cos(0.6), sin(0.6), 0}, {-sin(0.6), cos(0.6), 0}};
            step(&s, 1, STEP);
            sheet_strain(&s, axes, mean);
            double left = fabs(mean[soft] - (soft == XY ? 0 : 1));
            check_within("strain left grows", left, last + 0.005, 0.101);
            last = left;
            for (int mode = 0; mode < SHEET_MODES; mode++)
                if (mode != soft) check_near("other modes", mean[mode], mode == XY ? 0 : 1, 0.01);
            free_scene(&s);
        }
    }
}

enum { TXX, TYY, TZZ, TXY, TYZ, TXZ, TET_MODES };

static void frame_axes(double yaw, double pitch, d3 n[3])
{
    n[0] = (d3){cos(yaw) * cos(pitch), sin(yaw) * cos(pitch), sin(pitch)};
    n[1] = (d3){-sin(yaw), cos(yaw), 0};
    n[2] = d3_cross(n[0], n[1]);
}

/* The start of the beam that relaxes: stretches and shears in all modes, or in one alone. */
static double start_value(int a, int b, int only)
{
    if (only == TET_MODES) return a == b ? 1.06 : 0.04;
    const int pair[TET_MODES][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
    bool its =
        (a == pair[only][0] && b == pair[only][1]) || (b == pair[only][0] && a == pair[only][1]);
    return (a == b ? 1 : 0) + (its ? 0.06 : 0);
}

static void tet_strain(const scene *s, const d3 n[3], double mean[TET_MODES])
{
    double total = 0;
    memset(mean, 0, TET_MODES * sizeof *mean);
    for (int t = 0; t < s->mesh.ntets; t++) {
        const int *v = &s->mesh.tet[4 * t];
        double volume = tet_volume(s->mesh.x, v);
        d3 f[3];
        tet_axes(s->mesh.x, positions(s), v, n, f);
        for (int j = 0; j < 3; j++) mean[j] += volume * d3_length(f[j]);
        mean[TXY] += volume * shear_angle(f[0], f[1]);
        mean[TYZ] += volume * shear_angle(f[1], f[2]);
        mean[TXZ] += volume * shear_angle(f[0], f[2]);
        total += volume;
    }
    for (int mode = 0; mode < TET_MODES; mode++) mean[mode] /= total;
}

/* Deforms a beam with frames along n in all modes, or `only` in one, and lets it go with one mode off. */
static void relax_beam(const d3 n[3], int off, int only, double before[TET_MODES],
                       double mean[TET_MODES])
{
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_beam(&s.mesh, 3, 2, 2, 1.5f, 1, 1, &error), &error);
    s.mesh.frame = realloc(s.mesh.frame, 9 * (size_t)s.mesh.ntets * sizeof(float));
    assert_non_null(s.mesh.frame);
    for (int t = 0; t < s.mesh.ntets; t++)
        for (int j = 0; j < 3; j++) {
            float *axis = &s.mesh.frame[9 * t + 3 * j];
            axis[0] = (float)n[j].x, axis[1] = (float)n[j].y, axis[2] = (float)n[j].z;
        }
    float *stiffness[TET_MODES] = {&s.material.strain.xx, &s.material.strain.yy,
                                   &s.material.strain.zz, &s.material.strain.xy,
                                   &s.material.strain.yz, &s.material.strain.xz};
    for (int mode = 0; mode < TET_MODES; mode++) *stiffness[mode] = mode == off ? 0 : 1;
    s.material.damping.global = 1e9f;
    s.def.iterations = 400;
    build_scene(&s);
    double A[3][3] = {{0}}, axes[3][3];
    for (int j = 0; j < 3; j++) axes[j][0] = n[j].x, axes[j][1] = n[j].y, axes[j][2] = n[j].z;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    A[r][c] += axes[i][r] * start_value(i, j, only) * axes[j][c];
    deform(&s, (const double(*)[3])A);
    tet_strain(&s, n, before);
    step(&s, 1, STEP);
    check_sound("relaxed beam", &s);
    tet_strain(&s, n, mean);
    free_scene(&s);
}

static const char *const tet_mode_name[] = {"xx", "yy", "zz", "xy", "yz", "xz", "none"};
static const double turns[][2] = {{0, 0}, {0.3, 0.5}, {0.8, -0.6}, {1.4, 0.9}};

/* All modes are strained and one is off: the others come to rest, and that one does not. */
static void test_tet_modes_are_independent(void **state)
{
    (void)state;
    for (int a = 0; a < LENGTH(turns); a++)
        for (int off = 0; off <= TET_MODES; off++) {
            double mean[TET_MODES], before[TET_MODES];
            char what[64];
            d3 n[3];
            frame_axes(turns[a][0], turns[a][1], n);
            relax_beam(n, off, TET_MODES, before, mean);
            for (int mode = 0; mode < TET_MODES; mode++) {
                double rest = mode <= TZZ ? 1 : 0;
                snprintf(what, sizeof what, "frame %d, %s off: mean %s", a, tet_mode_name[off],
                         tet_mode_name[mode]);
                /* The mode may drift while the others relax, but nothing pulls it to its rest. */
                if (mode == off)
                    check_near(what, mean[mode], before[mode], 0.5 * fabs(before[mode] - rest));
                else check_near(what, mean[mode], rest, 2e-3);
            }
        }
}

/* One mode is strained. It keeps its strain while it is off and all others are stiff, and comes to rest when it is
 * on. */
static void test_tet_mode_alone_stays_only_while_off(void **state)
{
    (void)state;
    for (int a = 0; a < LENGTH(turns); a++)
        for (int only = 0; only < TET_MODES; only++)
            for (int on = 0; on <= 1; on++) {
                double mean[TET_MODES], before[TET_MODES];
                char what[64];
                d3 n[3];
                frame_axes(turns[a][0], turns[a][1], n);
                relax_beam(n, on ? TET_MODES : only, only, before, mean);
                for (int mode = 0; mode < TET_MODES; mode++) {
                    double rest = mode <= TZZ ? 1 : 0;
                    snprintf(what, sizeof what, "frame %d, only %s strained: mean %s", a,
                             tet_mode_name[only], tet_mode_name[mode]);
                    check_near(what, mean[mode], mode == only && !on ? before[mode] : rest, 2e-3);
                }
            }
}

/* ---- Rest stretches, area, volume ---- */

static void test_sheet_settles_at_its_rest_stretches(void **state)
{
    (void)state;
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_sheet_irregular(&s.mesh, 7, 7, 1, 1, 0.3f, 2, &error), &error);
    turn_uvs(&s.mesh, 0.5);
    s.material.strain = (taut_strain){.xx = 1, .yy = 1, .xy = 1, .rest = {1.2f, 0.8f, 1}};
    s.material.damping.global = 20;
    s.def.iterations = 50;
    build_scene(&s);
    step(&s, 60, STEP);
    const d3 axes[2] = {{cos(0.5), sin(0.5), 0}, {-sin(0.5), cos(0.5), 0}};
    for (int t = 0; t < s.mesh.ntris; t++) {
        d3 f[2];
        tri_axes(s.mesh.x, positions(&s), &s.mesh.tri[3 * t], axes, f);
        check_near("stretch along the warp", d3_length(f[0]), 1.2, 1e-3);
        check_near("stretch along the weft", d3_length(f[1]), 0.8, 1e-3);
    }
    free_scene(&s);
}

static void test_solid_settles_at_its_rest_stretches(void **state)
{
    (void)state;
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_beam(&s.mesh, 3, 2, 2, 1.5f, 1, 1, &error), &error);
    s.material.strain = (taut_strain){.xx = 1,
                                      .yy = 1,
                                      .zz = 1,
                                      .xy = 1,
                                      .yz = 1,
                                      .xz = 1,
                                      .volume = 1,
                                      .rest = {1.2f, 0.8f, 1.1f}};
    s.material.damping.global = 20;
    s.def.iterations = 50;
    build_scene(&s);
    step(&s, 60, STEP);
    const d3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int t = 0; t < s.mesh.ntets; t++) {
        d3 f[3];
        tet_axes(s.mesh.x, positions(&s), &s.mesh.tet[4 * t], axes, f);
        check_near("stretch along x", d3_length(f[0]), 1.2, 1e-3);
        check_near("stretch along y", d3_length(f[1]), 0.8, 1e-3);
        check_near("stretch along z", d3_length(f[2]), 1.1, 1e-3);
    }
    free_scene(&s);
}

static void test_area_alone_keeps_area_and_lets_the_rest_go(void **state)
{
    (void)state;
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_sheet_irregular(&s.mesh, 6, 6, 1, 1, 0.3f, 3, &error), &error);
    s.material.strain.area = 1;
    s.material.damping.global = 1e9f;
    s.def.iterations = 400;
    build_scene(&s);
    deform(&s, (const double[3][3]){{1.5, 0.2, 0}, {0, 0.9, 0}, {0, 0, 1}});
    step(&s, 1, STEP);
    for (int t = 0; t < s.mesh.ntris; t++) {
        const int *v = &s.mesh.tri[3 * t];
        check_ratio("area", tri_area(positions(&s), v), tri_area(s.mesh.x, v), 1e-3);
    }
    double mean[SHEET_MODES];
    sheet_strain(&s, (const d3[2]){{1, 0, 0}, {0, 1, 0}}, mean);
    check_within("the stretch stays", mean[XX], 1.2, 1.5);
    free_scene(&s);
}

/* Only volume is stiff. With a rest stretch the body inflates. Without one, a squeezed body gets its volume back, but
 * not its shape. */
static void test_volume_alone_keeps_volume_and_inflates(void **state)
{
    (void)state;
    const float rest[] = {1, 1.2f};
    for (int i = 0; i < LENGTH(rest); i++) {
        scene s = bare_scene();
        taut_error error;
        check_done(taut_mesh_beam(&s.mesh, 3, 2, 2, 1.5f, 1, 1, &error), &error);
        s.material.strain = (taut_strain){.volume = 1, .rest = {rest[i], rest[i], rest[i]}};
        s.material.damping.global = 1e9f;
        s.def.iterations = 500;
        build_scene(&s);
        deform(&s, (const double[3][3]){{1.4, 0, 0}, {0, 0.9, 0}, {0, 0, 0.9}});
        step(&s, 1, STEP);
        double grown = pow((double)rest[i], 3), length = vertex(&s, 3).x - vertex(&s, 0).x;
        for (int t = 0; t < s.mesh.ntets; t++) {
            const int *v = &s.mesh.tet[4 * t];
            check_ratio("volume", tet_volume(positions(&s), v), grown * tet_volume(s.mesh.x, v),
                        2e-3);
        }
        check_within("the length stays", length, 1.9, 2.6);
        free_scene(&s);
    }
}

/* ---- Inverted and entangled solids ---- */

enum { LOOSE_TETS = 200 };

/* Random tets of about 1 m, not connected to each other. */
static void make_loose_tets(taut_mesh *mesh, uint64_t *random)
{
    *mesh = (taut_mesh){.nvertices = 4 * LOOSE_TETS, .ntets = LOOSE_TETS};
    mesh->x = malloc(12 * LOOSE_TETS * sizeof *mesh->x);
    mesh->tet = malloc(4 * LOOSE_TETS * sizeof *mesh->tet);
    assert_true(mesh->x && mesh->tet);
    for (int t = 0; t < LOOSE_TETS; t++) {
        for (int k = 0; k < 4; k++) mesh->tet[4 * t + k] = 4 * t + k;
        do
            for (int i = 0; i < 12; i++) mesh->x[12 * t + i] = (float)uniform(random, 0, 1);
        while (tet_volume(mesh->x, &mesh->tet[4 * t]) < 0.03);
    }
}

static int upright_tets(const scene *s)
{
    int n = 0;
    for (int t = 0; t < s->mesh.ntets; t++) n += tet_volume(positions(s), &s->mesh.tet[4 * t]) > 0;
    return n;
}

static int recovered(float volume, int iterations)
{
    scene s = bare_scene();
    uint64_t random = 11;
    make_loose_tets(&s.mesh, &random);
    s.material.strain = (taut_strain){.xx = 1,
                                      .yy = 1,
                                      .zz = 1,
                                      .xy = 0.5f,
                                      .yz = 0.5f,
                                      .xz = 0.5f,
                                      .volume = volume,
                                      .rest = {1, 1, 1}};
    s.def.iterations = iterations;
    build_scene(&s);
    float *x = copy_floats(s.mesh.x, 3 * s.mesh.nvertices);
    for (int t = 0; t < LOOSE_TETS; t++) do
            for (int i = 0; i < 12; i++) x[12 * t + i] = (float)uniform(&random, 0, 1);
        while (tet_volume(x, &s.mesh.tet[4 * t]) > -0.01);
    set_positions(&s, x);
    free(x);
    assert_int_equal(upright_tets(&s), 0);
    step(&s, 1, STEP);
    check_sound("inverted tets", &s);
    int n = upright_tets(&s);
    free_scene(&s);
    return n;
}

static void test_inverted_tets_recover_with_volume(void **state)
{
    (void)state;
    const float volume[] = {1, 0.5f, 0.05f};
    for (int i = 0; i < LENGTH(volume); i++)
        check_near("upright of 200", recovered(volume[i], 8), LOOSE_TETS, 0);
    check_within("upright without volume", recovered(0, 8), 0, LOOSE_TETS / 2.0);
}

/* Tets squashed to a plane, a line, a point. A plane still has a normal and must recover; a line or
 * point has none and must at least stay finite. */
static void test_collapsed_tets(void **state)
{
    (void)state;
    for (int dimensions = 0; dimensions <= 2; dimensions++) {
        scene s = bare_scene();
        uint64_t random = 3;
        make_loose_tets(&s.mesh, &random);
        s.material.strain = (taut_strain){.xx = 1,
                                          .yy = 1,
                                          .zz = 1,
                                          .xy = 0.5f,
                                          .yz = 0.5f,
                                          .xz = 0.5f,
                                          .volume = 0.5f,
                                          .rest = {1, 1, 1}};
        s.material.damping.global = 10;
        s.def.iterations = 10;
        build_scene(&s);
        deform(&s, (const double[3][3]){{dimensions > 0, 0, 0}, {0, dimensions > 1, 0}, {0, 0, 0}});
        for (int i = 0; i < 30; i++) {
            step(&s, 1, STEP);
            check_sound("collapsed tets", &s);
        }
        if (dimensions == 2) assert_int_equal(upright_tets(&s), LOOSE_TETS);
        check_within("extent", fabs((double)positions(&s)[0]), 0, 100);
        free_scene(&s);
    }
}

/* SBD Fig. 4: a solid torus with every vertex anywhere in a box finds its way back. */
static void test_entangled_torus_recovers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        scene s = bare_scene();
        taut_error error;
        uint64_t random = seed;
        check_done(taut_mesh_torus(&s.mesh, 10, 1, 1, 0.4f, &error), &error);
        s.material.strain = (taut_strain){
            .xx = 1, .yy = 1, .zz = 1, .xy = 1, .yz = 1, .xz = 1, .volume = 1, .rest = {1, 1, 1}};
        s.material.damping.global = 5;
        s.def.iterations = 10;
        build_scene(&s);
        float *x = copy_floats(s.mesh.x, 3 * s.mesh.nvertices);
        for (int i = 0; i < 3 * s.mesh.nvertices; i++) x[i] = (float)uniform(&random, -1, 1);
        set_positions(&s, x);
        free(x);
        check_within("upright at first", upright_tets(&s), 0.3 * s.mesh.ntets, 0.7 * s.mesh.ntets);
        step(&s, 200, STEP);
        check_sound("torus", &s);
        check_near("upright tets", upright_tets(&s), s.mesh.ntets, 0);
        free_scene(&s);
    }
}

/* ---- Bending ---- */

/* A strip bent to an arc of `turn`; its opening angle tells how flat it is. */
static scene arc_scene(int n, double turn)
{
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_sheet(&s.mesh, n, 4, 1, 0.2f, &error), &error);
    for (int v = 0; v < s.mesh.nvertices; v++) {
        double angle = (double)s.mesh.x[3 * v] * turn, radius = 1 / turn;
        s.mesh.x[3 * v] = (float)(radius * sin(angle));
        s.mesh.x[3 * v + 2] = (float)(radius * cos(angle) - radius);
    }
    s.material.strain = (taut_strain){.xx = 1, .yy = 1, .xy = 1, .rest = {1, 1, 1}};
    s.material.damping.global = 10;
    s.def.substeps = 10;
    s.def.iterations = 5;
    return s;
}

/* Distance of the ends of an arc of length 1. */
static double chord(const scene *s)
{
    int nx = s->mesh.nvertices / 4;
    return d3_length(d3_sub(vertex(s, 0), vertex(s, nx - 1)));
}

static void test_flat_opens_an_arc_and_rest_angles_keep_it(void **state)
{
    (void)state;
    const taut_bend_model models[] = {TAUT_BEND_DIHEDRAL, TAUT_BEND_ISOMETRIC, TAUT_BEND_TRIANGLE};
    for (int m = 0; m < LENGTH(models); m++)
        for (int flat = 0; flat <= 1; flat++) {
            scene s = arc_scene(13, 2);
            s.material.bend = (taut_bend){.model = models[m], .stiffness = 0.8f, .flat = flat};
            build_scene(&s);
            double before = chord(&s);
            step(&s, 120, STEP);
            check_sound("arc", &s);
            if (flat) check_within("chord of a flattened arc", chord(&s), 0.98, 1.01);
            else check_near("chord of a kept arc", chord(&s), before, 0.01);
            free_scene(&s);
        }
}

/* A tube squeezed to an oval comes back round with dihedral bending, and does not without. */
static void test_dihedral_keeps_a_tube_round(void **state)
{
    (void)state;
    enum { AROUND = 16, ALONG = 6 };
    for (int on = 0; on <= 1; on++) {
        scene s = bare_scene();
        taut_error error;
        check_done(taut_mesh_tube(&s.mesh, AROUND, ALONG, 0.2f, 0.5f, &error), &error);
        s.material.strain = (taut_strain){.xx = 1, .yy = 1, .xy = 1, .rest = {1, 1, 1}};
        if (on) s.material.bend = (taut_bend){.model = TAUT_BEND_DIHEDRAL, .stiffness = 1};
        s.material.damping.global = 10;
        s.def.substeps = 10;
        s.def.iterations = 5;
        build_scene(&s);
        deform(&s, (const double[3][3]){{1.3, 0, 0}, {0, 1, 0}, {0, 0, 0.4}});
        step(&s, 120, STEP);
        check_sound("tube", &s);
        double worst = 0; /* worst diameter, because the tube as a whole may have turned */
        for (int ring = 0; ring < ALONG; ring++)
            for (int i = 0; i < AROUND / 2; i++) {
                d3 across = d3_sub(vertex(&s, ring * AROUND + i),
                                   vertex(&s, ring * AROUND + i + AROUND / 2));
                worst = fmax(worst, fabs(d3_length(across) / 0.4 - 1));
            }
        if (on) check_within("dihedral: out of round", worst, 0, 0.01);
        else check_within("nothing: out of round", worst, 0.1, 1);
        free_scene(&s);
    }
}

/* A tube slit open along its seam flattens with bend.flat. */
static void test_flat_flattens_a_slit_tube(void **state)
{
    (void)state;
    scene s = arc_scene(17, 5.5);
    s.material.bend = (taut_bend){.model = TAUT_BEND_DIHEDRAL, .stiffness = 0.8f, .flat = true};
    build_scene(&s);
    check_within("chord of the slit tube", chord(&s), 0, 0.2);
    step(&s, 300, STEP);
    check_sound("slit tube", &s);
    check_within("chord when flat", chord(&s), 0.97, 1.01);
    free_scene(&s);
}

/* AT_MOST lets a surface be flatter than at rest, but not more curved; AT_LEAST lets it be more curved, but not
 * flatter. */
static void test_triangle_bending_limits(void **state)
{
    (void)state;
    const taut_bend_mode modes[] = {TAUT_BEND_EQUAL, TAUT_BEND_AT_MOST, TAUT_BEND_AT_LEAST};
    for (int m = 0; m < LENGTH(modes); m++)
        for (int flatter = 0; flatter <= 1; flatter++) {
            scene s = arc_scene(13, 1.5), other = arc_scene(13, flatter ? 0.5 : 2.5);
            /* Unsided heights can grow to either side, so only a sided arc must return to its own shape. */
            bool sided = modes[m] != TAUT_BEND_AT_MOST;
            s.material.bend = (taut_bend){
                .model = TAUT_BEND_TRIANGLE, .stiffness = 0.9f, .mode = modes[m], .sided = sided};
            build_scene(&s);
            build_scene(&other);
            double rest = chord(&s);
            set_positions(&s, positions(&other));
            double bent = chord(&s);
            step(&s, 120, STEP);
            check_sound("bending limit", &s);
            bool stays = modes[m] == (flatter ? TAUT_BEND_AT_MOST : TAUT_BEND_AT_LEAST);
            if (stays) check_near("allowed shape stays", chord(&s), bent, 0.02);
            if (!stays && modes[m] == TAUT_BEND_EQUAL)
                check_near("bent shape goes back", chord(&s), rest, 0.02);
            if (!stays && modes[m] == TAUT_BEND_AT_MOST)
                check_within("curved too much", chord(&s), rest - 0.01, 1.01);
            if (!stays && modes[m] == TAUT_BEND_AT_LEAST)
                check_within("curved too little", chord(&s), 0, rest + 0.01);
            free_scene(&s);
            free_scene(&other);
        }
}

/* kappa is a slack on the height. A flat sheet with AT_MOST and a kappa above 0 hangs over its support; with kappa 0 it
 * stays up. */
static void test_kappa_lets_a_sheet_curve(void **state)
{
    (void)state;
    double drop[2];
    for (int slack = 0; slack <= 1; slack++) {
        scene s = bare_scene();
        taut_error error;
        check_done(taut_mesh_strip(&s.mesh, 13, 0.6f, 0.1f, &error), &error);
        for (int v = 0; v < 4; v++) pin_rest(&s, v);
        s.material.strain = (taut_strain){.xx = 1, .yy = 1, .xy = 1, .rest = {1, 1, 1}};
        s.material.bend = (taut_bend){.model = TAUT_BEND_TRIANGLE,
                                      .stiffness = 1,
                                      .mode = TAUT_BEND_AT_MOST,
                                      .kappa = slack ? 0.004f : 0};
        s.material.damping.global = 5;
        s.def.gravity[2] = -9.81f;
        s.def.substeps = 30;
        s.def.iterations = 10;
        build_scene(&s);
        step(&s, 120, STEP);
        drop[slack] = -vertex(&s, s.mesh.nvertices - 1).z;
        free_scene(&s);
    }
    check_within("drop with kappa 0", drop[0], 0, 0.1);
    check_within("drop with kappa", drop[1], drop[0] + 0.2, 0.6);
}

/* A dome over a square of 9 x 9 vertices, 0.25 m high. */
static scene dome_scene(taut_bend bend)
{
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_sheet(&s.mesh, 9, 9, 1, 1, &error), &error);
    for (int v = 0; v < s.mesh.nvertices; v++) {
        double x = s.mesh.x[3 * v], y = (double)s.mesh.x[3 * v + 1] + 0.5;
        s.mesh.x[3 * v + 2] = (float)(0.25 * cos(PI * x) * cos(PI * y));
    }
    s.material.strain = (taut_strain){.xx = 0.2f, .yy = 0.2f, .xy = 0.2f, .rest = {1, 1, 1}};
    s.material.bend = bend;
    s.material.damping.global = 10;
    s.def.substeps = 10;
    s.def.iterations = 5;
    build_scene(&s);
    return s;
}

/* Height of the dome's top over its corners; positive on the side to which it was made. */
static double dome_height(const scene *s)
{
    d3 a = vertex(s, 0), b = vertex(s, 8), c = vertex(s, 72), d = vertex(s, 80);
    d3 rim = d3_scale(0.25, d3_add(d3_add(a, b), d3_add(c, d))),
       up = d3_cross(d3_sub(b, a), d3_sub(a, c));
    return d3_dot(d3_sub(vertex(s, 40), rim), up) / d3_length(up);
}

/* A dome is pushed in. Its mirror image has the same unsided heights, so only the sided form brings it back. */
static void test_sided_bending_pops_a_dome_back(void **state)
{
    (void)state;
    for (int sided = 0; sided <= 1; sided++) {
        scene s =
            dome_scene((taut_bend){.model = TAUT_BEND_TRIANGLE, .stiffness = 1, .sided = sided});
        deform(&s, (const double[3][3]){{1, 0, 0}, {0, 1, 0}, {0, 0, -1}});
        step(&s, 180, STEP);
        check_sound("dome", &s);
        check_near(sided ? "height, sided" : "height, not sided", dome_height(&s),
                   sided ? 0.25 : -0.25, 0.01);
        check_within("speed", largest_speed(&s), 0, 0.05);
        free_scene(&s);
    }
}

/* A shape that is left alone at rest stays at rest with every bending model. Pairs of vertices that are not straight in
 * the surface have heights that lie in it, and the side of such a height is rounding noise. */
static void test_bending_leaves_a_shape_at_rest_alone(void **state)
{
    (void)state;
    const taut_bend bends[] = {
        {.model = TAUT_BEND_DIHEDRAL, .stiffness = 1},
        {.model = TAUT_BEND_ISOMETRIC, .stiffness = 1},
        {.model = TAUT_BEND_STICK, .stiffness = 1},
        {.model = TAUT_BEND_TRIANGLE, .stiffness = 1},
        {.model = TAUT_BEND_TRIANGLE, .stiffness = 1, .sided = true},
        {.model = TAUT_BEND_TRIANGLE, .stiffness = 1, .creation = TAUT_BEND_MIDPOINT},
        {.model = TAUT_BEND_TRIANGLE,
         .stiffness = 1,
         .creation = TAUT_BEND_MIDPOINT,
         .sided = true},
    };
    for (int i = 0; i < LENGTH(bends); i++)
        for (int flat = 0; flat <= 1; flat++) {
            scene s = flat ? bare_scene() : dome_scene(bends[i]);
            taut_error error;
            char what[64];
            if (flat) {
                check_done(taut_mesh_sheet_irregular(&s.mesh, 8, 8, 1, 1, 0.3f, 6, &error), &error);
                s.material.strain = (taut_strain){.xx = 1, .yy = 1, .xy = 1, .rest = {1, 1, 1}};
                s.material.bend = bends[i];
                s.def.substeps = 10;
                build_scene(&s);
            }
            uint64_t random = 2;
            float *x = copy_floats(
                positions(&s), 3 * s.mesh.nvertices); /* nudged by a hundredth of a millimetre */
            for (int k = 0; k < 3 * s.mesh.nvertices; k++)
                x[k] += (float)uniform(&random, -1e-5, 1e-5);
            set_positions(&s, x);
            free(x);
            step(&s, 60, STEP);
            for (int v = 0; v < s.mesh.nvertices; v++) {
                snprintf(what, sizeof what, "bending %d, %s: a vertex moved by", i,
                         flat ? "sheet" : "dome");
                check_within(what, d3_length(d3_sub(vertex(&s, v), d3_of(s.mesh.x + 3 * v))), 0,
                             0.01);
            }
            free_scene(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sheet_modes_are_independent),
        cmocka_unit_test(test_sheet_softness_grows_as_stiffness_falls),
        cmocka_unit_test(test_tet_modes_are_independent),
        cmocka_unit_test(test_tet_mode_alone_stays_only_while_off),
        cmocka_unit_test(test_sheet_settles_at_its_rest_stretches),
        cmocka_unit_test(test_solid_settles_at_its_rest_stretches),
        cmocka_unit_test(test_area_alone_keeps_area_and_lets_the_rest_go),
        cmocka_unit_test(test_volume_alone_keeps_volume_and_inflates),
        cmocka_unit_test(test_inverted_tets_recover_with_volume),
        cmocka_unit_test(test_collapsed_tets),
        cmocka_unit_test(test_entangled_torus_recovers),
        cmocka_unit_test(test_flat_opens_an_arc_and_rest_angles_keep_it),
        cmocka_unit_test(test_dihedral_keeps_a_tube_round),
        cmocka_unit_test(test_flat_flattens_a_slit_tube),
        cmocka_unit_test(test_triangle_bending_limits),
        cmocka_unit_test(test_kappa_lets_a_sheet_curve),
        cmocka_unit_test(test_sided_bending_pops_a_dome_back),
        cmocka_unit_test(test_bending_leaves_a_shape_at_rest_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
