/* Drawing on a picture of pixels, or on a window of it. */
#ifndef PAPERS_RASTER_H
#define PAPERS_RASTER_H

typedef struct raster {
    int width, height, stride; /* stride: the width of the whole picture */
    unsigned char *rgb;        /* NULL: nothing is drawn */
} raster;

raster raster_window(const raster *whole, int left, int top, int width, int height);

void raster_set(const raster *r, int x, int y, const unsigned char color[3]);
/* A line of about `wide` pixels. */
void raster_line(const raster *r, double x0, double y0, double x1, double y1, double wide,
                 const unsigned char color[3]);
void raster_arrow(const raster *r, double x0, double y0, double x1, double y1, const unsigned char color[3]);
void raster_disc(const raster *r, double x, double y, double radius, const unsigned char color[3]);

#endif
