/* What an experiment is about: a shape of ours or, in its run on a public mesh, that mesh in its place. Public meshes
 * are brought to the same size. */
#ifndef PAPERS_SUBJECT_H
#define PAPERS_SUBJECT_H

#include "creature.h"
#include "experiment.h"

/* As creature_shell and creature_solid: `height` and `cell` in m. The triangles of a public shell stay as they are. */
bool subject_shell(const paper_result *r, taut_mesh *shell, creature which, double height, double cell,
                   taut_error *error);
bool subject_solid(const paper_result *r, taut_mesh *solid, creature which, double height, double cell,
                   taut_error *error);
/* As taut_mesh_torus. A public torus has its own thickness, and tets as large as those of ours along the axis. */
bool subject_torus(const paper_result *r, taut_mesh *solid, int around, int rings, float big_radius, float small_radius,
                   taut_error *error);

#endif
