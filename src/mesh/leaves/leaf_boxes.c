// SPDX-License-Identifier: MIT
// Puts the faces of a mesh into leaves, top-down. A group of faces is cut across the longest side of its box, in the
// middle: a face goes to the side where the middle of its own box is. Source: G. van den Bergen, "Efficient collision
// detection of complex deformable models using AABB trees" (1997), section 4, as S. Aharon and C. Lenglet (2002) use it
// in section 2.1.
#include "mesh/leaves/leaf_boxes.h"

#include <string.h>

#include "base/control.h"
#include "base/fail.h"
#include "base/sort/number_sort.h"

enum {
    MIDDLE_CUTS = 64, // a group that so many cuts in the middle have led to is halved by the number of its faces
    MOST_DEPTH = MIDDLE_CUTS + 32 + 1,
    LOOK_BITS = 14,       // faces between two looks at the control, as a power of two
    LEAVES = 16,          // that a small mesh should have, unless
    LEAST_TRIANGLES = 16, // these are too few for a leaf
    MOST_TRIANGLES = 128
};

// Faces first to first + count - 1 of the list.
typedef struct group {
    uint32_t first, count, depth;
} group;

typedef struct builder {
    const grz_mesh *mesh;
    grz_leaf_boxes *leaves;
    grz_control *control;
    grz_box *boxes; // of each face
} builder;

uint32_t grz_leaf_faces_for(uint32_t face_count, uint32_t triangle_count)
{
    assert(face_count <= triangle_count);
    uint64_t triangles = triangle_count / LEAVES;
    triangles = triangles > LEAST_TRIANGLES ? triangles : LEAST_TRIANGLES;
    triangles = triangles < MOST_TRIANGLES ? triangles : MOST_TRIANGLES;
    const uint64_t faces = triangles * face_count / triangle_count;
    return faces > 0 ? (uint32_t)faces : 1;
}

// ---- Faces --------------------------------------------------------------------------------------------------------

static grz_status measure_faces(const builder *b)
{
    const grz_mesh *mesh = b->mesh;
    for (uint32_t face = 0; face < mesh->face_count; face++) {
        uint32_t count;
        const uint32_t *corners = grz_mesh_face_corners(mesh, face, &count);
        if (grz_control_expired_at(b->control, face, LOOK_BITS))
            return grz_control_status(b->control);
        b->boxes[face] = grz_box_empty();
        for (uint32_t i = 0; i < count; i++)
            grz_box_add_point(&b->boxes[face], grz_mesh_position(mesh, corners[i]));
        b->leaves->faces[face] = face;
    }
    return GRZ_OK;
}

static grz_box box_of(const builder *b, uint32_t first, uint32_t count)
{
    grz_box box = grz_box_empty();
    for (uint32_t i = 0; i < count; i++)
        grz_box_add_box(&box, &b->boxes[b->leaves->faces[first + i]]);
    return box;
}

static double middle_of(const grz_box *box, int axis)
{
    return 0.5 * box->min[axis] + 0.5 * box->max[axis];
}

// Reorder a group of two faces or more so that its two parts follow each other. Returns the size of the first part:
// neither part is empty.
static uint32_t cut(const builder *b, const group *g)
{
    const grz_box box = box_of(b, g->first, g->count);
    uint32_t *faces = b->leaves->faces + g->first, low = 0, high = g->count;
    int axis = 0;
    assert(g->count >= 2);
    for (int j = 1; j < 3; j++)
        axis = box.max[j] - box.min[j] > box.max[axis] - box.min[axis] ? j : axis;
    const double middle = middle_of(&box, axis);
    while (g->depth < MIDDLE_CUTS && low < high) {
        if (middle_of(&b->boxes[faces[low]], axis) < middle) {
            low++;
        } else {
            const uint32_t face = faces[low];
            faces[low] = faces[--high];
            faces[high] = face;
        }
    }
    return low > 0 && low < g->count ? low : g->count / 2;
}

// True if a cut of a leaf leaves two boxes without a common point.
static bool falls_apart(const builder *b, const group *g, uint32_t first_part)
{
    const grz_box low = box_of(b, g->first, first_part), high = box_of(b, g->first + first_part, g->count - first_part);
    return !grz_boxes_overlap(&low, &high);
}

