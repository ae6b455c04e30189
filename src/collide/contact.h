/* Contacts of particles with the colliders of a world, inside the solver's loop. */
#ifndef TAUT_COLLIDE_CONTACT_H
#define TAUT_COLLIDE_CONTACT_H

#include "collide/broad.h"

/* Moves the particles of a batch out of all colliders that they may touch, one collider after the other in the order
 * of their slots. Returns the number of contacts. */
int tt_contacts(const tt_broad *broad, const tt_contact_batch *batch);

#endif
