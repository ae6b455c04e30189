/* The site of a build: its threads, the memory that they share, and the progress of the work. */
#ifndef TAUT_MODEL_SITE_H
#define TAUT_MODEL_SITE_H

#include "base/pool.h"

#include <pthread.h>

typedef struct tt_site {
    tt_scope scope;
    tt_pool *pool;                /* NULL: the caller works alone                                              */
    taut_allocator own;           /* the user's                                                                */
    const taut_allocator *shared; /* `own` for all threads: one call at a time                               */
    taut_allocator turns;
    pthread_mutex_t mutex;
    void (*progress)(float done, void *user);
    void *user;
} tt_site;

/* Opens a site for a mesh with this number of vertices. If threads cannot be started, the caller works alone. */
void tt_site_open(tt_site *site, const taut_model_options *options, int nvertices);
void tt_site_close(tt_site *site);

/* Tells the user which share is done, 0 .. 1. */
void tt_site_progress(tt_site *site, float done);

#endif
