/* Each scene is run with contact off, fast and strict, from the same start, with the default material and solver. Two
 * periods are measured: one while the scene moves, and one when it should be at rest. */
#include "contact.h"

#include "base/error.h"
#include "contact_scene.h"
#include "lists.h"

#include <math.h>
#include <stdio.h>

enum { SCENES = 6, TIERS = 3 };
static const char *const scene_name[SCENES] = {"sheet", "large", "huge", "layers", "capes", "mesh"};
static const char *const tier_name[TIERS] = {"off", "fast", "strict"};

static const contact_plan full[SCENES] =
    {
        {CONTACT_DRAPE, 1, 81, 81, {0.15, 1}, {4, 5}},      {CONTACT_DRAPE, 1, 225, 225, {0.15, 1}, {0, 0}},
        {CONTACT_DRAPE, 1, 708, 708, {0.15, 0.65}, {0, 0}}, {CONTACT_LAYERS, 50, 70, 70, {0.15, 1}, {0, 0}},
        {CONTACT_CAPES, 100, 20, 25, {0.15, 2}, {5, 6}},    {CONTACT_HILL, 1, 142, 142, {0.15, 1}, {4, 5}},
},
                          few[SCENES] = {
                              {CONTACT_DRAPE, 1, 81, 81, {0.15, 1}, {2, 2.5}},
                              {CONTACT_DRAPE, 1, 150, 150, {0.15, 0.65}, {0, 0}},
                              {0},
                              {CONTACT_LAYERS, 50, 23, 23, {0.15, 1}, {0, 0}},
                              {CONTACT_CAPES, 100, 20, 25, {0.15, 1}, {2, 2.5}},
                              {CONTACT_HILL, 1, 142, 142, {0.15, 1}, {2, 2.5}},
};

/* The figures of a period of time. Counts are means per frame. */
typedef struct period {
    int frames;
    double ms, longest;
    double clock, search; /* the time of all its steps by the clock; the share of it that finding pairs takes */
    double searches, pairs, pushes, held;
} period;

typedef struct row {
    int vertices, triangles, threads;
    period moves, rests;
    double speed; /* at the end */
    int64_t crossings;
} row;

/* ---- Measuring ---- */

static void add_frame(period *s, double ms, const taut_stats *stats)
{
    s->frames++;
    s->ms += ms;
    s->longest = fmax(s->longest, ms);
    s->search += stats->ms_search;
    s->clock += stats->ms_step;
    s->searches += stats->contact_searches;
    s->pairs += stats->contact_pairs;
    s->pushes += stats->contact_pushes;
    s->held += stats->contact_held;
}

static void finish(period *s)
{
    if (s->frames == 0) return;
    s->search = s->clock > 0 ? s->search / s->clock : 0;
    s->ms /= s->frames, s->searches /= s->frames, s->pairs /= s->frames;
    s->pushes /= s->frames, s->held /= s->frames;
}

static bool is_within(const double from_to[2], int frame)
{
    double time = ((double)frame - 0.5) / CONTACT_RATE;
    return time > from_to[0] && time < from_to[1];
}

static bool measure(row *r, contact_scene *s, taut_error *error)
{
    double end = fmax(s->plan->moves[1], s->plan->rests[1]);
    *r = (row){.vertices = s->plan->bodies * s->mesh.nvertices, .triangles = s->plan->bodies * s->mesh.ntris};
    while (s->frame < end * CONTACT_RATE) {
        double ms;
        if (!contact_scene_step(s, &ms, error)) return false;
        const taut_stats stats = taut_world_stats(s->world);
        r->threads = stats.threads;
        if (is_within(s->plan->moves, s->frame)) add_frame(&r->moves, ms, &stats);
        if (is_within(s->plan->rests, s->frame)) add_frame(&r->rests, ms, &stats);
    }
    finish(&r->moves);
    finish(&r->rests);
    r->speed = contact_scene_speed(s);
    r->crossings = contact_scene_crossings(s, error);
    return r->crossings >= 0;
}

