#include "experiments.h"

#include <stddef.h>

/* One file an experiment. */
extern const experiment sbd_sqrt;
extern const experiment tb_fig3;
extern const experiment tb_fig7;
extern const experiment tb_signed;
extern const experiment tb_table1;

/* Rows of experiments that are still to be made. */
#define PLANNED(place, what) (&(const experiment){.id = (place), .title = (what)})

static const experiment *const experiments[] = {
    PLANNED("sbd/fig1", "a tight skirt in another pose"),
    PLANNED("sbd/fig2", "fields of constraint values and projections"),
    &sbd_sqrt,
    PLANNED("sbd/coupling", "shear that is independent of stretch (3.5)"),
    PLANNED("sbd/fig3", "three stiffness settings on an irregular cloth"),
    PLANNED("sbd/fig4-recovery", "a torus recovers from an entangled state (a to d)"),
    PLANNED("sbd/fig4-materials", "five materials of a torus (e to h)"),
    PLANNED("sbd/fig5", "skin sliding"),
    PLANNED("sbd/fig6", "time of CSL, SBD and EBD"),
    PLANNED("sbd/damping", "damping leaves rigid motion alone (3.9)"),
    PLANNED("sbd/locking", "low shear stiffness avoids locking (1)"),
    PLANNED("notes/bending", "distance, dihedral and isometric bending"),
    &tb_table1,
    PLANNED("tb/fig1", "a plant"),
    PLANNED("tb/fig2", "collapse and re-inflation of a closed shell"),
    &tb_fig3,
    &tb_fig7,
    PLANNED("tb/fig8", "sensitivity to kappa and k"),
    PLANNED("tb/fig9", "stiffness at 2, 16 and 64 iterations"),
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
