#include "report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_string(text *t, const char *string)
{
    text_put(t, "\"");
    for (; *string; string++) {
        if (*string == '"' || *string == '\\') text_put(t, "\\%c", *string);
        else if ((unsigned char)*string < 0x20) text_put(t, "\\u%04x", (unsigned)*string);
        else text_put_bytes(t, string, 1);
    }
    text_put(t, "\"");
}

/* Cells as an array: of strings, or for values with the second one as a number. */
static void put_cells(text *t, const paper_item *item, int number)
{
    char cell[PAPER_CELL];
    text_put(t, "[");
    for (int i = 0; i < paper_cells(item); i++) {
        paper_cell(item, i, cell);
        if (i) text_put(t, ", ");
        if (i == number) text_put(t, isfinite(atof(cell)) ? "%s" : "null", cell);
        else put_string(t, cell);
    }
    text_put(t, "]");
}

static void put_list(text *t, const paper_result *r, const char *key, paper_kind kind, int number)
{
    bool any = false;
    text_put(t, ", \"%s\": [", key);
    for (const paper_item *i = r->first; i; i = i->next) {
        if (i->kind != kind) continue;
        text_put(t, "%s", any ? ", " : "");
        put_cells(t, i, number);
        any = true;
    }
    text_put(t, "]");
}

static void put_tables(text *t, const paper_result *r)
{
    bool any = false, rows = false;
    text_put(t, ", \"tables\": [");
    for (const paper_item *i = r->first; i; i = i->next) {
        if (i->kind == PAPER_TABLE) {
            text_put(t, "%s{\"caption\": ", any ? "]}, " : "");
            put_string(t, i->text);
            any = true;
        }
        if (i->kind == PAPER_COLUMNS) {
            text_put(t, ", \"columns\": ");
            put_cells(t, i, -1);
            text_put(t, ", \"rows\": [");
            rows = false;
        }
        if (i->kind != PAPER_ROW) continue;
        text_put(t, "%s", rows ? ", " : "");
        put_cells(t, i, -1);
        rows = true;
    }
    text_put(t, "%s]", any ? "]}" : "");
}

void report_json(text *t, const paper_result *results, int count)
{
    text_put(t, "[");
    for (int i = 0; i < count; i++) {
        const paper_result *r = &results[i];
        text_put(t, "%s\n{\"id\": ", i ? "," : "");
        put_string(t, r->id);
        text_put(t, ", \"title\": ");
        put_string(t, r->experiment->title);
        text_put(t, ", \"verdict\": \"%s\", \"timed\": %s", paper_verdict_text(r),
                 r->experiment->timed ? "true" : "false");
        put_list(t, r, "claims", PAPER_CLAIM, -1);
        put_list(t, r, "values", PAPER_VALUE, 1);
        put_tables(t, r);
        put_list(t, r, "notes", PAPER_NOTE, -1);
        put_list(t, r, "plots", PAPER_PLOT, -1);
        put_list(t, r, "pictures", PAPER_PICTURE, -1);
        text_put(t, "}");
    }
    text_put(t, "\n]\n");
}
