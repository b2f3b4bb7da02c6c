// SPDX-License-Identifier: MIT
// How the value of each option is read. Strict on purpose: a typing error in a script must not turn into an answer, so
// a number has to be a number to its last character.
#include "arguments/option_values.h"

#include "arguments/nearest.h"
#include "arguments/numbers.h"
#include "arguments/pose_text.h"
#include "arguments/refuse.h"
#include "arguments/shape_text.h"

#include <graze/io.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MOST_PIXELS = 1 << 24 // of a picture, a side
};

// The value of an option that takes one of a few words.
typedef struct choice {
    const char *word;
    int value;
    const char *also; // another name, for which the word is suggested; NULL: there is none
} choice;

// Find the word among `count` choices, "exact or discrete" in `all`. Returns NULL after a complaint.
static const choice *choose(const option_row *row, const char *word, const choice *choices, size_t count,
                            const char *all, const options *out)
{
    nearest near = nearest_begin(word);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, choices[i].word) == 0)
            return &choices[i];
        nearest_try(&near, choices[i].word);
    }
    for (size_t i = 0; i < count; i++)
        if (choices[i].also != NULL && strcmp(word, choices[i].also) == 0)
            near.best = choices[i].word;
    if (near.best != NULL)
        option_refuse(out->command, "%s %s: must be %s; did you mean %s?", row->name, word, all, near.best);
    else
        option_refuse(out->command, "%s %s: must be %s", row->name, word, all);
    return NULL;
}

bool option_set_method(const option_row *row, const char *value, options *out)
{
    char known[256] = "auto";
    nearest near = nearest_begin(value);
    bool found = strcmp(value, "auto") == 0;

    nearest_try(&near, "auto");
    for (size_t i = 0; grz_method_name(i) != NULL; i++) {
        const size_t used = strlen(known);
        found = found || strcmp(value, grz_method_name(i)) == 0;
        nearest_try(&near, grz_method_name(i));
        snprintf(known + used, sizeof known - used, ", %s", grz_method_name(i));
    }
    out->method = value;
    if (found)
        return true;
    if (near.best != NULL)
        return option_refuse(out->command, "%s %s: this build has no such method; did you mean %s? It has %s",
                             row->name, value, near.best, known);
    return option_refuse(out->command, "%s %s: this build has no such method; it has %s", row->name, value, known);
}

// Whether `word` is one of the extensions, "gltf glb", in any case.
static bool is_extension(const char *extensions, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = extensions; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == length && strncasecmp(at, word, length) == 0)
            return true;
    return false;
}

static void to_lower_case(const char *text, char lower[NEAREST_LONGEST])
{
    size_t i = 0;
    for (; text[i] != '\0' && i + 1 < NEAREST_LONGEST; i++)
        lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    lower[i] = '\0';
}

bool option_set_format(const option_row *row, const char *value, options *out)
{
    char known[256] = "", typed[NEAREST_LONGEST], name[NEAREST_LONGEST];
    const char *meant = NULL;
    grz_io_format format;

    to_lower_case(value, typed);
    nearest near = nearest_begin(typed);
    for (size_t i = 0; grz_io_format_info(i, &format); i++) {
        const size_t used = strlen(known), distance = near.distance;
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", format.name);
        if (strcasecmp(value, format.name) == 0)
            out->format = format.name;
        to_lower_case(format.name, name);
        nearest_try(&near, name);
        if (near.distance < distance || is_extension(format.extensions, value))
            meant = format.name;
        if (is_extension(format.extensions, value))
            near.distance = 0;
    }
    if (out->format != NULL)
        return true;
    if (meant != NULL)
        return option_refuse(out->command, "%s %s: no format is called so; did you mean %s? There are %s", row->name,
                             value, meant, known);
    return option_refuse(out->command,
                         "%s %s: no format is called so; there are %s. Formats that Assimp reads are told by their "
                         "names and first bytes",
                         row->name, value, known);
}

bool option_set_answer(const option_row *row, const char *value, options *out)
{
    static const choice choices[] = {{"exact", GRZ_ANSWER_EXACT, NULL}, {"discrete", GRZ_ANSWER_DISCRETE, NULL}};
    const choice *chosen = choose(row, value, choices, 2, "exact or discrete", out);

    if (chosen != NULL)
        out->answer = (grz_answer)chosen->value;
    return chosen != NULL;
}

