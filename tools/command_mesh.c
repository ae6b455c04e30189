/* taut mesh: solids out of surfaces, and meshes from one format to another. */
#include "arguments.h"
#include "commands.h"
#include "mesh_gmsh.h"
#include "mesh_measure.h"
#include "targets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *path, const char *ending)
{
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot + 1, ending) == 0;
}

/* Formats that hold tets. */
static bool takes_tets(const char *path) { return ends_with(path, "msh") || ends_with(path, "vtk"); }

static int check_output(const char *command, const char *in, const char *out)
{
    const target_user user = {.command = command, .input = in};
    return target_check(&user, "the output", out);
}

/* ---- tets ---- */

typedef struct tets_request {
    const char *in, *out, *with, *cell_text;
    float cell;
} tets_request;

static const char *const TETS = "taut mesh tets";

static void print_tets(const tets_request *r, const mesh_figures *surface, const taut_mesh *solid,
                       const mesh_figures *f)
{
    printf("%s: %d vertices, %d tets\n", r->out, solid->nvertices, solid->ntets);
    printf("  volume   %.6g m^3", (double)f->report.volume);
    double enclosed = fabs(surface->enclosed_volume);
    if (enclosed > 0)
        printf(", %.2f %% of the %.6g m^3 that the surface encloses\n", 100 * (double)f->report.volume / enclosed,
               enclosed);
    else
        printf("; what the surface encloses is unknown: %s\n",
               surface->closed ? "its triangles face different ways" : "it is open");
    printf("  edges    %.4g to %.4g m, mean %.4g m\n", f->edge.least, f->edge.most, f->edge.mean);
    printf("  quality  worst %.3f, mean %.3f (1 is regular, 0 flat)\n", f->quality.least, f->quality.mean);
}

/* The side of a cube with a 700th of the volume of the box around the surface. That gives about 4000 tets of the
 * lattice for a ball, 8000 for a box. A surface without volume gets 0, which leaves the choice to the library. */
static float usual_cell(const taut_mesh_report *surface)
{
    float volume = 1;
    for (int i = 0; i < 3; i++) volume *= surface->max[i] - surface->min[i];
    return cbrtf(volume / 700);
}

static int make_tets(const tets_request *r, const taut_mesh *surface)
{
    taut_mesh solid = {0};
    taut_error error = {0};
    mesh_figures before, after;
    bool gmsh = strcmp(r->with, "gmsh") == 0;
    int code = 0;
    if (!mesh_measure(surface, &before, &error) ||
        !(gmsh ? gmsh_fill : taut_mesh_fill)(surface, r->cell > 0 ? r->cell : usual_cell(&before.report), &solid,
                                               &error) ||
        !mesh_measure(&solid, &after, &error))
        code = fail(TETS, "%s: %s", r->in, error.text);
    else if (!taut_mesh_save(r->out, &solid, &error)) code = fail(TETS, "%s", error.text);
    else print_tets(r, &before, &solid, &after);
    taut_mesh_free(&solid);
    return code;
}

static const char *filler_name(int i)
{
    static const char *const names[] = {"lattice", "gmsh", NULL};
    return names[i];
}

static int check_request(tets_request *r)
{
    if (!r->out) return fail(TETS, "where to? -o OUT, a name ending in msh or vtk");
    if (!takes_tets(r->out)) return fail(TETS, "%s: tets are written as msh or vtk", r->out);
    if (strcmp(r->with, "lattice") != 0 && strcmp(r->with, "gmsh") != 0)
        return fail_unknown(TETS, "way to make tets called", r->with, filler_name);
    if (r->cell_text) {
        char *end;
        r->cell = strtof(r->cell_text, &end);
        if (end == r->cell_text || *end || !(r->cell > 0) || !isfinite(r->cell))
            return fail(TETS, "--cell must be a length in metres above 0, got '%s'", r->cell_text);
    }
    return ARGUMENTS_READ;
}

