#include "result.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* ---- Memory ---- */

typedef struct paper_memory {
    struct paper_memory *before;
    max_align_t data[];
} paper_memory;

void *paper_take(paper_result *r, size_t size)
{
    paper_memory *block = calloc(1, sizeof *block + size);
    if (!block) {
        if (r->error.code == TAUT_OK) paper_fail(&r->error, "there is not enough memory");
        return NULL;
    }
    block->before = r->memory;
    r->memory = block;
    return block->data;
}

char *paper_keep(paper_result *r, const char *string)
{
    size_t size = strlen(string) + 1;
    char *copy = paper_take(r, size);
    if (copy) memcpy(copy, string, size);
    return copy;
}

void paper_begin(paper_result *r, const experiment *e, const public_mesh *on, const paper_options *options)
{
    *r = (paper_result){.experiment = e, .on = on, .options = options};
    snprintf(r->id, sizeof r->id, "%s%s%s", e->id, on ? "-on-" : "", on ? on->word : "");
    r->left_out = on && !public_mesh_is_there(on, options->data);
}

const taut_mesh *paper_public_mesh(const paper_result *r) { return r->on ? &r->mesh : NULL; }

void paper_close(paper_result *r)
{
    for (paper_memory *block = r->memory; block;) {
        paper_memory *before = block->before;
        free(block);
        block = before;
    }
    taut_mesh_free(&r->mesh);
    *r = (paper_result){0};
}

bool paper_fail(taut_error *error, const char *format, ...)
{
    va_list values;
    *error = (taut_error){.code = TAUT_BAD_ARGUMENT, .index = -1};
    va_start(values, format);
    vsnprintf(error->text, sizeof error->text, format, values);
    va_end(values);
    return false;
}

/* ---- Items ---- */

void paper_add_item(paper_result *r, paper_kind kind, bool timed, const char *string)
{
    paper_item *item = paper_take(r, sizeof *item);
    char *copy = paper_keep(r, string);
    if (!item || !copy) return;
    bool table = kind == PAPER_COLUMNS || kind == PAPER_ROW;
    for (char *c = copy; *c; c++)
        if (*c == '\n') *c = ' ';
        else if (table && *c == '|') *c = '\t';
    *item = (paper_item){kind, timed, copy, NULL};
    if (r->last) r->last->next = item;
    else r->first = item;
    r->last = item;
}

static void add_list(paper_result *r, paper_kind kind, bool timed, const char *before, const char *format,
                     va_list values)
{
    text t = {0};
    text_put(&t, "%s", before);
    text_put_list(&t, format, values);
    if (t.failed || !t.data) paper_fail(&r->error, "there is not enough memory");
    else paper_add_item(r, kind, timed, t.data);
    text_free(&t);
}

const char *paper_cell(const paper_item *item, int index, char cell[PAPER_CELL])
{
    const char *from = item->text;
    for (; index > 0 && from; index--) {
        from = strchr(from, '\t');
        if (from) from++;
    }
    snprintf(cell, PAPER_CELL, "%.*s", from ? (int)strcspn(from, "\t") : 0, from ? from : "");
    return cell;
}

int paper_cells(const paper_item *item)
{
    int count = 1;
    for (const char *c = item->text; *c; c++) count += *c == '\t';
    return count;
}

/* ---- Verdicts ---- */

static const char *const verdict_names[] = {"holds", "differs", "does not hold"};

const char *paper_verdict_name(paper_verdict verdict) { return verdict_names[verdict]; }

const char *paper_verdict_text(const paper_result *r)
{
    return r->left_out ? "left out" : paper_verdict_name(paper_verdict_of(r));
}

paper_verdict paper_verdict_find(const char *string)
{
    for (int i = 0; i < 3; i++)
        if (strncmp(string, verdict_names[i], strlen(verdict_names[i])) == 0) return (paper_verdict)i;
    return PAPER_DIFFERS;
}

paper_verdict paper_verdict_of(const paper_result *r)
{
    bool any = false;
    paper_verdict all = PAPER_DIFFERS;
    for (const paper_item *i = r->first; i; i = i->next) {
        if (i->kind != PAPER_CLAIM) continue;
        paper_verdict one = paper_verdict_find(i->text);
        if (any && one != all) return PAPER_DIFFERS;
        all = one;
        any = true;
    }
    return all;
}

/* ---- What experiments add ---- */

void paper_claim(paper_result *r, paper_verdict verdict, const char *format, ...)
{
    char before[40];
    va_list values;
    snprintf(before, sizeof before, "%s\t", verdict_names[verdict]);
    va_start(values, format);
    add_list(r, PAPER_CLAIM, r->experiment->timed, before, format, values);
    va_end(values);
}

static void add_value(paper_result *r, bool timed, const char *name, double value, const char *unit,
                      const char *in_paper)
{
    char line[PAPER_CELL];
    snprintf(line, sizeof line, "%s\t%.9g\t%s\t%s", name, value, unit, in_paper);
    paper_add_item(r, PAPER_VALUE, timed, line);
}

void paper_value(paper_result *r, const char *name, double value, const char *unit, const char *in_paper)
{
    add_value(r, false, name, value, unit, in_paper);
}

void paper_time(paper_result *r, const char *name, double value, const char *unit, const char *in_paper)
{
    add_value(r, true, name, value, unit, in_paper);
}

void paper_note(paper_result *r, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add_list(r, PAPER_NOTE, false, "", format, values);
    va_end(values);
}

void paper_table(paper_result *r, const char *caption, const char *columns)
{
    paper_add_item(r, PAPER_TABLE, false, caption);
    paper_add_item(r, PAPER_COLUMNS, false, columns);
}

void paper_row(paper_result *r, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add_list(r, PAPER_ROW, false, "", format, values);
    va_end(values);
}

void paper_timed_row(paper_result *r, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    add_list(r, PAPER_ROW, true, "", format, values);
    va_end(values);
}

void paper_progress(const paper_result *r, double share)
{
    if (r->options->progress) r->options->progress(share, r->options->user);
}
