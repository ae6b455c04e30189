#include "experiments.h"

#include <stddef.h>

/* One file an experiment. */
extern const experiment sbd_coupling;
extern const experiment sbd_damping;
extern const experiment sbd_fig2;
extern const experiment sbd_fig3;
extern const experiment sbd_fig4_materials;
extern const experiment sbd_fig4_recovery;
extern const experiment sbd_fig6;
extern const experiment sbd_locking;
extern const experiment sbd_sqrt;
extern const experiment tb_fig1;
extern const experiment tb_fig2;
extern const experiment tb_fig3;
extern const experiment tb_fig7;
extern const experiment tb_fig8;
extern const experiment tb_fig9;
extern const experiment tb_signed;
extern const experiment tb_table1;

/* Rows of experiments that are still to be made. */
#define PLANNED(place, what) (&(const experiment){.id = (place), .title = (what)})

static const experiment *const experiments[] = {
    PLANNED("sbd/fig1", "a tight skirt in another pose"),
    &sbd_fig2,
    &sbd_sqrt,
    &sbd_coupling,
    &sbd_fig3,
    &sbd_fig4_recovery,
    &sbd_fig4_materials,
    PLANNED("sbd/fig5", "skin sliding"),
    &sbd_fig6,
    &sbd_damping,
    &sbd_locking,
    PLANNED("notes/bending", "distance, dihedral and isometric bending"),
    &tb_table1,
    &tb_fig1,
    &tb_fig2,
    &tb_fig3,
    &tb_fig7,
    &tb_fig8,
    &tb_fig9,
    &tb_signed,
    PLANNED("mrsl/table1", "time of a frame of large bodies"),
    PLANNED("mrsl/fig1", "a shell at rest under four limits"),
    PLANNED("mrsl/fig7", "wrinkles against bend limits"),
    PLANNED("mrsl/fig8", "a shirt"),
    PLANNED("mrsl/fig9", "one sheet, four ways"),
    PLANNED("mrsl/fig10", "tori"),
    PLANNED("mrsl/fig11", "a roller on a hollow and a solid body"),
    PLANNED("mrsl/fig12", "a stretched chain"),
    PLANNED("mrsl/fig13", "a twisted sheet"),
    PLANNED("mrsl/fig14", "a perturbed sheet"),
    PLANNED("mrsl/isotropy", "limits in every direction"),
    PLANNED("mrsl/skipped", "the share of elements that are skipped"),
    PLANNED("mrsl/residuals", "what is left beyond the limits"),
    PLANNED("mrsl/training", "time of training"),
};

enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

const experiment *experiment_at(int index) { return index < EXPERIMENTS ? experiments[index] : NULL; }
