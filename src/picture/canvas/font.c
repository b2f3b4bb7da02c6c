// SPDX-License-Identifier: MIT
// A font of strokes, made for this library, on a grid of integers. Two characters are a point: x, then y as hexadecimal
// digits. The baseline is y = 2, small letters reach to 7, capitals to 9. Points of one stroke follow each other; a
// space begins the next stroke; one point twice is a dot. '~' before a stroke makes its points the control points of a
// smooth curve (a quadratic B-spline), which is closed where the first point is the last one, too.
#include "picture/canvas/font.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    BASELINE = 2,
    CAPITAL = 7, // height above the baseline
    FIRST = '!',
    LAST = '~',
    MOST_STROKES = 160,
    CURVE_PIECES = 4,
    MOST_TEXT = 512 // bytes of a text that is shortened
};

static const float space_width = 3.0f, gap = 2.2f; // in units of the grid

static const char *const glyphs[] = {
    "1914 1212",                          // !
    "0907 2927",                          // "
    "1229 3249 0454 0757",                // #
    "~4849090646420203 2a21",             // $
    "~0929270709 ~3454523234 5902",       // %
    "~521719393704023255",                // &
    "0907",                               // '
    "~2a080321",                          // (
    "~0a282301",                          // )
    "2824 0745 0547",                     // *
    "2723 0545",                          // +
    "1200",                               // ,
    "0535",                               // -
    "0202",                               // .
    "0149",                               // /
    "~0242490902",                        // 0
    "072922 0242",                        // 1
    "~0709494602 0242",                   // 2
    "~0809494616 ~1646420203",            // 3
    "32390444",                           // 4
    "490906 ~0647420203",                 // 5
    "~39080242460604",                    // 6
    "094912",                             // 7
    "~0646490906 ~0646420206",            // 8
    "~12434909054547",                    // 9
    "0606 0202",                          // :
    "1616 1200",                          // ;
    "470543",                             // <
    "0646 0444",                          // =
    "074503",                             // >
    "~080949462624 2222",                 // ?
    "~520109696444 ~2444472724 4744",     // @
    "023962 1454",                        // A
    "0209 ~092949462606 ~062656522202",   // B
    "~575909025254",                      // C
    "0209 ~092959522202",                 // D
    "49090242 0636",                      // E
    "490902 0636",                        // F
    "~575909025255 5535",                 // G
    "0209 5259 0656",                     // H
    "0209",                               // I
    "3934 ~34320204",                     // J
    "0209 5904 2652",                     // K
    "090242",                             // L
    "0209346962",                         // M
    "02095259",                           // N
    "~0262690902",                        // O
    "0209 ~092959552505",                 // P
    "~0262690902 4461",                   // Q
    "0209 ~092959552505 3552",            // R
    "~5859090656520203",                  // S
    "0969 3932",                          // T
    "0905 ~05025255 5559",                // U
    "093269",                             // V
    "0922486289",                         // W
    "0259 0952",                          // X
    "093569 3532",                        // Y
    "09590252",                           // Z
    "2a0a0121",                           // [
    "0941",                               // backslash
    "0a2a2101",                           // ]
    "062946",                             // ^
    "0151",                               // _
    "0917",                               // `
    "~0242470702 4742",                   // a
    "0902 ~0242470702",                   // b
    "~464707024243",                      // c
    "4942 ~0242470702",                   // d
    "0545 ~454707024243",                 // e
    "~391916 1612 0737",                  // f
    "~0242470702 4742 ~42400001",         // g
    "0902 ~05074744 4442",                // h
    "0702 0909",                          // i
    "1712 ~121000 1919",                  // j
    "0902 4703 2542",                     // k
    "0904 ~040212",                       // l
    "0702 ~05073735 3532 ~35376765 6562", // m
    "0702 ~05074744 4442",                // n
    "~0242470702",                        // o
    "0700 ~0242470702",                   // p
    "4740 ~0242470702",                   // q
    "0702 ~050737",                       // r
    "~4647070544420203",                  // s
    "1914 ~141232 0737",                  // t
    "0704 ~04024244 4742",                // u
    "072247",                             // v
    "0722364267",                         // w
    "0247 0742",                          // x
    "0722 4710",                          // y
    "07470242",                           // z
    "~2a1a1605 ~05141121",                // {
    "0a00",                               // |
    "~0a1a1625 ~25141101",                // }
    "~04173346",                          // ~
};

static const char box[] = "0242490902"; // in place of what the font does not have

_Static_assert(sizeof glyphs / sizeof *glyphs == LAST - FIRST + 1, "one glyph for each printable character");

// A glyph's strokes, in units of the grid, y up from the baseline.
typedef struct outline {
    grz_stroke strokes[MOST_STROKES];
    size_t count;
    float width;
} outline;

// Take the next character off a UTF-8 text. Returns its glyph, NULL for a space; *text is past it.
static const char *next_glyph(const char **text)
{
    assert(**text != '\0');
    const unsigned char c = (unsigned char)*(*text)++;
    while (c >= 0xc0 && ((unsigned char)**text & 0xc0) == 0x80) // what follows belongs to the same character
        (*text)++;
    if (c == ' ')
        return NULL;
    return c >= FIRST && c <= LAST ? glyphs[c - FIRST] : box;
}

