/* The public human as one who wears clothes: a mesh whose legs go apart. */
#ifndef PAPERS_HUMAN_H
#define PAPERS_HUMAN_H

#include "experiment.h"

typedef struct human {
    taut_mesh mesh; /* as it stands now */
    float *rest;    /* its vertices with the legs down */
    double tall, low;
} human;

/* Takes the public mesh, `height` m tall; its feet are at `low`. Memory lives as long as the result. */
bool human_open(human *h, paper_result *r, double height, double low, taut_error *error);
/* `spread`: how far each leg goes outwards, rad. */
void human_move(human *h, double spread);
/* The human as a collider, to be added once and moved then. */
taut_collider_def human_collider(const human *h, float friction);
/* How deep the deepest of these points is in the human, m; below 0: all are outside. */
double human_depth(const human *h, const float *xyz, int count);

#endif