static int run_tets(int argc, char **argv)
{
    tets_request r = {.with = "lattice"};
    const option options[] = {
        {.name = "-o",
         .value = "OUT",
         .help = "the file to write: msh (Gmsh 2.2) or vtk (legacy)",
         .needed = true,
         .text = &r.out},
        {.name = "--cell",
         .value = "M",
         .help = "approximate length of edges, m (so that there are some thousand tets)",
         .text = &r.cell_text},
        {.name = "--with", .value = "HOW", .help = "lattice or gmsh (lattice)", .text = &r.with},
        {0},
    };
    const syntax s = {
        .command = TETS,
        .operand = "IN",
        .operand_text = &r.in,
        .operand_needed = true,
        .about = "Fills a surface with tets and prints their number, their volume against that of the surface, and\n"
                 "their quality.\n"
                 "  lattice  a body-centred cubic lattice, its outer vertices pulled to the surface. Needs no other\n"
                 "           program and always works: the surface may have holes, folds and bad triangles. Tets are\n"
                 "           well shaped; sharp edges and parts thinner than a cell are lost.\n"
                 "  gmsh     runs the program gmsh, which must be installed. It keeps every triangle of the surface,\n"
                 "           so the surface must be closed and must not cut through itself.",
        .example = "taut mesh tets bunny.obj -o bunny.msh --cell 0.01\n"
                   "  taut mesh tets part.stl -o part.vtk --with gmsh",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code == ARGUMENTS_READ) code = check_request(&r);
    if (code == ARGUMENTS_READ) code = check_output(TETS, r.in, r.out);
    if (code != ARGUMENTS_READ) return code;
    taut_mesh_file file;
    taut_error error = {0};
    if (!taut_mesh_load(r.in, &file, &error)) return fail(TETS, "%s", error.text);
    if (file.mesh.ntris == 0) code = fail(TETS, "%s: there are no faces to fill", r.in);
    else code = make_tets(&r, &file.mesh);
    taut_mesh_file_free(&file);
    return code;
}

/* ---- convert ---- */

static const char *const CONVERT = "taut mesh convert";

static int convert(const char *in, const char *out)
{
    taut_mesh_file file;
    taut_error error = {0};
    int code = 0;
    if (!taut_mesh_load(in, &file, &error)) return fail(CONVERT, "%s", error.text);
    const taut_mesh *mesh = &file.mesh;
    if (mesh->ntets > 0 && !takes_tets(out))
        code = fail(CONVERT, "%s would lose the %d tets of %s; msh and vtk keep them", out, mesh->ntets, in);
    else if (!taut_mesh_save(out, mesh, &error)) code = fail(CONVERT, "%s", error.text);
    else
        printf("%s: %d vertices, %d triangles, %d tets, %d lines\n", out, mesh->nvertices, mesh->ntris, mesh->ntets,
               mesh->nlines);
    taut_mesh_file_free(&file);
    return code;
}

static int run_convert(int argc, char **argv)
{
    const char *in = NULL, *out = NULL;
    const option options[] = {
        {.name = "-o",
         .value = "OUT",
         .help = "the file to write: obj, ply, msh or vtk",
         .needed = true,
         .text = &out},
        {0},
    };
    const syntax s = {
        .command = CONVERT,
        .operand = "IN",
        .operand_text = &in,
        .operand_needed = true,
        .about = "Reads a mesh (obj, ply, stl, msh, vtk, TetGen's node and ele) and writes it in another format.\n"
                 "Faces of more than three corners are cut into triangles; UVs stay in obj and ply.",
        .example = "taut mesh convert scan.stl -o scan.ply",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    if (!out) return fail(CONVERT, "where to? -o OUT, a name ending in obj, ply, msh or vtk");
    code = check_output(CONVERT, in, out);
    return code == ARGUMENTS_READ ? convert(in, out) : code;
}

/* ---- The actions ---- */

typedef struct action {
    const char *name, *about;
    int (*run)(int argc, char **argv);
} action;

static const action actions[] = {
    {"tets", "fill a surface with tets", run_tets},
    {"convert", "write a mesh in another format", run_convert},
};

enum { ACTIONS = sizeof actions / sizeof actions[0] };

static const char *action_name(int i) { return i < ACTIONS ? actions[i].name : NULL; }

int command_mesh(int argc, char **argv)
{
    if (argc > 0 && strcmp(argv[0], "--help") != 0 && strcmp(argv[0], "-h") != 0) {
        for (int i = 0; i < ACTIONS; i++)
            if (strcmp(argv[0], actions[i].name) == 0) return actions[i].run(argc - 1, argv + 1);
        return fail_unknown("taut mesh", "action", argv[0], action_name);
    }
    printf("usage: taut mesh ACTION ...\n\nactions:\n");
    for (int i = 0; i < ACTIONS; i++) printf("  %-10s %s\n", actions[i].name, actions[i].about);
    printf("\n  --help     after an action: about that action\n"
           "\nexample:\n  taut mesh tets bunny.obj -o bunny.msh\n");
    return 0;
}