/* ---- Printing ---- */

static void print_period(const period *s)
{
    if (s->frames) printf(" %8.2f %8.2f %4.0f %%", s->ms, s->longest, 100 * s->search);
    else printf(" %8s %8s %6s", "-", "-", "-");
}

static void print_row(int scene, int tier, const row *r)
{
    printf("%-7s %-6s %9d", scene_name[scene], tier_name[tier], r->triangles);
    print_period(&r->moves);
    print_period(&r->rests);
    printf(" %6.1f %9.0f %8.0f %7.1f %8.2f %9lld\n", r->moves.searches, r->moves.pairs, r->moves.pushes, r->moves.held,
           1000 * r->speed, (long long)r->crossings);
}

static void print_json_period(const char *key, const period *s)
{
    if (!s->frames) {
        printf(",\"%s\":null", key);
        return;
    }
    printf(",\"%s\":{\"ms\":%.4f,\"longest_ms\":%.4f,\"search_share\":%.4f,\"searches\":%.3f,\"pairs\":%.1f,"
           "\"pushes\":%.1f,\"held\":%.2f}",
           key, s->ms, s->longest, s->search, s->searches, s->pairs, s->pushes, s->held);
}

static void print_json(int scene, int tier, const row *r)
{
    printf("{\"scene\":\"%s\",\"contact\":\"%s\",\"triangles\":%d,\"vertices\":%d,\"threads\":%d", scene_name[scene],
           tier_name[tier], r->triangles, r->vertices, r->threads);
    print_json_period("moving", &r->moves);
    print_json_period("resting", &r->rests);
    printf(",\"rms_speed\":%.6g,\"crossings\":%lld}\n", r->speed, (long long)r->crossings);
}

static void print_head(void)
{
    printf("%-24s %24s %24s   of a frame, while it moves\n", "", "moving, ms   finding", "resting, ms   finding");
    printf("%-7s %-6s %9s", "scene", "tier", "triangles");
    for (int i = 0; i < 2; i++) printf(" %8s %8s %6s", "mean", "longest", "pairs");
    printf(" %6s %9s %8s %7s %8s %9s\n", "search", "pairs", "pushes", "held", "mm/s", "crossings");
}

/* ---- Either ---- */

static bool run_tier(const contact_plan *plan, int scene, int tier, const contact_options *options, bool first,
                     taut_error *error)
{
    contact_scene s;
    row r;
    if (!contact_scene_open(&s, plan, (taut_contact)tier, options->threads, error)) return false;
    bool ok = measure(&r, &s, error);
    contact_scene_close(&s);
    if (!ok) return false;
    if (options->json && !first) putchar(',');
    (options->json ? print_json : print_row)(scene, tier, &r);
    fflush(stdout);
    return true;
}

static void shrink(contact_plan *plan, int percent)
{
    double by = sqrt(percent / 100.0);
    plan->nx = (int)fmax(4, round(by * plan->nx));
    plan->ny = (int)fmax(4, round(by * plan->ny));
}

bool contact_run(const contact_options *options, taut_error *error)
{
    number_list scenes = {{0, 1, 2, 3, 4, 5}, SCENES}, tiers = {{0, 1, 2}, TIERS};
    bool first = true;
    if (!list_read_words("--scene", options->scenes, scene_name, SCENES, &scenes, error) ||
        !list_read_words("--contact", options->tiers, tier_name, TIERS, &tiers, error))
        return false;
    if (options->json) puts("[");
    else print_head();
    for (int i = 0; i < scenes.count; i++) {
        contact_plan plan = (options->quick ? few : full)[scenes.value[i]];
        if (plan.bodies == 0) continue;
        shrink(&plan, options->scale);
        for (int t = 0; t < tiers.count; t++, first = false)
            if (!run_tier(&plan, scenes.value[i], tiers.value[t], options, first, error)) return false;
    }
    if (options->json) puts("]");
    return true;
}
