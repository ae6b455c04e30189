/* The results of a finished run: the record as JSON, and a table of its frames as CSV. */
#ifndef TOOLS_RUN_RECORD_H
#define TOOLS_RUN_RECORD_H

#include "run.h"

#define RUN_RECORD_BEGIN "{\n  \"taut\": \"" /* the first bytes of every record */

/* Both replace the file only when all of it is written. */
bool run_record_write(const run *r, taut_error *error);
bool run_stats_write(const run *r, const char *path, taut_error *error);

/* Whether there is a record of a run with this fingerprint. The record is written last, so such a run is finished. */
bool run_record_matches(const run *r);

typedef struct run_summary {
    double median_ms, p99_ms, total_ms; /* of steps and outputs together; frame 0 does not count */
    taut_stretch worst;
    int stretch_frame, compression_frame; /* the frames of the worst */
    double limit_excess;                  /* the largest at the end of a frame */
    int limit_frame, most_limit_passes, frames_over_limits;
    double stretch_reached;               /* the largest */
    int reached_frame, most_searches, frames_cut;
    int most_contacts;
    int64_t bad_particles;
} run_summary;

bool run_summarize(const run *r, run_summary *summary);

#endif
