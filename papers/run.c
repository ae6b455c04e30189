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

static bool result_path(char path[PAPER_PATH], const paper_result *r)
{
    return paper_path(path, r->options->folder, r->id, NULL, "result");
}

uint64_t paper_file_hash(const char *path)
{
    taut_bytes bytes;
    taut_error error;
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    if (!taut_file_read(path, &bytes, &error)) return 0;
    for (size_t i = 0; i < bytes.size; i++) hash = (hash ^ bytes.data[i]) * 1099511628211u;
    taut_bytes_free(&bytes);
    return hash;
}

/* The settings, and which file the public mesh comes from. */
static void put_settings(text *t, const paper_result *r)
{
    char path[PUBLIC_PATH];
    text_put(t, "%s%s", HEAD, r->options->settings);
    if (r->on) {
        public_mesh_path(path, r->on, r->options->data);
        text_put(t, ", mesh %016llx", (unsigned long long)paper_file_hash(path));
    }
    text_put(t, "\n");
}

/* ---- Writing ---- */

static bool save(const paper_result *r, taut_error *error)
{
    char path[PAPER_PATH];
    text t = {0};
    if (!result_path(path, r)) return paper_fail(error, "%.200s: the name is too long", r->options->folder);
    put_settings(&t, r);
    for (const paper_item *i = r->first; i; i = i->next)
        text_put(&t, "%s %d %s\n", kind_names[i->kind], i->timed, i->text);
    text_put(&t, "%s", END);
    bool written = !t.failed && taut_file_write(path, t.data, t.size, error);
    if (t.failed) paper_fail(error, "there is not enough memory");
    text_free(&t);
    return written;
}

bool paper_perform(paper_result *r, taut_error *error)
{
    const experiment *e = r->experiment;
    taut_error first = {.code = TAUT_OK};
    bool done =
        (!r->on || public_mesh_read(r->on, r->options->data, &r->mesh, &first)) && e->run(r, r->options->quick, &first);
    if (done && r->error.code != TAUT_OK) first = r->error, done = false;
    if (done) done = paper_write_graphics(r, &first) && save(r, &first);
    if (!done) paper_fail(error, "%s: %.200s", r->id, first.text);
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
    text head = {0};
    put_settings(&head, r);
    bool same = !head.failed && strncmp(at, head.data, head.size) == 0;
    size_t settings = head.size;
    text_free(&head);
    if (!same) return false;
    for (at += settings; *at && strcmp(at, END) != 0;) {
        char *end = strchr(at, '\n');
        if (!end) return false;
        *end = 0;
        if (!read_item(r, at)) return false;
        at = end + 1;
    }
    return *at && r->error.code == TAUT_OK;
}

bool paper_load(paper_result *r)
{
    char path[PAPER_PATH];
    taut_bytes bytes;
    taut_error error;
    if (!result_path(path, r) || !taut_file_read(path, &bytes, &error)) return false;
    char *copy = paper_take(r, bytes.size + 1);
    if (copy) memcpy(copy, bytes.data, bytes.size);
    taut_bytes_free(&bytes);
    return copy && read_lines(r, copy);
}
