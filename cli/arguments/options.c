// SPDX-License-Identifier: MIT
// Parses a command line. Options may stand before the command and before, between and after the files, with their value
// behind `=` or as the next argument; `--` ends them. Unknown, repeated and misplaced options are refused.

#include "arguments/options.h"

#include "arguments/nearest.h"
#include "arguments/option_table.h"
#include "command.h"
#include "commands/commands.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0';
}

// "--threads=2": the name is the part before `=`. A value needs the long name.
static const option_row *find_option(const char *argument)
{
    const size_t length = strcspn(argument, "=");

    for (size_t i = 0; i < option_row_count; i++) {
        const option_row *row = &option_table[i];
        if (strlen(row->name) == length && memcmp(row->name, argument, length) == 0)
            return row;
        if (row->letter != NULL && strcmp(row->letter, argument) == 0)
            return row;
    }
    return NULL;
}

// Complain of an option that is not in the table. Suggests one of the mask.
static bool refuse_unknown(const char *asked, const char *argument, uint64_t takes)
{
    const int length = (int)strcspn(argument, "=");
    char typed[NEAREST_LONGEST];

    snprintf(typed, sizeof typed, "%.*s", length, argument);
    nearest near = nearest_begin(typed);
    for (size_t i = 0; i < option_row_count; i++)
        if ((option_table[i].bit & takes) != 0)
            nearest_try(&near, option_table[i].name);
    if (near.best != NULL)
        return option_refuse(asked, "unknown option %.*s; did you mean %s?", length, argument, near.best);
    return option_refuse(asked, "unknown option %.*s", length, argument);
}

// Complain of an option that the command does not take, and name the commands that do.
static bool refuse_misplaced(const command *asked, const option_row *row)
{
    char where[128] = "";
    const char *before = ", only for ", *name = NULL;

    for (size_t i = 0; commands_at(i) != NULL; i++) {
        if ((commands_at(i)->takes & row->bit) == 0)
            continue;
        if (name != NULL) {
            const size_t used = strlen(where);
            snprintf(where + used, sizeof where - used, "%s%s", before, name);
            before = ", ";
        }
        name = commands_at(i)->name;
    }
    if (name == NULL)
        return option_refuse(asked->name, "option %s stands without a command", row->name);
    return option_refuse(asked->name, "option %s is not for this command%s%s%s", row->name, where,
                         *where == '\0' ? before : " and ", name);
}

// The value of the option at argv[*index], which takes one. Moves *index to the last argument that belongs to the
// option. Returns NULL where there is none.
static const char *find_value(int argc, char **argv, int *index)
{
    const char *equals = strchr(argv[*index], '=');

    if (equals != NULL)
        return equals[1] != '\0' ? equals + 1 : NULL;
    // Another option in its place means that the value was forgotten. A single dash may begin a number.
    if (*index + 1 < argc && strncmp(argv[*index + 1], "--", 2) != 0 && argv[*index + 1][0] != '\0')
        return argv[++*index];
    return NULL;
}

static bool keep_value(const option_row *row, const char *value, options *out)
{
    option_value *values = realloc(out->values, (out->value_count + 1) * sizeof *values);
    if (values == NULL)
        return option_refuse(out->command, "option %s: out of memory", row->name);
    out->values = values;
    values[out->value_count++] = (option_value){row->bit, value};
    return true;
}

const char *options_next(const options *given, uint64_t option, size_t *place)
{
    while (*place < given->value_count) {
        const option_value *value = &given->values[(*place)++];
        if ((value->option & option) != 0)
            return value->text;
    }
    return NULL;
}

void options_finish(options *given)
{
    free(given->values);
    given->values = NULL;
    given->value_count = 0;
}

// Parse the option at argv[*index] and move *index to the last argument that belongs to it.
static bool parse_option(const command *asked, int argc, char **argv, int *index, options *out)
{
    const char *argument = argv[*index];
    const option_row *row = find_option(argument);

    if (row == NULL)
        return refuse_unknown(asked->name, argument, asked->takes);
    if ((row->bit & asked->takes) == 0)
        return refuse_misplaced(asked, row);
    if ((row->bit & out->flags) != 0 && !row->repeats)
        return option_refuse(asked->name, "option %s is given twice", row->name);
    out->flags |= row->bit;

    if (row->value == NULL && strchr(argument, '=') != NULL)
        return option_refuse(asked->name, "option %s takes no value", row->name);
    if (row->value == NULL)
        return row->set == NULL || row->set(row, NULL, out);
    const char *value = find_value(argc, argv, index);
    if (value == NULL)
        return option_refuse(asked->name, "option %s needs a value: %s", row->name,
                             row->form != NULL ? row->form : row->value);
    return (row->set == NULL || row->set(row, value, out)) && (!row->repeats || keep_value(row, value, out));
}

