// SPDX-License-Identifier: MIT
// graze scene FILE…: every pair that touches among the parts of all files. Pairs of faces are only counted. The library
// lists them for that; if they are too many to list, the question is asked again without them, and the pairs of faces
// are counted for one pair of objects after the other, in the memory that one pair of objects needs. If even that
// exceeds --max-pairs, the report says which objects touch, without numbers.

#include "answers/describe_scene.h"
#include "answers/query.h"
#include "answers/scene.h"
#include "assembly/adjacent.h"
#include "assembly/allow.h"
#include "assembly/poses.h"
#include "assembly/robot_objects.h"
#include "assembly/split.h"
#include "command.h"
#include "deliver.h"
#include "output.h"
#include "picture.h"
#include "verdicts/scene_clearances.h"
#include "verdicts/scene_overlaps.h"
#include "verdicts/scene_status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Pairs of faces that are listed at once, in some 100 MB.
#define LISTED_AT_ONCE (UINT64_C(1) << 21)

// The bar must be gone before anything else goes to the terminal.
static void end_bar(scene_run *run)
{
    progress_end(run->bar);
    run->bar = NULL;
}

static bool fail(scene_run *run, const char *message)
{
    end_bar(run);
    complain(run->given->command, "%s", message);
    return false;
}

// Find the object that --reference names: by its name, by that of its part, or by its number.
static bool find_reference(const scene_objects *objects, const char *wanted, uint64_t *reference,
                           char message[LOAD_MESSAGE_SIZE])
{
    named found = {.holds = calloc(objects->count + 1, sizeof(bool))};
    if (found.holds == NULL) {
        snprintf(message, LOAD_MESSAGE_SIZE, "--reference %s: out of memory", wanted);
        return false;
    }
    names_find(objects, wanted, &found);
    size_t second = found.first + 1;
    while (found.count > 1 && !found.holds[second])
        second++;
    free(found.holds);
    *reference = found.first;
    if (found.count == 1)
        return true;
    const char *near = names_nearest(objects, wanted);
    if (found.count > 1)
        snprintf(message, LOAD_MESSAGE_SIZE, "--reference %s: objects %zu and %zu are both called so: give its number",
                 wanted, found.first, second);
    else if (near != NULL)
        snprintf(message, LOAD_MESSAGE_SIZE, "--reference %s: no object is called so; did you mean %s?", wanted, near);
    else
        snprintf(message, LOAD_MESSAGE_SIZE,
                 "--reference %s: no object is called so; there are %zu, and number 0 is %s", wanted, objects->count,
                 objects->count > 0 ? objects->names[0] : "none");
    return false;
}

// With --allow-adjacent: exclude what touches at the reference pose, at which the objects are still.
static bool exclude_touching(scene_run *run, grz_error *error)
{
    grz_collide_options wanted = query_common_options(run->given, run->bar);

    wanted.reference = run->reference;
    progress_phase(run->bar, "reference pose", NULL);
    return adjacent_exclude_touching(run->device, run->scene, &wanted, run->result, &run->excluded, error);
}

// Find which pairs are asked for, and leave out those that are excluded.
static bool set_scope(scene_run *run, char message[LOAD_MESSAGE_SIZE])
{
    const uint64_t count = run->objects.count;
    const bool adjacent = (run->given->flags & OPTION_ALLOW_ADJACENT) != 0;
    grz_error error = {.message = "out of memory for the pairs that are excluded"};

    if (!allow_read(run->given, &run->objects, &run->excluded, message))
        return false;
    const bool excluded = robot_objects_exclude(&run->objects, adjacent, &run->excluded);
    exclusions_sort(&run->excluded);
    if (!excluded || adjacent_filter(run->scene, &run->excluded, &error) != GRZ_OK ||
        (adjacent && !exclude_touching(run, &error))) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%s", error.message);
        return false;
    }
    if (run->reference != GRZ_ALL_OBJECTS)
        exclusions_keep(&run->excluded, (uint32_t)run->reference);
    run->asked = run->reference != GRZ_ALL_OBJECTS ? count - 1 : count * (count - 1) / 2;
    if (run->asked > 0 && run->excluded.count == run->asked) {
        snprintf(message, LOAD_MESSAGE_SIZE,
                 "every pair of objects is excluded, the first by %.300s: nothing is tested",
                 run->excluded.whys[run->excluded.items[0].why]);
        return false;
    }
    // Without a filter the library may conclude what some pairs are from others.
    if (run->excluded.count == 0 && grz_scene_set_filter(run->scene, NULL, NULL, &error) != GRZ_OK) {
        snprintf(message, LOAD_MESSAGE_SIZE, "%s", error.message);
        return false;
    }
    return true;
}

