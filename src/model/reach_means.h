/* How far apart two vertices of a coarse rope can get: the limits of its links. */
#ifndef TAUT_MODEL_REACH_MEANS_H
#define TAUT_MODEL_REACH_MEANS_H

#include "model/hierarchy.h"

/* tt_reach_links has listed the links of the level, with the lengths of the ways between vertices of the finer rope.
 * Corrects these lengths for vertices that are means. False when memory ran out. */
bool tt_reach_means(tt_scope *scope, const tt_reach *reach, const tt_metric *fine, tt_coarse_mesh *level);

#endif
