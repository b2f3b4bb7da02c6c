// SPDX-License-Identifier: MIT
// Reads what Assimp reads and libgraze_io does not (3MF, FBX, X3D, …), in a child process (foreign_child.c).
// Every step that would merge, drop or move vertices is off. Each node with meshes becomes an instance; its world
// matrix is the product of its ancestors' in double. Nodes that show the same meshes share them: they are sent once.
// Positions and matrices are float32 inside Assimp, which a note says.
#define _POSIX_C_SOURCE 200809L
#include "foreign/foreign.h"

#include <string.h>
#include <strings.h>

typedef struct import_request {
    const foreign_reader *r;
    const char *hint;
    const char *library; // the name of Assimp's
} import_request;

// Whether it is a file that Assimp would read, as far as can be told without it.
static bool is_known(const import_request *request)
{
    static const char *const extensions[] = {"3ds", "3mf", "ac", "blend", "dxf", "fbx", "ifc", "lwo", "x3d"};
    const char *dot = strrchr(request->r->path, '.');
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions && dot != NULL; i++)
        if (strcasecmp(dot + 1, extensions[i]) == 0)
            return true;
    return request->hint != NULL;
}

#ifdef GRZ_HAVE_ASSIMP
#include "foreign/assimp_library.h"

#include <assimp/commonMetaData.h>
#include <assimp/config.h>
#include <assimp/metadata.h>
#include <assimp/scene.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    DEEPEST_NODE = 5000,
    BUFFER_SIZE = 65536
};

// A node that shows meshes.
typedef struct shown_node {
    const struct aiNode *node;
    size_t first;  // the first node that shows the same meshes
    uint64_t mesh; // the number under which these are sent
    double world[3][4];
} shown_node;

// What is in one of the importer's meshes.
typedef struct mesh_sizes {
    bool known;
    uint64_t faces, corners, points, lines;
} mesh_sizes;

typedef struct sender {
    int pipe;
    size_t used;
    unsigned char buffer[BUFFER_SIZE];
    const struct aiScene *scene;
    child_header header;
    mesh_sizes *sizes; // one for each of the scene's meshes
    shown_node *nodes; // depth first
    size_t node_count, node_capacity;
} sender;

static void flush(sender *out)
{
    for (size_t done = 0; done < out->used;) {
        ssize_t n = write(out->pipe, out->buffer + done, out->used - done);
        if (n < 0 && errno != EINTR)
            _exit(1);
        done += n > 0 ? (size_t)n : 0;
    }
    out->used = 0;
}

static void send(sender *out, const void *bytes, size_t size)
{
    const unsigned char *p = bytes;
    while (size > 0) {
        size_t n = BUFFER_SIZE - out->used < size ? BUFFER_SIZE - out->used : size;
        memcpy(out->buffer + out->used, p, n);
        out->used += n;
        p += n;
        size -= n;
        if (out->used == BUFFER_SIZE)
            flush(out);
    }
}

// Send the header with a text, and leave.
static _Noreturn void refuse(sender *out, child_status status, const char *text)
{
    size_t length = strlen(text);
    out->used = 0;
    out->header = (child_header){.magic = CHILD_MAGIC, .status = status};
    out->header.text_length = length < CHILD_TEXT_LENGTH ? length : CHILD_TEXT_LENGTH;
    send(out, &out->header, sizeof out->header);
    send(out, text, (size_t)out->header.text_length);
    flush(out);
    _exit(0);
}

static _Noreturn void refuse_memory(sender *out)
{
    refuse(out, CHILD_FAILED, "not enough memory for the model");
}

static const struct aiMesh *mesh_of(const sender *out, const struct aiNode *node, unsigned i)
{
    return out->scene->mMeshes[node->mMeshes[i]];
}

static bool is_face(const struct aiFace *face)
{
    return face->mNumIndices >= 3;
}