bool option_set_preset(const option_row *row, const char *value, options *out)
{
    static const choice choices[] = {{"fast", GRZ_SLICES_FAST, NULL},
                                     {"balanced", GRZ_SLICES_BALANCED, NULL},
                                     {"accurate", GRZ_SLICES_ACCURATE, NULL}};
    const choice *chosen = choose(row, value, choices, 3, "fast, balanced or accurate", out);

    if (chosen == NULL)
        return false;
    out->of_method.slices = grz_default_slices_options((grz_slices_preset)chosen->value);
    out->method_options = (grz_method_options){.method = row->method, .options = &out->of_method.slices};
    return true;
}

bool option_set_device(const option_row *row, const char *value, options *out)
{
    static const choice choices[] = {
        {"auto", GRZ_DEVICE_AUTO, NULL}, {"cpu", GRZ_DEVICE_CPU, NULL}, {"gl", GRZ_DEVICE_GL, "gpu"}};
    const choice *chosen = choose(row, value, choices, 3, "auto, cpu or gl", out);

    if (chosen != NULL)
        out->device = (grz_device_kind)chosen->value;
    return chosen != NULL;
}

bool option_set_threads(const option_row *row, const char *value, options *out)
{
    out->threads = (unsigned)numbers_read_whole(value, MAX_THREADS);
    return out->threads > 0 ||
           option_refuse(out->command, "%s %s: must be a whole number from 1 to %d", row->name, value, MAX_THREADS);
}

bool option_set_max_pairs(const option_row *row, const char *value, options *out)
{
    out->max_pairs = numbers_read_whole(value, UINT32_MAX);
    return out->max_pairs > 0 || option_refuse(out->command, "%s %s: must be a whole number from 1 to %llu", row->name,
                                               value, (unsigned long long)UINT32_MAX);
}

bool option_set_shape(const option_row *row, const char *value, options *out)
{
    char reason[SHAPE_REASON_SIZE];

    out->shape_kind = shape_read(value, &out->shape, reason);
    return out->shape_kind != NULL || option_refuse(out->command, "%s %s: %s", row->name, value, reason);
}

bool option_set_pose(const option_row *row, const char *value, options *out)
{
    grz_pose *pose = row->bit == OPTION_POSE_SHAPE ? &out->pose_shape : &out->poses[row->bit == OPTION_POSE_A ? 0 : 1];
    grz_error error = {0};
    const char *wrong = pose_read(value, pose, &error);

    return wrong == NULL || option_refuse(out->command, "%s %s: %s", row->name, value, wrong);
}

bool option_set_end(const option_row *row, const char *value, options *out)
{
    const size_t mesh = row->bit == OPTION_FROM || row->bit == OPTION_TO ? 0 : 1;
    motion_end *end = row->bit == OPTION_FROM || row->bit == OPTION_FROM_B ? &out->from[mesh] : &out->to[mesh];
    grz_error error = {0};
    grz_pose pose;
    double n[7];
    const char *wrong = pose_read(value, &pose, &error);

    if (wrong != NULL)
        return option_refuse(out->command, "%s %s: %s", row->name, value, wrong);
    if (numbers_read(value, n, 7) == 7)
        memcpy(end->turn, n + 3, sizeof end->turn);
    memcpy(end->shift, n, sizeof end->shift);
    return true;
}

bool option_set_deform(const option_row *row, const char *value, options *out)
{
    out->deform[row->bit == OPTION_DEFORM_A ? 0 : 1] = value;
    return *value != '\0' || option_refuse(out->command, "%s: the name of the file is empty", row->name);
}

bool option_set_along(const option_row *row, const char *value, options *out)
{
    double *n = out->along;

    if (numbers_read(value, n, 3) != 3)
        return option_refuse(out->command, "%s %s: must be x,y,z, finite numbers with commas and no spaces", row->name,
                             value);
    if (n[0] == 0.0 && n[1] == 0.0 && n[2] == 0.0)
        return option_refuse(out->command, "%s %s: no direction: all three numbers are 0", row->name, value);
    return (fabs(n[0]) <= 0x1p300 && fabs(n[1]) <= 0x1p300 && fabs(n[2]) <= 0x1p300) ||
           option_refuse(out->command, "%s %s: no number may be beyond 2^300; the length does not matter", row->name,
                         value);
}

