#define _POSIX_C_SOURCE 200809L

#include "run_checkpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Hashes: FNV-1a over words, then the rest by bytes ---- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 32);
}

static uint64_t add(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *at = data;
    uint64_t word;
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix(hash, word);
    }
    for (; size > 0; size--) hash = mix(hash, *at++);
    return hash;
}

static uint64_t add_text(uint64_t hash, const char *text) { return add(hash, text, strlen(text) + 1); }

/* Adds a material, without the gap after its last bool, which may hold any bytes. */
static uint64_t add_material(uint64_t hash, const taut_material *m)
{
    size_t gap = offsetof(taut_material, bend.flat) + sizeof m->bend.flat, after = offsetof(taut_material, tether);
    hash = add(hash, m, gap);
    return add(hash, (const unsigned char *)m + after, sizeof *m - after);
}

static const uint64_t SEED = UINT64_C(0xcbf29ce484222325);

uint64_t run_fingerprint(const run *r)
{
    const taut_scene *scene = r->scene;
    uint64_t hash = add_text(SEED, TAUT_VERSION);
    hash = mix(hash, scene->hash);
    for (int i = 0; i < scene->nbodies; i++) {
        hash = add_text(hash, scene->body[i].name);
        hash = mix(hash, taut_model_hash(scene->body[i].model));
        hash = add_material(hash, taut_body_material(scene->world, scene->body[i].body));
    }
    hash = mix(hash, taut_world_hash(scene->world));
    hash = add(hash, &scene->fps, sizeof scene->fps);
    hash = mix(hash, (uint64_t)scene->frames);
    for (int i = 0; i < r->names.noutputs; i++) hash = add_text(hash, r->names.output[i]);
    return hash;
}

/* ---- The file: a head, the notes of frames 0 .. frame, the saved scene. In the machine's own byte order. ---- */

static const char magic[8] = RUN_CHECKPOINT_BEGIN "1";

enum { NOTE_BYTES = sizeof(run_frame) + sizeof(run_body_note) };

typedef struct head {
    char magic[8];
    uint32_t one;        /* tells the byte order */
    uint32_t note_bytes; /* of a frame, and of a body in it */
    uint64_t fingerprint;
    uint64_t state_bytes;
    int32_t frame, breaks;
    uint64_t check; /* a hash of everything before and after it */
} head;

static uint64_t check_of(const head *h, const unsigned char *rest, size_t size)
{
    return add(add(SEED, h, offsetof(head, check)), rest, size);
}

static bool fail_with(taut_error *error, const char *format, const char *path, const char *cause)
{
    *error = (taut_error){.code = TAUT_BAD_ARGUMENT, .index = -1};
    snprintf(error->text, sizeof error->text, format, path, cause);
    return false;
}

/* Bytes of the notes of frames and of the bodies in them. */
typedef struct note_sizes {
    size_t frames, bodies;
} note_sizes;

static note_sizes note_sizes_of(const run *r, int frame)
{
    size_t frames = (size_t)frame + 1;
    return (note_sizes){frames * sizeof *r->frame, frames * (size_t)r->scene->nbodies * sizeof *r->note};
}

bool run_checkpoint_write(const run *r, taut_error *error)
{
    note_sizes note = note_sizes_of(r, r->scene->frame);
    size_t notes = note.frames + note.bodies, state = taut_scene_save(r->scene, NULL, 0);
    size_t size = sizeof(head) + notes + state;
    unsigned char *bytes = malloc(size);
    if (!bytes) return fail_with(error, "cannot write %.120s: %.80s", r->names.checkpoint, strerror(ENOMEM));
    head h = {.one = 1,
              .note_bytes = NOTE_BYTES,
              .fingerprint = r->fingerprint,
              .state_bytes = state,
              .frame = r->scene->frame,
              .breaks = r->breaks};
    memcpy(h.magic, magic, sizeof magic);
    memcpy(bytes + sizeof h, r->frame, note.frames);
    memcpy(bytes + sizeof h + note.frames, r->note, note.bodies);
    taut_scene_save(r->scene, bytes + sizeof h + notes, state);
    h.check = check_of(&h, bytes + sizeof h, notes + state);
    memcpy(bytes, &h, sizeof h);
    bool good = taut_file_write(r->names.checkpoint, bytes, size, error);
    free(bytes);
    return good;
}

static bool restore(run *r, const taut_bytes *bytes, taut_error *error)
{
    const char *path = r->names.checkpoint;
    head h;
    if (bytes->size < sizeof h) return fail_with(error, "%.120s is no checkpoint%.80s", path, "");
    memcpy(&h, bytes->data, sizeof h);
    if (memcmp(h.magic, magic, sizeof magic) != 0 || h.one != 1 || h.note_bytes != NOTE_BYTES)
        return fail_with(error, "%.120s is no checkpoint of this version of taut%.80s", path, "");
    if (h.fingerprint != r->fingerprint)
        return fail_with(error,
                         "%.120s is of another scene or of other settings; run without --resume to start from the "
                         "beginning%.80s",
                         path, "");
    const unsigned char *rest = bytes->data + sizeof h;
    const note_sizes note = note_sizes_of(r, h.frame < 0 ? 0 : h.frame);
    size_t rest_size = bytes->size - sizeof h, notes = note.frames + note.bodies;
    if (h.frame < 0 || h.frame > r->scene->frames || h.state_bytes > rest_size || notes != rest_size - h.state_bytes ||
        h.check != check_of(&h, rest, rest_size))
        return fail_with(error, "%.120s is damaged%.80s", path, "");
    if (!taut_scene_restore(r->scene, rest + notes, (size_t)h.state_bytes, error)) return false;
    memcpy(r->frame, rest, note.frames);
    memcpy(r->note, rest + note.frames, note.bodies);
    r->breaks = h.breaks + 1;
    return true;
}

run_checkpoint_state run_checkpoint_read(run *r, taut_error *error)
{
    taut_bytes bytes;
    struct stat found;
    if (stat(r->names.checkpoint, &found) != 0 && errno == ENOENT) return CHECKPOINT_NONE;
    if (!taut_file_read(r->names.checkpoint, &bytes, error)) return CHECKPOINT_BAD;
    bool good = restore(r, &bytes, error);
    taut_bytes_free(&bytes);
    return good ? CHECKPOINT_READ : CHECKPOINT_BAD;
}