// Look at everything in a mesh that is relied on later, and count.
static void measure(sender *out, const struct aiMesh *mesh, mesh_sizes *sizes)
{
    if ((mesh->mNumVertices && !mesh->mVertices) || (mesh->mNumFaces && !mesh->mFaces))
        refuse(out, CHILD_FAILED, "the importer gave a mesh without its data");
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        for (unsigned k = 0; k < face->mNumIndices; k++)
            if (!face->mIndices || face->mIndices[k] >= mesh->mNumVertices)
                refuse(out, CHILD_FAILED, "a face refers to a vertex that its mesh does not have");
        sizes->points += face->mNumIndices == 1;
        sizes->lines += face->mNumIndices == 2;
        sizes->faces += is_face(face);
        sizes->corners += is_face(face) ? face->mNumIndices : 0;
    }
    sizes->known = true;
}

static void add_node(sender *out, const struct aiNode *node, const double world[3][4])
{
    if (node->mNumMeshes == 0)
        return;
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (node->mMeshes[i] >= out->scene->mNumMeshes || !mesh_of(out, node, i))
            refuse(out, CHILD_FAILED, "the importer gave a node without its mesh");
        mesh_sizes *sizes = &out->sizes[node->mMeshes[i]];
        if (!sizes->known)
            measure(out, mesh_of(out, node, i), sizes);
        out->header.points_skipped += sizes->points;
        out->header.lines_skipped += sizes->lines;
    }
    if (out->node_count == out->node_capacity) {
        out->node_capacity = 2 * out->node_capacity + 64;
        shown_node *moved = realloc(out->nodes, out->node_capacity * sizeof *moved);
        if (!moved)
            refuse_memory(out);
        out->nodes = moved;
    }
    shown_node *added = &out->nodes[out->node_count++];
    *added = (shown_node){.node = node};
    memcpy(added->world, world, sizeof added->world);
}

// All nodes from this one on, depth first, in the order of the file.
static void add_nodes(sender *out, const struct aiNode *node, const double parent[3][4], unsigned depth)
{
    if (depth > DEEPEST_NODE)
        refuse(out, CHILD_FAILED, "nodes are nested too deeply");
    const struct aiMatrix4x4 *t = &node->mTransformation;
    const float local[3][4] = {
        {t->a1, t->a2, t->a3, t->a4}, {t->b1, t->b2, t->b3, t->b4}, {t->c1, t->c2, t->c3, t->c4}};
    double world[3][4];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            world[i][k] = parent[i][0] * (double)local[0][k] + parent[i][1] * (double)local[1][k] +
                          parent[i][2] * (double)local[2][k] + (k == 3 ? parent[i][3] : 0);
    add_node(out, node, (const double(*)[4])world);
    for (unsigned i = 0; i < node->mNumChildren; i++)
        if (node->mChildren[i])
            add_nodes(out, node->mChildren[i], (const double(*)[4])world, depth + 1);
}

// A node and its place among those that show meshes.
typedef struct sorted_node {
    const struct aiNode *node;
    size_t index;
} sorted_node;

static int compare_meshes(const struct aiNode *m, const struct aiNode *n)
{
    if (m->mNumMeshes != n->mNumMeshes)
        return m->mNumMeshes < n->mNumMeshes ? -1 : 1;
    return memcmp(m->mMeshes, n->mMeshes, m->mNumMeshes * sizeof *m->mMeshes);
}

// By the meshes that they show, and where these are the same, by place.
static int compare_nodes(const void *x, const void *y)
{
    const sorted_node *a = x, *b = y;
    const int order = compare_meshes(a->node, b->node);
    return order != 0 ? order : (a->index > b->index) - (a->index < b->index);
}

// Find the nodes that show the same meshes; number those that are to be sent, in the order in which they are first
// shown.
static void share_meshes(sender *out)
{
    sorted_node *sorted = malloc((out->node_count + 1) * sizeof *sorted);
    if (!sorted)
        refuse_memory(out);
    for (size_t i = 0; i < out->node_count; i++)
        sorted[i] = (sorted_node){out->nodes[i].node, i};
    qsort(sorted, out->node_count, sizeof *sorted, compare_nodes);
    for (size_t i = 0, first = 0; i < out->node_count; i++) {
        if (compare_meshes(sorted[first].node, sorted[i].node) != 0)
            first = i;
        out->nodes[sorted[i].index].first = sorted[first].index;
    }
    free(sorted);
    for (size_t i = 0; i < out->node_count; i++) {
        const size_t first = out->nodes[i].first;
        out->nodes[i].mesh = first == i ? out->header.mesh_count++ : out->nodes[first].mesh;
    }
}

