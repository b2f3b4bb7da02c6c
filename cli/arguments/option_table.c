// SPDX-License-Identifier: MIT
// The options and how the value of each is read. Strict on purpose: a typing error in a script must not turn into an
// answer, so a number has to be a number to its last character.

#include <graze/gl.h>

#include "arguments/option_table.h"

#include "arguments/nearest.h"
#include "arguments/numbers.h"
#include "arguments/shape_text.h"
#include "output.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MOST_PIXELS = 1 << 24 // of a picture, a side
};

bool option_refuse(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain_list(command, format, arguments);
    va_end(arguments);
    complain_hint(command);
    return false;
}

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

static bool set_method(const option_row *row, const char *value, options *out)
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

static bool set_answer(const option_row *row, const char *value, options *out)
{
    static const choice choices[] = {{"exact", GRZ_ANSWER_EXACT, NULL}, {"discrete", GRZ_ANSWER_DISCRETE, NULL}};
    const choice *chosen = choose(row, value, choices, 2, "exact or discrete", out);

    if (chosen != NULL)
        out->answer = (grz_answer)chosen->value;
    return chosen != NULL;
}

static bool set_preset(const option_row *row, const char *value, options *out)
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

static bool set_device(const option_row *row, const char *value, options *out)
{
    static const choice choices[] = {
        {"auto", GRZ_DEVICE_AUTO, NULL}, {"cpu", GRZ_DEVICE_CPU, NULL}, {"gl", GRZ_DEVICE_GL, "gpu"}};
    const choice *chosen = choose(row, value, choices, 3, "auto, cpu or gl", out);

    if (chosen != NULL)
        out->device = (grz_device_kind)chosen->value;
    return chosen != NULL;
}

static bool set_threads(const option_row *row, const char *value, options *out)
{
    out->threads = (unsigned)numbers_read_whole(value, MAX_THREADS);
    return out->threads > 0 ||
           option_refuse(out->command, "%s %s: must be a whole number from 1 to %d", row->name, value, MAX_THREADS);
}

static bool set_max_pairs(const option_row *row, const char *value, options *out)
{
    out->max_pairs = numbers_read_whole(value, UINT32_MAX);
    return out->max_pairs > 0 || option_refuse(out->command, "%s %s: must be a whole number from 1 to %llu", row->name,
                                               value, (unsigned long long)UINT32_MAX);
}

const char *options_read_pose(const char *text, grz_pose *pose, grz_error *reason)
{
    double n[7];
    const size_t count = numbers_read(text, n, 7);

    if (count == 3)
        *pose = grz_pose_from_translation(n[0], n[1], n[2]);
    else if (count != 7)
        return "must be tx,ty,tz or tx,ty,tz,qx,qy,qz,qw, finite numbers with commas and no spaces";
    else if (grz_pose_from_quaternion(n, n + 3, pose, reason) != GRZ_OK)
        return reason->message;
    return NULL;
}

static bool set_shape(const option_row *row, const char *value, options *out)
{
    char reason[SHAPE_REASON_SIZE];

    out->shape_kind = shape_read(value, &out->shape, reason);
    return out->shape_kind != NULL || option_refuse(out->command, "%s %s: %s", row->name, value, reason);
}

static bool set_pose(const option_row *row, const char *value, options *out)
{
    grz_pose *pose = row->bit == OPTION_POSE_SHAPE ? &out->pose_shape : &out->poses[row->bit == OPTION_POSE_A ? 0 : 1];
    grz_error error = {0};
    const char *wrong = options_read_pose(value, pose, &error);

    return wrong == NULL || option_refuse(out->command, "%s %s: %s", row->name, value, wrong);
}

static bool set_end(const option_row *row, const char *value, options *out)
{
    const size_t mesh = row->bit == OPTION_FROM || row->bit == OPTION_TO ? 0 : 1;
    motion_end *end = row->bit == OPTION_FROM || row->bit == OPTION_FROM_B ? &out->from[mesh] : &out->to[mesh];
    grz_error error = {0};
    grz_pose pose;
    double n[7];
    const char *wrong = options_read_pose(value, &pose, &error);

    if (wrong != NULL)
        return option_refuse(out->command, "%s %s: %s", row->name, value, wrong);
    if (numbers_read(value, n, 7) == 7)
        memcpy(end->turn, n + 3, sizeof end->turn);
    memcpy(end->shift, n, sizeof end->shift);
    return true;
}

