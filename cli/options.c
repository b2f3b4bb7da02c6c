// SPDX-License-Identifier: MIT
// Parses a command's options and files. Options may stand before, between and after the files, with their value behind `=` or as
// the next argument; `--` ends them. Strict on purpose: a script's typing error must not turn into an answer, so unknown, repeated
// and misplaced options are refused, and a number has to be a number to its last character.

#include "options.h"

#include "output.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct option_row {
    uint32_t bit;
    const char *name;  // with its dashes
    const char *value; // how the help names the value; NULL: takes none
    const char *help;
    const char *of; // the commands that it has a meaning for, where they are few; NULL: not worth saying
} option_row;

static const option_row option_table[] = {
    {OPTION_JSON, "--json", NULL, "write one JSON object and nothing else", NULL},
    {OPTION_METHOD, "--method", "NAME", "how candidates are found (see `graze devices`); auto, the default, chooses", NULL},
    {OPTION_ANSWER, "--answer", "exact|discrete", "proved (the default), or a method's own approximate answer", NULL},
    {OPTION_PRESET, "--preset", "NAME", "how fast or good a discrete answer of slices is: fast, balanced (the default) or accurate",
     "check"},
    {OPTION_DEVICE, "--device", "auto|cpu|gl", "where to compute: the CPU, or OpenGL for methods that use it", NULL},
    {OPTION_THREADS, "--threads", "N", "how many threads, 1 to 1024; all cores unless given", NULL},
    {OPTION_POSE_A, "--pose-a", "P", "move A: tx,ty,tz or tx,ty,tz,qx,qy,qz,qw (a quaternion, normalised)", "check and self"},
    {OPTION_POSE_B, "--pose-b", "P", "move B, likewise", "check"},
    {OPTION_PAIRS, "--pairs", NULL, "list the touching faces, two a line, numbered from 0 in file order", "check and self"},
    {OPTION_CURVES, "--curves", NULL, "list the curves along which surfaces meet, point by point", "check and self"},
    {OPTION_PICTURE, "--picture", "FILE.png", "draw what was found, 1200 x 900 pixels (through OpenGL; no screen needed)",
     "check, self and scene"},
    {OPTION_MAX_PAIRS, "--max-pairs", "N", "tell no more than that they touch past N pairs of faces; 2^28 unless given",
     "check, self and scene"},
    {OPTION_STRICT, "--strict", NULL, "exit with 3 where it cannot be told whether one mesh lies inside the other", NULL},
    {OPTION_QUIET, "--quiet", NULL, "write nothing to stdout: the exit status is the answer", NULL},
    {OPTION_HELP, "--help", NULL, "show this text", NULL},
};

enum {
    OPTION_ROWS = sizeof option_table / sizeof option_table[0]
};

static bool refuse(const options *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Tell what is wrong with the command line and where to read on.
static bool refuse(const options *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain_list(out->command, format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try `graze %s --help`.\n", out->command);
    return false;
}

static const option_row *find_option(const char *name, size_t length)
{
    for (size_t i = 0; i < OPTION_ROWS; i++) {
        if (strlen(option_table[i].name) == length && memcmp(option_table[i].name, name, length) == 0)
            return &option_table[i];
    }
    return NULL;
}

static bool set_method(options *out, const char *value)
{
    char known[256] = "auto";
    bool found = strcmp(value, "auto") == 0;

    for (size_t i = 0; grz_method_name(i) != NULL; i++) {
        found = found || strcmp(value, grz_method_name(i)) == 0;
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, ", %s", grz_method_name(i));
    }
    if (!found)
        return refuse(out, "--method %s: this build has no such method; it has %s", value, known);
    out->method = value;
    return true;
}

static bool set_answer(options *out, const char *value)
{
    if (strcmp(value, "exact") == 0)
        out->answer = GRZ_ANSWER_EXACT;
    else if (strcmp(value, "discrete") == 0)
        out->answer = GRZ_ANSWER_DISCRETE;
    else
        return refuse(out, "--answer %s: must be exact or discrete", value);
    return true;
}

static bool set_preset(options *out, const char *value)
{
    if (strcmp(value, "fast") == 0)
        out->slices = grz_default_slices_options(GRZ_SLICES_FAST);
    else if (strcmp(value, "balanced") == 0)
        out->slices = grz_default_slices_options(GRZ_SLICES_BALANCED);
    else if (strcmp(value, "accurate") == 0)
        out->slices = grz_default_slices_options(GRZ_SLICES_ACCURATE);
    else
        return refuse(out, "--preset %s: must be fast, balanced or accurate", value);
    return true;
}

static bool set_device(options *out, const char *value)
{
    if (strcmp(value, "auto") == 0)
        out->device = GRZ_DEVICE_AUTO;
    else if (strcmp(value, "cpu") == 0)
        out->device = GRZ_DEVICE_CPU;
    else if (strcmp(value, "gl") == 0)
        out->device = GRZ_DEVICE_GL;
    else
        return refuse(out, "--device %s: must be auto, cpu or gl", value);
    return true;
}

// Read a whole number from 1 to `most`, which is below 2^32. Returns 0 where the text is anything else.
static uint64_t parse_whole(const char *text, uint64_t most)
{
    uint64_t number = 0;

    // Digits only: strtoul would let signs and spaces pass.
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9')
            return 0;
        number = number * 10 + (uint64_t)(*text - '0');
        if (number > most)
            return 0;
    }
    return number;
}

