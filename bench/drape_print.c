/* Prints the rows of the benchmark as a table or as JSON. */
#include "drape_row.h"

#include <math.h>
#include <stdio.h>

static const double DEGREES = 57.29577951308232;

/* ---- The table ---- */

static void print_settings(const drape_plan *plan)
{
    const taut_world_def usual = taut_default_world_def();
    printf("%s material%s, ", plan->material_name, plan->usual_material ? " (" TAUT_DEFAULT_CLOTH ")" : "");
    if (plan->world.stretch > 0) printf("by quality, stretch %g, ", (double)plan->world.stretch);
    else printf("%d substeps x %d iterations, ", plan->world.substeps, plan->world.iterations);
    if (plan->model.levels == TAUT_LEVELS_AUTO) printf("levels by the mesh");
    else printf("%d levels", plan->model.levels);
    if (plan->usual_solver) printf(": the defaults\n");
    else printf("\nthese are NOT the defaults (by quality, stretch %g, levels by the mesh)\n", (double)usual.stretch);
    if (plan->material.contact == TAUT_CONTACT_AUTO) printf("contact auto, the default: strict for cloth\n");
    else printf("contact %s: NOT the default\n", drape_contact_name[plan->material.contact]);
    if (plan->flat) printf("sheets begin exactly flat, so they cannot buckle: NOT the default\n");
    const double density = (double)plan->material.density;
    if (drape_hang_density(plan) != density)
        printf("hang and shake have %g kg/m2 in place of the material's %g\n", drape_hang_density(plan), density);
}

static void print_head(const drape_plan *plan)
{
    int count = plan->threads.count;
    print_settings(plan);
    printf("\n%*s%24s%24s\n", 25 + 8 * count, "", "warp and weft, %   ", "edges, %       ");
    printf("%25s%*s", "", 8 * count, count > 1 ? "ms of threads" : "ms");
    for (int i = 0; i < 2; i++) printf("     stretch     squeeze");
    printf("   speed plumb       drape            sag\n%-5s %4s %-9s %4s", "test", "n", "mesh", "fps");
    for (int i = 0; i < count; i++) printf(" %7d", plan->threads.value[i]);
    for (int i = 0; i < 4; i++) printf("   p99 worst");
    printf("    mm/s   deg folds     %%    bend  ratio\n");
}

/* p99 and worst, percent. */
static void print_spread(const spread_over_time *s) { printf(" %5.2f %5.1f", 100 * s->p99, 100 * s->worst); }

static void print_if(bool there, int decimals, double value)
{
    if (there) printf(" %5.*f", decimals, value);
    else printf("     -");
}

static void print_row(const drape_plan *plan, const drape_row *r)
{
    printf("%-5s %4d %-9s %4d", drape_test_name[r->test], r->n, drape_mesh_name[r->irregular], r->rate);
    for (int i = 0; i < plan->threads.count; i++) printf(" %7.2f", r->ms[i]);
    print_spread(&r->weave[0]);
    print_spread(&r->weave[1]);
    print_spread(&r->edges[0]);
    print_spread(&r->edges[1]);
    printf(" %7.2f", 1000 * r->speed);
    print_if(r->plumb >= 0, 2, DEGREES * r->plumb);
    printf(" %5d", r->folds);
    print_if(r->coefficient >= 0, 1, 100 * r->coefficient);
    printf(" %7.2f ", r->crease * r->n);
    print_if(r->expected_sag > 0, 2, r->sag / r->expected_sag);
    printf("\n");
}

/* ---- Figures that should not depend on the mesh and the frame rate ---- */

static void include(drape_range *range, bool there, double value)
{
    if (!there) return;
    range->low = range->any ? fmin(range->low, value) : value;
    range->high = range->any ? fmax(range->high, value) : value;
    range->any = true;
}

void drape_summary_add(drape_summary *s, const drape_row *r)
{
    include(&s->folds[r->test], r->test != DRAPE_SHAKE && r->test != DRAPE_TOP, r->folds);
    include(&s->coefficient[r->test], r->coefficient >= 0, 100 * r->coefficient);
    include(&s->bend[r->test], r->test != DRAPE_SHAKE, r->crease * r->n);
    include(&s->sag[r->test], r->expected_sag > 0, r->sag / r->expected_sag);
}