// Whether --split has anything to split. Links of robots are objects already.
static bool check_split(const options *given, const scene_objects *objects, char message[LOAD_MESSAGE_SIZE])
{
    if ((given->flags & OPTION_SPLIT) == 0 || objects->robot_count < given->file_count)
        return true;
    snprintf(message, LOAD_MESSAGE_SIZE,
             "--split: robots are not split: the shapes of their links are objects already");
    return false;
}

// If a file without parts is the only object: how many there would be with --split.
static bool count_shells(scene_run *run, grz_error *error)
{
    const scene_objects *objects = &run->objects;
    const bool whole = objects->count == 1 && objects->robot_count == 0;
    if (!whole || (run->given->flags & (OPTION_SPLIT | OPTION_QUIET)) != 0)
        return true;
    return split_count(grz_scene_object(run->scene, 0)->mesh, &run->shells, error);
}

static bool open_scene(scene_run *run, const options *given)
{
    char message[LOAD_MESSAGE_SIZE];
    grz_error error = {0};

    *run = (scene_run){.given = given, .counted = true, .reference = GRZ_ALL_OBJECTS, .measured = measure_begin()};
    if (!picture_claim(given))
        return false;
    run->bar = progress_begin();

    grz_device_options device_options = grz_default_device_options();
    device_options.threads = given->threads;
    device_options.kind = query_device_kind(given);
    if (grz_device_open(&device_options, &run->device, &error) != GRZ_OK ||
        grz_result_create(run->device, &run->result, &error) != GRZ_OK ||
        grz_scene_create(run->device, &run->scene, &error) != GRZ_OK)
        return fail(run, error.message);
    run->objects.device = run->device;
    run->objects.scene = run->scene;
    run->objects.given = given;
    for (size_t i = 0; i < given->file_count; i++) {
        progress_phase(run->bar, "reading", given->files[i]);
        if (!scene_objects_add_file(&run->objects, given->files[i], run->bar, message))
            return fail(run, message);
    }
    measure_loaded(&run->measured);
    (void)names_sort(&run->objects); // without memory they are found one by one
    if (given->reference != NULL && !find_reference(&run->objects, given->reference, &run->reference, message))
        return fail(run, message);
    if (!check_split(given, &run->objects, message) || !robot_objects_check(given, &run->objects, message) ||
        !set_scope(run, message) || !scene_clearances_read(run, message) || !scene_overlaps_read(run, message) ||
        !robot_objects_move(given, &run->objects, message) || !poses_set(given, &run->objects, message))
        return fail(run, message);
    return true;
}

// Keep what the result says.
static grz_status keep(scene_run *run, grz_error *error)
{
    uint64_t count;
    const grz_scene_pair *pairs = grz_result_scene_pairs(run->result, &count);

    run->summary = *grz_result_summary(run->result);
    if (run->asked == 0) { // nothing is left open either, whatever the method
        run->summary.containment = GRZ_CONTAINMENT_DECIDED;
        run->summary.reason = NULL;
    }
    uint64_t classified;
    const grz_pair_solids *solids = grz_result_scene_solids(run->result, &classified);
    uint64_t cleared;
    const grz_pair_clearance *clearances = grz_result_scene_clearances(run->result, &cleared);
    const bool asked = (run->given->flags & OPTION_CLEARANCE) != 0;
    run->pairs = malloc(((size_t)count + 1) * sizeof *pairs);
    run->solids = calloc((size_t)count + 1, sizeof *solids);
    run->clearances = asked ? calloc((size_t)count + 1, sizeof *clearances) : NULL;
    if (run->pairs == NULL || run->solids == NULL || (asked && run->clearances == NULL)) {
        snprintf(error->message, sizeof error->message, "out of memory for the pairs");
        return GRZ_ERROR_MEMORY;
    }
    if (count > 0)
        memcpy(run->pairs, pairs, (size_t)count * sizeof *pairs);
    if (classified > 0)
        memcpy(run->solids, solids, (size_t)classified * sizeof *solids);
    if (cleared > 0 && run->clearances != NULL)
        memcpy(run->clearances, clearances, (size_t)cleared * sizeof *clearances);
    run->pair_count = (size_t)count;
    return GRZ_OK;
}

