/* Plots of lines and marks, in SVG. */
#include "graphics.h"
#include "text.h"

#include "taut_io.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 720, HEIGHT = 400, LEFT = 80, TOP = 20, WIDE = 420, TALL = 320, LEGEND = LEFT + WIDE + 20, INKS = 7 };

static const char *const inks[INKS] = {"#c8553d", "#3f7cac", "#d99a2b", "#588b8b", "#8e6c88", "#444444", "#7aa23f"};

/* An axis from `low` to `high`, which are logarithms on a logarithmic one. */
typedef struct axis {
    bool log;
    double low, high;
} axis;

static bool place(const axis *a, double value, double *share)
{
    if (!isfinite(value) || (a->log && value <= 0)) return false;
    *share = ((a->log ? log10(value) : value) - a->low) / (a->high - a->low);
    return true;
}

/* Does not use fmin and fmax, because Debian's gcc 12 for aarch64 stops at them with an internal error. */
static void widen(axis *a, const double *value, int count)
{
    for (int i = 0; i < count; i++) {
        if (!isfinite(value[i]) || (a->log && value[i] <= 0)) continue;
        double at = a->log ? log10(value[i]) : value[i];
        if (at < a->low) a->low = at;
        if (at > a->high) a->high = at;
    }
}

/* The distance between ticks: 1, 2 or 5 times a power of ten, so that there are four to ten. */
static double step_of(const axis *a)
{
    double range = a->high - a->low, decade = pow(10, floor(log10(range)));
    if (a->log) return range > 8 ? 2 : 1;
    double parts = range / decade;
    return parts < 2 ? decade / 5 : parts < 5 ? decade / 2 : decade;
}

static void settle(axis *a)
{
    if (!(a->low <= a->high)) a->low = 0, a->high = 1;
    if (!a->log && a->low > 0 && a->low < 0.6 * a->high) a->low = 0;
    if (!a->log && a->high < 0 && a->high > 0.6 * a->low) a->high = 0;
    double least = a->log ? 1 : 1e-9 * fabs(a->high) + 1e-30;
    if (a->high - a->low < least) a->high = a->low + (a->log ? 1 : fabs(a->low) + 1);
    double step = step_of(a);
    a->low = step * floor(a->low / step + 1e-9);
    a->high = step * ceil(a->high / step - 1e-9);
}

static void draw_ticks(text *t, const axis *a, bool across)
{
    double step = step_of(a);
    int count = (int)floor((a->high - a->low) / step + 0.5);
    for (int i = 0; i <= count; i++) {
        double at = a->low + i * step, share = (at - a->low) / (a->high - a->low);
        double x = across ? LEFT + WIDE * share : LEFT, y = across ? TOP + TALL : TOP + TALL * (1 - share);
        double value = a->log ? pow(10, at) : fabs(at) < 1e-9 * step ? 0 : at;
        text_put(t, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", x, y,
                 across ? x : LEFT + WIDE, across ? TOP : y);
        text_put(t, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%.4g</text>\n", across ? x : LEFT - 6,
                 across ? y + 16 : y + 4, across ? "middle" : "end", value);
    }
}

static void draw_axes(text *t, const paper_plot *p, const axis axes[2])
{
    draw_ticks(t, &axes[0], true);
    draw_ticks(t, &axes[1], false);
    text_put(t, "<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"#444\"/>\n", LEFT, TOP, TOP + TALL, LEFT + WIDE);
    text_put(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", LEFT + WIDE / 2, TOP + TALL + 40);
    text_put_escaped(t, p->x);
    text_put(t, "</text>\n<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">", TOP + TALL / 2);
    text_put_escaped(t, p->y);
    text_put(t, "</text>\n");
}

static void draw_series(text *t, const paper_series *s, const axis axes[2], int index)
{
    enum { MOST_MARKS = 60 };
    const char *ink = inks[index % INKS], *dash = index < INKS ? "none" : "6 3";
    text_put(t, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-dasharray=\"%s\" points=\"", ink,
             dash);
    double x, y;
    for (int i = 0; i < s->count; i++)
        if (place(&axes[0], s->x[i], &x) && place(&axes[1], s->y[i], &y))
            text_put(t, "%.1f,%.1f ", LEFT + WIDE * x, TOP + TALL * (1 - y));
    text_put(t, "\"/>\n");
    for (int i = 0; i < s->count && s->count <= MOST_MARKS; i++)
        if (place(&axes[0], s->x[i], &x) && place(&axes[1], s->y[i], &y))
            text_put(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>\n", LEFT + WIDE * x,
                     TOP + TALL * (1 - y), ink);
    int line = TOP + 14 + 20 * index;
    text_put(t,
             "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"3\" "
             "stroke-dasharray=\"%s\"/>\n<text x=\"%d\" y=\"%d\">",
             LEGEND, line - 4, LEGEND + 18, line - 4, ink, dash, LEGEND + 24, line);
    text_put_escaped(t, s->label);
    text_put(t, "</text>\n");
}

/* The series in the order in which they were added: their list has the last one first. */
static const paper_series *series_at(const paper_plot *p, int index, int count)
{
    const paper_series *s = p->series;
    for (int i = count - 1; i > index; i--) s = s->before;
    return s;
}

bool paper_write_plot(const paper_plot *p, const char *path, taut_error *error)
{
    axis axes[2] = {{p->log_x, INFINITY, -INFINITY}, {p->log_y, INFINITY, -INFINITY}};
    int count = 0;
    text t = {0};
    for (const paper_series *s = p->series; s; s = s->before, count++) {
        widen(&axes[0], s->x, s->count);
        widen(&axes[1], s->y, s->count);
    }
    settle(&axes[0]);
    settle(&axes[1]);
    text_put(&t,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
             "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
             WIDTH, HEIGHT, WIDTH, HEIGHT);
    draw_axes(&t, p, axes);
    for (int i = 0; i < count; i++) draw_series(&t, series_at(p, i, count), axes, i);
    text_put(&t, "</svg>\n");
    bool done = !t.failed && taut_file_write(path, t.data, t.size, error);
    if (t.failed) paper_fail(error, "there is not enough memory");
    text_free(&t);
    return done;
}
