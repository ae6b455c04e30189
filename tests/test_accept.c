/* Acceptance against the truth: a vertex and a triangle, or two edges, want to move from one place to another. If they
 * would meet on the way, they must not be allowed to. If they would not meet, they should be allowed to. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "collide/apart.h"
#include "collide/shape.h"
#include "constraints/constraint.h"
#include "helpers_oracle.h"
#include "helpers_sweep.h"
#include "slow_build.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One pair ---- */

/* A body of four particles. Each feature has a triangle of its own, which owns nothing else. */
typedef struct duo {
    tt_apart apart;
    tt_skin skin;
    tt_skin_triangle tri[2];
    tt_skin_node node;
    tt_skin_leaf leaf;
    float rest[16];
} duo;

static void run_here(int count, void (*task)(void *argument, int index), void *argument, void *user)
{
    (void)user;
    for (int i = 0; i < count; i++) task(argument, i);
}

static void open_duo(duo *d, bool edges)
{
    static uint8_t nowhere[4];
    static int empty[5];
    static const tt_tiers no_tiers;
    *d = (duo){.node = {.count = 2}};
    if (edges) {
        d->tri[0] = (tt_skin_triangle){.corner = {0, 1, 1}, .owned_sides = 1};
        d->tri[1] = (tt_skin_triangle){.corner = {2, 3, 3}, .owned_sides = 1};
    } else {
        d->tri[0] = (tt_skin_triangle){.corner = {0, 0, 0}, .owned_corners = 1};
        d->tri[1] = (tt_skin_triangle){.corner = {1, 2, 3}, .is_face = true};
    }
    d->tri[1].first_side = edges;
    memset(&d->leaf, -1, sizeof d->leaf);
    d->skin = (tt_skin){.ntris = 2,
                        .nnodes = 1,
                        .nleaves = 1,
                        .nsides = edges ? 2 : 0,
                        .tri = d->tri,
                        .node = &d->node,
                        .leaf = &d->leaf,
                        .crowded = nowhere,
                        .fan = nowhere,
                        .fan_start = empty,
                        .mean_edge = 1};
    tt_apart_open(&d->apart, NULL);
    d->apart.set = tt_shapes("scalar");
    d->apart.tiers = &no_tiers;
}

/* Whether the particles get to p in one straight motion. Motion that is not allowed at once may be allowed later, from
 * another place, so the test asks that they went straight from x to p. */
static bool goes(duo *d, float x[4][3], float p[4][3], float thickness)
{
    const tt_apart_team team = {run_here, NULL};
    const tt_apart_member member = {
        .skin = &d->skin, .rest = d->rest, .count = 4, .used = 4, .thickness = thickness,
        .contact = TAUT_CONTACT_STRICT, .group = 1, .mask = 1};
    bool arrives = true, moves = false;
    d->apart.set = tt_shapes(tt_simd_choose().name);
    assert_true(tt_apart_reserve(&d->apart, &member, 1));
    for (int i = 0; i < 16; i++) {
        bool place = i % 4 < 3;
        d->apart.x[i] = d->rest[i] = place ? x[i / 4][i % 4] : 0;
        d->apart.p[i] = place ? p[i / 4][i % 4] : 1;
        d->apart.way[i] = place ? d->apart.p[i] - d->apart.x[i] : 0;
    }
    d->apart.along = 1, d->apart.substeps = 1;
    tt_apart_search(&d->apart, team);
    tt_apart_accept(&d->apart, team);
    for (int i = 0; i < 12; i++) {
        float end = d->apart.p[4 * (i / 3) + i % 3];
        float begin = d->apart.x[4 * (i / 3) + i % 3];
        arrives = arrives && end == p[i / 3][i % 3] && begin == x[i / 3][i % 3];
        moves = moves || end != begin;
        x[i / 3][i % 3] = begin, p[i / 3][i % 3] = end;
    }
    return arrives && moves;
}

/* ---- Sample queries of others ---- */

typedef struct tally {
    int queries, collisions, missed, refused;
} tally;

/* One row: x, y, z as numerator and denominator, then the answer. */
static bool read_row(FILE *file, double at[3], int *meets)
{
    double n[6];
    if (fscanf(file, "%lf,%lf,%lf,%lf,%lf,%lf,%d", &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], meets) != 7) return false;
    for (int k = 0; k < 3; k++) at[k] = n[2 * k] / n[2 * k + 1];
    return true;
}

