// SPDX-License-Identifier: MIT
// Reads whatever Assimp reads (glTF, COLLADA, 3MF, FBX, X3D, …), in a child process (read_child.c). Every step that would
// merge, drop or move vertices is off. Each node with meshes becomes a part; its world matrix is the product of its ancestors'
// in double, applied with one rounding an operation. Positions and matrices are float32 inside Assimp, which a note says.
#define _POSIX_C_SOURCE 200809L
#include "read.h"

#include <string.h>

#ifdef GRZ_HAVE_ASSIMP
#include <assimp/cimport.h>
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

typedef struct world {
    double m[3][4];
    bool identity; // then positions are sent as they are, the sign of a zero included
} world;

typedef struct sender {
    int pipe;
    size_t used;
    unsigned char buffer[BUFFER_SIZE];
    const struct aiScene *scene;
    child_header header;
    uint64_t first_vertex; // of the mesh that comes next
} sender;

typedef void node_visit(sender *out, const struct aiNode *node, const world *w);

typedef struct import_request {
    const reader *r;
    const char *hint;
} import_request;

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

static const struct aiMesh *mesh_of(const sender *out, const struct aiNode *node, unsigned i)
{
    return out->scene->mMeshes[node->mMeshes[i]];
}

static bool is_face(const struct aiFace *face)
{
    return face->mNumIndices >= 3;
}

// First visit: look at everything that the others rely on, and count. Nothing has been sent yet, so it can still refuse.
static void count(sender *out, const struct aiNode *node, const world *w)
{
    (void)w;
    uint64_t faces = 0;
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        if (node->mMeshes[i] >= out->scene->mNumMeshes || !mesh_of(out, node, i))
            refuse(out, CHILD_FAILED, "the importer gave a node without its mesh");
        const struct aiMesh *mesh = mesh_of(out, node, i);
        if ((mesh->mNumVertices && !mesh->mVertices) || (mesh->mNumFaces && !mesh->mFaces))
            refuse(out, CHILD_FAILED, "the importer gave a mesh without its data");
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            const struct aiFace *face = &mesh->mFaces[f];
            for (unsigned k = 0; k < face->mNumIndices; k++)
                if (!face->mIndices || face->mIndices[k] >= mesh->mNumVertices)
                    refuse(out, CHILD_FAILED, "a face refers to a vertex that its mesh does not have");
            out->header.points_skipped += face->mNumIndices == 1;
            out->header.lines_skipped += face->mNumIndices == 2;
            faces += is_face(face);
            out->header.index_count += is_face(face) ? face->mNumIndices : 0;
        }
        out->header.vertex_count += mesh->mNumVertices;
    }
    if (out->header.vertex_count > UINT32_MAX)
        refuse(out, CHILD_FAILED, "more than 4294967295 vertices");
    out->header.face_count += faces;
    out->header.part_count += faces > 0;
}

static void send_positions(sender *out, const struct aiNode *node, const world *w)
{
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        const struct aiMesh *mesh = mesh_of(out, node, i);
        for (unsigned v = 0; v < mesh->mNumVertices; v++) {
            const struct aiVector3D *p = &mesh->mVertices[v];
            double x = (double)p->x, y = (double)p->y, z = (double)p->z, xyz[3] = {x, y, z};
            for (int k = 0; k < 3 && !w->identity; k++)
                xyz[k] = w->m[k][0] * x + w->m[k][1] * y + w->m[k][2] * z + w->m[k][3];
            send(out, xyz, sizeof xyz);
        }
    }
}

static void send_indices(sender *out, const struct aiNode *node, const world *w)
{
    (void)w;
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        const struct aiMesh *mesh = mesh_of(out, node, i);
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            const struct aiFace *face = &mesh->mFaces[f];
            for (unsigned k = 0; k < face->mNumIndices && is_face(face); k++) {
                uint32_t index = (uint32_t)out->first_vertex + face->mIndices[k];
                send(out, &index, sizeof index);
            }
        }
        out->first_vertex += mesh->mNumVertices;
    }
}