static float grid_number(char digit)
{
    assert((digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f'));
    return (float)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

static void add_stroke(outline *o, const float from[2], const float to[2])
{
    assert(o->count < MOST_STROKES); // no glyph has more
    if (o->count < MOST_STROKES)
        o->strokes[o->count++] = (grz_stroke){{from[0], from[1]}, {to[0], to[1]}};
}

// A quadratic Bézier curve.
static void add_curve(outline *o, const float from[2], const float control[2], const float to[2])
{
    float last[2] = {from[0], from[1]};
    for (int i = 1; i <= CURVE_PIECES; i++) {
        const float t = (float)i / CURVE_PIECES, s = 1.0f - t;
        float at[2];
        for (int j = 0; j < 2; j++)
            at[j] = s * s * from[j] + 2.0f * s * t * control[j] + t * t * to[j];
        add_stroke(o, last, at);
        memcpy(last, at, sizeof last);
    }
}

static void add_smooth(outline *o, const float (*points)[2], size_t count)
{
    const bool closed = points[0][0] == points[count - 1][0] && points[0][1] == points[count - 1][1];
    float from[2];
    for (int j = 0; j < 2; j++)
        from[j] = closed ? 0.5f * (points[0][j] + points[1][j]) : points[0][j];
    for (size_t i = 1; i + 1 < count + (closed ? 1 : 0); i++) {
        const size_t next = i + 1 < count ? i + 1 : 1; // a closed one goes on past its last point, which is the first
        float to[2];
        for (int j = 0; j < 2; j++)
            to[j] = !closed && i + 2 == count ? points[next][j] : 0.5f * (points[i][j] + points[next][j]);
        add_curve(o, from, points[i], to);
        memcpy(from, to, sizeof from);
    }
}

static void read_glyph(const char *glyph, outline *o)
{
    o->count = 0;
    o->width = 0.0f;
    while (*glyph != '\0') {
        const bool smooth = *glyph == '~';
        float points[16][2];
        size_t count = 0;
        for (glyph += smooth; *glyph != '\0' && *glyph != ' ' && count < 16; glyph += 2, count++) {
            points[count][0] = grid_number(glyph[0]);
            points[count][1] = grid_number(glyph[1]) - BASELINE;
            o->width = fmaxf(o->width, points[count][0]);
        }
        assert(*glyph == '\0' || *glyph == ' '); // no stroke has more points
        if (smooth && count > 1)
            add_smooth(o, (const float(*)[2])points, count);
        for (size_t i = 0; !smooth && i + 1 < count; i++)
            add_stroke(o, points[i], points[i + 1]);
        glyph += *glyph == ' ';
    }
}

static float glyph_width(const char *glyph)
{
    float width = 0.0f;
    for (; *glyph != '\0'; glyph += *glyph == '~' || *glyph == ' ' ? 1 : 2)
        if (*glyph != '~' && *glyph != ' ')
            width = fmaxf(width, grid_number(*glyph));
    return width;
}

float grz_text_width(const char *text, const grz_text_style *style)
{
    float width = 0.0f;
    while (*text != '\0') {
        const char *glyph = next_glyph(&text);
        width += glyph != NULL ? glyph_width(glyph) + gap : space_width;
    }
    return width * style->size / CAPITAL;
}

void grz_text_draw(const grz_canvas *canvas, const char *text, float x, float y, const grz_text_style *style)
{
    const float unit = style->size / CAPITAL, width = fmaxf(style->size * (style->bold ? 0.19f : 0.12f), 1.0f);
    outline o;
    while (*text != '\0') {
        const char *glyph = next_glyph(&text);
        if (glyph == NULL) {
            x += space_width * unit;
            continue;
        }
        read_glyph(glyph, &o);
        for (size_t i = 0; i < o.count; i++)
            for (int end = 0; end < 2; end++) {
                float *at = end == 0 ? o.strokes[i].from : o.strokes[i].to;
                at[0] = x + (at[0] + 0.5f) * unit;
                at[1] = y - at[1] * unit;
            }
        grz_canvas_strokes(canvas, o.strokes, o.count, width, style->color);
        x += (o.width + gap) * unit;
    }
}

static bool is_inside_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

void grz_text_shorten(const char *text, float width, const grz_text_style *style, char *out, size_t room)
{
    const size_t length = strlen(text);
    size_t left = length < MOST_TEXT ? length : MOST_TEXT, right = 0; // bytes that are kept of either end
    if (length < room && grz_text_width(text, style) <= width) {
        memcpy(out, text, length + 1);
        return;
    }
    if (left + 4 > room)
        left = room - 4;
    right = left = left / 2;
    assert(left + right + 4 <= room);
    if (left == 0) { // one byte that is too wide
        memcpy(out, "...", length > 0 ? 4 : 0);
        out[length > 0 ? 3 : 0] = '\0';
        return;
    }
    do { // take from the longer end until it fits
        *(left >= right ? &left : &right) -= 1;
        while (left > 0 && is_inside_character(text[left]))
            left--;
        while (right > 0 && is_inside_character(text[length - right]))
            right--;
        memcpy(out, text, left);
        memcpy(out + left, "...", 3);
        memcpy(out + left + 3, text + length - right, right);
        out[left + 3 + right] = '\0';
    } while (left + right > 0 && grz_text_width(out, style) > width);
}