static bool set_deform(const option_row *row, const char *value, options *out)
{
    out->deform[row->bit == OPTION_DEFORM_A ? 0 : 1] = value;
    return *value != '\0' || option_refuse(out->command, "%s: the name of the file is empty", row->name);
}

static bool set_along(const option_row *row, const char *value, options *out)
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

static bool set_ray(const option_row *row, const char *value, options *out)
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

static bool set_pixel(const option_row *row, const char *value, options *out)
{
    return parse_two(value, ',', out->pixel) ||
           option_refuse(out->command, "%s %s: must be X,Y, whole numbers up to %d", row->name, value, MOST_PIXELS);
}

static bool set_size(const option_row *row, const char *value, options *out)
{
    return (parse_two(value, 'x', out->size) && out->size[0] > 0 && out->size[1] > 0) ||
           option_refuse(out->command, "%s %s: must be WIDTHxHEIGHT, whole numbers from 1 to %d", row->name, value,
                         MOST_PIXELS);
}

// A direction of a camera.
static bool set_camera(const option_row *row, const char *value, options *out)
{
    double *n = row->bit == OPTION_UP ? out->up : out->look;

    if (numbers_read(value, n, 3) != 3)
        return option_refuse(out->command, "%s %s: must be x,y,z, finite numbers with commas and no spaces", row->name,
                             value);
    return n[0] != 0.0 || n[1] != 0.0 || n[2] != 0.0 ||
           option_refuse(out->command, "%s %s: no direction: all three numbers are 0", row->name, value);
}

static bool set_tolerance(const option_row *row, const char *value, options *out)
{
    if (numbers_read(value, &out->tolerance, 1) != 1 || out->tolerance <= 0.0)
        return option_refuse(out->command, "%s %s: must be a finite number above 0", row->name, value);
    return true;
}

static bool set_layers(const option_row *row, const char *value, options *out)
{
    const uint64_t layers = numbers_read_whole(value, UINT32_MAX);

    if (layers == 0)
        return option_refuse(out->command, "%s %s: must be a whole number from 1 to 16384", row->name, value);
    out->layers = (uint32_t)layers;
    return true;
}

static bool set_clearance(const option_row *row, const char *value, options *out)
{
    if (numbers_read(value, &out->clearance, 1) != 1 || out->clearance < 0.0)
        return option_refuse(out->command, "%s %s: must be a finite number, 0 or more", row->name, value);
    return true;
}

static bool set_thickness(const option_row *row, const char *value, options *out)
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

static bool set_projection(const option_row *row, const char *value, options *out)
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

static bool set_direction(const option_row *row, const char *value, options *out)
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

static bool set_resolution(const option_row *row, const char *value, options *out)
{
    const uint64_t resolution = numbers_read_whole(value, UINT32_MAX);

    if (resolution == 0)
        return option_refuse(out->command, "%s %s: must be a whole number from 1 to %llu", row->name, value,
                             (unsigned long long)UINT32_MAX);
    map_options(row, out)->resolution = (uint32_t)resolution;
    return true;
}

static bool set_both_sides(const option_row *row, const char *value, options *out)
{
    (void)value;
    map_options(row, out)->both_sides = true;
    return true;
}

static bool set_stencil(const option_row *row, const char *value, options *out)
{
    (void)value;
    map_options(row, out)->stencil = true;
    return true;
}

static bool set_reference(const option_row *row, const char *value, options *out)
{
    (void)row;
    out->reference = value;
    return true;
}

static bool set_allow(const option_row *row, const char *value, options *out)
{
    const char *colon = strchr(value + (*value == ':'), ':');
    return (colon != NULL && colon[1] != '\0') ||
           option_refuse(out->command, "%s %s: must be A:B, two names or globs with a colon between them", row->name,
                         value);
}

