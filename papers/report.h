/* The report of all results, as Markdown with files beside it and as one HTML file that holds them. Lines with times
 * have REPORT_TIMED in them; all others are the same in every run of the same command. */
#ifndef PAPERS_REPORT_H
#define PAPERS_REPORT_H

#include "result.h"
#include "text.h"

#define REPORT_TIMED "\xe2\x8f\xb1" /* a stopwatch */

/* How a format writes the parts of a report. `folder` is where the files are. */
typedef struct report_format {
    void (*begin)(text *t, const char *title);
    void (*heading)(text *t, int depth, const char *anchor, const char *title);
    void (*paragraph)(text *t, const char *label, const char *string, bool timed);
    void (*claim)(text *t, const char *verdict, const char *string, bool timed);
    void (*columns)(text *t, const char *caption, const paper_item *row);
    void (*row)(text *t, const paper_item *row, const char *anchor); /* the first cell leads there; "": nowhere */
    void (*end_table)(text *t);
    void (*image)(text *t, const char *folder, const char *file, const char *caption);
    void (*end)(text *t);
} report_format;

extern const report_format report_markdown, report_html;

/* Appends the report of `count` results: of all experiments, of those of the papers, or of errata. */
typedef enum report_part { REPORT_ALL, REPORT_PAPERS, REPORT_ERRATA } report_part;
void report_write(text *t, const report_format *format, report_part part, const paper_result *results, int count);
/* Appends the results as a JSON array, an object an experiment. */
void report_json(text *t, const paper_result *results, int count);
/* The anchor of the section of an experiment. */
void report_anchor(char anchor[PAPER_CELL], const char *id);

#endif