// Add a leaf of these faces, which follow those of the leaf before.
static bool add_leaf(grz_leaf_boxes *leaves, uint32_t first, uint32_t count)
{
    if (leaves->leaf_count == 0 && !grz_array_add(leaves->allocator, &leaves->leaves))
        return false;
    if (!grz_array_add(leaves->allocator, &leaves->leaves))
        return false;
    leaves->leaves.items[leaves->leaf_count++].first_face = first;
    leaves->leaves.items[leaves->leaf_count].first_face = first + count;
    return true;
}

static grz_status add_leaves(const builder *b)
{
    group stack[MOST_DEPTH];
    size_t depth = 1;
    uint32_t done = 0;
    stack[0] = (group){0, b->mesh->face_count, 0};
    while (depth > 0) {
        const group g = stack[--depth];
        const bool small = g.count <= b->leaves->max_faces;
        const uint32_t first_part = g.count > 1 ? cut(b, &g) : 1;
        if (grz_control_expired(b->control))
            return grz_control_status(b->control);
        if (!small) {
            assert(depth + 2 <= MOST_DEPTH);
            stack[depth++] = (group){g.first + first_part, g.count - first_part, g.depth + 1};
            stack[depth++] = (group){g.first, first_part, g.depth + 1};
            continue;
        }
        const bool apart = g.count > 1 && falls_apart(b, &g, first_part);
        if (!add_leaf(b->leaves, g.first, apart ? first_part : g.count) ||
            (apart && !add_leaf(b->leaves, g.first + first_part, g.count - first_part)))
            return GRZ_ERROR_MEMORY;
        done += g.count;
    }
    assert(done == b->mesh->face_count);
    (void)done;
    return GRZ_OK;
}

// ---- Triangles and vertices ---------------------------------------------------------------------------------------

static void list_triangles(const grz_mesh *mesh, grz_leaf_boxes *leaves)
{
    uint32_t count = 0;
    for (uint32_t leaf = 0; leaf < leaves->leaf_count; leaf++) {
        leaves->leaves.items[leaf].first_triangle = count;
        for (uint32_t i = leaves->leaves.items[leaf].first_face; i < leaves->leaves.items[leaf + 1].first_face; i++)
            for (uint32_t t = grz_first_triangle(mesh, leaves->faces[i]);
                 t < grz_first_triangle(mesh, leaves->faces[i] + 1); t++)
                leaves->triangles[count++] = t;
    }
    assert(count == mesh->triangle_count);
    leaves->leaves.items[leaves->leaf_count].first_triangle = count;
}

// From which of the numbers on each is one more than the one before.
static size_t start_of_run(const uint64_t *numbers, size_t count)
{
    assert(count > 0);
    size_t i = count - 1;
    while (i > 0 && numbers[i - 1] + 1 == numbers[i])
        i--;
    return i;
}

// Find the vertices of each leaf. `last` is scratch for one number a vertex, `numbers` and `spare` for those of the
// corners of the largest leaf. `vertices` NULL: count them only. Returns how many there are.
static uint64_t list_vertices(const grz_mesh *mesh, const grz_leaf_boxes *leaves, uint32_t *last, uint64_t *numbers,
                              uint64_t *spare, uint32_t *vertices)
{
    uint64_t total = 0;
    memset(last, 0, mesh->vertex_count * sizeof *last);
    for (uint32_t leaf = 0; leaf < leaves->leaf_count; leaf++) {
        size_t count = 0;
        for (uint32_t i = leaves->leaves.items[leaf].first_triangle; i < leaves->leaves.items[leaf + 1].first_triangle;
             i++)
            for (size_t k = 0; k < 3; k++) {
                const uint32_t v = mesh->triangles[3 * (size_t)leaves->triangles[i] + k];
                if (last[v] == leaf + 1)
                    continue;
                last[v] = leaf + 1;
                numbers[count++] = v;
            }
        leaves->leaves.items[leaf].first_vertex = (uint32_t)total;
        if (vertices != NULL) {
            grz_sort_numbers(numbers, spare, count, NULL);
            for (size_t i = 0; i < count; i++)
                vertices[total + i] = (uint32_t)numbers[i];
            leaves->leaves.items[leaf].first_run = (uint32_t)(total + start_of_run(numbers, count));
        }
        total += count;
    }
    leaves->leaves.items[leaves->leaf_count].first_vertex = (uint32_t)total;
    return total;
}

