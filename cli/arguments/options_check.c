// SPDX-License-Identifier: MIT
// Checks each option of a command line and stores its value; then the files; then whether method, answer and device fit
// each other.
#include "arguments/options_check.h"

#include "arguments/nearest.h"
#include "arguments/option_table.h"
#include "arguments/refuse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static bool refuse_misplaced(const command_table *table, const command *asked, const option_row *row)
{
    char where[128] = "";
    const char *before = ", only for ", *name = NULL;
    uint64_t bits = 0;

    for (size_t i = 0; i < option_row_count; i++)
        if (strcmp(option_table[i].name, row->name) == 0)
            bits |= option_table[i].bit;
    for (size_t i = 0; i < table->count; i++) {
        if ((table->commands[i]->takes & bits) == 0)
            continue;
        if (name != NULL) {
            const size_t used = strlen(where);
            snprintf(where + used, sizeof where - used, "%s%s", before, name);
            before = ", ";
        }
        name = table->commands[i]->name;
    }
    if (name == NULL)
        return option_refuse(asked->name, "option %s stands without a command", row->name);
    return option_refuse(asked->name, "option %s is not for this command%s%s%s", row->name, where,
                         *where == '\0' ? before : " and ", name);
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

// Check an option, and store its value. Unknown, repeated and misplaced options are refused.
static bool check_option(const command *asked, const given_option *given, options *out)
{
    const option_row *row = given->row;

    if (row == NULL)
        return refuse_unknown(asked->name, given->argument, asked->takes);
    for (const option_row *other = row; (row->bit & asked->takes) == 0 && other < option_table + option_row_count;
         other++)
        if (strcmp(other->name, row->name) == 0 && (other->bit & asked->takes) != 0)
            row = other; // commands may mean different things by one name
    if ((row->bit & asked->takes) == 0)
        return refuse_misplaced(out->table, asked, row);
    if ((row->bit & out->flags) != 0 && !row->repeats)
        return option_refuse(asked->name, "option %s is given twice", row->name);
    out->flags |= row->bit;

    if (row->value == NULL && strchr(given->argument, '=') != NULL)
        return option_refuse(asked->name, "option %s takes no value", row->name);
    if (row->value != NULL && given->value == NULL)
        return option_refuse(asked->name, "option %s needs a value: %s", row->name,
                             row->form != NULL ? row->form : row->value);
    return (row->set == NULL || row->set(row, given->value, out)) &&
           (!row->repeats || keep_value(row, given->value, out));
}

// Whether there are as many files as the command needs, and at most one of them is standard input.
static bool check_files(const command *asked, const options *out)
{
    const size_t count = out->file_count, least = asked->least_files, most = asked->most_files;
    size_t standard_inputs = 0;

    if (count > 0 && most == 0)
        return option_refuse(asked->name, "takes no files, got %zu (%s)", count, out->files[0]);
    if (count < least && most == ANY_FILES)
        return option_refuse(asked->name, "needs at least one file (%s), got %zu", asked->files, count);
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
    if ((out->flags & (OPTION_DEEPER_THAN | OPTION_DEPTH)) != 0 && out->answer == GRZ_ANSWER_DISCRETE)
        return option_refuse(out->command, "%s is for --answer exact: a discrete answer proves no depth",
                             (out->flags & OPTION_DEPTH) != 0 ? "--depth" : "--deeper-than");
    if (out->device == GRZ_DEVICE_CPU)
        return check_cpu(out);
    return out->device != GRZ_DEVICE_GL || check_gl(asked, out);
}

// Options that say how to do what another one asks for: without that one they would be ignored.
static bool check_dependent(const options *given)
{
    static const struct {
        uint64_t option, needs;
        const char *text;
    } rules[] = {
        {OPTION_CLEARANCE_TOLERANCE, OPTION_CLEARANCE, "--clearance-tolerance is for --clearance"},
        {OPTION_MAX_CELLS, OPTION_DEEPER_THAN | OPTION_DEPTH, "--max-cells is for --deeper-than and --depth"},
        {OPTION_DEPTH_TOLERANCE, OPTION_DEPTH, "--tolerance is for --depth"},
        {OPTION_OPEN, OPTION_DEEPER_THAN, "--open is for --deeper-than"},
        {OPTION_VERBOSE, OPTION_DEEPER_THAN, "--verbose is for --deeper-than"},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if ((given->flags & rules[i].option) != 0 && (given->flags & rules[i].needs) == 0)
            return option_refuse(given->command, "%s", rules[i].text);
    return true;
}

bool options_refuse_before(const char *wrong)
{
    if (strcmp(wrong, "--") == 0)
        return option_refuse(NULL, "the command must come before --");
    return refuse_unknown(NULL, wrong, OPTIONS_ALL);
}

bool options_check(const command *asked, const command_line *line, options *out)
{
    for (size_t i = 0; i < line->option_count; i++)
        if (!check_option(asked, &line->options[i], out))
            return false;
    if ((out->flags & OPTION_HELP) != 0)
        return true;
    return check_files(asked, out) && check_dependent(out) &&
           ((asked->takes & OPTION_METHOD) == 0 || check_method(asked, out));
}