// Add what a pair of objects has of pairs of faces.
static void add_counts(scene_run *run, grz_scene_pair *pair, const grz_summary *found)
{
    pair->pair_count = found->pair_count;
    run->summary.pair_count += found->pair_count;
    for (int kind = 0; kind < GRZ_KIND_COUNT; kind++) {
        pair->kinds[kind] = found->kinds[kind];
        run->summary.kinds[kind] += found->kinds[kind];
    }
    run->summary.prepare_ms += found->prepare_ms;
    run->summary.filter_ms += found->filter_ms;
    run->summary.decide_ms += found->decide_ms;
}

// Classify the pairs one after the other, and count the pairs of faces of those that touch up to `most`; more leave
// run->counted false. Pairs that touch are passed over from then on, and from the start if `most` is 0.
static grz_status ask_one_by_one(scene_run *run, uint64_t most, grz_error *error)
{
    grz_collide_options wanted = query_common_options(run->given, NULL);
    grz_status status = GRZ_OK;

    wanted.find = GRZ_FIND_PAIRS | GRZ_FIND_SOLIDS;
    wanted.clearance = scene_clearances_largest(run);
    run->counted = most > 0;
    progress_phase(run->bar, "counting", NULL);
    for (size_t i = 0; i < run->pair_count && status == GRZ_OK; i++) {
        grz_scene_pair *pair = &run->pairs[i];
        const bool touching = pair->relation == GRZ_COLLIDING;
        const bool near = run->clearances != NULL && run->clearances[i].clearance == GRZ_CLEARANCE_NOT_MET;
        if ((touching || near) && !run->counted)
            continue;
        if (touching || near)
            wanted.max_pairs = most - run->summary.pair_count - run->summary.near_count;
        status = grz_collide(run->device, grz_scene_object(run->scene, pair->a), grz_scene_object(run->scene, pair->b),
                             &wanted, run->result, error);
        if (status == GRZ_OK) {
            const grz_summary *found = grz_result_summary(run->result);
            if (touching)
                add_counts(run, pair, found);
            if (near)
                run->clearances[i].near_count = found->near_count;
            run->summary.near_count += found->near_count;
            run->solids[i] = (grz_pair_solids){found->solids, found->solids_reason};
        } else if (status == GRZ_ERROR_LIMIT) {
            run->counted = false;
            status = GRZ_OK;
        }
        progress_share((double)(i + 1) / (double)run->pair_count, run->bar);
    }
    return status;
}

// Draw the whole scene with what the result lists.
static bool draw(scene_run *run)
{
    const size_t count = (size_t)grz_scene_object_count(run->scene);
    grz_object *objects = malloc((count + 1) * sizeof *objects);

    grz_error error = {0};

    if (objects == NULL)
        return fail(run, "out of memory for the picture");
    for (size_t i = 0; i < count; i++)
        objects[i] = *grz_scene_object(run->scene, (uint32_t)i);
    progress_phase(run->bar, "drawing", NULL);
    const bool drawn = picture_write(run->given, run->device, objects, count, (const char *const *)run->objects.names,
                                     run->result, &error);
    free(objects);
    if (drawn)
        return true;
    end_bar(run);
    complain(run->given->command, "--picture %s: %s", run->given->picture, error.message);
    return false;
}

