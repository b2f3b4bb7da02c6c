// SPDX-License-Identifier: MIT
// Attributes of URDF: names and numbers; and how a file is refused.
#include "robot/robot.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool grz_io_robot_refuse(const robot_reading *r, const xml_element *at, const char *format, ...)
{
    char what[REASON_SIZE];
    const xml_element *named = at;
    while (named != NULL && strcmp(named->name, "link") != 0 && strcmp(named->name, "joint") != 0)
        named = named->parent;
    const char *name = named != NULL ? grz_io_xml_value(named, "name") : NULL;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (name == NULL)
        return grz_io_xml_fail_at(r->control, at, "%s", what);
    return grz_io_xml_fail_at(r->control, at, "%s %.100s: %s", named->name, name, what);
}

bool grz_io_robot_fail_memory(const robot_reading *r)
{
    return grz_io_control_fail(r->control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory for the robot");
}

const char *grz_io_robot_keep(const robot_reading *r, const char *name)
{
    if (name == NULL)
        return NULL;
    char *copy = r->out->texts + r->out->text_size;
    const size_t size = strlen(name) + 1;
    memcpy(copy, name, size);
    r->out->text_size += size;
    return copy;
}

bool grz_io_robot_is_macro(const char *text)
{
    return strstr(text, "${") != NULL || strstr(text, "$(") != NULL;
}

// Read exactly `count` numbers with white space between them.
static bool parse_numbers(const char *text, double *numbers, size_t count)
{
    static const char blanks[] = " \t\r\n";
    for (size_t i = 0; i < count; i++) {
        text += strspn(text, blanks);
        if (*text == '\0' || strchr("+-.0123456789", *text) == NULL) // strtod would read "inf" and "nan"
            return false;
        char *end;
        numbers[i] = strtod(text, &end);
        if (end == text || !isfinite(numbers[i]) || (*end != '\0' && strchr(blanks, *end) == NULL))
            return false;
        text = end;
    }
    return text[strspn(text, blanks)] == '\0';
}

bool grz_io_robot_numbers(const robot_reading *r, const xml_element *at, const char *attribute, double *numbers,
                          size_t count)
{
    const char *text = grz_io_xml_value(at, attribute);
    if (text == NULL || parse_numbers(text, numbers, count))
        return true;
    if (grz_io_robot_is_macro(text))
        return grz_io_robot_refuse(r, at, "%s=\"%.60s\": this is xacro: run `xacro FILE > robot.urdf`", attribute,
                                   text);
    return grz_io_robot_refuse(r, at, "%s=\"%.60s\": must be %s", attribute, text,
                               count == 1 ? "one number" : "three numbers");
}

bool grz_io_robot_only(const robot_reading *r, const xml_element *in, const char *name, const xml_element **child)
{
    *child = grz_io_xml_child(in, name, NULL);
    const xml_element *second = *child != NULL ? grz_io_xml_child(in, name, *child) : NULL;
    return second == NULL || grz_io_robot_refuse(r, second, "a second %s in the %s of line %llu", name, in->name,
                                                 (unsigned long long)in->line);
}

bool grz_io_robot_origin(const robot_reading *r, const xml_element *in, grz_io_frame *frame)
{
    const xml_element *origin;
    double xyz[3] = {0}, rpy[3] = {0};
    *frame = grz_io_frame_identity();
    if (!grz_io_robot_only(r, in, "origin", &origin))
        return false;
    if (origin == NULL)
        return true;
    for (size_t i = 0; origin->attributes[i] != NULL; i += 2) { // such as quat_xyzw of other readers
        const char *name = origin->attributes[i];
        if (strcmp(name, "xyz") != 0 && strcmp(name, "rpy") != 0 && strchr(name, ':') == NULL)
            return grz_io_robot_refuse(r, origin, "origin has xyz and rpy, and no %.60s", name);
    }
    if (!grz_io_robot_numbers(r, origin, "xyz", xyz, 3) || !grz_io_robot_numbers(r, origin, "rpy", rpy, 3))
        return false;
    *frame = grz_io_frame_of_origin(xyz, rpy);
    return true;
}
