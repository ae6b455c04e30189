/* gmsh runs as a separate program, because its licence does not allow linking it here. It works in a private folder,
 * which is removed afterwards. */
#define _POSIX_C_SOURCE 200809L
#include "mesh_gmsh.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOT_FOUND = 127, LONGEST_PATH = 4096 };

static const char *const files[] = {"surface.msh", "solid.geo", "solid.msh", "log"};
enum { SURFACE, SCRIPT, SOLID, LOG, FILES };

typedef struct workshop {
    char folder[LONGEST_PATH - 32];
    char path[FILES][LONGEST_PATH];
} workshop;

__attribute__((format(printf, 2, 3))) static bool refuse(taut_error *error, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    *error = (taut_error){.code = TAUT_BAD_ARGUMENT, .index = -1};
    vsnprintf(error->text, sizeof error->text, format, values);
    va_end(values);
    return false;
}

/* ---- The folder ---- */

static bool open_workshop(workshop *w, taut_error *error)
{
    const char *base = getenv("TMPDIR");
    if (!base || !*base) base = "/tmp";
    int length = snprintf(w->folder, sizeof w->folder, "%s/taut-gmsh-XXXXXX", base);
    if (length < 0 || (size_t)length >= sizeof w->folder || !mkdtemp(w->folder))
        return refuse(error, "cannot make a folder in %s: %s", base, strerror(errno));
    for (int i = 0; i < FILES; i++) snprintf(w->path[i], sizeof w->path[i], "%s/%s", w->folder, files[i]);
    return true;
}

static void close_workshop(const workshop *w)
{
    for (int i = 0; i < FILES; i++) unlink(w->path[i]);
    rmdir(w->folder);
}

/* ---- The program ---- */

/* Runs in the child and never returns. */
static void become_gmsh(const workshop *w)
{
    int log = open(w->path[LOG], O_WRONLY | O_CREAT | O_TRUNC, 0600), nothing = open("/dev/null", O_RDONLY);
    if (log < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0 || chdir(w->folder) != 0)
        _exit(1);
    execlp("gmsh", "gmsh", "-3", files[SCRIPT], "-o", files[SOLID], "-format", "msh2", "-v", "2", "-nt", "1",
           (char *)NULL);
    _exit(errno == ENOENT ? NOT_FOUND : 1);
}

/* Reads the complaint of gmsh: the first of its lines that begins with Error or Warning, without that word. */
static void read_complaint(const workshop *w, char *complaint, size_t size)
{
    FILE *log = fopen(w->path[LOG], "r");
    char line[400];
    complaint[0] = '\0';
    while (log && !complaint[0] && fgets(line, sizeof line, log)) {
        const char *colon = strchr(line, ':');
        if (!colon || (strncmp(line, "Error", 5) != 0 && strncmp(line, "Warning", 7) != 0)) continue;
        colon += 1 + strspn(colon + 1, " ");
        snprintf(complaint, size, "%.*s", (int)strcspn(colon, "\r\n"), colon);
    }
    if (log) fclose(log);
}

static bool run_gmsh(const workshop *w, taut_error *error)
{
    char complaint[160];
    int status = 0;
    pid_t child = fork();
    if (child == 0) become_gmsh(w);
    if (child < 0) return refuse(error, "cannot run gmsh: %s", strerror(errno));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return refuse(error, "cannot wait for gmsh: %s", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
        return refuse(error, "gmsh is not installed (Debian package gmsh); --with lattice needs no other program");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && access(w->path[SOLID], R_OK) == 0) return true;
    read_complaint(w, complaint, sizeof complaint);
    return refuse(error, "gmsh failed: %s", complaint[0] ? complaint : "it does not say why");
}

/* ---- Surface in, solid out ---- */

/* gmsh's files also hold the solid's triangles and single points. Taut keeps only the tets and their vertices. */
static bool keep_tets(const taut_mesh *all, taut_mesh *solid, taut_error *error)
{
    int *number = malloc((size_t)all->nvertices * sizeof *number);
    *solid = (taut_mesh){.ntets = all->ntets,
                         .x = malloc(3 * (size_t)all->nvertices * sizeof *solid->x),
                         .tet = malloc(4 * (size_t)all->ntets * sizeof *solid->tet)};
    if (!number || !solid->x || !solid->tet) {
        free(number);
        taut_mesh_free(solid);
        return refuse(error, "out of memory");
    }
    for (int v = 0; v < all->nvertices; v++) number[v] = -1;
    for (int c = 0; c < 4 * all->ntets; c++) {
        int v = all->tet[c];
        if (number[v] < 0) {
            memcpy(&solid->x[3 * (size_t)solid->nvertices], &all->x[3 * (size_t)v], 3 * sizeof *solid->x);
            number[v] = solid->nvertices++;
        }
        solid->tet[c] = number[v];
    }
    free(number);
    return true;
}

static bool write_script(const workshop *w, const taut_mesh *surface, float cell, taut_error *error)
{
    char script[400];
    taut_mesh_report report;
    double size = (double)cell;
    if (!taut_mesh_inspect(surface, &report, error)) return false;
    for (int i = 0; i < 3 && cell == 0; i++) size = fmax(size, ((double)report.max[i] - (double)report.min[i]) / 20);
    int length = snprintf(script, sizeof script,
                          "Merge \"%s\";\nsides() = Surface{:};\nSurface Loop(1) = sides();\nVolume(1) = {1};\n"
                          "Mesh.CharacteristicLengthMax = %.9g;\nMesh.CharacteristicLengthExtendFromBoundary = 0;\n",
                          files[SURFACE], size);
    return taut_file_write(w->path[SCRIPT], script, (size_t)length, error);
}

static bool fill_in(const workshop *w, const taut_mesh *surface, float cell, taut_mesh *solid, taut_error *error)
{
    taut_mesh_file file;
    if (!taut_mesh_save(w->path[SURFACE], surface, error) || !write_script(w, surface, cell, error) ||
        !run_gmsh(w, error) || !taut_mesh_load(w->path[SOLID], &file, error))
        return false;
    bool good = file.mesh.ntets > 0 ? keep_tets(&file.mesh, solid, error)
                                    : refuse(error, "gmsh made no tets: is the surface closed and free of folds?");
    taut_mesh_file_free(&file);
    return good;
}

bool gmsh_fill(const taut_mesh *surface, float cell, taut_mesh *solid, taut_error *error)
{
    workshop *w = malloc(sizeof *w);
    *solid = (taut_mesh){0};
    if (!w) return refuse(error, "out of memory");
    bool good = open_workshop(w, error);
    if (good) {
        good = fill_in(w, surface, cell, solid, error);
        close_workshop(w);
    }
    free(w);
    return good;
}
