/* The public human as one who wears clothes: a mesh that moves its legs and arms, and turns. */
#ifndef PAPERS_HUMAN_H
#define PAPERS_HUMAN_H

#include "experiment.h"

typedef struct human {
    taut_mesh mesh; /* as it stands now */
    float *rest;    /* its vertices with arms level and legs down */
} human;

/* Angles in rad: how far the legs go apart, how far the arms go down, how far it is turned about y. */
typedef struct human_pose {
    double legs, arms, turn;
} human_pose;

/* Takes the public mesh, `height` m tall; its feet are at `low`. Memory lives as long as the result. */
bool human_open(human *h, paper_result *r, double height, double low, taut_error *error);
void human_move(human *h, const human_pose *pose);
/* The human as a collider, to be added once and moved then. */
taut_collider_def human_collider(const human *h, float friction);
/* How deep the deepest of these points is in the human, m; below 0: all are outside. */
double human_depth(const human *h, const float *xyz, int count);

#endif