bool option_set_ray(const option_row *row, const char *value, options *out)
{
    double *n = out->ray;

    if (numbers_read(value, n, 6) != 6)
        return option_refuse(out->command, "%s %s: must be ox,oy,oz,dx,dy,dz, finite numbers with commas and no spaces",
                             row->name, value);
    for (int i = 0; i < 6; i++)
        if (fabs(n[i]) > 0x1p300)
            return option_refuse(out->command, "%s %s: no number may be beyond 2^300", row->name, value);
    return n[3] != 0.0 || n[4] != 0.0 || n[5] != 0.0 ||
           option_refuse(out->command, "%s %s: no direction: the last three numbers are 0", row->name, value);
}

// Read two whole numbers with a character between them.
static bool parse_two(const char *value, char between, uint32_t out[2])
{
    const char *second = strchr(value, between);
    for (int i = 0; i < 2; i++) {
        const char *digits = i == 0 ? value : second != NULL ? second + 1 : "";
        char *end;
        if (*digits < '0' || *digits > '9')
            return false;
        errno = 0;
        const unsigned long long number = strtoull(digits, &end, 10);
        if (errno != 0 || number > MOST_PIXELS || end != (i == 0 ? second : digits + strlen(digits)))
            return false;
        out[i] = (uint32_t)number;
    }
    return true;
}

bool option_set_pixel(const option_row *row, const char *value, options *out)
{
    return parse_two(value, ',', out->pixel) ||
           option_refuse(out->command, "%s %s: must be X,Y, whole numbers up to %d", row->name, value, MOST_PIXELS);
}

bool option_set_size(const option_row *row, const char *value, options *out)
{
    return (parse_two(value, 'x', out->size) && out->size[0] > 0 && out->size[1] > 0) ||
           option_refuse(out->command, "%s %s: must be WIDTHxHEIGHT, whole numbers from 1 to %d", row->name, value,
                         MOST_PIXELS);
}

// A direction of a camera.
bool option_set_camera(const option_row *row, const char *value, options *out)
{
    double *n = row->bit == OPTION_UP ? out->up : out->look;

    if (numbers_read(value, n, 3) != 3)
        return option_refuse(out->command, "%s %s: must be x,y,z, finite numbers with commas and no spaces", row->name,
                             value);
    return n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0 ||
           option_refuse(out->command, "%s %s: no direction: all three numbers are 0", row->name, value);
}

bool option_set_tolerance(const option_row *row, const char *value, options *out)
{
    if (numbers_read(value, &out->tolerance, 1) != 1 || out->tolerance <= 0.0)
        return option_refuse(out->command, "%s %s: must be a finite number above 0", row->name, value);
    return true;
}

bool option_set_depth_tolerance(const option_row *row, const char *value, options *out)
{
    if (numbers_read(value, &out->tolerance, 1) != 1 || out->tolerance <= 0.0 || out->tolerance > 1.0)
        return option_refuse(out->command, "%s %s: must be a number above 0, at most 1: it is relative to the depth",
                             row->name, value);
    return true;
}

bool option_set_layers(const option_row *row, const char *value, options *out)
{
    const uint64_t layers = numbers_read_whole(value, UINT32_MAX);

    if (layers == 0)
        return option_refuse(out->command, "%s %s: must be a whole number from 1 to 16384", row->name, value);
    out->layers = (uint32_t)layers;
    return true;
}

bool option_set_unit(const option_row *row, const char *value, options *out)
{
    static const choice choices[] = {
        {"mm", 0, "millimetre"}, {"cm", 1, "centimetre"}, {"m", 2, "metre"}, {"inch", 3, "in"}};
    const choice *chosen = choose(row, value, choices, sizeof choices / sizeof *choices, "mm, cm, m or inch", out);
    return chosen != NULL && grz_io_find_unit(chosen->word, &out->unit);
}

// Of NAME=VALUE, the value: what follows the last '=', which no pose and no number holds. NULL: there is none, or no
// name.
static const char *value_of_name(const char *text)
{
    const char *equals = strrchr(text, '=');
    return equals != NULL && equals != text ? equals + 1 : NULL;
}