static bool set_threads(options *out, const char *value)
{
    out->threads = (unsigned)parse_whole(value, MAX_THREADS);
    return out->threads > 0 || refuse(out, "--threads %s: must be a whole number from 1 to %d", value, MAX_THREADS);
}

static bool set_max_pairs(options *out, const char *value)
{
    out->max_pairs = parse_whole(value, UINT32_MAX);
    return out->max_pairs > 0 ||
           refuse(out, "--max-pairs %s: must be a whole number from 1 to %llu", value, (unsigned long long)UINT32_MAX);
}

// Read numbers with commas between them, at most `capacity`. Returns how many, 0 where the text is anything else.
static size_t parse_numbers(const char *text, double *numbers, size_t capacity)
{
    size_t count = 0;

    while (count < capacity) {
        // strtod would skip white space and read "inf" and "nan".
        if (strchr("+-.0123456789", *text) == NULL || *text == '\0')
            return 0;
        char *end;
        numbers[count] = strtod(text, &end);
        if (end == text || !isfinite(numbers[count]))
            return 0;
        count++;
        if (*end == '\0')
            return count;
        if (*end != ',')
            return 0;
        text = end + 1;
    }
    return 0;
}

static bool set_pose(const options *out, const char *name, const char *value, grz_pose *pose)
{
    double n[7];
    size_t count = parse_numbers(value, n, 7);

    if (count == 3) {
        *pose = grz_pose_from_translation(n[0], n[1], n[2]);
        return true;
    }
    if (count != 7)
        return refuse(out, "%s %s: must be tx,ty,tz or tx,ty,tz,qx,qy,qz,qw, finite numbers with commas and no spaces", name,
                      value);
    grz_error error = {0};
    if (grz_pose_from_quaternion(n, n + 3, pose, &error) != GRZ_OK)
        return refuse(out, "%s %s: %s", name, value, error.message);
    return true;
}

static bool set_value(options *out, const option_row *row, const char *value)
{
    switch (row->bit) {
    case OPTION_METHOD:
        return set_method(out, value);
    case OPTION_ANSWER:
        return set_answer(out, value);
    case OPTION_PRESET:
        return set_preset(out, value);
    case OPTION_DEVICE:
        return set_device(out, value);
    case OPTION_THREADS:
        return set_threads(out, value);
    case OPTION_MAX_PAIRS:
        return set_max_pairs(out, value);
    case OPTION_POSE_A:
        return set_pose(out, row->name, value, &out->poses[0]);
    case OPTION_POSE_B:
        return set_pose(out, row->name, value, &out->poses[1]);
    case OPTION_PICTURE:
        out->picture = value;
        return strcmp(value, "-") != 0 || refuse(out, "--picture -: a picture goes to a file, not to standard output");
    default:
        return true;
    }
}

// Parse the option at argv[*index] and move *index to the last argument that belongs to it.
static bool parse_option(const command *asked, int argc, char **argv, int *index, options *out)
{
    const char *argument = argv[*index];
    size_t length = strcspn(argument, "=");
    const char *value = argument[length] == '=' ? argument + length + 1 : NULL;
    const option_row *row = find_option(argument, length);

    if (row == NULL)
        return refuse(out, "unknown option %.*s", (int)length, argument);
    if ((row->bit & asked->takes) == 0)
        return refuse(out, "option %s is not for this command%s%s", row->name, row->of != NULL ? ", only for " : "",
                      row->of != NULL ? row->of : "");
    if ((row->bit & out->flags) != 0)
        return refuse(out, "option %s is given twice", row->name);
    out->flags |= row->bit;

    if (row->value == NULL)
        return value == NULL || refuse(out, "option %s takes no value", row->name);

    // Another option in the value's place means that the value was forgotten. A single dash may begin a number.
    if (value == NULL && *index + 1 < argc && strncmp(argv[*index + 1], "--", 2) != 0)
        value = argv[++*index];
    if (value == NULL || *value == '\0')
        return refuse(out, "option %s needs a value: %s", row->name, row->value);
    return set_value(out, row, value);
}