/* Taut keeps coordinates near an origin. */
static bool read_query(FILE *file, float x[4][3], float p[4][3], int *meets, double *extent)
{
    double row[8][3];
    *extent = 0;
    for (int i = 0; i < 8; i++)
        if (!read_row(file, row[i], meets)) return false;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            double place = row[i][k] - row[0][k];
            *extent = fmax(*extent, fabs(place));
            (i < 4 ? x[i] : p[i - 4])[k] = (float)place;
        }
    return true;
}

static void judge_file(FILE *file, bool edges, double share, tally *t)
{
    duo d;
    float x[4][3], p[4][3];
    int meets;
    double extent;
    open_duo(&d, edges);
    while (read_query(file, x, p, &meets, &extent)) {
        bool taken = goes(&d, x, p, (float)(share * extent));
        t->queries++;
        t->collisions += meets;
        t->missed += meets && taken;
        t->refused += !meets && !taken;
    }
    assert_true(feof(file));
    tt_apart_close(&d.apart);
}

static const char *const scenes[] = {"unit-tests",     "erleben-sliding-spike", "erleben-spikes",
                                     "erleben-wedges", "erleben-sliding-wedge", "erleben-cube-cliff-edges"};

static FILE *open_queries(int number)
{
    const char *source = getenv("SOURCE");
    char path[4096];
    snprintf(path, sizeof path, "%s/../shared/data/ccd/%s/%s/data_0_%d.csv", source ? source : ".", scenes[number / 4],
             number % 4 < 2 ? "vertex-face" : "edge-edge", number % 2);
    return fopen(path, "r");
}

/* Runs with two thicknesses: none, and one as large, compared with the edges, as that of cloth. */
static void no_collision_of_the_sample_queries_is_missed(void **state)
{
    (void)state;
    const double shares[] = {0, 0.05};
    for (int i = 0; i < 2; i++) {
        tally t = {0};
        for (int n = 0; n < 4 * (int)(sizeof scenes / sizeof *scenes); n++) {
            FILE *file = open_queries(n);
            if (!file) {
                print_message("SKIPPED: ../shared/data/ccd is not there\n");
                skip();
            }
            judge_file(file, n % 4 >= 2, shares[i], &t);
            fclose(file);
        }
        print_message(
            "thickness %g: %d queries, %d of them collisions, %d missed; %.1f %% of the %d free ones refused\n",
            shares[i], t.queries, t.collisions, t.missed, 100.0 * t.refused / (t.queries - t.collisions),
            t.queries - t.collisions);
        assert_true(t.collisions > 0 && t.queries > t.collisions);
        assert_int_equal(t.missed, 0);
    }
}

/* ---- Queries of our own ---- */

enum { GRID_BITS = 24 };

/* Whole numbers of at most 24 bits, times a unit: each is a float. */
typedef struct grid {
    double unit;
    int size;
    int middle[3];
} grid;

/* 10^low .. 10^high */
static double some_size(double low, double high)
{
    double at = low + (high - low) * (double)random_bits(20) / 0x100000p0, size = 1;
    while (at >= 1) at--, size *= 10;
    while (at < 0) at++, size /= 10;
    return size * (1 + 9 * at);
}

/* 1 cm .. 100 m, up to 10 km away. */
static grid some_grid(void)
{
    double size = some_size(-2, 2), away = random_bits(1) ? some_size(-2, 4) : 0;
    grid g = {.unit = ldexp(1, -40)};
    while (away + 4 * size > g.unit * (1 << GRID_BITS)) g.unit *= 2;
    g.size = (int)fmax(1, size / g.unit);
    for (int k = 0; k < 3; k++) g.middle[k] = away > 0 ? whole((int)(away / g.unit)) : 0;
    return g;
}

static void some_offset(int most, int64_t v[3])
{
    for (int k = 0; k < 3; k++) v[k] = whole(most);
}

/* A way from 0 to the width of the pair. */
static int some_way(const grid *g)
{
    int way = g->size >> random_bits(4);
    return random_bits(4) ? way : 0;
}

static void scatter(sweep *s, const grid *g)
{
    for (int i = 0; i < 4; i++) {
        int64_t way[3];
        some_offset(g->size, s->x[i]);
        some_offset(some_way(g), way);
        for (int k = 0; k < 3; k++) s->p[i][k] = s->x[i][k] + way[k];
    }
}

