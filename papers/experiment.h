/* What an experiment is, and how it tells what it found. README.md shows one.
 *
 * An experiment measures and reports in the order in which a reader should see things. Nothing that it adds can fail:
 * if memory runs out, the run fails at its end. Texts are formats as of printf. */
#ifndef PAPERS_EXPERIMENT_H
#define PAPERS_EXPERIMENT_H

#include "public_mesh.h"
#include "taut.h"

typedef struct paper_result paper_result;

typedef struct experiment {
    const char *id;     /* "sbd/fig3": the paper, and the place in it                          */
    const char *title;  /* a few words                                                         */
    const char *shows;  /* what the paper shows, in one or two sentences                       */
    const char *method; /* how it is measured here                                             */
    bool timed;         /* its verdict comes from times, so it is no test                      */
    const public_mesh *mesh; /* it runs on this one too, if it is there; NULL: on none         */
    bool (*run)(paper_result *r, bool quick, taut_error *error);
} experiment;

/* ---- Figures and what follows from them ---- */

typedef enum paper_verdict { PAPER_HOLDS, PAPER_DIFFERS, PAPER_DOES_NOT_HOLD } paper_verdict;

/* A statement of the paper, its verdict, and the reason with the figures that decide. The verdict of the experiment is
 * the one that all claims share, else `differs`. */
__attribute__((format(printf, 3, 4))) void paper_claim(paper_result *r, paper_verdict verdict, const char *format, ...);
static inline paper_verdict paper_holds(bool holds) { return holds ? PAPER_HOLDS : PAPER_DOES_NOT_HOLD; }

/* A figure, and beside it what the paper has ("" if it has none). */
void paper_value(paper_result *r, const char *name, double value, const char *unit, const char *in_paper);
/* The same for times and everything that is computed from them: it differs from run to run. */
void paper_time(paper_result *r, const char *name, double value, const char *unit, const char *in_paper);

__attribute__((format(printf, 2, 3))) void paper_note(paper_result *r, const char *format, ...);

/* A table, then its rows. Cells are separated by '|'. */
void paper_table(paper_result *r, const char *caption, const char *columns);
__attribute__((format(printf, 2, 3))) void paper_row(paper_result *r, const char *format, ...);
/* A row that has times in it. */
__attribute__((format(printf, 2, 3))) void paper_timed_row(paper_result *r, const char *format, ...);

/* ---- Plots ---- */

typedef struct paper_plot {
    bool log_x, log_y; /* to be set before the run ends */
    const char *name, *caption, *x, *y;
    struct paper_series *series; /* the last one */
    paper_result *result;
} paper_plot;

/* `name` is part of the file's name. x and y are the labels of the axes. */
paper_plot *paper_add_plot(paper_result *r, const char *name, const char *x, const char *y, const char *caption);
/* A line with marks; values that are not finite (or not above 0 on a logarithmic axis) are left out. */
void paper_add_series(paper_plot *plot, const char *label, const double *x, const double *y, int count);

/* ---- Pictures ---- */

typedef struct paper_picture {
    const char *name, *caption;
    int width, height;
    float azimuth, elevation;  /* degrees, as in taut render --view                         */
    bool wire;                 /* to be set before the run ends                             */
    float low, high;           /* of heat                                                   */
    struct paper_shape *shape; /* the last one                                              */
    unsigned char *rgb;        /* a picture of pixels; NULL: the shapes are drawn           */
    paper_result *result;
} paper_picture;

enum { PAPER_COLORS = 5 };
extern const float paper_color[PAPER_COLORS][3]; /* red, blue, yellow, green, violet */

/* A picture of bodies as `taut render` draws them. It is 1200 pixels wide and `height` high. */
paper_picture *paper_add_picture(paper_result *r, const char *name, int height, float azimuth, float elevation,
                                 const char *caption);
/* Puts a mesh there, at positions xyz, moved by `at`. */
void paper_show(paper_picture *picture, const taut_mesh *mesh, const float *xyz, const float at[3],
                const float color[3]);
/* The same with colours for a number at each vertex, from picture->low (blue) to picture->high (red). */
void paper_show_heat(paper_picture *picture, const taut_mesh *mesh, const float *xyz, const float at[3],
                     const float *heat);
void paper_show_collider(paper_picture *picture, const taut_collider_def *collider, const float at[3]);
/* A picture of pixels, white at first; 3 bytes each, the upper row first. NULL when memory ran out. */
unsigned char *paper_add_raster(paper_result *r, const char *name, int width, int height, const char *caption);

/* ---- Help ---- */

/* In the run on a public mesh: that mesh, as it is in its file. In the first run: NULL. See subject.h. */
const taut_mesh *paper_public_mesh(const paper_result *r);

/* Memory, zeroed, that is freed with the result. NULL when memory ran out. */
void *paper_take(paper_result *r, size_t size);
/* How much of the experiment is done, 0 to 1, for the bar. */
void paper_progress(const paper_result *r, double share);
/* Fills the error and returns false. */
__attribute__((format(printf, 2, 3))) bool paper_fail(taut_error *error, const char *format, ...);

#endif
