/* Each letter is a list of strokes on a grid: x to the right, y up from the base line, capitals 6 high, small letters
 * 4, tails down to -2. A pixel is as dark as the pen covers it. */
#include "font.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A letter's strokes are pairs of a column 'a'.. and a row '0'.. (row 2 is the base line); a space lifts the pen. */
typedef struct glyph {
    char letter;
    float width;
    const char *strokes;
} glyph;

static const glyph glyphs[] = {
    {'0', 4, "b2a3a7b8d8e7e3d2b2"},
    {'1', 3, "a6c8c2"},
    {'2', 4, "a7b8d8e7e6a2e2"},
    {'3', 4, "a7b8d8e7e6d5b5 d5e4e3d2b2a3"},
    {'4', 4, "d2d8a4e4"},
    {'5', 4, "e8a8a5d5e4e3d2b2a3"},
    {'6', 4, "e7d8b8a7a3b2d2e3e4d5b5a4"},
    {'7', 4, "a8e8c2"},
    {'8', 4, "b5a6a7b8d8e7e6d5b5a4a3b2d2e3e4d5"},
    {'9', 4, "a3b2d2e3e7d8b8a7a6b5d5e6"},
    {'+', 4, "c3c7 a5e5"},
    {'-', 4, "a5e5"},
    {'.', 1, "a2a2"},
    {'%', 5, "a2f8 a7a8b8b7a7 e2e3f3f2e2"},
    {'(', 2, "c8a6a4c2"},
    {')', 2, "a8c6c4a2"},
    {'/', 3, "a1d9"},
    {'_', 4, "a2e2"},
    {'a', 4, "a5b6d6e5e2 e4b4a3b2d2e3"},
    {'b', 4, "a8a2 a5b6d6e5e3d2b2a3"},
    {'c', 4, "e5d6b6a5a3b2d2e3"},
    {'d', 4, "e8e2 e5d6b6a5a3b2d2e3"},
    {'e', 4, "a4e4e5d6b6a5a3b2d2e3"},
    {'f', 3, "d8c8b7b2 a6d6"},
    {'g', 4, "e6e1d0b0a1 e5d6b6a5a3b2d2e3"},
    {'h', 4, "a8a2 a5b6d6e5e2"},
    {'i', 1, "a6a2 a8a8"},
    {'j', 2, "b6b1a0 b8b8"},
    {'k', 4, "a8a2 d6a4 b5e2"},
    {'l', 1, "a8a2"},
    {'m', 6, "a6a2 a5b6c6d5d2 d5e6f6g5g2"},
    {'n', 4, "a6a2 a5b6d6e5e2"},
    {'o', 4, "b6a5a3b2d2e3e5d6b6"},
    {'p', 4, "a6a0 a5b6d6e5e3d2b2a3"},
    {'q', 4, "e6e0 e5d6b6a5a3b2d2e3"},
    {'r', 3, "a6a2 a5b6d6"},
    {'s', 4, "e5d6b6a5b4d4e3d2b2a3"},
    {'t', 3, "b8b3c2d2 a6d6"},
    {'u', 4, "a6a3b2d2e3 e6e2"},
    {'v', 4, "a6c2e6"},
    {'w', 6, "a6b2d6f2g6"},
    {'x', 4, "a6e2 a2e6"},
    {'y', 4, "a6c2 e6b0a0"},
    {'z', 4, "a6e6a2e2"},
};

static const glyph *find_glyph(char letter)
{
    for (size_t i = 0; i < sizeof glyphs / sizeof *glyphs; i++)
        if (glyphs[i].letter == letter) return &glyphs[i];
    return NULL;
}

static float advance(const glyph *g, float unit) { return ((g ? g->width : 2) + 1.6f) * unit; }

float font_width(float size, const char *text)
{
    float width = 0;
    for (const char *c = text; *c; c++) width += advance(find_glyph(*c), size / 6);
    return width;
}

static void blend(const picture *p, int x, int y, const unsigned char color[3], float alpha)
{
    if (x < 0 || y < 0 || x >= p->width || y >= p->height || !(alpha > 0)) return;
    unsigned char *pixel = p->rgb + 3 * ((size_t)y * (size_t)p->width + (size_t)x);
    for (int k = 0; k < 3; k++)
        pixel[k] = (unsigned char)((float)pixel[k] + alpha * ((float)color[k] - (float)pixel[k]) + 0.5f);
}

static float distance_to_stroke(float x, float y, const float a[2], const float b[2])
{
    float dx = b[0] - a[0], dy = b[1] - a[1], square = dx * dx + dy * dy;
    float t = square > 0 ? ((x - a[0]) * dx + (y - a[1]) * dy) / square : 0;
    t = fminf(fmaxf(t, 0), 1);
    return hypotf(x - a[0] - t * dx, y - a[1] - t * dy);
}

/* Distance to the nearest stroke of a letter, in its grid. */
static float distance_to(const char *strokes, float x, float y)
{
    float nearest = 1e9f, last[2] = {0, 0};
    bool down = false;
    for (const char *s = strokes; *s; s++) {
        if (*s == ' ') {
            down = false;
            continue;
        }
        float here[2] = {(float)(s[0] - 'a'), (float)(s[1] - '2')};
        if (down) nearest = fminf(nearest, distance_to_stroke(x, y, last, here));
        memcpy(last, here, sizeof last);
        down = true;
        s++;
    }
    return nearest;
}

static void draw_glyph(const picture *p, const glyph *g, float x, float y, float unit, const unsigned char color[3])
{
    float pen = fmaxf(0.5f * unit, 0.6f); /* half its width, in pixels */
    int left = (int)floorf(x - 2), right = (int)ceilf(x + g->width * unit + 2);
    int top = (int)floorf(y - 7.5f * unit), bottom = (int)ceilf(y + 3 * unit);
    for (int j = top; j <= bottom; j++)
        for (int i = left; i <= right; i++) {
            float gx = ((float)i + 0.5f - x) / unit, gy = (y - (float)j - 0.5f) / unit;
            blend(p, i, j, color, fminf(pen + 0.5f - distance_to(g->strokes, gx, gy) * unit, 1));
        }
}

void font_draw(const picture *p, float x, float y, float size, const char *text, const unsigned char color[3])
{
    float unit = size / 6;
    for (const char *c = text; *c; c++) {
        const glyph *g = find_glyph(*c);
        if (g) draw_glyph(p, g, x, y, unit, color);
        x += advance(g, unit);
    }
}

static float overlap(float low, float high, int pixel)
{
    return fmaxf(fminf(high, (float)pixel + 1) - fmaxf(low, (float)pixel), 0);
}

void picture_fill(const picture *p, float x0, float y0, float x1, float y1, const unsigned char color[3], float alpha)
{
    for (int y = (int)floorf(y0); y < (int)ceilf(y1); y++)
        for (int x = (int)floorf(x0); x < (int)ceilf(x1); x++)
            blend(p, x, y, color, alpha * overlap(x0, x1, x) * overlap(y0, y1, y));
}