/* Places at which a point of the vertex or first edge, and a point of the triangle or second edge, are both at 0. */
static void touch_at_zero(sweep *s, int most, int64_t place[4][3])
{
    int64_t u[3], v[3], i = (int64_t)random_bits(2), j = (int64_t)random_bits(2);
    some_offset(random_bits(3) ? most : 0, u);
    some_offset(random_bits(3) ? most : 0, v);
    for (int k = 0; k < 3; k++) {
        place[0][k] = s->edges ? u[k] : 0, place[1][k] = s->edges ? -i * u[k] : u[k];
        place[2][k] = v[k], place[3][k] = s->edges ? -j * v[k] : -i * u[k] - j * v[k];
    }
}

/* The pair meets at a time that is a multiple of a quarter. Before and after that it may be apart. */
static void collide(sweep *s, const grid *g)
{
    int64_t place[4][3], when = (int64_t)random_bits(8) % 5;
    touch_at_zero(s, g->size / 8, place);
    for (int i = 0; i < 4; i++) {
        int64_t way[3];
        some_offset(g->size / 8 >> random_bits(3), way);
        for (int k = 0; k < 3; k++) {
            s->x[i][k] = place[i][k] - when * way[k];
            s->p[i][k] = place[i][k] + (4 - when) * way[k];
        }
    }
}

typedef enum shape { SCATTERED, COLLIDING, COINCIDENT, IN_LINE, IN_A_PLANE, TOGETHER, LAYERED, SHAPES } shape;

static void copy_point(sweep *s, int from, int to, bool at_start, bool at_end)
{
    for (int k = 0; k < 3; k++) {
        if (at_start) s->x[to][k] = s->x[from][k];
        if (at_end) s->p[to][k] = s->p[from][k];
    }
}

/* Makes edges parallel, or takes the area of triangles, at one end of the motion or at both. */
static void put_in_line(sweep *s)
{
    int64_t i = whole(3), j = whole(3);
    int from = s->edges ? 0 : 1;
    bool ends[2] = {random_bits(1), random_bits(1)};
    for (int k = 0; k < 3; k++)
        for (int e = 0; e < 2; e++) {
            int64_t(*at)[3] = e ? s->p : s->x;
            int64_t along = (at[from + 1][k] - at[from][k]) / 4;
            if (!ends[e]) continue;
            if (s->edges) at[3][k] = at[2][k] + i * along;
            else at[2][k] = at[1][k] + i * along, at[3][k] = at[1][k] + j * along;
        }
}

static void change(sweep *s, const grid *g, shape kind)
{
    int64_t common[3];
    some_offset(some_way(g), common);
    if (kind == COINCIDENT) copy_point(s, (int)random_bits(2), (int)random_bits(2), random_bits(1), random_bits(1));
    if (kind == IN_LINE) put_in_line(s);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            int64_t lag = whole(4) * (g->size / 4096);
            if (kind == IN_A_PLANE && k == 1) s->x[i][k] = s->p[i][k] = whole((int)random_bits(1));
            if (kind == TOGETHER) s->p[i][k] = s->x[i][k] + common[k] + lag;
            if (kind == LAYERED && k == 1) { /* up to 2^-8 of the size apart: A above B or below */
                int64_t above = i < (s->edges ? 2 : 1) ? (int64_t)random_bits(16) * g->size >> 24 : 0;
                s->x[i][k] = above, s->p[i][k] = (random_bits(3) ? above : -above) + common[k];
            }
        }
}

static void some_sweep(sweep *s, const grid *g, shape kind)
{
    s->edges = random_bits(1);
    if (kind == COLLIDING) collide(s, g);
    else scatter(s, g);
    if (kind > COLLIDING) change(s, g, kind);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) s->x[i][k] += g->middle[k], s->p[i][k] += g->middle[k];
}

static void place_floats(const grid *g, int64_t from[4][3], float to[4][3])
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            to[i][k] = (float)((double)from[i][k] * g->unit);
            assert_true((double)to[i][k] == (double)from[i][k] * g->unit);
        }
}