// What the node's meshes are together.
static child_mesh sizes_of(const sender *out, const struct aiNode *node)
{
    child_mesh sum = {0};
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        const mesh_sizes *sizes = &out->sizes[node->mMeshes[i]];
        sum.vertex_count += mesh_of(out, node, i)->mNumVertices;
        sum.index_count += sizes->corners;
        sum.face_count += sizes->faces;
    }
    return sum;
}

// The node's name, or that of the first of its meshes that has one.
static const struct aiString *name_of(const sender *out, const struct aiNode *node)
{
    const struct aiString *name = &node->mName;
    for (unsigned i = 0; i < node->mNumMeshes && name->length == 0; i++)
        name = &mesh_of(out, node, i)->mName;
    return name;
}

static uint64_t shown_length(const struct aiString *name)
{
    return name->length < CHILD_TEXT_LENGTH ? name->length : CHILD_TEXT_LENGTH;
}

// All that the header says. Nothing has been sent yet, so it can still be refused.
static void count(sender *out)
{
    child_header *h = &out->header;
    for (size_t i = 0; i < out->node_count; i++) {
        const shown_node *shown = &out->nodes[i];
        h->instance_count++;
        h->names_length += shown_length(name_of(out, shown->node));
        if (shown->first != i)
            continue;
        const child_mesh sizes = sizes_of(out, shown->node);
        h->vertex_count += sizes.vertex_count;
        h->index_count += sizes.index_count;
        h->face_count += sizes.face_count;
        if (h->vertex_count > UINT32_MAX)
            refuse(out, CHILD_FAILED, "more than 4294967295 vertices");
    }
}

static void send_positions(sender *out, const struct aiMesh *mesh)
{
    for (unsigned v = 0; v < mesh->mNumVertices; v++) {
        const struct aiVector3D *p = &mesh->mVertices[v];
        const double xyz[3] = {(double)p->x, (double)p->y, (double)p->z};
        send(out, xyz, sizeof xyz);
    }
}

static void send_indices(sender *out, const struct aiMesh *mesh, uint32_t first_vertex)
{
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        for (unsigned k = 0; k < face->mNumIndices && is_face(face); k++) {
            uint32_t index = first_vertex + face->mIndices[k];
            send(out, &index, sizeof index);
        }
    }
}

// The meshes that a node shows, as one.
static void send_mesh(sender *out, const struct aiNode *node)
{
    const child_mesh sizes = sizes_of(out, node);
    uint32_t first_vertex = 0;
    send(out, &sizes, sizeof sizes);
    for (unsigned i = 0; i < node->mNumMeshes; i++)
        send_positions(out, mesh_of(out, node, i));
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        send_indices(out, mesh_of(out, node, i), first_vertex);
        first_vertex += mesh_of(out, node, i)->mNumVertices;
    }
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        const struct aiMesh *mesh = mesh_of(out, node, i);
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            uint32_t corners = mesh->mFaces[f].mNumIndices;
            if (corners >= 3)
                send(out, &corners, sizeof corners);
        }
    }
}

static void send_instance(sender *out, const shown_node *shown)
{
    const struct aiString *name = name_of(out, shown->node);
    child_instance sent = {.mesh = shown->mesh, .name_length = shown_length(name)};
    memcpy(sent.matrix, shown->world, sizeof sent.matrix);
    send(out, &sent, sizeof sent);
    send(out, name->data, (size_t)sent.name_length);
}

