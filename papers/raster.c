#include "raster.h"

#include <math.h>
#include <string.h>

raster raster_window(const raster *whole, int left, int top, int width, int height)
{
    unsigned char *rgb = whole->rgb ? whole->rgb + 3 * ((long)top * whole->stride + left) : NULL;
    return (raster){width, height, whole->stride, rgb};
}

void raster_set(const raster *r, int x, int y, const unsigned char color[3])
{
    if (r->rgb && x >= 0 && y >= 0 && x < r->width && y < r->height)
        memcpy(r->rgb + 3 * ((long)y * r->stride + x), color, 3);
}

void raster_disc(const raster *r, double x, double y, double radius, const unsigned char color[3])
{
    for (int j = (int)floor(y - radius); j <= (int)ceil(y + radius); j++)
        for (int i = (int)floor(x - radius); i <= (int)ceil(x + radius); i++)
            if ((i - x) * (i - x) + (j - y) * (j - y) <= radius * radius) raster_set(r, i, j, color);
}

void raster_line(const raster *r, double x0, double y0, double x1, double y1, double wide, const unsigned char color[3])
{
    int steps = 1 + (int)(2 * sqrt((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)));
    for (int i = 0; i <= steps; i++) {
        double t = (double)i / steps;
        raster_disc(r, x0 + t * (x1 - x0), y0 + t * (y1 - y0), wide / 2, color);
    }
}

void raster_arrow(const raster *r, double x0, double y0, double x1, double y1, const unsigned char color[3])
{
    double dx = x1 - x0, dy = y1 - y0, length = sqrt(dx * dx + dy * dy), head = length < 12 ? length / 2 : 6;
    if (length < 1) return;
    dx *= head / length, dy *= head / length;
    raster_line(r, x0, y0, x1, y1, 1.4, color);
    raster_line(r, x1, y1, x1 - dx + dy / 2, y1 - dy - dx / 2, 1.4, color);
    raster_line(r, x1, y1, x1 - dx - dy / 2, y1 - dy + dx / 2, 1.4, color);
}