static grz_status ask(scene_run *run, grz_error *error)
{
    grz_collide_options wanted = query_common_options(run->given, run->bar);
    const uint64_t most = wanted.max_pairs;

    wanted.reference = run->reference;
    wanted.clearance = scene_clearances_largest(run);
    if ((run->given->flags & OPTION_QUIET) == 0)
        wanted.find |= GRZ_FIND_PAIRS | GRZ_FIND_SOLIDS;
    if ((run->given->flags & OPTION_ALLOW_TOUCHING) != 0)
        wanted.find |= GRZ_FIND_SOLIDS;
    if (run->given->picture != NULL)
        wanted.find |= GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES;
    const bool listed = (run->given->flags & (OPTION_PAIRS | OPTION_QUIET)) == OPTION_PAIRS;
    wanted.max_pairs = most < LISTED_AT_ONCE || listed ? most : LISTED_AT_ONCE;
    progress_phase(run->bar, "testing", NULL);
    grz_status status = grz_collide_scene(run->device, run->scene, &wanted, run->result, error);
    run->counted = status != GRZ_ERROR_LIMIT;
    if (status == GRZ_ERROR_LIMIT) {
        wanted.find &= ~(uint32_t)(GRZ_FIND_PAIRS | GRZ_FIND_CONTACTS | GRZ_FIND_CURVES | GRZ_FIND_SOLIDS);
        progress_phase(run->bar, "testing", NULL);
        status = grz_collide_scene(run->device, run->scene, &wanted, run->result, error);
    }
    return status == GRZ_OK ? keep(run, error) : status;
}

// Ask about what could not be listed at once, as far as the command line allows.
static grz_status ask_again(scene_run *run, grz_error *error)
{
    const uint64_t most = query_common_options(run->given, NULL).max_pairs;
    const bool exceeded = most <= LISTED_AT_ONCE || (run->given->flags & OPTION_PAIRS) != 0;
    return run->counted ? GRZ_OK : ask_one_by_one(run, exceeded ? 0 : most, error);
}

// With --rule auto: find the rule of each object, for the report.
static grz_status find_rules(scene_run *run, grz_error *error)
{
    grz_inside_rule rule;
    grz_status status = GRZ_OK;

    if (run->given->rule != GRZ_INSIDE_AUTO || (run->given->flags & OPTION_QUIET) != 0)
        return GRZ_OK;
    run->nonzero = calloc(run->objects.count + 1, sizeof(bool));
    if (run->nonzero == NULL) {
        snprintf(error->message, sizeof error->message, "out of memory for the rules");
        return GRZ_ERROR_MEMORY;
    }
    for (size_t i = 0; i < run->objects.count && status == GRZ_OK; i++) {
        status = grz_mesh_inside_rule(grz_scene_object(run->scene, (uint32_t)i)->mesh, &rule, error);
        run->nonzero[i] = rule == GRZ_NONZERO;
    }
    return status;
}

// All that is asked beside the scene's own answer.
static grz_status find_rest(scene_run *run, grz_error *error)
{
    grz_status status = ask_again(run, error);
    if (status == GRZ_OK)
        status = scene_clearances_narrow(run, error);
    if (status == GRZ_OK)
        status = scene_overlaps_ask(run, error);
    if (status == GRZ_OK)
        status = scene_judge(run, error);
    if (status == GRZ_OK)
        status = find_rules(run, error);
    return status == GRZ_OK && !count_shells(run, error) ? GRZ_ERROR_MEMORY : status;
}

static int report_scene(scene_run *run)
{
    const int status = scene_status(run);

    end_bar(run);
    measure_end(&run->measured);
    report r = describe_scene(run);
    const int delivered = deliver(&r, run->given, status);
    report_finish(&r);
    return delivered;
}

static void close_scene(scene_run *run)
{
    end_bar(run);
    picture_give_up();
    free(run->pairs);
    free(run->solids);
    free(run->clearances);
    free(run->nonzero);
    scene_overlaps_finish(run);
    scene_clearances_finish(run);
    grz_result_destroy(run->result);
    grz_scene_destroy(run->scene);
    scene_objects_finish(&run->objects);
    exclusions_finish(&run->excluded);
    grz_device_close(run->device);
}

static int run_scene(const options *given)
{
    scene_run run;
    grz_error error = {0};
    int status = STATUS_TROUBLE;

    if (open_scene(&run, given)) {
        if (ask(&run, &error) != GRZ_OK) {
            fail(&run, error.message);
        } else if (given->picture == NULL || draw(&run)) {
            if (find_rest(&run, &error) == GRZ_OK)
                status = report_scene(&run);
            else
                fail(&run, error.message);
        }
    }
    close_scene(&run);
    return status;
}