// Whether there are as many files as the command needs, and at most one of them is standard input.
static bool check_files(const command *asked, const options *out)
{
    const size_t count = out->file_count, least = asked->least_files, most = asked->most_files;
    size_t standard_inputs = 0;

    if (count > 0 && most == 0)
        return option_refuse(asked->name, "takes no files, got %zu (%s)", count, out->files[0]);
    if (count < least && most == ANY_FILES)
        return option_refuse(asked->name, "needs at least one file (%s)", asked->files);
    if ((count < least || count > most) && least == most)
        return option_refuse(asked->name, "needs %s (%s), got %zu", least == 1 ? "one file" : "two files", asked->files,
                             count);
    if (count > most)
        return option_refuse(asked->name, "takes at most %s (%s), got %zu",
                             most == 1 ? "one argument" : "two arguments", asked->files, count);
    for (size_t i = 0; i < count && least > 0; i++) // the optional argument of `help` is no file
        if (*out->files[i] == '\0')
            return most == 1 ? option_refuse(asked->name, "the name of the file is empty")
                             : option_refuse(asked->name, "the name of file %zu is empty", i + 1);
    for (size_t i = 0; i < count; i++)
        standard_inputs += strcmp(out->files[i], "-") == 0;
    if (standard_inputs > 1)
        return option_refuse(asked->name, "only one of the files can be - (standard input)");
    return true;
}

static bool chooses_itself(const options *given)
{
    return given->method == NULL || strcmp(given->method, "auto") == 0;
}

// Whether the options that only some methods have fit the method and the answer that are asked for. If no method was
// named, such an option chooses its own.
static bool check_own_options(options *given)
{
    for (size_t i = 0; i < option_row_count; i++) {
        const option_row *row = &option_table[i];
        if (row->method == NULL || (row->bit & given->flags) == 0)
            continue;
        if (given->answer != GRZ_ANSWER_DISCRETE)
            return option_refuse(given->command, "%s is for --answer discrete", row->name);
        if (!chooses_itself(given) && strcmp(given->method, row->method) != 0)
            return option_refuse(given->command, "%s is for method %s", row->name, row->method);
        given->method = row->method;
    }
    return true;
}

static bool check_cpu(const options *given)
{
    grz_method method;

    if (given->answer == GRZ_ANSWER_DISCRETE)
        return option_refuse(given->command,
                             "--device cpu: no method of this build gives a discrete answer on the CPU");
    for (size_t i = 0; given->method != NULL && grz_method_info(i, &method); i++)
        if (method.gl && strcmp(given->method, method.name) == 0)
            return option_refuse(given->command, "--device cpu: method %s works through OpenGL", method.name);
    return true;
}

// Choose a method that works through OpenGL: what the library chooses for an exact answer works on the CPU. Discrete
// answers all come through OpenGL; there the library knows which method has one to what is asked.
static bool check_gl(const command *asked, options *out)
{
    const char *answer = out->answer == GRZ_ANSWER_EXACT ? "exact" : "discrete";
    grz_method method;

    if (asked->without_gl)
        return option_refuse(out->command, "--device gl: the command does not work through OpenGL");
    for (size_t i = 0; grz_method_info(i, &method); i++) {
        const bool fits = method.gl && (out->answer == GRZ_ANSWER_EXACT ? method.exact : method.discrete);
        if (!fits || (asked->tests_one_mesh && !method.self) ||
            (!chooses_itself(out) && strcmp(out->method, method.name) != 0))
            continue;
        if (out->answer == GRZ_ANSWER_EXACT)
            out->method = method.name;
        return true;
    }
    if (!chooses_itself(out))
        return option_refuse(out->command, "--device gl: method %s gives no %s answer through OpenGL", out->method,
                             answer);
    if (asked->tests_one_mesh)
        return option_refuse(out->command,
                             "--device gl: no method of this build tests a mesh with itself through OpenGL");
    return option_refuse(out->command, "--device gl: no method of this build gives %s %s answer through OpenGL",
                         out->answer == GRZ_ANSWER_EXACT ? "an" : "a", answer);
}

