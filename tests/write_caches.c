/* Writes the animation of helpers_cache.h in every format, for other programs to read (tests/caches.sh). Also writes
 * the values that they must find: positions.txt (frame, object, x y z for each vertex), fields.txt (frame, object,
 * value for each cell) and uvs.txt (0, object, vertex, u v for each corner).
 * usage: write_caches FOLDER */
#include "helpers_cache.h"

#include <stdio.h>

static cache_show show;

/* UVs of the flag: vertices 1 and 5 have one UV in the quad and the triangle, and another in the pentagon. */
static const float flag_uv[] = {0,     0, 0.25f, 0, 0.25f, 1, 0, 1, 0,     0, 0,    1,
                                0.25f, 0, 0.5f,  0, 0.75f, 0, 1, 0, 0.75f, 1, 0.5f, 0.875f};

static FILE *open_text(const char *folder, const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "w");
}

static bool write_expected(const char *folder)
{
    FILE *positions = open_text(folder, "positions.txt"), *fields = open_text(folder, "fields.txt");
    if (!positions || !fields) return false;
    for (int frame = 0; frame < CACHE_FRAMES; frame++) {
        cache_show_set(&show, frame);
        for (int i = 0; i < CACHE_OBJECTS; i++) {
            const taut_cache_object *o = &show.object[i];
            for (int k = 0; k < o->nvertices; k++) {
                const float *x = show.xyz[i] + 3 * k;
                fprintf(positions, "%d\t%s\t%.9g\t%.9g\t%.9g\n", frame, o->name, (double)x[0], (double)x[1],
                        (double)x[2]);
            }
            for (int k = 0; k < o->npolygons + o->ntets; k++) {
                fprintf(fields, "%d\t%s\t%.9g\n", frame, o->name, (double)show.field[i][k]);
            }
        }
    }
    bool good = !ferror(positions) && !ferror(fields);
    if (fclose(positions) != 0) good = false;
    if (fclose(fields) != 0) good = false;
    return good;
}

static bool write_uvs(const char *folder)
{
    FILE *file = open_text(folder, "uvs.txt");
    for (int c = 0; file && c < flag_start[FLAG_POLYGONS]; c++) {
        fprintf(file, "0\tflag\t%d\t%.9g\t%.9g\n", flag_polygon[c], (double)flag_uv[2 * c], (double)flag_uv[2 * c + 1]);
    }
    return file && fclose(file) == 0;
}

static bool write_cache(const char *folder, const char *name, taut_error *error)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    taut_cache *cache = taut_cache_open(path, show.object, CACHE_OBJECTS, CACHE_FPS, CACHE_FRAMES, 0, error);
    bool good = cache != NULL;
    for (int frame = 0; good && frame < CACHE_FRAMES; frame++) {
        good = cache_show_write(&show, cache, frame, error);
    }
    if (good) return taut_cache_close(cache, error);
    taut_cache_leave(cache);
    return false;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"show.pc2", "show.mdd", "show.obj", "show.ply",
                                        "show.glb", "show.vtu", "show.usda"};
    if (argc != 2) {
        fprintf(stderr, "usage: write_caches FOLDER\n");
        return 2;
    }
    taut_error error = {.text = "cannot write what is expected"};
    cache_show_open(&show);
    show.object[0].uv = flag_uv;
    bool good = write_expected(argv[1]) && write_uvs(argv[1]);
    for (size_t i = 0; good && i < sizeof names / sizeof *names; i++) {
        good = write_cache(argv[1], names[i], &error);
    }
    cache_show_close(&show);
    if (!good) fprintf(stderr, "write_caches: %s\n", error.text);
    return good ? 0 : 1;
}
