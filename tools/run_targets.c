#include "run_targets.h"

#include "run_checkpoint.h"
#include "run_names.h"
#include "run_record.h"
#include "targets.h"

#include <stdlib.h>
#include <string.h>

typedef struct look {
    const run *run;
    target_user user;
    int code;         /* ARGUMENTS_READ until a file is refused */
    bool folder_seen; /* all files of an output are in one folder */
} look;

static bool is_other_target(const run *r, const char *file)
{
    const char *stats = r->options->stats;
    return strcmp(file, r->names.record) == 0 || strcmp(file, r->names.checkpoint) == 0 ||
           (stats && strcmp(file, stats) == 0);
}

static bool look_at(const char *file, void *user)
{
    look *l = user;
    if (is_other_target(l->run, file)) l->code = fail(RUN_COMMAND, "'%s' is to be written twice", file);
    else l->code = target_check_file(&l->user, "the output", file);
    if (l->code == ARGUMENTS_READ && !l->folder_seen) l->code = target_check_folder(&l->user, file);
    l->folder_seen = true;
    return l->code == ARGUMENTS_READ;
}

/* Checks the file that keeps frames until the end. */
static void look_at_kept(look *l, const char *output)
{
    char *part = run_names_append(output, ".part");
    if (!part) l->code = fail(RUN_COMMAND, "out of memory");
    else l->code = target_check_ours(&l->user, "kept animation", part, "tautpart");
    free(part);
}

static void look_at_outputs(look *l)
{
    taut_error error;
    const run *r = l->run;
    taut_cache_object *shown = calloc((size_t)r->scene->nbodies, sizeof *shown);
    for (int i = 0; i < r->scene->nbodies && shown; i++) shown[i] = r->scene->body[i].shown;
    if (!shown) l->code = fail(RUN_COMMAND, "out of memory");
    for (int i = 0; i < r->names.noutputs && l->code == ARGUMENTS_READ; i++) {
        l->folder_seen = false;
        if (!taut_cache_files(r->names.output[i], shown, r->scene->nbodies, r->scene->frames + 1, look_at, l, &error) &&
            l->code == ARGUMENTS_READ)
            l->code = run_fail(&error);
        if (l->code == ARGUMENTS_READ && !run_names_is_sequence(r->names.output[i]))
            look_at_kept(l, r->names.output[i]);
    }
    free(shown);
}

int run_targets_check(const run *r)
{
    look l = {.run = r, .user = {RUN_COMMAND, r->options->scene, r->scene->input}, .code = ARGUMENTS_READ};
    const run_names *names = &r->names;
    look_at_outputs(&l);
    if (l.code == ARGUMENTS_READ && r->options->stats) l.code = target_check(&l.user, "the table", r->options->stats);
    if (l.code == ARGUMENTS_READ) l.code = target_check(&l.user, "the record (see --record)", names->record);
    if (l.code == ARGUMENTS_READ) l.code = target_check(&l.user, "the checkpoint", names->checkpoint);
    if (l.code == ARGUMENTS_READ) l.code = target_check_ours(&l.user, "record", names->record, RUN_RECORD_BEGIN);
    if (l.code == ARGUMENTS_READ)
        l.code = target_check_ours(&l.user, "checkpoint", names->checkpoint, RUN_CHECKPOINT_BEGIN);
    return l.code;
}
