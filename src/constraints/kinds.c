/* The table of constraint kinds of one instruction set. Kinds are projected in the order of the rows: bending first,
 * kinds that must not stretch last. The limits follow in the same order, in a loop of their own. Forces have rows too:
 * air first, elastic forces last. */
#include "constraints/kinds.h"

extern const tt_kind TT_NAME(tt_aero), TT_NAME(tt_dihedral), TT_NAME(tt_isometric), TT_NAME(tt_isometric_curved),
    TT_NAME(tt_triangle_bend), TT_NAME(tt_triangle_bend_sided), TT_NAME(tt_midpoint_bend),
    TT_NAME(tt_midpoint_bend_sided), TT_NAME(tt_stick),
    TT_NAME(tt_strain_tet), TT_NAME(tt_strain_tri), TT_NAME(tt_distance), TT_NAME(tt_tether),
    TT_NAME(tt_limit_bend), TT_NAME(tt_limit_axes_tet), TT_NAME(tt_limit_axes_tri), TT_NAME(tt_limit_tet),
    TT_NAME(tt_limit_tri), TT_NAME(tt_limit_edge), TT_NAME(tt_elastic_bend), TT_NAME(tt_elastic_tet),
    TT_NAME(tt_elastic_tri);

const tt_kind *const TT_NAME(tt_kinds)[] = {
    &TT_NAME(tt_aero),
    &TT_NAME(tt_dihedral),
    &TT_NAME(tt_isometric),
    &TT_NAME(tt_isometric_curved),
    &TT_NAME(tt_triangle_bend),
    &TT_NAME(tt_triangle_bend_sided),
    &TT_NAME(tt_midpoint_bend),
    &TT_NAME(tt_midpoint_bend_sided),
    &TT_NAME(tt_stick),
    &TT_NAME(tt_strain_tet),
    &TT_NAME(tt_strain_tri),
    &TT_NAME(tt_distance),
    &TT_NAME(tt_tether),
    &TT_NAME(tt_limit_bend),
    &TT_NAME(tt_limit_axes_tet),
    &TT_NAME(tt_limit_axes_tri),
    &TT_NAME(tt_limit_tet),
    &TT_NAME(tt_limit_tri),
    &TT_NAME(tt_limit_edge),
    &TT_NAME(tt_elastic_bend),
    &TT_NAME(tt_elastic_tet),
    &TT_NAME(tt_elastic_tri),
};

_Static_assert(sizeof TT_NAME(tt_kinds) / sizeof TT_NAME(tt_kinds)[0] == TT_KINDS, "one row for each of TT_KINDS");