// Which importer it was, "glTF2 Importer".
static void name_importer(const struct aiScene *scene, char *to, size_t size)
{
    snprintf(to, size, "Assimp");
    const struct aiMetadata *data = scene->mMetaData;
    for (unsigned i = 0; data && i < data->mNumProperties; i++)
        if (strcmp(data->mKeys[i].data, AI_METADATA_SOURCE_FORMAT) == 0 && data->mValues[i].mType == AI_AISTRING)
            snprintf(to, size, "Assimp, %.100s", ((const struct aiString *)data->mValues[i].mData)->data);
}

static const struct aiScene *import(const assimp_library *assimp, const import_request *request)
{
    const foreign_reader *r = request->r;
    struct aiPropertyStore *settings = assimp->create_properties();
    if (!settings)
        return NULL;
    assimp->set_integer(settings, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    if (request->hint)
        return assimp->import_memory((const char *)r->bytes, (unsigned)r->size, 0, request->hint, settings);
    return assimp->import_file(r->path, 0, NULL, settings);
}

static void import_and_send(int pipe, const void *context)
{
    static const double origin[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    const import_request *request = context;
    char text[CHILD_TEXT_LENGTH];
    assimp_library assimp;
    sender *out = calloc(1, sizeof *out);
    if (!out)
        _exit(1);
    out->pipe = pipe;
    const char *extension = strrchr(request->r->path, '.');
    if (!assimp_open(request->library, &assimp, text, sizeof text))
        refuse(out, is_known(request) ? CHILD_FAILED : CHILD_UNKNOWN_EXTENSION, text);
    if (!request->hint && (!extension || !assimp.is_supported(extension)))
        refuse(out, CHILD_UNKNOWN_EXTENSION, "the format is not known");
    out->scene = import(&assimp, request);
    if (!out->scene || !out->scene->mRootNode) {
        snprintf(text, sizeof text, "not read: %s", out->scene ? "nothing is in it" : assimp.error_string());
        refuse(out, CHILD_FAILED, text);
    }
    out->sizes = calloc((size_t)out->scene->mNumMeshes + 1, sizeof *out->sizes);
    if (!out->sizes)
        refuse_memory(out);
    add_nodes(out, out->scene->mRootNode, origin, 0);
    share_meshes(out);
    count(out);
    name_importer(out->scene, text, sizeof text);
    out->header.magic = CHILD_MAGIC;
    out->header.text_length = strlen(text);
    send(out, &out->header, sizeof out->header);
    send(out, text, strlen(text));
    for (size_t i = 0; i < out->node_count; i++)
        if (out->nodes[i].first == i)
            send_mesh(out, out->nodes[i].node);
    for (size_t i = 0; i < out->node_count; i++)
        send_instance(out, &out->nodes[i]);
    flush(out);
}

bool foreign_read_assimp_from(foreign_reader *r, const char *hint, const char *library, bool *unknown)
{
    // A second of processor time, and one more for each MiB up to two minutes: the importers that hang do so on the
    // smallest files, and a bad file is to be refused within a second. The clock leaves room for a busy machine.
    const unsigned seconds = r->size >> 20 < 119 ? 1 + (unsigned)(r->size >> 20) : 120;
    const child_limits limits = {.memory = IMPORT_MEMORY, .cpu_seconds = seconds, .wall_seconds = 10.0 + seconds};
    const import_request request = {r, hint, library};
    *unknown = false;
    if (hint && r->size > UINT32_MAX)
        return foreign_fail(r, "too large to be imported from memory");
    return foreign_read_child(r, &limits, import_and_send, &request, unknown);
}

bool foreign_read_assimp(foreign_reader *r, const char *hint, bool *unknown)
{
    return foreign_read_assimp_from(r, hint, NULL, unknown);
}

#else

bool foreign_read_assimp(foreign_reader *r, const char *hint, bool *unknown)
{
    *unknown = !is_known(&(import_request){r, hint, NULL});
    return foreign_fail(r, "format not supported in this build");
}

bool foreign_read_assimp_from(foreign_reader *r, const char *hint, const char *library, bool *unknown)
{
    (void)library;
    return foreign_read_assimp(r, hint, unknown);
}

#endif
