/* Figures of a mesh beyond those of taut_mesh_inspect: lengths, angles, quality, pieces, and the places of its
 * faults. */
#ifndef TOOLS_MESH_MEASURE_H
#define TOOLS_MESH_MEASURE_H

#include "taut.h"

typedef struct spread {
    int count;
    double least, mean, most;
} spread;

enum { ANGLE_BINS = 6, QUALITY_BINS = 5 }; /* of 10 degrees, of 0.2 */

typedef struct mesh_figures {
    taut_mesh_report report;
    int pieces;             /* parts that no element joins to others; unused vertices do not count        */
    bool closed;            /* there are triangles, and no edge has only one                             */
    double enclosed_volume; /* of a closed surface whose triangles all face the same way, < 0: inside out; else 0 */
    spread edge;            /* lengths, m                                                                */
    spread angle;           /* the smallest of each triangle, degrees: 60 at best                        */
    spread quality;         /* of tets: 6 sqrt(2) volume / (rms edge)^3, 1 at best, 0 flat               */
    int angle_bin[ANGLE_BINS], quality_bin[QUALITY_BINS];
    int worst_tri, worst_tet;                     /* -1: there are none         */
    int first_boundary[2], first_inconsistent[2]; /* vertices of edges, or -1   */
    int first_unreferenced, first_duplicate[2];   /* vertices, or -1            */
} mesh_figures;

bool mesh_measure(const taut_mesh *mesh, mesh_figures *figures, taut_error *error);

#endif