static void send_part(sender *out, const struct aiNode *node, const world *w)
{
    (void)w;
    uint64_t sizes[2] = {0};
    const struct aiString *name = &node->mName;
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        const struct aiMesh *mesh = mesh_of(out, node, i);
        for (unsigned f = 0; f < mesh->mNumFaces; f++)
            sizes[0] += is_face(&mesh->mFaces[f]);
        if (name->length == 0)
            name = &mesh->mName;
    }
    if (sizes[0] == 0)
        return;
    sizes[1] = name->length < CHILD_TEXT_LENGTH ? name->length : CHILD_TEXT_LENGTH;
    send(out, sizes, sizeof sizes);
    send(out, name->data, (size_t)sizes[1]);
    for (unsigned i = 0; i < node->mNumMeshes; i++) {
        const struct aiMesh *mesh = mesh_of(out, node, i);
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            uint32_t corners = mesh->mFaces[f].mNumIndices;
            if (corners >= 3)
                send(out, &corners, sizeof corners);
        }
    }
}

static bool is_identity(const double m[3][4])
{
    static const double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            if (m[i][k] < identity[i][k] || m[i][k] > identity[i][k])
                return false;
    return true;
}

// All nodes from this one on, depth first, in the order of the file.
static void visit_nodes(sender *out, const struct aiNode *node, const world *parent, unsigned depth, node_visit *visit)
{
    if (depth > DEEPEST_NODE)
        refuse(out, CHILD_FAILED, "nodes are nested too deeply"); // the first visit gets here, or none
    const struct aiMatrix4x4 *t = &node->mTransformation;
    const float local[3][4] = {{t->a1, t->a2, t->a3, t->a4}, {t->b1, t->b2, t->b3, t->b4}, {t->c1, t->c2, t->c3, t->c4}};
    world w;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            w.m[i][k] = parent->m[i][0] * (double)local[0][k] + parent->m[i][1] * (double)local[1][k] +
                        parent->m[i][2] * (double)local[2][k] + (k == 3 ? parent->m[i][3] : 0);
    w.identity = is_identity(w.m);
    visit(out, node, &w);
    for (unsigned i = 0; i < node->mNumChildren; i++)
        if (node->mChildren[i])
            visit_nodes(out, node->mChildren[i], &w, depth + 1, visit);
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

static const struct aiScene *import(const import_request *request)
{
    const reader *r = request->r;
    struct aiPropertyStore *settings = aiCreatePropertyStore();
    if (!settings)
        return NULL;
    aiSetImportPropertyInteger(settings, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    if (request->hint)
        return aiImportFileFromMemoryWithProperties((const char *)r->bytes, (unsigned)r->size, 0, request->hint, settings);
    return aiImportFileExWithProperties(r->path, 0, NULL, settings);
}

static void import_and_send(int pipe, const void *context)
{
    static const world origin = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, true};
    const import_request *request = context;
    char text[CHILD_TEXT_LENGTH];
    sender *out = calloc(1, sizeof *out);
    if (!out)
        _exit(1);
    out->pipe = pipe;
    const char *extension = strrchr(request->r->path, '.');
    if (!request->hint && (!extension || !aiIsExtensionSupported(extension)))
        refuse(out, CHILD_UNKNOWN_EXTENSION, "the format is not known");
    out->scene = import(request);
    if (!out->scene || !out->scene->mRootNode) {
        snprintf(text, sizeof text, "not read: %s", out->scene ? "nothing is in it" : aiGetErrorString());
        refuse(out, CHILD_FAILED, text);
    }
    const struct aiNode *root = out->scene->mRootNode;
    visit_nodes(out, root, &origin, 0, count);
    name_importer(out->scene, text, sizeof text);
    out->header.magic = CHILD_MAGIC;
    out->header.text_length = strlen(text);
    send(out, &out->header, sizeof out->header);
    send(out, text, strlen(text));
    visit_nodes(out, root, &origin, 0, send_positions);
    visit_nodes(out, root, &origin, 0, send_indices);
    visit_nodes(out, root, &origin, 0, send_part);
    flush(out);
}

bool read_assimp(reader *r, const char *hint, bool *unknown)
{
    // A second of processor time, and one more for each MiB up to two minutes: the importers that hang do so on the smallest files, and
    // a bad file is to be refused within a second. The clock leaves room for a busy machine.
    const unsigned seconds = r->size >> 20 < 119 ? 1 + (unsigned)(r->size >> 20) : 120;
    const child_limits limits = {.memory = UINT64_C(4) << 30, .cpu_seconds = seconds, .wall_seconds = 10.0 + seconds};
    const import_request request = {r, hint};
    *unknown = false;
    if (hint && r->size > UINT32_MAX)
        return reader_fail(r, "too large to be imported from memory");
    return read_through_child(r, &limits, import_and_send, &request, unknown);
}

#else

bool read_assimp(reader *r, const char *hint, bool *unknown)
{
    (void)hint;
    *unknown = false;
    return reader_fail(r, "format not supported in this build");
}

#endif
