/* The textile laboratory: virtual versions of the tests by which fabrics are known. Each test has its own file. */
#ifndef TOOLS_LAB_H
#define TOOLS_LAB_H

#include "taut_io.h"

static const double LAB_GRAVITY = 9.81, LAB_PI = 3.14159265358979323846;

/* One sample on one mesh, with one solver. */
typedef struct lab_trial {
    const taut_material *material;
    int fineness; /* 1, 2, 4: how many times finer than the coarsest mesh */
    bool irregular;
    int substeps, iterations; /* 0: the defaults of a world */
} lab_trial;

/* A line to draw: a side view, or a shadow from above; mm. */
enum { LAB_POINTS = 512 };
typedef struct lab_outline {
    int count;
    float xy[LAB_POINTS][2];
} lab_outline;

typedef struct lab_result {
    double figure;
    int folds; /* of drapes; else 0 */
    lab_outline outline;
} lab_result;

typedef struct lab_test {
    const char *name, *unit, *about;
    bool solid; /* for solids; else for fabrics */
    bool (*measure)(const lab_trial *trial, lab_result *result, taut_error *error);
    double (*closed_form)(const taut_material *material); /* NULL: there is none */
} lab_test;

extern const lab_test lab_cantilever, lab_loop, lab_drape, lab_warp, lab_weft, lab_bias, lab_shear, lab_bar;

/* Ranges that are usual for a fabric: bending length (mm) and drape coefficient (%), from and to. NULL: unknown. */
typedef struct lab_published {
    const char *name;
    double bending_length[2], drape[2];
} lab_published;
const lab_published *lab_published_of(const char *preset);

/* ---- Samples ---- */

typedef struct lab_sample {
    taut_mesh mesh;
    taut_model *model;
    taut_world *world;
    int body;
    int across, along; /* vertices of a strip; its row j is across * j .. */
} lab_sample;

/* A strip of cells of `cell` m, `across` x `along` of them, that hangs from y = 0; its first and last row of cells stay
 * regular. Its warp is turned by `degrees` from x towards y. */
bool lab_strip(lab_sample *sample, const lab_trial *trial, int across, int along, double cell, double degrees,
               taut_error *error);
void lab_turn_warp(taut_mesh *mesh, double degrees);
/* Builds the world of a sample. Its mesh and mesh pins have been made. */
bool lab_build(lab_sample *sample, const lab_trial *trial, const double gravity[3], taut_error *error);
/* Runs the sample at 60 frames a second. The lab damps motion by 4/s, which changes no state of rest. */
void lab_settle(lab_sample *sample, double seconds);
void lab_free(lab_sample *sample);

/* The mean position of a row of a strip, m. */
void lab_row(const lab_sample *sample, int row, double mean[3]);
/* A side view of a strip: the means of its rows, along the axes given. */
void lab_draw_rows(const lab_sample *sample, int right, int up, lab_outline *outline);
/* Adds the mass `load` (kg per metre of width) to the vertices of the last row. */
bool lab_load_last_row(lab_sample *sample, const lab_trial *trial, double load, double cell, taut_error *error);

/* ---- Theory ---- */

/* c = (B / (rho g))^(1/3), m. */
double lab_bending_length(const taut_material *material);
/* The length of a heavy strip that is clamped level, in units of c, when the line to its tip falls by `angle`, rad. */
double lab_elastica_length(double angle);

/* ---- Drawings ---- */

enum { LAB_FINENESSES = 3, LAB_MESHES = 2 };

/* All results of a test: on regular and irregular meshes, and converged on the coarsest of both. */
typedef struct lab_series {
    const lab_test *test;
    const char *material;
    double closed_form, published[2]; /* 0: none */
    lab_result result[LAB_MESHES][LAB_FINENESSES], converged[LAB_MESHES];
} lab_series;

/* Writes an SVG drawing: outlines at the left, the figure over the fineness at the right. */
bool lab_plot(const char *path, const lab_series *series, taut_error *error);

#endif