// A length for all pairs, or with A:B= before it for the pairs that are called so, which are found when the objects are
// known (assembly/pair_lengths.h).
static bool set_length(const option_row *row, const char *value, options *out, double *length, bool *of_all)
{
    const bool takes_names = (out->takes & OPTION_ALLOW) != 0;
    const char *number = takes_names ? value_of_name(value) : NULL;
    double read;

    if (numbers_read(number != NULL ? number : value, &read, 1) != 1 || read < 0.0)
        return option_refuse(out->command, "%s %s: must be %s, 0 or more%s", row->name, value,
                             takes_names ? "D or A:B=D, D a finite number" : "a finite number",
                             !takes_names && strchr(value, '=') != NULL ? "; pairs are named in `graze scene` only"
                                                                        : "");
    if (number != NULL)
        return true;
    if (*of_all)
        return option_refuse(out->command, "option %s is given twice", row->name);
    *length = read;
    *of_all = true;
    return true;
}

bool option_set_clearance(const option_row *row, const char *value, options *out)
{
    return set_length(row, value, out, &out->clearance, &out->all_clear);
}

bool option_set_deeper_than(const option_row *row, const char *value, options *out)
{
    return set_length(row, value, out, &out->deeper_than, &out->all_deeper);
}

bool option_set_clearance_tolerance(const option_row *row, const char *value, options *out)
{
    if (numbers_read(value, &out->clearance_tolerance, 1) != 1 || out->clearance_tolerance < 0.0 ||
        out->clearance_tolerance >= 1.0)
        return option_refuse(out->command, "%s %s: must be a number, 0 or more and below 1", row->name, value);
    return true;
}

bool option_set_max_cells(const option_row *row, const char *value, options *out)
{
    out->max_cells = numbers_read_whole(value, UINT32_MAX);
    return out->max_cells > 0 || option_refuse(out->command, "%s %s: must be a whole number from 1 to %llu", row->name,
                                               value, (unsigned long long)UINT32_MAX);
}

bool option_set_open(const option_row *row, const char *value, options *out)
{
    static const choice choices[] = {{"undecided", 0, NULL}, {"report", 1, NULL}};
    const choice *chosen = choose(row, value, choices, 2, "undecided or report", out);

    if (chosen != NULL)
        out->open_reported = chosen->value != 0;
    return chosen != NULL;
}

bool option_set_rule(const option_row *row, const char *value, options *out)
{
    static const choice choices[] = {
        {"even-odd", GRZ_EVEN_ODD, "evenodd"}, {"nonzero", GRZ_NONZERO, "non-zero"}, {"auto", GRZ_INSIDE_AUTO, NULL}};
    const choice *chosen = choose(row, value, choices, 3, "even-odd, nonzero or auto", out);

    if (chosen != NULL)
        out->rule = (grz_inside_rule)chosen->value;
    return chosen != NULL;
}

bool option_set_thickness(const option_row *row, const char *value, options *out)
{
    double thickness;
    if (numbers_read(value, &thickness, 1) != 1 || thickness < 0.0)
        return option_refuse(out->command, "%s %s: must be a number, 0 or more", row->name, value);
    out->of_method.selection = grz_default_selection_options();
    out->of_method.selection.thickness = thickness;
    out->method_options = (grz_method_options){.method = row->method, .options = &out->of_method.selection};
    return true;
}

// The options of method `heightmap`: the defaults, or what the options before have made of them.
static grz_heightmap_options *map_options(const option_row *row, options *out)
{
    const void *own = &out->of_method.heightmap;

    if (out->method_options.options != own || strcmp(out->method_options.method, row->method) != 0)
        out->of_method.heightmap = grz_default_heightmap_options();
    out->method_options = (grz_method_options){.method = row->method, .options = own};
    return &out->of_method.heightmap;
}

bool option_set_projection(const option_row *row, const char *value, options *out)
{
    static const choice choices[] = {{"single", GRZ_PROJECTION_SINGLE, NULL},
                                     {"opposite", GRZ_PROJECTION_OPPOSITE, NULL},
                                     {"bounded", GRZ_PROJECTION_BOUNDED, NULL},
                                     {"combined", GRZ_PROJECTION_COMBINED, NULL},
                                     {"floor", GRZ_PROJECTION_FLOOR, NULL}};
    const choice *chosen = choose(row, value, choices, 5, "single, opposite, bounded, combined or floor", out);

    if (chosen != NULL)
        map_options(row, out)->projection = (grz_projection)chosen->value;
    return chosen != NULL;
}