/* Rounds to the grid, because acceptance leaves particles at places between those of the grid. */
static void place_wholes(const grid *g, float from[4][3], int64_t to[4][3])
{
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) to[i][k] = (int64_t)((double)from[i][k] / g->unit * 0x1p30);
}

static bool goes_anywhere(const sweep *s) { return memcmp(s->x, s->p, sizeof s->x) != 0; }

static tally judge_sweeps(shape kind, int count, float thickness)
{
    duo d[2];
    tally t = {0};
    for (int i = 0; i < 2; i++) open_duo(&d[i], i == 1);
    for (int i = 0; i < count; i++) {
        sweep s;
        float x[4][3], p[4][3];
        grid g = some_grid();
        some_sweep(&s, &g, kind);
        place_floats(&g, s.x, x);
        place_floats(&g, s.p, p);
        sweep last = {.edges = s.edges};
        bool taken = goes(&d[s.edges], x, p, thickness * (float)(g.size * g.unit)), is_apart = is_free(&s);
        place_wholes(&g, x, last.x);
        place_wholes(&g, p, last.p);
        t.queries++;
        t.collisions += !is_apart;
        t.missed += goes_anywhere(&last) && !is_free(&last);
        t.refused += is_apart && !taken;
    }
    for (int i = 0; i < 2; i++) tt_apart_close(&d[i].apart);
    return t;
}

static void no_collision_is_missed_at_any_size_and_place(void **state)
{
    (void)state;
    const char *const name[SHAPES] = {"scattered",       "colliding", "coincident points", "in line", "in a plane",
                                      "moving together", "layered"};
    int count = getenv("TEST_ALL") ? 1000000 : SLOW_BUILD ? 7000 : 100000;
    const float thickness[3] = {0, 0.001f, 0.1f};
    for (int kind = 0; kind < SHAPES; kind++)
        for (int i = 0; i < 3; i++) {
            tally t = judge_sweeps((shape)kind, count / (3 * SHAPES), thickness[i]);
            int free = t.queries - t.collisions;
            print_message(
                "%s, thickness %g: %d queries, %d not proved free, %d of them missed; %.2f %% of %d refused\n",
                name[kind], thickness[i], t.queries, t.collisions, t.missed, free ? 100.0 * t.refused / free : 0, free);
            assert_int_equal(t.missed, 0);
            if (kind == COLLIDING) assert_int_equal(free, 0);
        }
}

/* ---- Speeds ---- */

/* A vertex is pushed off a triangle along which it slid, and then both rest. Rounding leaves nothing of what friction
 * could do, or a little less than nothing. */
static void a_pair_that_stopped_keeps_speeds_that_are_numbers(void **state)
{
    (void)state;
    const tt_apart_team team = {run_here, NULL};
    for (int i = 0; i < 1000; i++) {
        float x[4][3] = {{0.3f, 0.05f, 0.3f}, {0, 0, 0}, {0, 0, 1}, {1, 0, 0}}, v[16] = {0};
        duo d;
        open_duo(&d, false);
        tt_apart_member member = {.skin = &d.skin, .rest = d.rest, .count = 4, .used = 4, .thickness = 0.1f};
        member.friction = 0.5f, member.contact = TAUT_CONTACT_STRICT, member.group = member.mask = 1;
        assert_true(tt_apart_reserve(&d.apart, &member, 1));
        for (int k = 0; k < 16; k++) {
            d.apart.x[k] = d.rest[k] = k % 4 < 3 ? x[k / 4][k % 4] : 0;
            d.apart.p[k] = k % 4 < 3 ? x[k / 4][k % 4] : 1;
        }
        d.rest[1] = 1; /* what is closer at rest is not pushed */
        d.apart.p[0] += 0.2f + 1e-4f * (float)i;
        memset(d.apart.way, 0, 16 * sizeof *d.apart.way);
        tt_apart_search(&d.apart, team);
        tt_apart_push(&d.apart, 1.0f / 60, 1);
        assert_true(d.apart.count.pushed > 0);
        tt_apart_calm(&d.apart, v, 1.0f / 60);
        for (int k = 0; k < 16; k++) assert_true(isfinite(v[k]));
        tt_apart_close(&d.apart);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_collision_of_the_sample_queries_is_missed),
        cmocka_unit_test(no_collision_is_missed_at_any_size_and_place),
        cmocka_unit_test(a_pair_that_stopped_keeps_speeds_that_are_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
