#include "experiments.h"

#include <stddef.h>

/* One file an experiment. */
extern const experiment sbd_coupling;
extern const experiment sbd_damping;
extern const experiment sbd_fig1;
extern const experiment sbd_fig2;
extern const experiment sbd_fig3;
extern const experiment sbd_fig4_materials;
extern const experiment sbd_fig4_recovery;
extern const experiment sbd_fig5;
extern const experiment sbd_fig6;
extern const experiment sbd_locking;
extern const experiment sbd_sqrt;
extern const experiment notes_bending;
extern const experiment tb_fig1;
extern const experiment tb_fig2;
extern const experiment tb_fig3;
extern const experiment tb_fig7;
extern const experiment tb_fig8;
extern const experiment tb_fig9;
extern const experiment tb_signed;
extern const experiment tb_table1;
extern const experiment mrsl_fig1;
extern const experiment mrsl_fig10;
extern const experiment mrsl_fig11;
extern const experiment mrsl_fig12;
extern const experiment mrsl_fig13;
extern const experiment mrsl_fig14;
extern const experiment mrsl_fig7;
extern const experiment mrsl_fig8;
extern const experiment mrsl_fig9;
extern const experiment mrsl_isotropy;
extern const experiment mrsl_residuals;
extern const experiment mrsl_skipped;
extern const experiment mrsl_table1;
extern const experiment mrsl_training;
extern const experiment errata_arccos;
extern const experiment errata_dihedral;
extern const experiment errata_isometric;
extern const experiment errata_mrsl_center;
extern const experiment errata_mrsl_friction;
extern const experiment errata_mrsl_range;
extern const experiment errata_mrsl_skip;
extern const experiment errata_sbd_eq23;
extern const experiment errata_sbd_eq35;
extern const experiment errata_sbd_eq38;
extern const experiment errata_sbd_eq54;
extern const experiment errata_sbd_velocity;
extern const experiment errata_sbd_volume;
extern const experiment errata_tb_creation;
extern const experiment errata_tb_median;
extern const experiment errata_tb_side;
extern const experiment errata_tb_stiffness;
extern const experiment errata_tb_weights;
extern const experiment errata_unsigned;

static const experiment *const experiments[] = {
    &sbd_fig1,
    &sbd_fig2,
    &sbd_sqrt,
    &sbd_coupling,
    &sbd_fig3,
    &sbd_fig4_recovery,
    &sbd_fig4_materials,
    &sbd_fig5,
    &sbd_fig6,
    &sbd_damping,
    &sbd_locking,
    &notes_bending,
    &tb_table1,
    &tb_fig1,
    &tb_fig2,
    &tb_fig3,
    &tb_fig7,
    &tb_fig8,
    &tb_fig9,
    &tb_signed,
    &mrsl_table1,
    &mrsl_fig1,
    &mrsl_fig7,
    &mrsl_fig8,
    &mrsl_fig9,
    &mrsl_fig10,
    &mrsl_fig11,
    &mrsl_fig12,
    &mrsl_fig13,
    &mrsl_fig14,
    &mrsl_isotropy,
    &mrsl_skipped,
    &mrsl_residuals,
    &mrsl_training,
    &errata_sbd_velocity,
    &errata_sbd_eq23,
    &errata_sbd_eq35,
    &errata_sbd_eq38,
    &errata_arccos,
    &errata_dihedral,
    &errata_sbd_eq54,
    &errata_sbd_volume,
    &errata_unsigned,
    &errata_isometric,
    &errata_tb_median,
    &errata_tb_side,
    &errata_tb_stiffness,
    &errata_tb_weights,
    &errata_tb_creation,
    &errata_mrsl_skip,
    &errata_mrsl_range,
    &errata_mrsl_center,
    &errata_mrsl_friction,
};

enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

const experiment *experiment_at(int index) { return index < EXPERIMENTS ? experiments[index] : NULL; }