// Whether the method that is asked for works where it is asked for.
static bool check_method(const command *asked, options *out)
{
    if (!check_own_options(out))
        return false;
    if ((out->flags & OPTION_ALLOW_TOUCHING) != 0 && out->answer == GRZ_ANSWER_DISCRETE)
        return option_refuse(out->command, "--allow-touching is for --answer exact: a discrete answer knows no solids");
    if ((out->flags & OPTION_CLEARANCE) != 0 && out->answer == GRZ_ANSWER_DISCRETE)
        return option_refuse(out->command, "--clearance is for --answer exact: a discrete answer proves no distance");
    if (out->device == GRZ_DEVICE_CPU)
        return check_cpu(out);
    return out->device != GRZ_DEVICE_GL || check_gl(asked, out);
}

int options_find_command(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!is_option(argv[i]))
            return i;
        const option_row *row = find_option(argv[i]);
        if (strcmp(argv[i], "--") == 0) {
            option_refuse(NULL, "the command must come before --");
            return 0;
        }
        if (row == NULL) {
            refuse_unknown(NULL, argv[i], OPTIONS_ALL);
            return 0;
        }
        if (row->value != NULL)
            find_value(argc, argv, &i);
    }
    return argc;
}

bool options_parse(const command *asked, int argc, char **argv, options *out)
{
    bool only_files = false;

    *out = (options){.command = asked->name, .takes = asked->takes, .files = argv, .answer = GRZ_ANSWER_EXACT};
    out->pose_shape = grz_pose_identity();
    for (size_t i = 0; i < MAX_MESHES; i++) {
        out->poses[i] = grz_pose_identity();
        out->from[i] = out->to[i] = (motion_end){.turn = {0.0, 0.0, 0.0, 1.0}};
    }

    for (int i = 0; i < argc; i++) {
        if (!only_files && strcmp(argv[i], "--") == 0)
            only_files = true;
        else if (only_files || !is_option(argv[i]))
            argv[out->file_count++] = argv[i]; // never past what has been read
        else if (!parse_option(asked, argc, argv, &i, out))
            return false;
    }
    if ((out->flags & OPTION_HELP) != 0)
        return true;
    return check_files(asked, out) && ((asked->takes & OPTION_METHOD) == 0 || check_method(asked, out));
}

enum {
    LEFT_WIDTH = 28 // columns before an option's help text
};

// The methods of this build that work for a command.
static void list_methods(const command *asked, FILE *stream)
{
    grz_method method;

    fprintf(stream, "%*sauto (the default)", LEFT_WIDTH, "");
    for (size_t i = 0; grz_method_info(i, &method); i++)
        if ((asked == NULL || !asked->tests_one_mesh || method.self) &&
            (asked == NULL || !asked->without_gl || !method.gl))
            fprintf(stream, ", %s", method.name);
    fputc('\n', stream);
}

static void describe_option(const option_row *row, const command *asked, FILE *stream)
{
    char left[64];
    const char *line = row->help;

    snprintf(left, sizeof left, "  %s%s %s%s%s", row->letter != NULL ? row->letter : "   ",
             row->letter != NULL ? "," : "", row->name, row->value != NULL ? " " : "",
             row->value != NULL ? row->value : "");
    // A long one stands alone in its line.
    if (strlen(left) < LEFT_WIDTH)
        fprintf(stream, "%-*s", LEFT_WIDTH, left);
    else
        fprintf(stream, "%s\n%*s", left, LEFT_WIDTH, "");
    while (line != NULL) {
        const size_t length = strcspn(line, "\n");
        fprintf(stream, "%.*s\n", (int)length, line);
        line = line[length] == '\n' ? line + length + 1 : NULL;
        if (line != NULL)
            fprintf(stream, "%*s", LEFT_WIDTH, "");
    }
    if (row->lists_methods)
        list_methods(asked, stream);
}

void options_describe(uint64_t mask, const command *asked, FILE *stream)
{
    for (int group = 0; group < GROUP_COUNT; group++) {
        bool titled = false;
        for (size_t i = 0; i < option_row_count; i++) {
            const option_row *row = &option_table[i];
            if ((row->bit & mask) == 0 || (int)row->group != group)
                continue;
            if (!titled)
                fprintf(stream, "\n%s:\n", option_group_titles[group]);
            titled = true;
            describe_option(row, asked, stream);
        }
    }
}