const command command_scene = {
    .name = "scene",
    .files = "FILE...",
    .least_files = 1,
    .most_files = ANY_FILES,
    .takes = OPTIONS_REPORT | OPTIONS_FILES | OPTIONS_MACHINE | OPTIONS_QUERY | OPTIONS_PICTURE | OPTION_PAIRS |
             OPTIONS_ASSEMBLY | OPTION_ALLOW_TOUCHING | OPTIONS_CLEARANCE | OPTIONS_OVERLAP | OPTION_VERBOSE |
             OPTION_REFERENCE | OPTION_THICKNESS,
    .run = run_scene,
    .summary = "every touching pair among many parts",
    .about = "Each part of a file is an object, named FILE:PART: an o or g of OBJ, a solid of STL, a node of\n"
             "glTF, COLLADA, 3MF and others at its place, depth first. A file without parts is one object, named\n"
             "FILE. A part without a name is called by its number: \"solid 3\", \"object 3\", \"node 3\". Names may\n"
             "repeat: objects are numbered from 0, file after file. Nodes that show one mesh share it.\n"
             "With --split each of these is taken apart into its shells.\n"
             "\n"
             "A file that ends in .urdf is a robot: each link is an object at the place that the joints give it,\n"
             "named FILE:LINK, or FILE:LINK/NAME for each of several collision shapes. Boxes are exact, spheres\n"
             "and cylinders are facets around them.\n"
             "\n"
             "Every object is tested against every other, those of its own file included. The report lists the\n"
             "pairs of objects that touch, each with its number of touching pairs of faces, and the pairs of which\n"
             "one object, or a part of it, is inside the other. With --reference only the pairs of one object\n"
             "are tested. `graze check` tells where two files touch.\n"
             "\n"
             "Pairs that are meant to touch are left out by --allow and --allow-file, by name, and by\n"
             "--allow-adjacent: links of a robot mostly overlap in their joints. The report tells how many pairs\n"
             "were asked for, tested and excluded, and why. A name that stands for no object is an error, and so\n"
             "is a scene of which nothing is left to test. Of one object alone the report says that there is\n"
             "nothing to compare, and the exit status is 0, with every option.\n",
    .statuses = "  0  nothing touches, and nothing is known to be inside\n"
                "  1  two objects touch, or one object, or a part of it, is inside another\n"
                "  2  trouble: wrong usage, an unreadable file, a bad mesh, a method that cannot do this\n"
                "  3  undecided; with --strict also if `inside` cannot be decided because a mesh is open\n"
                "With --allow-touching:\n"
                "  0  of all objects, the solids are apart or only touch\n"
                "  1  of two objects the insides overlap, one is inside the other, or they are the same\n"
                "  3  undecided: an open mesh touches another object, or may be inside it; 1 goes before that.\n"
                "     With --strict 3 goes before 1, and an open mesh counts wherever it is\n"
                "With --clearance D:\n"
                "  0  all surfaces are at least D apart and none touch, and no object is inside another\n"
                "  1  two are nearer (with --allow-touching, and do not only touch), or one is inside the other\n"
                "  3  undecided: an object may be inside another, which is open; 1 goes before that\n"
                "With --deeper-than D:\n"
                "  0  no two solids overlap by a depth above D\n"
                "  1  two do\n"
                "  3  undecided: an open mesh crosses another object (unless --open report), or --max-cells were\n"
                "     not enough; 1 goes before that\n",
    .examples = "  graze scene robot.gltf\n"
                "  graze scene --allow-touching --allow 'bolt*:plate' assembly.gltf\n"
                "  graze scene --deeper-than 0.001 --deeper-than 'pipe*:wall*=0.05' building.obj\n"
                "  graze scene --allow-adjacent --joint elbow=1.57 robot.urdf\n"
                "  graze scene --split --allow-touching assembly.stl\n"
                "  graze scene --reference gripper --method selection cell.gltf\n"
                "  graze scene --json fixture.obj parts/*.stl > answer.json\n",
};
