/* taut paper: the experiments of the papers, and the report about them. */
#include "arguments.h"
#include "commands.h"
#include "experiments.h"
#include "folder.h"
#include "paper_draw.h"
#include "progress.h"
#include "report.h"
#include "taut_io.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const COMMAND = "taut paper";

typedef struct request {
    word_list ids;
    const char *out, *data;
    bool list, quick, json, fresh;
} request;

static const char *experiment_id(int i) { return experiment_at(i) ? experiment_at(i)->id : NULL; }

/* ---- Which experiments ---- */

/* Whether a word is the id or the beginning of it, up to a slash: sbd names sbd/fig3. */
static bool names(const char *word, const char *id)
{
    size_t length = strlen(word);
    if (length && word[length - 1] == '/') length--;
    return strncmp(word, id, length) == 0 && (id[length] == 0 || id[length] == '/');
}

static bool is_asked(const request *r, const char *id)
{
    for (int i = 0; i < r->ids.count; i++)
        if (names(r->ids.word[i], id)) return true;
    return r->ids.count == 0;
}

static int check_words(const request *r)
{
    for (int i = 0; i < r->ids.count; i++) {
        bool known = false;
        for (int k = 0; experiment_at(k) && !known; k++) known = names(r->ids.word[i], experiment_id(k));
        if (!known) return fail_unknown(COMMAND, "experiment", r->ids.word[i], experiment_id);
    }
    return ARGUMENTS_READ;
}

static int print_list(const request *r)
{
    for (int i = 0; experiment_at(i); i++) {
        const experiment *e = experiment_at(i);
        if (is_asked(r, e->id)) printf("%-24s %s\n", e->id, e->title);
    }
    return 0;
}

/* ---- Running them ---- */

enum { SHARES = 10000 };

typedef struct work {
    const request *request;
    paper_options options;
    progress bar;
    const char *now; /* the id */
    int done, count; /* of the runs of the experiments asked for */
} work;

static void show_progress(double share, void *user)
{
    work *w = user;
    char line[PROGRESS_TEXT], left[PROGRESS_TIME];
    int at = (int)(SHARES * (w->done + share) / w->count);
    if (!progress_due(&w->bar, at)) return;
    progress_pace(&w->bar, at, left);
    snprintf(line, sizeof line, "%d %%, %s left: %s", at / (SHARES / 100), left, w->now);
    progress_draw(&w->bar, at, line);
}

static bool draw(const paper_picture *picture, const char *path, taut_error *error, void *user)
{
    (void)user;
    return paper_draw_picture(picture, path, error);
}

/* What a result depends on: the program, which is told by the hash of its file, and the options. */
static void write_settings(char *settings, size_t size, const request *r, bool drawn)
{
    unsigned long long hash = paper_file_hash("/proc/self/exe");
    snprintf(settings, size, "%s %016llx %s, %s pictures", TAUT_VERSION, hash, r->quick ? "quick" : "full",
             drawn ? "with" : "without");
}

static int make_folder(const char *path)
{
    return folder_make(path) ? ARGUMENTS_READ : fail(COMMAND, "cannot make the folder %s: %s", path, strerror(errno));
}

/* The results of a paper lie in a folder of its own. */
static int make_folders(const request *r)
{
    char path[PAPER_PATH];
    int code = make_folder(r->out);
    for (int i = 0; experiment_at(i) && code == ARGUMENTS_READ; i++) {
        const char *id = experiment_id(i);
        snprintf(path, sizeof path, "%s/%.*s", r->out, (int)strcspn(id, "/"), id);
        if (is_asked(r, id)) code = make_folder(path);
    }
    return code;
}

/* Runs it unless its result is there; either way reads the result from its file. */
static int obtain(work *w, const experiment *e, const public_mesh *on, paper_result *result)
{
    taut_error error;
    paper_begin(result, e, on, &w->options);
    w->now = result->id;
    show_progress(0, w);
    if (result->left_out || (!w->request->fresh && paper_load(result))) return ARGUMENTS_READ;
    paper_close(result);
    paper_begin(result, e, on, &w->options);
    bool done = paper_perform(result, &error);
    paper_close(result);
    paper_begin(result, e, on, &w->options);
    if (!done) return fail(COMMAND, "%s", error.text);
    return paper_load(result) ? ARGUMENTS_READ : fail(COMMAND, "%s: its result cannot be read back", result->id);
}

static int perform(work *w, const experiment *e, const public_mesh *on, paper_result *results)
{
    paper_result *result = &results[w->done];
    int code = obtain(w, e, on, result);
    progress_erase(&w->bar);
    if (code != ARGUMENTS_READ) return code;
    if (!w->request->json) printf("%-28s %s\n", result->id, paper_verdict_text(result));
    fflush(stdout);
    w->done++;
    return code;
}

/* ---- The report ---- */