// Of NAME=VALUE, the value: what follows the last '=', which no pose and no number holds. NULL: there is none, or no
// name.
static const char *value_of_name(const char *text)
{
    const char *equals = strrchr(text, '=');
    return equals != NULL && equals != text ? equals + 1 : NULL;
}

static bool set_pose_of_name(const option_row *row, const char *value, options *out)
{
    const char *text = value_of_name(value);
    grz_pose pose;
    grz_error error = {0};

    if (text == NULL)
        return option_refuse(out->command, "%s %s: must be NAME=P, an object and its pose", row->name, value);
    const char *wrong = options_read_pose(text, &pose, &error);
    return wrong == NULL || option_refuse(out->command, "%s %s: %s", row->name, value, wrong);
}

static bool set_joint(const option_row *row, const char *value, options *out)
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

static bool set_package(const option_row *row, const char *value, options *out)
{
    const char *equals = strchr(value, '=');
    return (equals != NULL && equals != value && equals[1] != '\0') ||
           option_refuse(out->command, "%s %s: must be NAME=DIR, a package and its folder", row->name, value);
}

static bool set_picture(const option_row *row, const char *value, options *out)
{
    const char *dot = strrchr(value, '.');

    out->picture = value;
    if (strcmp(value, "-") == 0)
        return option_refuse(out->command, "%s -: a picture goes to a file, not to standard output", row->name);
    if (dot == NULL || strcasecmp(dot, ".png") != 0)
        return option_refuse(out->command, "%s %s: only PNG is written; the name must end in .png", row->name, value);
    return true;
}

const char *const option_group_titles[GROUP_COUNT] = {
    [GROUP_PLACE] = "Where the meshes are", [GROUP_SHOW] = "What to show",      [GROUP_REPORT] = "How to report",
    [GROUP_DECIDE] = "What to decide",      [GROUP_COMPUTE] = "How to compute", [GROUP_OTHER] = "Help",
};

static const char pose_form[] = "tx,ty,tz or tx,ty,tz,qx,qy,qz,qw";

