/* taut lab: the textile laboratory. */
#include "arguments.h"
#include "commands.h"
#include "folder.h"
#include "info.h"
#include "lab.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const COMMAND = "taut lab";

static const lab_test *const tests[] = {&lab_cantilever, &lab_loop, &lab_drape, &lab_warp,
                                        &lab_weft,       &lab_bias, &lab_shear, &lab_bar};
enum { TESTS = sizeof tests / sizeof tests[0] };

static const char *test_name(int i) { return i < TESTS ? tests[i]->name : NULL; }

static const char *preset_name(int i) { return i < taut_preset_count() ? taut_preset_at(i)->name : NULL; }

/* "Converged" means many substeps and iterations, on the coarsest mesh, without tethers. */
enum { MANY_SUBSTEPS = 100, MANY_ITERATIONS = 20 };

/* ---- Measuring ---- */

static bool measure_mesh(const taut_material *material, bool irregular, bool quick, lab_series *series,
                         taut_error *error)
{
    for (int i = 0; i < LAB_FINENESSES - quick; i++) {
        const lab_trial trial = {material, 1 << i, irregular, 0, 0};
        if (!series->test->measure(&trial, &series->result[irregular][i], error)) return false;
    }
    taut_material bare = *material; /* tethers are no part of a fabric */
    bare.tether = 0;
    const lab_trial slow = {&bare, 1, irregular, MANY_SUBSTEPS, MANY_ITERATIONS};
    return series->test->measure(&slow, &series->converged[irregular], error);
}

static void find_published(lab_series *series)
{
    const lab_published *known = lab_published_of(series->material);
    bool bends = series->test == &lab_cantilever || series->test == &lab_loop, drapes = series->test == &lab_drape;
    if (known && bends) memcpy(series->published, known->bending_length, sizeof series->published);
    if (known && drapes) memcpy(series->published, known->drape, sizeof series->published);
}

static bool measure_all(const lab_test *test, const char *name, const taut_material *material, bool quick,
                        lab_series *series, taut_error *error)
{
    *series = (lab_series){.test = test, .material = name};
    if (test->closed_form) series->closed_form = test->closed_form(material);
    find_published(series);
    for (int irregular = 0; irregular < (test->solid ? 1 : LAB_MESHES); irregular++)
        if (!measure_mesh(material, irregular, quick, series, error)) return false;
    return true;
}

/* The largest figure of the default solver on any mesh, over the smallest. */
static double spread_of(const lab_series *series, bool quick)
{
    double low = INFINITY, high = 0;
    for (int m = 0; m < (series->test->solid ? 1 : LAB_MESHES); m++)
        for (int i = 0; i < LAB_FINENESSES - quick; i++) {
            low = fmin(low, series->result[m][i].figure);
            high = fmax(high, series->result[m][i].figure);
        }
    return low > 0 ? high / low : INFINITY;
}

/* ---- Printing ---- */

static void print_text(const lab_series *series, bool quick)
{
    for (int m = 0; m < (series->test->solid ? 1 : LAB_MESHES); m++) {
        printf("%-10s %-4s %-9s ", m ? "" : series->test->name, m ? "" : series->test->unit,
               m ? "irregular" : "regular");
        for (int i = 0; i < LAB_FINENESSES - quick; i++) printf("%9.4g", series->result[m][i].figure);
        printf("%11.4g", series->converged[m].figure);
        if (m == 0 && series->closed_form > 0) printf("%13.4g", series->closed_form);
        else printf("%13s", "");
        if (m == 0 && series->published[1] > 0) printf("   %g to %g", series->published[0], series->published[1]);
        if (m == 1) printf("   spread %.2f", spread_of(series, quick));
        if (series->test == &lab_drape)
            for (int i = 0; i < LAB_FINENESSES - quick; i++)
                printf("%s%d", i ? " " : "   folds ", series->result[m][i].folds);
        putchar('\n');
    }
}

static void print_figures(info_json *object, const char *key, const lab_result *result, int count)
{
    info_key(object, key);
    for (int i = 0; i < count; i++) {
        bool sound = isfinite(result[i].figure);
        if (sound) printf("%s%.6g", i ? ", " : "[", result[i].figure);
        else printf("%snull", i ? ", " : "[");
    }
    putchar(']');
}

