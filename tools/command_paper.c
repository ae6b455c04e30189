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
    const char *out;
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
    const experiment *now;
    int done, count; /* of the experiments asked for */
} work;

static void show_progress(double share, void *user)
{
    work *w = user;
    char line[PROGRESS_TEXT], left[PROGRESS_TIME];
    int at = (int)(SHARES * (w->done + share) / w->count);
    if (!progress_due(&w->bar, at)) return;
    progress_pace(&w->bar, at, left);
    snprintf(line, sizeof line, "%d %%, %s left: %s", at / (SHARES / 100), left, w->now->id);
    progress_draw(&w->bar, at, line);
}

static bool draw(const paper_picture *picture, const char *path, taut_error *error, void *user)
{
    (void)user;
    return paper_draw_picture(picture, path, error);
}

/* What a result depends on: the program, which is told by the hash of its file (FNV-1a), and the options. */
static void write_settings(char *settings, size_t size, const request *r, bool drawn)
{
    taut_bytes bytes = {NULL, 0};
    taut_error error;
    uint64_t hash = 14695981039346656037u;
    if (taut_file_read("/proc/self/exe", &bytes, &error)) {
        for (size_t i = 0; i < bytes.size; i++) hash = (hash ^ bytes.data[i]) * 1099511628211u;
        taut_bytes_free(&bytes);
    }
    snprintf(settings, size, "%s %016llx %s, %s pictures", TAUT_VERSION, (unsigned long long)hash,
             r->quick ? "quick" : "full", drawn ? "with" : "without");
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

static int perform(work *w, paper_result *result)
{
    const experiment *e = w->now;
    taut_error error;
    show_progress(0, w);
    if (w->request->fresh || !paper_load(result, e, &w->options)) {
        paper_close(result);
        bool done = paper_perform(e, &w->options, &error);
        if (!done) return progress_erase(&w->bar), fail(COMMAND, "%s", error.text);
        if (!paper_load(result, e, &w->options))
            return progress_erase(&w->bar), fail(COMMAND, "%s: its result cannot be read back", e->id);
    }
    progress_erase(&w->bar);
    if (!w->request->json) printf("%-24s %s\n", e->id, paper_verdict_name(paper_verdict_of(result)));
    fflush(stdout);
    return ARGUMENTS_READ;
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
        w->now = experiment_at(i);
        if (!is_asked(w->request, w->now->id)) continue;
        code = perform(w, &results[w->done]);
        w->done++;
    }
    return code == ARGUMENTS_READ ? report(w->request, results, w->done) : code;
}

static int begin(const request *r)
{
    char settings[200];
    taut_error error;
    bool drawn = paper_draw_ready(&error);
    work w = {.request = r};
    for (int i = 0; experiment_at(i); i++) w.count += is_asked(r, experiment_id(i));
    if (!drawn) fprintf(stderr, "%s: no pictures: %s\n", COMMAND, error.text);
    write_settings(settings, sizeof settings, r, drawn);
    w.options = (paper_options){r->out, settings, r->quick, drawn ? draw : NULL, show_progress, &w};
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
            "none, all run. A run that was stopped goes on where it was: experiments that have a result of the same\n"
            "program and sizes in FOLDER are not run again.",
        .example = "taut paper --quick\n"
                   "  taut paper sbd/fig3 notes --out out/some",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code == ARGUMENTS_READ) code = check_words(&r);
    if (code != ARGUMENTS_READ) return code;
    return r.list ? print_list(&r) : begin(&r);
}