static int write_file(const char *folder, const char *name, text *t)
{
    char path[PAPER_PATH];
    taut_error error;
    int code = ARGUMENTS_READ;
    if (t->failed) code = fail(COMMAND, "there is not enough memory for the report");
    else if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
        code = fail(COMMAND, "%.100s...: the name is too long", folder);
    else if (!taut_file_write(path, t->data, t->size, &error)) code = fail(COMMAND, "%s", error.text);
    text_free(t);
    return code;
}

static int report(const request *r, const paper_result *results, int count)
{
    static const struct {
        const char *file;
        const report_format *format;
        report_part part;
    } reports[] = {{"README.md", &report_markdown, REPORT_PAPERS},
                   {"errata.md", &report_markdown, REPORT_ERRATA},
                   {"report.html", &report_html, REPORT_ALL}};
    text t = {0};
    int code = ARGUMENTS_READ;
    for (size_t i = 0; i < sizeof reports / sizeof *reports && code == ARGUMENTS_READ; i++) {
        report_write(&t, reports[i].format, reports[i].part, results, count);
        code = write_file(r->out, reports[i].file, &t);
    }
    if (code != ARGUMENTS_READ) return code;
    if (!r->json) return printf("%s/README.md, %s/report.html\n", r->out, r->out), 0;
    report_json(&t, results, count);
    if (t.failed) code = fail(COMMAND, "there is not enough memory for the report");
    else fwrite(t.data, 1, t.size, stdout), code = 0;
    text_free(&t);
    return code;
}

static int run_all(work *w, paper_result *results)
{
    int code = make_folders(w->request);
    progress_begin(&w->bar, stderr, false, 0, SHARES);
    for (int i = 0; experiment_at(i) && code == ARGUMENTS_READ; i++) {
        const experiment *e = experiment_at(i);
        if (!is_asked(w->request, e->id)) continue;
        code = perform(w, e, NULL, results);
        if (code == ARGUMENTS_READ && e->mesh) code = perform(w, e, e->mesh, results);
    }
    return code == ARGUMENTS_READ ? report(w->request, results, w->done) : code;
}

static int begin(const request *r)
{
    char settings[200];
    taut_error error;
    bool drawn = paper_draw_ready(&error);
    work w = {.request = r};
    for (int i = 0; experiment_at(i); i++)
        if (is_asked(r, experiment_id(i))) w.count += experiment_at(i)->mesh ? 2 : 1;
    if (!drawn) fprintf(stderr, "%s: no pictures: %s\n", COMMAND, error.text);
    write_settings(settings, sizeof settings, r, drawn);
    w.options = (paper_options){.folder = r->out,
                                .settings = settings,
                                .data = r->data,
                                .quick = r->quick,
                                .draw = drawn ? draw : NULL,
                                .progress = show_progress,
                                .user = &w};
    paper_result *results = calloc((size_t)w.count + 1, sizeof *results);
    if (!results) return fail(COMMAND, "there is not enough memory");
    int code = run_all(&w, results);
    for (int i = 0; i < w.count; i++) paper_close(&results[i]);
    free(results);
    return code;
}

int command_paper(int argc, char **argv)
{
    request r = {.out = "out/paper"};
    const option options[] = {
        {.name = "--list", .help = "print the experiments", .flag = &r.list},
        {.name = "--quick", .help = "smaller sizes: all experiments in a few minutes", .flag = &r.quick},
        {.name = "--out", .value = "FOLDER", .help = "where the report goes (out/paper)", .text = &r.out},
        {.name = "--data", .value = "FOLDER", .help = "where public meshes are (../shared/data)", .text = &r.data},
        {.name = "--fresh", .help = "run experiments anew that have a result already", .flag = &r.fresh},
        {.name = "--json", .help = "print the results as a JSON array", .flag = &r.json},
        {0},
    };
    const syntax s = {
        .command = COMMAND,
        .operand = "EXPERIMENT",
        .operand_list = &r.ids,
        .about =
            "Runs the experiments of the papers, their figures, tables and numbers, and writes a report: FOLDER/\n"
            "README.md and errata.md with plots and pictures, and FOLDER/report.html, which has all of them in it.\n"
            "Verdicts are computed from the figures: holds, does not hold, differs.\n"
            "EXPERIMENT is one of the list, such as sbd/fig3, or the beginning of several, such as sbd. If there is\n"
            "none, all run. Some run once more on public meshes; where these are not there, the report says what is\n"
            "left out. A run that was stopped goes on where it was: experiments that have a result of the same\n"
            "program and sizes in FOLDER are not run again.",
        .example = "taut paper --quick\n"
                   "  taut paper sbd/fig3 notes --out out/some",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code == ARGUMENTS_READ) code = check_words(&r);
    if (code == ARGUMENTS_READ && r.data && !folder_is_there(r.data))
        code = fail(COMMAND, "%s: %s", r.data, strerror(errno));
    if (!r.data) r.data = "../shared/data";
    if (code != ARGUMENTS_READ) return code;
    return r.list ? print_list(&r) : begin(&r);
}
