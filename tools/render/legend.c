#include "legend.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const unsigned char ink[3] = {52, 55, 62};

static const char *title_of(taut_measure measure)
{
    static const char *const title[TAUT_MEASURES] = {"stretch x", "stretch y", "shear (rad)", "principal strain",
                                                     "bend (rad)"};
    return title[measure];
}

static float letter_size(int width, int height)
{
    return fmaxf(fminf((float)width, 1.8f * (float)height) / 110, 6.5f);
}

/* Wide enough for the longest likely number, and for the title if that leaves most of the picture. The range of
 * colours is not known yet. */
int legend_width(const heat_map *h, int width, int height)
{
    float size = letter_size(width, height), numbers = 6.5f * size + font_width(size, "-0.00025");
    float title = 5 * size + font_width(size, title_of(h->measure));
    float wide = fmaxf(numbers, title);
    if (wide > 0.3f * (float)width) wide = fminf(numbers, 0.4f * (float)width);
    return (int)wide;
}

void legend_draw(const picture *p, const heat_map *h)
{
    enum { TICKS = 5 };
    static const unsigned char paper[3] = {250, 250, 250};
    float size = letter_size(p->width, p->height), wide = (float)legend_width(h, p->width, p->height);
    float bar = roundf(1.5f * size), tall = roundf(0.42f * (float)p->height), gap = 0.7f * size;
    float right = roundf((float)p->width - 3 * size), left = right - bar;
    float top = roundf(0.5f * ((float)p->height - tall));
    picture_fill(p, (float)p->width - wide, 0, (float)p->width, (float)p->height, paper, 1);
    for (int row = 0; row < (int)tall; row++) {
        int i = 255 - (int)(255 * ((float)row + 0.5f) / tall);
        picture_fill(p, left, top + (float)row, right, top + (float)row + 1, h->color[i], 1);
    }
    for (int i = 0; i < TICKS; i++) {
        float t = (float)i / (TICKS - 1), y = roundf(top + (1 - t) * (tall - 1));
        float value = h->low + t * (h->high - h->low);
        char text[32];
        snprintf(text, sizeof text, h->low < 0 && value > 0 ? "+%.3g" : "%.3g", (double)value);
        picture_fill(p, left - 0.5f * gap, y, left, y + 1, ink, 0.7f);
        font_draw(p, left - gap - font_width(size, text), y + size / 2, size, text, ink);
    }
    const char *title = title_of(h->measure);
    float title_wide = font_width(size, title);
    if (title_wide + 3.5f * size < wide)
        font_draw(p, right - title_wide + 0.3f * size, top - 1.8f * size, size, title, ink);
}