bool option_set_direction(const option_row *row, const char *value, options *out)
{
    double n[3];

    if (numbers_read(value, n, 3) != 3)
        return option_refuse(out->command, "%s %s: must be x,y,z, finite numbers with commas and no spaces", row->name,
                             value);
    if (n[0] == 0.0 && n[1] == 0.0 && n[2] == 0.0)
        return option_refuse(out->command, "%s %s: must not be zero", row->name, value);
    grz_heightmap_options *own = map_options(row, out);
    own->has_direction = true;
    memcpy(own->direction, n, sizeof n);
    return true;
}

bool option_set_resolution(const option_row *row, const char *value, options *out)
{
    const uint64_t resolution = numbers_read_whole(value, UINT32_MAX);

    if (resolution == 0)
        return option_refuse(out->command, "%s %s: must be a whole number from 1 to %llu", row->name, value,
                             (unsigned long long)UINT32_MAX);
    map_options(row, out)->resolution = (uint32_t)resolution;
    return true;
}

bool option_set_both_sides(const option_row *row, const char *value, options *out)
{
    (void)value;
    map_options(row, out)->both_sides = true;
    return true;
}

bool option_set_stencil(const option_row *row, const char *value, options *out)
{
    (void)value;
    map_options(row, out)->stencil = true;
    return true;
}

bool option_set_reference(const option_row *row, const char *value, options *out)
{
    (void)row;
    out->reference = value;
    return true;
}

bool option_set_allow(const option_row *row, const char *value, options *out)
{
    const char *colon = strchr(value + (*value == ':'), ':');
    return (colon != NULL && colon[1] != '\0') ||
           option_refuse(out->command, "%s %s: must be A:B, two names or globs with a colon between them", row->name,
                         value);
}

bool option_set_pose_of_name(const option_row *row, const char *value, options *out)
{
    const char *text = value_of_name(value);
    grz_pose pose;
    grz_error error = {0};

    if (text == NULL)
        return option_refuse(out->command, "%s %s: must be NAME=P, an object and its pose", row->name, value);
    const char *wrong = pose_read(text, &pose, &error);
    return wrong == NULL || option_refuse(out->command, "%s %s: %s", row->name, value, wrong);
}

bool option_set_joint(const option_row *row, const char *value, options *out)
{
    const char *text = value_of_name(value);
    double numbers[2];
    size_t count = 0;
    const bool ranges = (out->takes & OPTION_TO) != 0; // a command about motions

    if (text != NULL && ranges && strchr(text, ':') != NULL) {
        char begin[64];
        snprintf(begin, sizeof begin, "%.*s", (int)strcspn(text, ":"), text);
        count = numbers_read(begin, &numbers[0], 1) + numbers_read(strchr(text, ':') + 1, &numbers[1], 1);
        count = count == 2 ? 1 : 0;
    } else if (text != NULL) {
        count = numbers_read(text, numbers, 1);
    }
    return count == 1 ||
           option_refuse(out->command, "%s %s: must be NAME=%s, a joint and %s (radians, metres)", row->name, value,
                         ranges ? "FROM:TO or NAME=VALUE" : "VALUE", ranges ? "two numbers or one" : "a number");
}

bool option_set_package(const option_row *row, const char *value, options *out)
{
    const char *equals = strchr(value, '=');
    return (equals != NULL && equals != value && equals[1] != '\0') ||
           option_refuse(out->command, "%s %s: must be NAME=DIR, a package and its folder", row->name, value);
}

bool option_set_picture(const option_row *row, const char *value, options *out)
{
    const char *dot = strrchr(value, '.');

    out->picture = value;
    if (strcmp(value, "-") == 0)
        return option_refuse(out->command, "%s -: a picture goes to a file, not to standard output", row->name);
    if (dot == NULL || strcasecmp(dot, ".png") != 0)
        return option_refuse(out->command, "%s %s: only PNG is written; the name must end in .png", row->name, value);
    return true;
}
