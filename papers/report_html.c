#include "report.h"

#include "taut_io.h"

#include <stdio.h>
#include <string.h>

static const char STYLE[] =
    "body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
    "table{border-collapse:collapse;margin:1em 0}td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}"
    "caption{text-align:left;font-style:italic}img,svg{max-width:100%;height:auto}figcaption{font-style:italic}"
    "figure{margin:1em 0}h2{border-top:2px solid #888;padding-top:1em}h3{margin-top:2.5em}"
    ".holds{color:#1b7a3a}.differs{color:#a66a00}.does{color:#b02a2a}";

static void put_end(text *t, bool timed) { text_put(t, timed ? " " REPORT_TIMED : ""); }

static void begin(text *t, const char *title)
{
    text_put(t,
             "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%s</title>\n"
             "<style>%s</style></head><body>\n<h1>%s</h1>\n",
             title, STYLE, title);
}

static void heading(text *t, int depth, const char *anchor, const char *title)
{
    text_put(t, "<h%d id=\"%s\">", depth, anchor);
    text_put_escaped(t, title);
    text_put(t, "</h%d>\n", depth);
}

static void paragraph(text *t, const char *label, const char *string, bool timed)
{
    text_put(t, "<p>");
    if (*label) text_put(t, "<b>%s.</b> ", label);
    text_put_escaped(t, string);
    put_end(t, timed);
    text_put(t, "</p>\n");
}

/* A verdict in its colour. The class is its first word. */
static void put_verdict(text *t, const char *verdict)
{
    text_put(t, "<b class=\"%.*s\">%s</b>", (int)strcspn(verdict, " "), verdict, verdict);
}

static void claim(text *t, const char *verdict, const char *string, bool timed)
{
    text_put(t, "<p>");
    put_verdict(t, verdict);
    text_put(t, ": ");
    text_put_escaped(t, string);
    put_end(t, timed);
    text_put(t, "</p>\n");
}

static void put_cells(text *t, const paper_item *row, const char *tag, const char *anchor)
{
    char cell[PAPER_CELL];
    text_put(t, "<tr>");
    for (int i = 0; i < paper_cells(row); i++) {
        bool links = i == 0 && *anchor;
        text_put(t, "<%s>", tag);
        if (links) text_put(t, "<a href=\"#%s\">", anchor);
        text_put_escaped(t, paper_cell(row, i, cell));
        if (links) text_put(t, "</a>");
        put_end(t, row->timed && i == paper_cells(row) - 1);
        text_put(t, "</%s>", tag);
    }
    text_put(t, "</tr>\n");
}

static void columns(text *t, const char *caption, const paper_item *row)
{
    text_put(t, "<table><caption>");
    text_put_escaped(t, caption);
    text_put(t, "</caption>\n");
    put_cells(t, row, "th", "");
}

static void row(text *t, const paper_item *item, const char *anchor) { put_cells(t, item, "td", anchor); }

static void end_table(text *t) { text_put(t, "</table>\n"); }

/* ---- Images ---- */

static void put_base64(text *t, const unsigned char *data, size_t size)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        unsigned bits = (unsigned)data[i] << 16;
        if (i + 1 < size) bits |= (unsigned)data[i + 1] << 8;
        if (i + 2 < size) bits |= data[i + 2];
        char four[4] = {digit[bits >> 18], digit[bits >> 12 & 63], digit[bits >> 6 & 63], digit[bits & 63]};
        if (i + 2 >= size) four[3] = '=';
        if (i + 1 >= size) four[2] = '=';
        text_put_bytes(t, four, 4);
    }
}

static void image(text *t, const char *folder, const char *file, const char *caption)
{
    char path[PAPER_PATH];
    taut_bytes bytes;
    taut_error error;
    size_t length = strlen(file);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    text_put(t, "<figure>");
    if (!taut_file_read(path, &bytes, &error)) {
        text_put_escaped(t, error.text);
    } else {
        if (length > 4 && strcmp(file + length - 4, ".svg") == 0) {
            text_put_bytes(t, (const char *)bytes.data, bytes.size);
        } else {
            text_put(t, "<img alt=\"\" src=\"data:image/png;base64,");
            put_base64(t, bytes.data, bytes.size);
            text_put(t, "\">");
        }
        taut_bytes_free(&bytes);
    }
    text_put(t, "<figcaption>");
    text_put_escaped(t, caption);
    text_put(t, "</figcaption></figure>\n");
}

static void end(text *t) { text_put(t, "</body></html>\n"); }

const report_format report_html = {begin, heading, paragraph, claim, columns, row, end_table, image, end};
