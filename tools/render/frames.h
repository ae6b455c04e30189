/* Choosing the frames to draw. */
#ifndef TOOLS_RENDER_FRAMES_H
#define TOOLS_RENDER_FRAMES_H

#include <stdbool.h>

/* Reads numbers from 0 .. available-1, ascending, from a list such as "0,10,20-40,100-"; NULL: all. Keeps only each
 * `every`-th of them. Returns an array from malloc and its length, or NULL with the cause in `why`. */
int *frames_choose(const char *list, int every, int available, int *count, char why[200]);

/* Keeps `wanted` of the frames, evenly spread from the first to the last. */
void frames_spread(int *frame, int *count, int wanted);

#endif
