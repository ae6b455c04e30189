#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ERRATA "errata/"

/* The chapters of the report, by the first part of the ids. */
static const struct {
    const char *prefix, *title;
} chapters[] = {
    {"sbd/", "Strain Based Dynamics (M\xc3\xbcller, Chentanez, Kim, Macklin 2014)"},
    {"notes/", "Position-based cloth: stretching and bending (notes)"},
    {"tb/", "A Triangle Bending Constraint Model for Position-Based Dynamics (Kelager, Niebe, Erleben 2010)"},
    {"mrsl/", "Multi-Resolution Isotropic Strain Limiting (Wang, O'Brien, Ramamoorthi 2010)"},
    {ERRATA, "Errata"},
};
enum { CHAPTERS = sizeof chapters / sizeof chapters[0] };

static const char ABOUT_ERRATA[] =
    "What is printed in the papers and is wrong, or cannot be used as it stands, with the right form and the numeric "
    "evidence: the verdict is about what is printed. What proved right in the end is listed too.";

static const char ABOUT[] =
    "Every experiment, figure, table and headline number of three papers and of some notes, measured by taut paper. "
    "Verdicts are computed from the figures of the run: an experiment holds if all its claims do, does not hold if "
    "none does, and differs otherwise. Claims in which the figures are of another size than the paper's differ too.";

void report_anchor(char anchor[PAPER_CELL], const char *id)
{
    snprintf(anchor, PAPER_CELL, "%s", id);
    for (char *c = anchor; *c; c++)
        if (*c == '/') *c = '-';
}

/* ---- The table of all experiments ---- */

static void write_row(text *t, const report_format *f, bool timed, const char *string, const char *anchor)
{
    const paper_item row = {PAPER_ROW, timed, string, NULL};
    f->row(t, &row, anchor);
}

static bool is_in(report_part part, const paper_result *r)
{
    bool erratum = strncmp(r->experiment->id, ERRATA, strlen(ERRATA)) == 0;
    return part == REPORT_ALL || (part == REPORT_ERRATA) == erratum;
}

static void write_summary(text *t, const report_format *f, report_part part, const paper_result *results, int count)
{
    static const paper_item columns = {PAPER_COLUMNS, false, "experiment\twhat\tverdict", NULL};
    f->columns(t, "All of them", &columns);
    for (int i = 0; i < count; i++) {
        const experiment *e = results[i].experiment;
        if (!is_in(part, &results[i])) continue;
        char line[2 * PAPER_CELL], anchor[PAPER_CELL];
        const public_mesh *on = results[i].on;
        snprintf(line, sizeof line, "%s\t%s%s\t%s", results[i].id, on ? "the same on " : "", on ? on->name : e->title,
                 paper_verdict_text(&results[i]));
        report_anchor(anchor, results[i].id);
        write_row(t, f, e->timed, line, anchor);
    }
    f->end_table(t);
}

/* ---- One experiment ---- */

static void write_claims(text *t, const report_format *f, const paper_result *r)
{
    char verdict[PAPER_CELL];
    for (const paper_item *i = r->first; i; i = i->next) {
        if (i->kind != PAPER_CLAIM) continue;
        paper_cell(i, 0, verdict);
        f->claim(t, verdict, i->text + strlen(verdict) + 1, i->timed);
    }
    text_put(t, "\n");
}

static void write_values(text *t, const report_format *f, const paper_result *r)
{
    static const paper_item columns = {PAPER_COLUMNS, false, "measured\tvalue\tunit\tin the paper", NULL};
    char name[PAPER_CELL], value[PAPER_CELL], unit[PAPER_CELL], in_paper[PAPER_CELL], line[4 * PAPER_CELL + 40];
    bool any = false;
    for (const paper_item *i = r->first; i; i = i->next) {
        if (i->kind != PAPER_VALUE) continue;
        if (!any) f->columns(t, "", &columns);
        any = true;
        snprintf(line, sizeof line, "%s\t%.4g\t%s\t%s", paper_cell(i, 0, name), atof(paper_cell(i, 1, value)),
                 paper_cell(i, 2, unit), paper_cell(i, 3, in_paper));
        write_row(t, f, i->timed, line, "");
    }
    if (any) f->end_table(t);
}

