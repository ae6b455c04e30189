/* taut info of a mesh. */
#include "info.h"
#include "mesh_measure.h"
#include "mesh_problems.h"

#include <math.h>
#include <stdio.h>

/* Faces of three, of four and of more corners. */
typedef struct polygon_sizes {
    int triangles, quads, larger;
} polygon_sizes;

static polygon_sizes count_polygons(const taut_mesh_file *file)
{
    polygon_sizes sizes = {0};
    for (int i = 0; i < file->npolygons; i++) {
        int corners = file->polygon_start[i + 1] - file->polygon_start[i];
        sizes.triangles += corners == 3;
        sizes.quads += corners == 4;
        sizes.larger += corners > 4;
    }
    return sizes;
}

/* ---- Text ---- */

static void print_polygons(const taut_mesh_file *file)
{
    polygon_sizes sizes = count_polygons(file);
    if (file->npolygons == 0) return;
    if (sizes.triangles == file->npolygons) info_row("faces", "%d, all triangles", file->npolygons);
    else
        info_row("faces", "%d: %d triangles, %d quads, %d larger; cut into %d triangles", file->npolygons,
                 sizes.triangles, sizes.quads, sizes.larger, file->mesh.ntris);
}

static void print_counts(const taut_mesh_file *file)
{
    const taut_mesh *mesh = &file->mesh;
    info_row("vertices", "%d", mesh->nvertices);
    print_polygons(file);
    if (mesh->ntets) info_row("tets", "%d", mesh->ntets);
    if (mesh->nlines) info_row("lines", "%d", mesh->nlines);
    if (mesh->ntris) info_row("UVs", "%s", mesh->uv ? "yes" : "none");
    for (int i = 0; i < file->ngroups; i++)
        info_row(i ? "" : "groups", "%s (%d vertices)", file->group[i].name, file->group[i].nvertices);
}

static void print_size(const mesh_figures *f)
{
    const float *a = f->report.min, *b = f->report.max;
    info_row("bounds", "%.6g %.6g %.6g  to  %.6g %.6g %.6g m", (double)a[0], (double)a[1], (double)a[2], (double)b[0],
             (double)b[1], (double)b[2]);
    info_row("size", "%.6g x %.6g x %.6g m", (double)b[0] - (double)a[0], (double)b[1] - (double)a[1],
             (double)b[2] - (double)a[2]);
    if (f->edge.count)
        info_row("edges", "%d, from %.4g to %.4g m, mean %.4g m", f->edge.count, f->edge.least, f->edge.most,
                 f->edge.mean);
    if (f->angle.count) info_row("area", "%.6g m^2", (double)f->report.area);
    if (f->quality.count) info_row("volume", "%.6g m^3", (double)f->report.volume);
    if (f->enclosed_volume != 0) info_row("encloses", "%.6g m^3", fabs(f->enclosed_volume));
}

static void print_bins(const int *bin, int bins, double width, const char *format)
{
    static const char bar[] = "########################################";
    enum { BAR = sizeof bar - 1 };
    int most = 1;
    for (int i = 0; i < bins; i++)
        if (bin[i] > most) most = bin[i];
    for (int i = 0; i < bins; i++) {
        char range[32];
        int marks = (int)((double)BAR * bin[i] / most + 0.5);
        snprintf(range, sizeof range, format, width * i, width * (i + 1));
        info_row("", "%-10s %9d%s%.*s", range, bin[i], marks ? "  " : "", marks, bar);
    }
}

static void print_quality(const mesh_figures *f)
{
    if (f->angle.count) {
        info_row("triangles", "smallest angle: worst %.1f degrees (triangle %d), mean %.1f", f->angle.least,
                 f->worst_tri, f->angle.mean);
        print_bins(f->angle_bin, ANGLE_BINS, 60.0 / ANGLE_BINS, "%2.0f .. %2.0f");
    }
    if (f->quality.count) {
        info_row("tets", "quality (1 is regular, 0 flat): worst %.3f (tet %d), mean %.3f", f->quality.least,
                 f->worst_tet, f->quality.mean);
        print_bins(f->quality_bin, QUALITY_BINS, 1.0 / QUALITY_BINS, "%.1f .. %.1f");
    }
}