static void print_range(const char *what, const drape_range *range, int decimals, const char *unit)
{
    if (!range->any) return;
    printf("  %s %.*f", what, decimals, range->low);
    if (range->high > range->low) printf(" to %.*f", decimals, range->high);
    printf("%s", unit);
}

static void print_summary(const drape_summary *s)
{
    printf("\nover all of these meshes and frame rates:\n");
    for (int test = 0; test < DRAPE_TESTS; test++) {
        if (!s->bend[test].any) continue;
        printf("%-5s", drape_test_name[test]);
        print_range("folds", &s->folds[test], 0, "");
        print_range("drape", &s->coefficient[test], 1, " %");
        print_range("bend", &s->bend[test], 2, "");
        print_range("sag", &s->sag[test], 2, " times its closed form");
        printf("\n");
    }
}

/* ---- JSON ---- */

static void print_numbers(const char *key, const double *value, int count)
{
    printf(",\"%s\":[", key);
    for (int i = 0; i < count; i++) printf("%s%.4f", i ? "," : "", value[i]);
    printf("]");
}

static void print_spreads(const char *key, const spread_over_time s[2])
{
    static const char *const way[2] = {"stretch", "compression"};
    for (int i = 0; i < 2; i++)
        printf(",\"%s_%s\":{\"p50\":%.6f,\"p99\":%.6f,\"p99_peak\":%.6f,\"worst\":%.6f}", key, way[i], s[i].p50,
               s[i].p99, s[i].p99_peak, s[i].worst);
}

static void print_or_null(const char *key, bool there, double value)
{
    if (there) printf(",\"%s\":%.6g", key, value);
    else printf(",\"%s\":null", key);
}

static void print_json(const drape_plan *plan, const drape_row *r)
{
    const taut_contact contact = plan->material.contact;
    bool usual = plan->usual_solver && !plan->flat && contact == TAUT_CONTACT_AUTO;
    printf("{\"test\":\"%s\",\"n\":%d,\"mesh\":\"%s\",\"fps\":%d,\"material\":\"%s\",\"density\":%g,\"vertices\":%d,"
           "\"levels\":%d,\"stretch\":%g,\"substeps\":%d,\"iterations\":%d,\"contact\":\"%s\",\"defaults\":%s,"
           "\"build_ms\":%.3f,\"threads\":[",
           drape_test_name[r->test], r->n, drape_mesh_name[r->irregular], r->rate, plan->material_name, r->density,
           r->vertices, r->levels, (double)plan->world.stretch, plan->world.substeps, plan->world.iterations,
           drape_contact_name[contact], usual ? "true" : "false", r->build_ms);
    for (int i = 0; i < plan->threads.count; i++) printf("%s%d", i ? "," : "", plan->threads.value[i]);
    printf("]");
    print_numbers("ms", r->ms, plan->threads.count);
    print_numbers("longest_ms", r->longest, plan->threads.count);
    print_spreads("weave", r->weave);
    print_spreads("edge", r->edges);
    printf(",\"shear_degrees\":%.4f,\"rms_speed\":%.6g", DEGREES * r->shear, r->speed);
    print_or_null("plumb_degrees", r->plumb >= 0, DEGREES * r->plumb);
    printf(",\"folds\":%d,\"bend_times_n\":%.6f", r->folds, r->crease * r->n);
    print_or_null("drape_coefficient", r->coefficient >= 0, r->coefficient);
    print_or_null("sag", r->test == DRAPE_TOP, r->sag);
    print_or_null("sag_ratio", r->expected_sag > 0, r->sag / r->expected_sag);
    printf("}\n");
}

/* ---- Either ---- */

void drape_print_begin(const drape_plan *plan, bool json)
{
    if (json) puts("[");
    else print_head(plan);
}

void drape_print_end(bool json, const drape_summary *summary)
{
    if (json) puts("]");
    else print_summary(summary);
}

void drape_print_row(const drape_plan *plan, const drape_row *row, bool json, bool first)
{
    if (json && !first) putchar(',');
    (json ? print_json : print_row)(plan, row);
    fflush(stdout);
}
