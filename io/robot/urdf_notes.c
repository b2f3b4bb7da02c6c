// SPDX-License-Identifier: MIT
// Notes of a robot: what was left out or read in an unusual way.
#include "robot/robot.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    FIRST_NOTES = 16
};

static bool grow(const robot_reading *r)
{
    owned_robot *out = r->out;
    if (out->shown.note_count < out->note_room)
        return true;
    const size_t room = out->note_room > 0 ? 2 * out->note_room : FIRST_NOTES, size = sizeof *out->notes;
    char **moved = grz_io_control_reallocate(r->control, out->notes, out->note_room * size, room * size);
    if (moved == NULL)
        return grz_io_robot_fail_memory(r);
    out->notes = moved;
    out->note_room = room;
    out->shown.notes = (const char *const *)moved;
    return true;
}

bool grz_io_robot_note(const robot_reading *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (!grow(r))
        return false;
    char *text = length >= 0 ? grz_io_control_reallocate(r->control, NULL, 0, (size_t)length + 1) : NULL;
    if (text == NULL)
        return grz_io_robot_fail_memory(r);
    va_start(arguments, format);
    (void)vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    r->out->notes[r->out->shown.note_count++] = text;
    return true;
}