static void print_shape(const taut_mesh *mesh, const mesh_figures *f)
{
    if (mesh->ntris && f->closed) info_row("surface", "closed");
    else if (mesh->ntris)
        info_row("surface", "open: %d boundary edges, the first between vertices %d and %d", f->report.boundary_edges,
                 f->first_boundary[0], f->first_boundary[1]);
    info_row("pieces", "%d", f->pieces);
}

static void print_text(const char *path, const taut_mesh_file *file, const mesh_figures *f, const mesh_problem *problem,
                       int nproblems)
{
    printf("%s: mesh\n", path);
    print_counts(file);
    print_size(f);
    print_shape(&file->mesh, f);
    print_quality(f);
    if (nproblems == 0) info_row("problems", "none found");
    for (int i = 0; i < nproblems; i++) info_row(i ? "" : "problems", "%s", problem[i].text);
}

/* ---- JSON ---- */

static void json_spread(info_json *object, const char *key, const spread *s, const int *bin, int bins)
{
    if (s->count == 0) return;
    info_key(object, key);
    printf("{\"count\": %d, \"min\": %.9g, \"mean\": %.9g, \"max\": %.9g", s->count, s->least, s->mean, s->most);
    for (int i = 0; i < bins; i++) printf("%s%d", i ? ", " : ", \"histogram\": [", bin[i]);
    printf(bins ? "]}" : "}");
}

static void json_groups(info_json *object, const taut_mesh_file *file)
{
    info_key(object, "groups");
    putchar('[');
    for (int i = 0; i < file->ngroups; i++) {
        printf(i ? ", {\"name\": " : "{\"name\": ");
        info_string(file->group[i].name);
        printf(", \"vertices\": %d}", file->group[i].nvertices);
    }
    putchar(']');
}

static void json_problems(info_json *object, const mesh_problem *problem, int nproblems)
{
    info_key(object, "problems");
    putchar('[');
    for (int i = 0; i < nproblems; i++) {
        printf("%s{\"problem\": \"%s\", \"count\": %d, \"text\": ", i ? ", " : "", problem[i].kind, problem[i].count);
        info_string(problem[i].text);
        putchar('}');
    }
    putchar(']');
}

static void json_counts(info_json *object, const taut_mesh_file *file)
{
    polygon_sizes sizes = count_polygons(file);
    info_integer(object, "vertices", file->mesh.nvertices);
    info_integer(object, "faces", file->npolygons);
    info_integer(object, "face_triangles", sizes.triangles);
    info_integer(object, "face_quads", sizes.quads);
    info_integer(object, "face_larger", sizes.larger);
    info_integer(object, "triangles", file->mesh.ntris);
    info_integer(object, "tets", file->mesh.ntets);
    info_integer(object, "lines", file->mesh.nlines);
    info_key(object, "uvs");
    printf(file->mesh.uv ? "true" : "false");
    json_groups(object, file);
}

static void print_json(const char *path, const taut_mesh_file *file, const mesh_figures *f, const mesh_problem *problem,
                       int nproblems)
{
    info_json object;
    info_open(&object, "mesh", path);
    json_counts(&object, file);
    info_vector(&object, "min", f->report.min);
    info_vector(&object, "max", f->report.max);
    info_number(&object, "area", (double)f->report.area);
    info_number(&object, "volume", (double)f->report.volume);
    info_number(&object, "enclosed_volume", f->enclosed_volume);
    info_key(&object, "closed");
    printf(f->closed ? "true" : "false");
    info_integer(&object, "boundary_edges", f->report.boundary_edges);
    info_integer(&object, "pieces", f->pieces);
    json_spread(&object, "edges", &f->edge, NULL, 0);
    json_spread(&object, "angles", &f->angle, f->angle_bin, ANGLE_BINS);
    json_spread(&object, "tet_quality", &f->quality, f->quality_bin, QUALITY_BINS);
    json_problems(&object, problem, nproblems);
    putchar('}');
}

bool info_mesh(const char *path, bool json, taut_error *error)
{
    taut_mesh_file file;
    mesh_figures figures;
    mesh_problem problem[MOST_PROBLEMS];
    if (!taut_mesh_load(path, &file, error)) return false;
    bool good = mesh_measure(&file.mesh, &figures, error);
    if (good) {
        int nproblems = mesh_problems(&figures, problem);
        (json ? print_json : print_text)(path, &file, &figures, problem, nproblems);
    }
    taut_mesh_file_free(&file);
    return good;
}
