/* The result of an experiment: a list of items in the order in which they were added. The file that holds it has a line
 * an item, and reports are made from that list, so a report of a run that was resumed is that of a run in one go. */
#ifndef PAPERS_RESULT_H
#define PAPERS_RESULT_H

#include "experiment.h"

typedef enum paper_kind {
    PAPER_CLAIM,  /* verdict, text                       */
    PAPER_VALUE,  /* name, value, unit, the paper's      */
    PAPER_NOTE,   /* text                                */
    PAPER_TABLE,  /* caption, and then                   */
    PAPER_COLUMNS, PAPER_ROW,
    PAPER_PLOT,    /* file, caption                      */
    PAPER_PICTURE, /* file, caption                      */
    PAPER_KINDS
} paper_kind;

typedef struct paper_item {
    paper_kind kind;
    bool timed;       /* differs from run to run */
    const char *text; /* cells, separated by tabs */
    struct paper_item *next;
} paper_item;

typedef struct paper_series {
    const char *label;
    double *x, *y;
    int count;
    struct paper_series *before;
} paper_series;

typedef struct paper_shape {
    taut_mesh mesh;       /* vertices at rest, triangles and lines; or a collider and no vertices */
    float *xyz, *heat;    /* heat: a number for each vertex, or NULL                              */
    float color[3];
    taut_collider_def collider;
    struct paper_shape *before;
} paper_shape;

/* Draws a picture of bodies or pixels as PNG; user is that of paper_options. */
typedef bool paper_draw(const paper_picture *picture, const char *path, taut_error *error, void *user);

typedef struct paper_options {
    const char *folder, *settings; /* settings: one line; results of other settings are not taken */
    const char *data;              /* the folder of public data */
    bool quick;
    paper_draw *draw; /* NULL: pictures are left out */
    void (*progress)(double share, void *user);
    void *user;
} paper_options;

enum { PAPER_ID = 80 };

struct paper_result {
    const experiment *experiment;
    char id[PAPER_ID];     /* that of the experiment, or ID-on-MESH      */
    const public_mesh *on; /* NULL: shapes of ours                       */
    bool left_out;         /* the public mesh is not there               */
    taut_mesh mesh;        /* the public mesh, while the experiment runs */
    const paper_options *options;
    paper_item *first, *last;
    struct paper_graphic *graphic; /* the last one */
    struct paper_memory *memory;
    taut_error error; /* the first of what is added; code TAUT_OK: none */
};

/* A result with nothing in it yet. `on` is the public mesh, or NULL. Free with paper_close. */
void paper_begin(paper_result *r, const experiment *e, const public_mesh *on, const paper_options *options);
/* Runs the experiment and writes its plots, its pictures and last its result into the folder. */
bool paper_perform(paper_result *r, taut_error *error);
/* Reads a result of the same settings; false when there is none. */
bool paper_load(paper_result *r);
void paper_close(paper_result *r);

/* The verdict that all claims share, else `differs`. And whether a time has a part in it. */
paper_verdict paper_verdict_of(const paper_result *r);
const char *paper_verdict_name(paper_verdict verdict);
const char *paper_verdict_text(const paper_result *r); /* its name, or "left out" */
paper_verdict paper_verdict_find(const char *text);    /* of the first cell of a claim */

/* ---- Parts ---- */

/* Adds an item; '|' in `text` becomes a tab if `cells`. */
void paper_add_item(paper_result *r, paper_kind kind, bool timed, const char *string);
char *paper_keep(paper_result *r, const char *string); /* a copy that is freed with the result */
/* Copies cell number `index` of an item to `cell`; cells that are not there are empty. */
enum { PAPER_CELL = 1000 };
const char *paper_cell(const paper_item *item, int index, char cell[PAPER_CELL]);
int paper_cells(const paper_item *item);

/* PATH of a file of an experiment: FOLDER/ID-NAME or, without a name, FOLDER/ID.ENDING. False when it is too long. */
enum { PAPER_PATH = 4096 };
bool paper_path(char path[PAPER_PATH], const char *folder, const char *id, const char *name, const char *ending);
/* A number that tells the bytes of a file from those of another; 0: it cannot be read. */
uint64_t paper_file_hash(const char *path);

#endif
