#include "report.h"

static void put_end(text *t, bool timed) { text_put(t, timed ? " " REPORT_TIMED "\n" : "\n"); }

static void begin(text *t, const char *title) { text_put(t, "# %s\n\n", title); }

static void heading(text *t, int depth, const char *anchor, const char *title)
{
    if (*anchor) text_put(t, "<a name=\"%s\"></a>\n\n", anchor);
    text_put(t, "%.*s %s\n\n", depth, "######", title);
}

static void paragraph(text *t, const char *label, const char *string, bool timed)
{
    if (*label) text_put(t, "*%s.* ", label);
    text_put(t, "%s", string);
    put_end(t, timed);
    text_put(t, "\n");
}

static void claim(text *t, const char *verdict, const char *string, bool timed)
{
    text_put(t, "- **%s**: %s", verdict, string);
    put_end(t, timed);
}

/* A '|' within a cell would end it. */
static void put_cells(text *t, const paper_item *row, const char *anchor)
{
    char cell[PAPER_CELL];
    text_put(t, "|");
    for (int i = 0; i < paper_cells(row); i++) {
        bool links = i == 0 && *anchor;
        text_put(t, links ? " [" : " ");
        for (const char *c = paper_cell(row, i, cell); *c; c++) text_put(t, *c == '|' ? "\\%c" : "%c", *c);
        if (links) text_put(t, "](#%s)", anchor);
        text_put(t, row->timed && i == paper_cells(row) - 1 ? " " REPORT_TIMED " |" : " |");
    }
}

static void columns(text *t, const char *caption, const paper_item *row)
{
    if (*caption) text_put(t, "%s:\n\n", caption);
    put_cells(t, row, "");
    text_put(t, "\n|");
    for (int i = 0; i < paper_cells(row); i++) text_put(t, "---|");
    text_put(t, "\n");
}

static void row(text *t, const paper_item *item, const char *anchor)
{
    put_cells(t, item, anchor);
    text_put(t, "\n");
}

static void end_table(text *t) { text_put(t, "\n"); }

static void image(text *t, const char *folder, const char *file, const char *caption)
{
    (void)folder;
    text_put(t, "![%s](%s)\n\n*%s*\n\n", caption, file, caption);
}

static void end(text *t) { (void)t; }

const report_format report_markdown = {begin, heading, paragraph, claim, columns, row, end_table, image, end};