static void write_image(text *t, const report_format *f, const paper_result *r, const paper_item *item)
{
    char file[PAPER_CELL], caption[PAPER_CELL];
    paper_cell(item, 0, file);
    paper_cell(item, 1, caption);
    if (*file) f->image(t, r->options->folder, file, caption);
    else f->paragraph(t, "Picture, not drawn", caption, false);
}

/* A table has all rows up to the next one, also those that were added after a picture. */
static void write_table(text *t, const report_format *f, const char *caption, const paper_item *columns)
{
    f->columns(t, caption, columns);
    for (const paper_item *i = columns->next; i && i->kind != PAPER_TABLE; i = i->next)
        if (i->kind == PAPER_ROW) f->row(t, i, "");
    f->end_table(t);
}

static void write_items(text *t, const report_format *f, const paper_result *r)
{
    const char *caption = "";
    for (const paper_item *i = r->first; i; i = i->next) {
        if (i->kind == PAPER_TABLE) caption = i->text;
        if (i->kind == PAPER_COLUMNS) write_table(t, f, caption, i);
        if (i->kind == PAPER_NOTE) f->paragraph(t, "", i->text, i->timed);
        if (i->kind == PAPER_PLOT || i->kind == PAPER_PICTURE) write_image(t, f, r, i);
    }
}

static void write_head(text *t, const report_format *f, const paper_result *r)
{
    const experiment *e = r->experiment;
    char anchor[PAPER_CELL], title[PAPER_CELL];
    report_anchor(anchor, r->id);
    snprintf(title, sizeof title, "%s: %s", r->id, r->on ? r->on->name : e->title);
    f->heading(t, r->on ? 4 : 3, anchor, title);
    if (!r->on) {
        f->paragraph(t, "The paper", e->shows, false);
        f->paragraph(t, "Here", e->method, false);
    }
}

static void write_public_mesh(text *t, const report_format *f, const paper_result *r)
{
    text line = {0};
    if (r->left_out)
        text_put(&line, "The run on the public mesh %s is left out: there is no %s/%s.", r->on->name, r->options->data,
                 r->on->file);
    else
        text_put(&line, "The same with a public mesh, %s (%s), in place of our own shape.", r->on->name, r->on->credit);
    if (line.data) f->paragraph(t, r->left_out ? "Left out" : "Here", line.data, false);
    t->failed = t->failed || line.failed;
    text_free(&line);
}

static void write_experiment(text *t, const report_format *f, const paper_result *r)
{
    write_head(t, f, r);
    if (r->on) write_public_mesh(t, f, r);
    if (r->left_out) return;
    f->paragraph(t, "Verdict", paper_verdict_text(r), r->experiment->timed);
    write_claims(t, f, r);
    write_values(t, f, r);
    write_items(t, f, r);
}

static void write_chapter(text *t, const report_format *f, report_part part, int chapter, const paper_result *results,
                          int count)
{
    const char *prefix = chapters[chapter].prefix;
    bool any = false;
    for (int i = 0; i < count; i++) {
        if (strncmp(results[i].experiment->id, prefix, strlen(prefix)) != 0 || !is_in(part, &results[i])) continue;
        if (!any) f->heading(t, 2, "", chapters[chapter].title);
        any = true;
        write_experiment(t, f, &results[i]);
    }
}

void report_write(text *t, const report_format *f, report_part part, const paper_result *results, int count)
{
    char made[PAPER_CELL];
    f->begin(t, part == REPORT_ERRATA ? "Errata of the papers" : "The papers, reproduced");
    snprintf(made, sizeof made, "Made by taut %s, %s. Lines with %s have times in them and differ from run to run.",
             TAUT_VERSION, count && results[0].options->quick ? "quick sizes" : "full sizes", REPORT_TIMED);
    if (part != REPORT_ERRATA) f->paragraph(t, "", ABOUT, false);
    if (part != REPORT_PAPERS) f->paragraph(t, "", ABOUT_ERRATA, false);
    f->paragraph(t, "", made, false);
    write_summary(t, f, part, results, count);
    for (int c = 0; c < CHAPTERS; c++) write_chapter(t, f, part, c, results, count);
    f->end(t);
}