// Whether there are as many files as the command needs.
static bool check_files(const command *asked, const options *out)
{
    size_t count = out->file_count, standard_inputs = 0;

    if (asked->file_count == ANY_FILES) {
        if (count == 0)
            return refuse(out, "needs at least one file (%s)", asked->files);
    } else if (count != asked->file_count) {
        if (asked->file_count == 0)
            return refuse(out, "takes no files, got %zu (%s)", count, out->files[0]);
        return refuse(out, "needs %s (%s), got %zu", asked->file_count == 1 ? "one file" : "two files", asked->files, count);
    }
    for (size_t i = 0; i < count; i++)
        standard_inputs += strcmp(out->files[i], "-") == 0;
    if (standard_inputs > 1)
        return refuse(out, "only one of the files can be - (standard input)");
    return true;
}

// Whether the method that is asked for works where it is asked for.
static bool check_device(options *out)
{
    const bool self = strcmp(out->command, "self") == 0;
    grz_method method;

    if (out->slices.size > 0 && out->answer != GRZ_ANSWER_DISCRETE)
        return refuse(out, "--preset is for --answer discrete");
    if (out->slices.size > 0 && out->method != NULL && strcmp(out->method, "slices") != 0 && strcmp(out->method, "auto") != 0)
        return refuse(out, "--preset is for method slices");
    if (out->device == GRZ_DEVICE_CPU && out->answer == GRZ_ANSWER_DISCRETE)
        return refuse(out, "--device cpu: no method of this build gives a discrete answer on the CPU");
    for (size_t i = 0; out->device == GRZ_DEVICE_CPU && out->method != NULL && grz_method_info(i, &method); i++)
        if (method.gl && strcmp(out->method, method.name) == 0)
            return refuse(out, "--device cpu: method %s works through OpenGL", method.name);
    for (size_t i = 0; out->device == GRZ_DEVICE_GL && grz_method_info(i, &method); i++) {
        const bool fits = method.gl && (out->answer == GRZ_ANSWER_EXACT ? method.exact : method.discrete);
        const bool any = out->method == NULL || strcmp(out->method, "auto") == 0;
        if (!fits || (self && !method.self) || (!any && strcmp(out->method, method.name) != 0))
            continue;
        out->method = method.name; // what the library chooses for an exact answer works on the CPU
        return true;
    }
    if (out->device != GRZ_DEVICE_GL)
        return true;
    if (self && (out->method == NULL || strcmp(out->method, "auto") == 0))
        return refuse(out, "--device gl: no method of this build tests a mesh with itself through OpenGL");
    if (out->method == NULL || strcmp(out->method, "auto") == 0)
        return refuse(out, "--device gl: no method of this build gives %s answer through OpenGL",
                      out->answer == GRZ_ANSWER_EXACT ? "an exact" : "a discrete");
    return refuse(out, "--device gl: method %s gives no %s answer through OpenGL", out->method,
                  out->answer == GRZ_ANSWER_EXACT ? "exact" : "discrete");
}

bool options_parse(const command *asked, int argc, char **argv, options *out)
{
    bool only_files = false;

    *out = (options){.command = asked->name, .files = argv, .answer = GRZ_ANSWER_EXACT};
    for (size_t i = 0; i < MAX_MESHES; i++)
        out->poses[i] = grz_pose_identity();

    for (int i = 0; i < argc; i++) {
        if (!only_files && strcmp(argv[i], "--") == 0)
            only_files = true;
        else if (only_files || argv[i][0] != '-' || argv[i][1] == '\0')
            argv[out->file_count++] = argv[i]; // never past what has been read
        else if (!parse_option(asked, argc, argv, &i, out))
            return false;
    }
    if ((out->flags & OPTION_HELP) != 0)
        return true;
    return check_files(asked, out) && ((asked->takes & OPTION_METHOD) == 0 || check_device(out));
}

void options_describe(uint32_t mask, FILE *stream)
{
    for (size_t i = 0; i < OPTION_ROWS; i++) {
        const option_row *row = &option_table[i];
        if ((row->bit & mask) == 0)
            continue;
        char left[40];
        snprintf(left, sizeof left, "%s %s", row->name, row->value == NULL ? "" : row->value);
        fprintf(stream, "  %-24s %s\n", left, row->help);
    }
}
