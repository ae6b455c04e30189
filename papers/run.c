/* Running an experiment, and the file that keeps its result:
 *
 *     taut paper
 *     SETTINGS
 *     KIND TIMED TEXT     for each item
 *     end
 */
#include "graphics.h"
#include "text.h"

#include "taut_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[PAPER_KINDS] = {"claim",   "value", "note", "table",
                                                    "columns", "row",   "plot", "picture"};
static const char HEAD[] = "taut paper\n", END[] = "end\n";

bool paper_path(char path[PAPER_PATH], const char *folder, const char *id, const char *name, const char *ending)
{
    int length = snprintf(path, PAPER_PATH, "%s/%s%s%s.%s", folder, id, name ? "-" : "", name ? name : "", ending);
    return length > 0 && length < PAPER_PATH;
}

static bool result_path(char path[PAPER_PATH], const paper_options *o, const experiment *e)
{
    return paper_path(path, o->folder, e->id, NULL, "result");
}

/* ---- Writing ---- */

static bool save(const paper_result *r, taut_error *error)
{
    char path[PAPER_PATH];
    text t = {0};
    if (!result_path(path, r->options, r->experiment))
        return paper_fail(error, "%.200s: the name is too long", r->options->folder);
    text_put(&t, "%s%s\n", HEAD, r->options->settings);
    for (const paper_item *i = r->first; i; i = i->next)
        text_put(&t, "%s %d %s\n", kind_names[i->kind], i->timed, i->text);
    text_put(&t, "%s", END);
    bool written = !t.failed && taut_file_write(path, t.data, t.size, error);
    if (t.failed) paper_fail(error, "there is not enough memory");
    text_free(&t);
    return written;
}

bool paper_perform(const experiment *e, const paper_options *options, taut_error *error)
{
    paper_result r = {.experiment = e, .options = options};
    taut_error first = {.code = TAUT_OK};
    bool done = e->run(&r, options->quick, &first);
    if (done && r.error.code != TAUT_OK) first = r.error, done = false;
    if (done) done = paper_write_graphics(&r, &first) && save(&r, &first);
    if (!done) paper_fail(error, "%s: %.200s", e->id, first.text);
    paper_close(&r);
    return done;
}

/* ---- Reading ---- */

/* Reads a line "KIND TIMED TEXT". */
static bool read_item(paper_result *r, const char *line)
{
    for (int kind = 0; kind < PAPER_KINDS; kind++) {
        size_t length = strlen(kind_names[kind]);
        if (strncmp(line, kind_names[kind], length) != 0 || line[length] != ' ') continue;
        const char *timed = line + length + 1;
        if ((*timed != '0' && *timed != '1') || timed[1] != ' ') return false;
        paper_add_item(r, (paper_kind)kind, *timed == '1', timed + 2);
        return true;
    }
    return false;
}

/* Reads lines, which it cuts at their ends. True if they are of these settings and the last one is `end`. */
static bool read_lines(paper_result *r, char *at)
{
    size_t head = strlen(HEAD), settings = strlen(r->options->settings);
    if (strncmp(at, HEAD, head) != 0) return false;
    at += head;
    if (strncmp(at, r->options->settings, settings) != 0 || at[settings] != '\n') return false;
    for (at += settings + 1; *at && strcmp(at, END) != 0;) {
        char *end = strchr(at, '\n');
        if (!end) return false;
        *end = 0;
        if (!read_item(r, at)) return false;
        at = end + 1;
    }
    return *at && r->error.code == TAUT_OK;
}

bool paper_load(paper_result *r, const experiment *e, const paper_options *options)
{
    char path[PAPER_PATH];
    taut_bytes bytes;
    taut_error error;
    *r = (paper_result){.experiment = e, .options = options};
    if (!result_path(path, options, e) || !taut_file_read(path, &bytes, &error)) return false;
    char *copy = paper_take(r, bytes.size + 1);
    if (copy) memcpy(copy, bytes.data, bytes.size);
    taut_bytes_free(&bytes);
    return copy && read_lines(r, copy);
}
