/* Drawings of the laboratory, in SVG. */
#include "lab.h"
#include "text.h"

#include <math.h>

enum { WIDTH = 760, HEIGHT = 360, LEFT = 40, TOP = 50, PANEL = 270, GRAPH = 440 };

static const char *const ink[LAB_MESHES][LAB_FINENESSES] = {{"#9cc3e6", "#4a90d0", "#12508f"},
                                                            {"#f2c29b", "#e08a3c", "#9c4f0c"}};

/* ---- Outlines ---- */

typedef struct box {
    double low[2], high[2];
} box;

/* Does not use fmin and fmax, because Debian's gcc 12 for aarch64 stops at them with an internal error. */
static void widen(box *b, const lab_outline *o)
{
    for (int i = 0; i < o->count; i++)
        for (int axis = 0; axis < 2; axis++) {
            double at = (double)o->xy[i][axis];
            if (at < b->low[axis]) b->low[axis] = at;
            if (at > b->high[axis]) b->high[axis] = at;
        }
}

static void draw_outline(text *p, const box *b, const lab_outline *o, const char *color, const char *dash)
{
    double scale = PANEL / fmax(fmax(b->high[0] - b->low[0], b->high[1] - b->low[1]), 1e-6);
    if (!o->count) return;
    text_put(p, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\" stroke-dasharray=\"%s\" points=\"", color,
             dash);
    for (int i = 0; i < o->count; i++)
        text_put(p, "%.1f,%.1f ", LEFT + scale * ((double)o->xy[i][0] - b->low[0]),
                 TOP + scale * (b->high[1] - (double)o->xy[i][1]));
    text_put(p, "\"/>\n");
}

static void draw_outlines(text *p, const lab_series *s)
{
    box b = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int m = 0; m < LAB_MESHES; m++) {
        for (int i = 0; i < LAB_FINENESSES; i++) widen(&b, &s->result[m][i].outline);
        widen(&b, &s->converged[m].outline);
    }
    for (int m = 0; m < LAB_MESHES; m++) {
        for (int i = 0; i < LAB_FINENESSES; i++) draw_outline(p, &b, &s->result[m][i].outline, ink[m][i], "none");
        draw_outline(p, &b, &s->converged[m].outline, "#444", "4 3");
    }
}

/* ---- The graph ---- */

static double graph_y(double value, double high) { return TOP + PANEL * (1 - value / high); }

static double largest(const lab_series *s)
{
    double high = fmax(s->closed_form, s->published[1]);
    for (int m = 0; m < LAB_MESHES; m++) {
        for (int i = 0; i < LAB_FINENESSES; i++) high = fmax(high, s->result[m][i].figure);
        high = fmax(high, s->converged[m].figure);
    }
    return isfinite(high) && high > 0 ? 1.1 * high : 1;
}

static void draw_line(text *p, double y, const char *color, const char *label)
{
    text_put(p, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-dasharray=\"4 3\"/>\n", GRAPH,
             GRAPH + PANEL, y, y, color);
    text_put(p, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">%s</text>\n", GRAPH + 4, y - 4, color, label);
}

static void draw_graph(text *p, const lab_series *s)
{
    const double high = largest(s);
    text_put(p, "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#444\"/>\n", GRAPH, TOP, TOP + PANEL, GRAPH + PANEL);
    text_put(p, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.3g %s</text>\n", GRAPH - 4, TOP + 8, high,
             s->test->unit);
    text_put(p, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>\n", GRAPH - 4, TOP + PANEL);
    if (s->published[1] > 0)
        text_put(p, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"#ddd\"/>\n", GRAPH + 1,
                 graph_y(s->published[1], high), PANEL - 1, PANEL * (s->published[1] - s->published[0]) / high);
    if (s->closed_form > 0) draw_line(p, graph_y(s->closed_form, high), "#2a7a2a", "closed form");
    for (int m = 0; m < LAB_MESHES; m++)
        for (int i = 0; i < LAB_FINENESSES; i++) {
            double x = GRAPH + PANEL * (0.2 + 0.3 * i + 0.04 * m), y = graph_y(s->result[m][i].figure, high);
            if (isfinite(y) && s->result[m][i].figure > 0)
                text_put(p, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>\n", x, y, ink[m][i]);
            if (m == 0)
                text_put(p, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%dx</text>\n", x, TOP + PANEL + 16,
                         1 << i);
        }
    draw_line(p, graph_y(s->converged[0].figure, high), "#444", "converged");
}

bool lab_plot(const char *path, const lab_series *series, taut_error *error)
{
    text p = {0};
    text_put(&p,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
             "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
             WIDTH, HEIGHT);
    text_put(&p, "<text x=\"%d\" y=\"24\" font-size=\"16\">%s: %s</text>\n", LEFT, series->material,
             series->test->about);
    draw_outlines(&p, series);
    draw_graph(&p, series);
    text_put(&p,
             "<text x=\"%d\" y=\"%d\">blue: regular, orange: irregular; the darker the finer; grey: published</text>\n",
             LEFT, HEIGHT - 6);
    text_put(&p, "</svg>\n");
    bool done = !p.failed && taut_file_write(path, p.data, p.size, error);
    if (p.failed) *error = (taut_error){.code = TAUT_NO_MEMORY, .index = -1, .text = "there is not enough memory"};
    text_free(&p);
    return done;
}
