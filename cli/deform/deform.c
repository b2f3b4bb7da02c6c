// SPDX-License-Identifier: MIT
// The files of the ends are read after the meshes. Faces are not handed to the library: they must be those of the
// meshes, which is checked, because vertices are matched by their numbers.
#include "deform/deform.h"

#include "answers/describe_move.h"
#include "answers/query.h"
#include "arguments/refuse.h"
#include "command.h"
#include "deliver.h"
#include "interrupt.h"
#include "output.h"

#include <stdio.h>
#include <string.h>

static const uint64_t bits[MAX_MESHES] = {OPTION_DEFORM_A, OPTION_DEFORM_B};

bool deform_check(const options *given)
{
    static const struct {
        uint64_t bit;
        const char *name;
    } rigid[] = {{OPTION_TO, "--to"},
                 {OPTION_TO_B, "--to-b"},
                 {OPTION_SCREW, "--screw"},
                 {OPTION_TOLERANCE, "--tolerance"},
                 {OPTION_METHOD, "--method"}};
    size_t standard_inputs = 0;

    for (size_t i = 0; i < sizeof rigid / sizeof *rigid; i++)
        if ((given->flags & rigid[i].bit) != 0)
            return option_refuse(given->command, "%s is for meshes that keep their shape, not with --deform-%c",
                                 rigid[i].name, (given->flags & OPTION_DEFORM_A) != 0 ? 'a' : 'b');
    if (given->file_count != 1 && given->file_count != 2)
        return option_refuse(given->command, "takes one file or two (A B) with --deform-a, got %zu", given->file_count);
    if (given->file_count == 1 && (given->flags & (OPTION_DEFORM_B | OPTION_FROM_B)) != 0)
        return option_refuse(given->command, "%s is for two files (A B), got one",
                             (given->flags & OPTION_DEFORM_B) != 0 ? "--deform-b" : "--from-b");
    for (size_t i = 0; i < given->file_count; i++) {
        standard_inputs += strcmp(given->files[i], "-") == 0;
        standard_inputs += given->deform[i] != NULL && strcmp(given->deform[i], "-") == 0;
    }
    return standard_inputs <= 1 || option_refuse(given->command, "only one of the files can be - (standard input)");
}

// Read where the vertices of a mesh end. False: the message says why not.
static bool read_end(const query *q, size_t i, model *end, char message[LOAD_MESSAGE_SIZE])
{
    const char *file = q->given->deform[i];
    const loaded_mesh *mesh = &q->meshes[i];
    const grz_io_options wanted = load_options(q->given->format, q->bar);

    interrupt_watch();
    const model_wish wish = {.options = &wanted, .unit = q->given->unit};
    const bool read = model_read_as(file, &wish, end, message, NULL);
    interrupt_unwatch();
    if (!read)
        return false;
    const file_facts facts = {.file = (char *)file, .unit = end->unit_in_metres};
    if (!facts_agree(&mesh->facts, &facts, message, LOAD_MESSAGE_SIZE))
        return false;
    if (end->vertex_count != grz_mesh_vertex_count(mesh->mesh))
        snprintf(message, LOAD_MESSAGE_SIZE,
                 "%.350s has %llu vertices, but %.350s has %llu: they are matched by number", file,
                 (unsigned long long)end->vertex_count, mesh->file,
                 (unsigned long long)grz_mesh_vertex_count(mesh->mesh));
    else if (load_faces_hash(end) != mesh->faces_hash)
        snprintf(message, LOAD_MESSAGE_SIZE,
                 "%.350s has other faces than %.350s: both need the same faces in the same order", file, mesh->file);
    else
        return true;
    return false;
}

static grz_status ask(const query *q, const model ends[MAX_MESHES], grz_move_answer *answer, grz_error *error)
{
    grz_object objects[MAX_MESHES];

    for (size_t i = 0; i < q->mesh_count; i++) {
        objects[i] = q->objects[i];
        grz_pose_from_quaternion(q->given->from[i].shift, q->given->from[i].turn, &objects[i].pose, NULL);
    }
    return grz_move_deforming(q->device, &objects[0], ends[0].positions, q->mesh_count == 2 ? &objects[1] : NULL,
                              ends[1].positions, NULL, answer, error);
}

int deform_run(const options *given)
{
    query q;
    model ends[MAX_MESHES] = {{0}};
    char message[LOAD_MESSAGE_SIZE];
    grz_error error = {0};
    int status = STATUS_TROUBLE;
    bool ready = query_open(&q, given);

    for (size_t i = 0; i < MAX_MESHES && ready; i++)
        if ((given->flags & bits[i]) != 0 && !read_end(&q, i, &ends[i], message)) {
            query_complain(&q, message);
            ready = false;
        }
    if (ready) {
        grz_move_answer answer;
        const grz_status ended = ask(&q, ends, &answer, &error);
        if (query_measured(&q, ended, &error)) {
            report r = describe_deforming(&q, &answer);
            status = deliver(&r, given, describe_move_status(&answer, NULL));
            report_finish(&r);
        }
    }
    for (size_t i = 0; i < MAX_MESHES; i++)
        model_finish(&ends[i]);
    query_close(&q);
    return status;
}
