/* What is kept of a finished run: the record as JSON, and a table of its frames as CSV. */
#ifndef TOOLS_RUN_RECORD_H
#define TOOLS_RUN_RECORD_H

#include "run.h"

/* Both replace the file only when all of it is written. */
bool run_record_write(const run *r, taut_error *error);
bool run_stats_write(const run *r, const char *path, taut_error *error);

/* Is there a record of a run with this fingerprint? It is written last of all, so that run is finished. */
bool run_record_matches(const run *r);

typedef struct run_summary {
    double median_ms, p99_ms, total_ms; /* of steps and outputs together; frame 0 does not count */
    double worst_stretch;
    int worst_frame, most_contacts;
    int64_t bad_particles;
} run_summary;

bool run_summarize(const run *r, run_summary *summary);

#endif