static grz_status find_vertices(const builder *b)
{
    grz_leaf_boxes *leaves = b->leaves;
    const grz_mesh *mesh = b->mesh;
    const grz_allocator *allocator = leaves->allocator;
    size_t most = 0;
    for (uint32_t leaf = 0; leaf < leaves->leaf_count; leaf++) {
        const size_t corners =
            3 * (size_t)(leaves->leaves.items[leaf + 1].first_triangle - leaves->leaves.items[leaf].first_triangle);
        most = corners > most ? corners : most;
    }
    uint32_t *last = grz_allocate(allocator, mesh->vertex_count, sizeof *last);
    uint64_t *numbers = grz_allocate(allocator, 2 * most, sizeof *numbers);
    grz_status status = GRZ_ERROR_MEMORY;
    if (last != NULL && numbers != NULL) {
        leaves->vertex_total = list_vertices(mesh, leaves, last, numbers, numbers + most, NULL);
        leaves->vertices = grz_allocate(allocator, leaves->vertex_total, sizeof *leaves->vertices);
        // Three corners a triangle at most: the lists' offsets fit into 32 bits wherever those of the corners do.
        status = leaves->vertices != NULL && leaves->vertex_total <= UINT32_MAX ? GRZ_OK : GRZ_ERROR_MEMORY;
    }
    if (status == GRZ_OK)
        list_vertices(mesh, leaves, last, numbers, numbers + most, leaves->vertices);
    grz_release(allocator, last, mesh->vertex_count, sizeof *last);
    grz_release(allocator, numbers, 2 * most, sizeof *numbers);
    return status;
}

// ---- All together -------------------------------------------------------------------------------------------------

static grz_status build(builder *b)
{
    const grz_mesh *mesh = b->mesh;
    grz_leaf_boxes *leaves = b->leaves;
    const grz_allocator *allocator = leaves->allocator;
    leaves->faces = grz_allocate(allocator, mesh->face_count, sizeof *leaves->faces);
    leaves->triangles = grz_allocate(allocator, mesh->triangle_count, sizeof *leaves->triangles);
    if (leaves->faces == NULL || leaves->triangles == NULL || b->boxes == NULL)
        return GRZ_ERROR_MEMORY;
    grz_status status = measure_faces(b);
    if (status == GRZ_OK)
        status = add_leaves(b);
    if (status == GRZ_OK) {
        list_triangles(mesh, leaves);
        status = find_vertices(b);
    }
    if (status != GRZ_OK)
        return status;
    leaves->boxes = grz_allocate(allocator, leaves->leaf_count, sizeof *leaves->boxes);
    return leaves->boxes != NULL ? grz_leaf_boxes_refit(leaves, mesh, b->control) : GRZ_ERROR_MEMORY;
}

grz_status grz_leaf_boxes_build(grz_leaf_boxes *leaves, const grz_mesh *mesh, uint32_t max_faces, grz_control *control,
                                grz_error *error)
{
    const grz_allocator *allocator = grz_control_allocator(control);
    assert(mesh->source == NULL && mesh->face_count > 0);
    *leaves = (grz_leaf_boxes){.allocator = mesh->allocator,
                               .max_faces = max_faces,
                               .face_count = mesh->face_count,
                               .triangle_count = mesh->triangle_count};
    if (max_faces == 0)
        return grz_fail(error, GRZ_ERROR_ARGUMENT, GRZ_NO_ELEMENT, "leaf boxes: max_faces is 0, need at least 1");
    builder b = {.mesh = mesh, .leaves = leaves, .control = control};
    b.boxes = grz_allocate(allocator, mesh->face_count, sizeof *b.boxes);
    leaves->allocator = allocator;
    const grz_status status = build(&b);
    leaves->allocator = mesh->allocator; // the leaves outlive the call
    grz_release(allocator, b.boxes, mesh->face_count, sizeof *b.boxes);
    if (status == GRZ_ERROR_MEMORY)
        grz_fail(error, status, GRZ_NO_ELEMENT, "leaf boxes: out of memory for %u faces", mesh->face_count);
    return status;
}

void grz_leaf_boxes_finish(grz_leaf_boxes *leaves)
{
    const grz_allocator *allocator = leaves->allocator;
    if (allocator == NULL)
        return;
    grz_array_finish(allocator, &leaves->leaves);
    grz_release(allocator, leaves->faces, leaves->face_count, sizeof *leaves->faces);
    grz_release(allocator, leaves->triangles, leaves->triangle_count, sizeof *leaves->triangles);
    grz_release(allocator, leaves->vertices, leaves->vertex_total, sizeof *leaves->vertices);
    grz_release(allocator, leaves->boxes, leaves->leaf_count, sizeof *leaves->boxes);
    *leaves = (grz_leaf_boxes){.allocator = NULL};
}