static void print_json(const lab_series *series, bool quick)
{
    info_json object = {0};
    putchar('{');
    info_key(&object, "material"), info_string(series->material);
    info_key(&object, "test"), info_string(series->test->name);
    info_key(&object, "unit"), info_string(series->test->unit);
    if (series->closed_form > 0) info_number(&object, "closed_form", series->closed_form);
    if (series->published[1] > 0) {
        info_number(&object, "published_from", series->published[0]);
        info_number(&object, "published_to", series->published[1]);
    }
    static const char *const names[2][2] = {{"regular", "regular_converged"}, {"irregular", "irregular_converged"}};
    for (int m = 0; m < (series->test->solid ? 1 : LAB_MESHES); m++) {
        print_figures(&object, names[m][0], series->result[m], LAB_FINENESSES - quick);
        info_number(&object, names[m][1], series->converged[m].figure);
    }
    info_number(&object, "spread", spread_of(series, quick));
    putchar('}');
}

/* ---- The command ---- */

typedef struct request {
    const char *material, *test, *out;
    bool json, quick;
} request;

static bool draw(const request *r, const lab_series *series, taut_error *error)
{
    char path[1000];
    if (!r->out) return true;
    snprintf(path, sizeof path, "%s/%s-%s.svg", r->out, series->material, series->test->name);
    return lab_plot(path, series, error);
}

static int run(const request *r, const taut_material *material, bool solid)
{
    const char *name = r->material;
    taut_error error;
    int done = 0;
    if (!r->json)
        printf("%s\n%-25s %9s%s%9s%11s%13s   published\n", name, "test", "coarse", r->quick ? "" : "   middle", "fine",
               "converged", "closed form");
    for (int i = 0; i < TESTS; i++) {
        static lab_series series;
        if (tests[i]->solid != solid || (r->test && strcmp(r->test, tests[i]->name) != 0)) continue;
        if (!measure_all(tests[i], name, material, r->quick, &series, &error) || !draw(r, &series, &error))
            return fail(COMMAND, "%s", error.text);
        if (r->json) fputs(done ? ",\n " : "[", stdout);
        (r->json ? print_json : print_text)(&series, r->quick);
        fflush(stdout);
        done++;
    }
    if (r->json && done) printf("]\n");
    return done ? 0 : fail(COMMAND, "the test '%s' is not for %s", r->test, solid ? "solids" : "fabrics");
}

static int begin(const request *r)
{
    taut_material material;
    bool solid = false, known = !r->test;
    for (int i = 0; i < taut_preset_count(); i++)
        if (strcmp(taut_preset_at(i)->name, r->material) == 0) solid = taut_preset_at(i)->solid;
    if (!taut_preset_material(r->material, &material)) return fail_unknown(COMMAND, "preset", r->material, preset_name);
    for (int i = 0; i < TESTS && r->test; i++) known = known || strcmp(r->test, tests[i]->name) == 0;
    if (!known) return fail_unknown(COMMAND, "test", r->test, test_name);
    if (r->out && !folder_make(r->out)) return fail(COMMAND, "cannot make the folder %s: %s", r->out, strerror(errno));
    return run(r, &material, solid);
}

int command_lab(int argc, char **argv)
{
    request r = {0};
    const option options[] = {
        {.name = "--test", .value = "NAME", .help = "only this test", .text = &r.test},
        {.name = "--out", .value = "DIR", .help = "also draw each test, as DIR/MATERIAL-TEST.svg", .text = &r.out},
        {.name = "--quick", .help = "leave out the finest mesh", .flag = &r.quick},
        {.name = "--json", .help = "print a JSON array with one object a test", .flag = &r.json},
        {0},
    };
    const syntax s = {
        .command = COMMAND,
        .operand = "MATERIAL",
        .operand_text = &r.material,
        .about =
            "Measures a preset as a textile laboratory would, with the solver that a world has by default at 60\n"
            "frames a second, on meshes of three finenesses (1, 2 and 4), regular and irregular. Without MATERIAL it\n"
            "takes " TAUT_DEFAULT_CLOTH ", the preset of cloth without a material.\n"
            "  cantilever  bending length c, mm, of a strip that sticks out by 2c (ASTM D1388)\n"
            "  loop        bending length, mm, of a heart loop (ASTM D1388, Peirce's formula)\n"
            "  drape       Cusick's drape coefficient, %: 30 cm over 18 cm; and the number of folds\n"
            "  warp, weft  stretch modulus, N/m, under 5 gf/cm\n"
            "  bias        the same for a strip that is cut at 45 degrees\n"
            "  shear       shear modulus, N/m a radian, between two clamps\n"
            "  bar         Young's modulus of solids, kPa\n"
            "`converged` is the figure on the coarsest mesh with 100 substeps of 20 iterations, without tethers: what\n"
            "the default solver would give if it had the time. `spread` is the largest over the smallest figure of all "
            "meshes.",
        .example = "taut lab cotton\n"
                   "  taut lab denim --test cantilever --out out/lab",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    if (!r.material) r.material = TAUT_DEFAULT_CLOTH;
    return begin(&r);
}