const option_row option_table[] = {
    {.bit = OPTION_POSE_A,
     .group = GROUP_PLACE,
     .name = "--pose-a",
     .value = "P",
     .form = pose_form,
     .help = "move A: tx,ty,tz or tx,ty,tz,qx,qy,qz,qw (a quaternion)",
     .set = set_pose},
    {.bit = OPTION_POSE_B,
     .group = GROUP_PLACE,
     .name = "--pose-b",
     .value = "P",
     .form = pose_form,
     .help = "move B, likewise",
     .set = set_pose},
    {.bit = OPTION_FROM,
     .group = GROUP_PLACE,
     .name = "--from",
     .value = "P",
     .form = pose_form,
     .help = "where A begins: tx,ty,tz or tx,ty,tz,qx,qy,qz,qw (default: where it is)",
     .set = set_end},
    {.bit = OPTION_TO,
     .group = GROUP_PLACE,
     .name = "--to",
     .value = "P",
     .form = pose_form,
     .help = "where A ends, likewise; it turns about its origin, the shortest way",
     .set = set_end},
    {.bit = OPTION_FROM_B,
     .group = GROUP_PLACE,
     .name = "--from-b",
     .value = "P",
     .form = pose_form,
     .help = "where B begins; it rests there unless --to-b is given",
     .set = set_end},
    {.bit = OPTION_TO_B,
     .group = GROUP_PLACE,
     .name = "--to-b",
     .value = "P",
     .form = pose_form,
     .help = "where B ends",
     .set = set_end},
    {.bit = OPTION_SCREW,
     .group = GROUP_PLACE,
     .name = "--screw",
     .help = "move by a constant twist: turn about an axis in space and shift along it"},
    {.bit = OPTION_DEFORM_A,
     .group = GROUP_PLACE,
     .name = "--deform-a",
     .value = "FILE",
     .form = "a file with A's faces",
     .help = "A deforms: every vertex goes along a line to where FILE has it, which\nhas the same faces; without B, "
             "when does A first touch itself",
     .set = set_deform},
    {.bit = OPTION_DEFORM_B,
     .group = GROUP_PLACE,
     .name = "--deform-b",
     .value = "FILE",
     .form = "a file with B's faces",
     .help = "B deforms, likewise",
     .set = set_deform},
    {.bit = OPTION_ALONG,
     .group = GROUP_PLACE,
     .name = "--along",
     .value = "x,y,z",
     .form = "x,y,z",
     .help = "move A in this direction only; its length does not matter (default: the\nbest direction that is found)",
     .set = set_along},
    {.bit = OPTION_RAY,
     .group = GROUP_PLACE,
     .name = "--ray",
     .value = "ox,oy,oz,dx,dy,dz",
     .form = "ox,oy,oz,dx,dy,dz",
     .help = "where the ray begins, and its direction, of any length",
     .set = set_ray},
    {.bit = OPTION_PIXEL,
     .group = GROUP_PLACE,
     .name = "--pixel",
     .value = "X,Y",
     .form = "X,Y",
     .help =
         "the ray goes through the middle of this pixel of a picture that\nshows all of A: column and row, from 0 at "
         "the top left",
     .set = set_pixel},
    {.bit = OPTION_SHAPE,
     .group = GROUP_PLACE,
     .name = "--shape",
     .value = "KIND:NUMBERS",
     .form = "KIND:NUMBERS",
     .help = "sphere:x,y,z,r; capsule:x,y,z,x,y,z,r; box:x,y,z,hx,hy,hz (half\nwidths); cylinder:x,y,z,r,h or "
             "cone:x,y,z,r,h (along z, half height\nh); ellipsoid:x,y,z,a,b,c; point:x,y,z; segment:x,y,z,x,y,z;\n"
             "triangle: three points; ray: or line:ox,oy,oz,dx,dy,dz",
     .set = set_shape},
    {.bit = OPTION_POSE_SHAPE,
     .group = GROUP_PLACE,
     .name = "--pose-shape",
     .value = "P",
     .form = pose_form,
     .help = "move the shape, likewise; it turns about the origin",
     .set = set_pose},
    {.bit = OPTION_POSE,
     .group = GROUP_PLACE,
     .name = "--pose",
     .value = "NAME=P",
     .form = "an object and its pose",
     .help = "put an object at a pose: its name, that of its part alone, its number,\nor a glob; repeatable",
     .repeats = true,
     .set = set_pose_of_name},
    {.bit = OPTION_POSES,
     .group = GROUP_PLACE,
     .name = "--poses",
     .value = "FILE",
     .form = "a JSON file",
     .help = "the same for all that a JSON file names: {\"NAME\": [tx,ty,tz], ...};\n--pose goes before it; repeatable",
     .repeats = true},
    {.bit = OPTION_JOINT,
     .group = GROUP_PLACE,
     .name = "--joint",
     .value = "NAME=VALUE",
     .form = "a joint and a number",
     .help = "put a joint of a robot (URDF) at a value, in radians or metres, within\nits limits; 0 unless given; "
             "`move` takes NAME=FROM:TO; repeatable",
     .repeats = true,
     .set = set_joint},
    {.bit = OPTION_PACKAGE,
     .group = GROUP_PLACE,
     .name = "--package",
     .value = "NAME=DIR",
     .form = "a package and its folder",
     .help = "where package://NAME/ of a robot's meshes is; repeatable",
     .repeats = true,
     .set = set_package},
    {.bit = OPTION_PAIRS, .group = GROUP_SHOW, .name = "--pairs", .help = "list the touching faces, two a line"},
    {.bit = OPTION_ALL_HITS,
     .group = GROUP_SHOW,
     .name = "--all",
     .help = "list all that the ray hits, in order (default: the first); all faces\nthat the shape touches (default: "
             "how many there are)"},
    {.bit = OPTION_CURVES,
     .group = GROUP_SHOW,
     .name = "--curves",
     .help = "list the curves along which surfaces meet, point by point"},
    {.bit = OPTION_PICTURE,
     .group = GROUP_SHOW,
     .name = "--picture",
     .value = "FILE.png",
     .help = "draw the answer (by OpenGL; needs no screen)",
     .set = set_picture},
    {.bit = OPTION_SIZE,
     .group = GROUP_SHOW,
     .name = "--size",
     .value = "WxH",
     .form = "WIDTHxHEIGHT in pixels",
     .help = "the size of the picture, of --pixel or --picture (default 1200x900)",
     .set = set_size},
    {.bit = OPTION_LOOK,
     .group = GROUP_SHOW,
     .name = "--look",
     .value = "x,y,z",
     .form = "x,y,z",
     .help = "from the eye to what is seen, in the picture (default: a side that\nshows the contact; without one, from "
             "one side and from above)",
     .set = set_camera},
    {.bit = OPTION_UP,
     .group = GROUP_SHOW,
     .name = "--up",
     .value = "x,y,z",
     .form = "x,y,z",
     .help = "what is up in the picture (default 0,1,0; of robots 0,0,1)",
     .set = set_camera},
    {.bit = OPTION_JSON, .group = GROUP_REPORT, .name = "--json", .help = "write one JSON object and nothing else"},
    {.bit = OPTION_QUIET,
     .group = GROUP_REPORT,
     .name = "--quiet",
     .letter = "-q",
     .help = "write nothing to stdout: the exit status is the answer"},
    {.bit = OPTION_TIME,
     .group = GROUP_REPORT,
     .name = "--time",
     .help = "add the time and the method to the report; without it they are\nshown on stderr, and only on a terminal"},
    {.bit = OPTION_STRICT,
     .group = GROUP_DECIDE,
     .name = "--strict",
     .help = "exit with 3 if it cannot be decided whether one mesh is inside the other"},
    {.bit = OPTION_ALLOW_TOUCHING,
     .group = GROUP_DECIDE,
     .name = "--allow-touching",
     .help = "solids that only touch are fine: exit with 0 unless insides overlap or\none is inside another, "
             "and with 3 where a mesh that touches is open"},
    {.bit = OPTION_CLEARANCE,
     .group = GROUP_DECIDE,
     .name = "--clearance",
     .value = "D",
     .form = "a number",
     .help = "exit with 0 only if all surfaces are at least D apart, exactly, and no\nobject is inside another; with "
             "--allow-touching, those that only touch\nare excused",
     .set = set_clearance},
    {.bit = OPTION_TOLERANCE,
     .group = GROUP_DECIDE,
     .name = "--tolerance",
     .value = "D",
     .form = "a number above 0",
     .help = "how far anything may travel between the two times that enclose a\ncontact (default: a millionth of the "
             "smaller object's size)",
     .set = set_tolerance},
    {.bit = OPTION_ALLOW,
     .group = GROUP_DECIDE,
     .name = "--allow",
     .value = "A:B",
     .form = "two names or globs with a colon between them",
     .help =
         "do not test objects called A against objects called B: names, those\nof parts, numbers, or globs, where ? "
         "stands for a colon within a\nname, too; repeatable",
     .repeats = true,
     .set = set_allow},
    {.bit = OPTION_ALLOW_FILE,
     .group = GROUP_DECIDE,
     .name = "--allow-file",
     .value = "FILE",
     .form = "a file of lines A:B, or SRDF",
     .help = "the same for each line A:B of a file (# begins a comment), or for\neach disable_collisions of SRDF; "
             "repeatable",
     .repeats = true},
    {.bit = OPTION_ALLOW_ADJACENT,
     .group = GROUP_DECIDE,
     .name = "--allow-adjacent",
     .help = "do not test links that a joint joins, nor objects that touch at the\nreference pose: as in the files, "
             "joints at 0"},
    {.bit = OPTION_REFERENCE,
     .group = GROUP_DECIDE,
     .name = "--reference",
     .value = "NAME",
     .form = "the name or the number of an object",
     .help = "test only the pairs of this object with all others: its name, that\nof its part alone, or its number",
     .set = set_reference},
    {.bit = OPTION_MAX_PAIRS,
     .group = GROUP_DECIDE,
     .name = "--max-pairs",
     .value = "N",
     .form = "a whole number from 1 to 4294967295",
     .help = "past N pairs of faces, report only that they touch (default 2^28)",
     .set = set_max_pairs},
    {.bit = OPTION_ANSWER,
     .group = GROUP_DECIDE,
     .name = "--answer",
     .value = "exact|discrete",
     .help = "proved (the default), or a method's own approximate answer",
     .set = set_answer},
    {.bit = OPTION_METHOD,
     .group = GROUP_COMPUTE,
     .name = "--method",
     .value = "NAME",
     .form = "the name of a method",
     .help = "how to find candidates; the exact answer is the same with all that\nthis command can use:",
     .lists_methods = true,
     .set = set_method},
    {.bit = OPTION_PRESET,
     .group = GROUP_COMPUTE,
     .name = "--preset",
     .value = "fast|balanced|accurate",
     .help = "speed against quality of a discrete answer of method slices\n(default balanced)",
     .set = set_preset,
     .method = "slices"},
    {.bit = OPTION_THICKNESS,
     .group = GROUP_COMPUTE,
     .name = "--thickness",
     .value = "D",
     .form = "a number, 0 or more",
     .help =
         "thickness of the volume around each face in a discrete answer of\nmethod selection (default 0.001, in the "
         "files' units)",
     .set = set_thickness,
     .method = "selection"},
    {.bit = OPTION_PROJECTION,
     .group = GROUP_COMPUTE,
     .name = "--projection",
     .value = "single|opposite|bounded|combined|floor",
     .help = "which height maps of A a discrete answer of method heightmap\ncompares with B (default single)",
     .set = set_projection,
     .method = "heightmap"},
    {.bit = OPTION_DIRECTION,
     .group = GROUP_COMPUTE,
     .name = "--direction",
     .value = "x,y,z",
     .form = "x,y,z, in the coordinates of A",
     .help =
         "along which these maps look, in the coordinates of A (default:\nthe longest edge of A's box; for floor the "
         "shortest)",
     .set = set_direction,
     .method = "heightmap"},
    {.bit = OPTION_RESOLUTION,
     .group = GROUP_COMPUTE,
     .name = "--resolution",
     .value = "N",
     .form = "a whole number from 1 to 4294967295",
     .help = "pixels a side of such a map (default 128)",
     .set = set_resolution,
     .method = "heightmap"},
    {.bit = OPTION_BOTH_SIDES,
     .group = GROUP_COMPUTE,
     .name = "--both-sides",
     .help = "draw all faces into such maps, whatever side they show: for open\nmeshes, and where B comes from behind",
     .set = set_both_sides,
     .method = "heightmap"},
    {.bit = OPTION_STENCIL,
     .group = GROUP_COMPUTE,
     .name = "--stencil",
     .help = "draw B only where A covers a pixel: the answer stays the same,\nonly the time may change",
     .set = set_stencil,
     .method = "heightmap"},
    {.bit = OPTION_LAYERS,
     .group = GROUP_COMPUTE,
     .name = "--layers",
     .value = "N",
     .form = "a whole number from 1 to 4294967295",
     .help = "also measure the volume by layered depth, at N x N pixels: a discrete\nanswer, through OpenGL",
     .set = set_layers},
    {.bit = OPTION_DEVICE,
     .group = GROUP_COMPUTE,
     .name = "--device",
     .value = "auto|cpu|gl",
     .help = "where to compute: the CPU, or OpenGL for methods that use it",
     .set = set_device},
    {.bit = OPTION_THREADS,
     .group = GROUP_COMPUTE,
     .name = "--threads",
     .value = "N",
     .form = "a whole number from 1 to 1024",
     .help = "how many threads, 1 to 1024 (default: all cores)",
     .set = set_threads},
    {.bit = OPTION_HELP, .group = GROUP_OTHER, .name = "--help", .letter = "-h", .help = "show this help"},
    {.bit = OPTION_VERSION, .group = GROUP_OTHER, .name = "--version", .letter = "-V", .help = "show the version"},
};

const size_t option_row_count = sizeof option_table / sizeof option_table[0];
