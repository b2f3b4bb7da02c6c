// SPDX-License-Identifier: MIT
// Reads what Assimp reads and libgraze_io does not (FBX, X3D, 3DS, …), in a child process (foreign_child.c). Every step
// that would merge, drop or move vertices is off, and where an importer turns or mirrors what it reads, that is undone
// (importers.h): the coordinates are the file's own. Each node with meshes becomes an instance; its world matrix is the
// product of its ancestors' in double. Nodes that show the same meshes share them: they are sent once. Positions and
// matrices are float32 inside Assimp, which a note says.
#define _POSIX_C_SOURCE 200809L
#include "foreign/decimal_comma.h"
#include "foreign/foreign.h"
#include "foreign/importers.h"

#include <string.h>

typedef struct import_request {
    const foreign_reader *r;
    const char *hint;
    const char *library; // the name of Assimp's
    uint64_t memory;     // bytes that the child may take
} import_request;

// The extension by which Assimp chooses an importer, without its dot; "" where there is none.
static const char *extension_of(const import_request *request)
{
    const char *dot = strrchr(request->r->path, '.');
    if (request->hint != NULL)
        return request->hint;
    return dot != NULL ? dot + 1 : "";
}

#ifdef GRZ_HAVE_ASSIMP
#include "foreign/assimp_library.h"

#include <assimp/commonMetaData.h>
#include <assimp/config.h>
#include <assimp/metadata.h>
#include <assimp/scene.h>
#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    DEEPEST_NODE = 5000,
    WORD_SHOWN = 40, // bytes of a word in a message
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
    const importer *importer; // that makes the scene
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

// A zero keeps its sign: what was not mirrored is not to look as if it were.
static double negative(double x)
{
    return x < 0 || x > 0 ? -x : x;
}

// A matrix between meshes and a world whose z axes point the other way.
static void mirror_matrix(double m[3][4])
{
    m[0][2] = negative(m[0][2]);
    m[1][2] = negative(m[1][2]);
    m[2][0] = negative(m[2][0]);
    m[2][1] = negative(m[2][1]);
    m[2][3] = negative(m[2][3]);
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
        out->header.skins_ignored += mesh_of(out, node, i)->mNumBones > 0;
        out->header.morphs_ignored += mesh_of(out, node, i)->mNumAnimMeshes > 0;
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
    if (out->importer->turn == TURN_MIRRORED)
        mirror_matrix(added->world);
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
        const double z = (double)p->z; // the importer turned the sign of zeros, too
        const double xyz[3] = {(double)p->x, (double)p->y, out->importer->turn == TURN_MIRRORED ? -z : z};
        send(out, xyz, sizeof xyz);
    }
}

static void send_indices(sender *out, const struct aiMesh *mesh, uint32_t first_vertex)
{
    for (unsigned f = 0; f < mesh->mNumFaces; f++) {
        const struct aiFace *face = &mesh->mFaces[f];
        for (unsigned k = 0; k < face->mNumIndices && is_face(face); k++) {
            const unsigned corner = out->importer->turn == TURN_MIRRORED ? face->mNumIndices - 1 - k : k;
            uint32_t index = first_vertex + face->mIndices[corner];
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

// A value of the scene's metadata. False where there is none of this type.
static bool find_value(const struct aiScene *scene, const char *key, aiMetadataType type, const void **value)
{
    const struct aiMetadata *data = scene->mMetaData;
    for (unsigned i = 0; data && i < data->mNumProperties; i++)
        if (strcmp(data->mKeys[i].data, key) == 0 && data->mValues[i].mType == type && data->mValues[i].mData) {
            *value = data->mValues[i].mData;
            return true;
        }
    return false;
}

// Which importer it was, "Discreet 3DS Importer".
static void name_importer(const struct aiScene *scene, char *to, size_t size)
{
    const void *value;
    snprintf(to, size, "importer unknown");
    if (find_value(scene, AI_METADATA_SOURCE_FORMAT, AI_AISTRING, &value))
        snprintf(to, size, "%.100s", ((const struct aiString *)value)->data);
}

// A hundredth of a number that a file gives in float32, as the decimals of the file have it: 0.0254 for 2.54.
static double hundredth(float number)
{
    char text[32], shifted[48];
    for (int digits = 0; digits < 9; digits++) {
        snprintf(text, sizeof text, "%.*e", digits, (double)number);
        if (strtof(text, NULL) == number)
            break;
    }
    const char *e = strchr(text, 'e');
    snprintf(shifted, sizeof shifted, "%.*se%ld", (int)(e - text), text, strtol(e + 1, NULL, 10) - 2);
    return strtod(shifted, NULL);
}

// FBX alone says what its unit is, in centimetres, and which axis points up.
static void find_unit(sender *out)
{
    const void *value;
    if (find_value(out->scene, "UnitScaleFactor", AI_FLOAT, &value) && *(const float *)value > 0 &&
        *(const float *)value <= FLT_MAX)
        out->header.unit_in_metres = hundredth(*(const float *)value);
    static const grz_io_up axes[] = {GRZ_IO_UP_X, GRZ_IO_UP_Y, GRZ_IO_UP_Z};
    const void *sign;
    if (find_value(out->scene, "UpAxis", AI_INT32, &value) && find_value(out->scene, "UpAxisSign", AI_INT32, &sign) &&
        *(const int32_t *)value >= 0 && *(const int32_t *)value < 3 && *(const int32_t *)sign > 0)
        out->header.up_axis = (uint64_t)axes[*(const int32_t *)value];
}

// What a scene is multiplied by from the left, so that it has the axes of the file.
static void find_origin(const sender *out, double origin[3][4])
{
    static const double as_it_is[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    static const double z_up[3][4] = {{1, 0, 0, 0}, {0, 0, -1, 0}, {0, 1, 0, 0}};
    memcpy(origin, out->importer->turn == TURN_Z_UP ? z_up : as_it_is, sizeof as_it_is);
}

static const struct aiScene *import(const assimp_library *assimp, const import_request *request)
{
    const foreign_reader *r = request->r;
    struct aiPropertyStore *settings = assimp->create_properties();
    if (!settings)
        return NULL;
    // No meshes that the file does not hold.
    assimp->set_integer(settings, AI_CONFIG_IMPORT_NO_SKELETON_MESHES, 1);
    if (request->hint)
        return assimp->import_memory((const char *)r->bytes, (unsigned)r->size, 0, request->hint, settings);
    return assimp->import_file(r->path, 0, NULL, settings);
}

// Refuse what Assimp could not read, by its own words.
static _Noreturn void refuse_unread(sender *out, const import_request *request, const char *words)
{
    enum {
        SHOWN = 160 // of what Assimp says, which may quote much of the file
    };
    char text[CHILD_TEXT_LENGTH];
    if (strstr(words, "bad_alloc") != NULL || strstr(words, "bad allocation") != NULL)
        snprintf(text, sizeof text, CHILD_MEMORY_TEXT, (unsigned long long)(request->memory >> 20));
    else if (foreign_is_utf16(request->r->bytes, request->r->size))
        snprintf(text, sizeof text, FOREIGN_UTF16_TEXT);
    else
        snprintf(text, sizeof text, "Assimp cannot read it: %.*s%s", SHOWN, words, strlen(words) > SHOWN ? " ..." : "");
    refuse(out, CHILD_FAILED, text);
}

// Choose the importer by the extension, and refuse a file of which it would make something else.
static void choose_importer(sender *out, const import_request *request, survey *look)
{
    const char *extension = extension_of(request), *refusal = importer_refusal(extension);
    const foreign_reader *r = request->r;
    const unsigned char *word;
    uint64_t line;
    char text[CHILD_TEXT_LENGTH];
    if (refusal != NULL)
        refuse(out, CHILD_FAILED, refusal);
    out->importer = importer_for(extension);
    if (out->importer == NULL)
        return;
    const size_t length = out->importer->checks_commas ? decimal_comma_find(r->bytes, r->size, &word, &line) : 0;
    if (length > 0) {
        snprintf(text, sizeof text,
                 "line %llu: %.*s: Assimp misreads a comma between digits: write a point, or a blank after the comma",
                 (unsigned long long)line, length < WORD_SHOWN ? (int)length : WORD_SHOWN, (const char *)word);
        refuse(out, CHILD_FAILED, text);
    }
    *look = (survey){.bytes = r->bytes, .size = r->size};
    if (out->importer->survey != NULL && !out->importer->survey(look))
        refuse(out, CHILD_FAILED, look->text);
}

// Refuse a scene of another importer than was chosen: Assimp looks into files, too.
static void check_importer(sender *out, const char *name)
{
    const char *format = importer_format(name);
    char text[CHILD_TEXT_LENGTH];
    if (importer_find(name) == out->importer)
        return;
    snprintf(text, sizeof text, "it holds %s, which its name does not say: rename it",
             format != NULL ? format : "another format");
    refuse(out, CHILD_FAILED, text);
}

// Refuse a model that has not all that the file shows, or more.
static void check_census(sender *out, const survey *look)
{
    uint64_t faces = 0, corners = 0;
    char text[CHILD_TEXT_LENGTH];
    for (unsigned i = 0; i < out->scene->mNumMeshes; i++)
        faces += out->sizes[i].faces;
    for (size_t i = 0; i < out->node_count; i++)
        for (unsigned k = 0; k < out->nodes[i].node->mNumMeshes; k++) {
            const mesh_sizes *sizes = &out->sizes[out->nodes[i].node->mMeshes[k]];
            corners += sizes->points + 2 * sizes->lines + sizes->corners;
        }
    const char *what = look->counts_faces ? "faces" : "corners";
    const uint64_t got = look->counts_faces ? faces : corners,
                   wanted = look->counts_faces ? look->faces : look->corners;
    if ((!look->counts_faces && !look->counts_corners) || got == wanted)
        return;
    snprintf(text, sizeof text, "the file shows %llu %s, but Assimp gives %llu: a mesh is damaged, or shown by no node",
             (unsigned long long)wanted, what, (unsigned long long)got);
    refuse(out, CHILD_FAILED, text);
}

static void import_and_send(int pipe, const void *context)
{
    double origin[3][4];
    const import_request *request = context;
    char text[CHILD_TEXT_LENGTH];
    assimp_library assimp;
    survey look = {0};
    sender *out = calloc(1, sizeof *out);
    if (!out)
        _exit(1);
    out->pipe = pipe;
    choose_importer(out, request, &look);
    if (!assimp_open(request->library, &assimp, text, sizeof text))
        refuse(out, out->importer != NULL ? CHILD_FAILED : CHILD_UNKNOWN_EXTENSION, text);
    if (out->importer == NULL) {
        const char *extension = strrchr(request->r->path, '.');
        if (extension == NULL || !assimp.is_supported(extension))
            refuse(out, CHILD_UNKNOWN_EXTENSION, "the format is not known");
        snprintf(text, sizeof text,
                 "files named .%.20s are not read, as nobody compared what Assimp makes of them with the "
                 "truth: " IMPORTER_ADVICE,
                 extension + 1);
        refuse(out, CHILD_FAILED, text);
    }
    out->scene = import(&assimp, request);
    if (!out->scene || !out->scene->mRootNode)
        refuse_unread(out, request, out->scene ? "nothing is in it" : assimp.error_string());
    name_importer(out->scene, text, sizeof text);
    check_importer(out, text);
    out->sizes = calloc((size_t)out->scene->mNumMeshes + 1, sizeof *out->sizes);
    if (!out->sizes)
        refuse_memory(out);
    find_origin(out, origin);
    add_nodes(out, out->scene->mRootNode, (const double(*)[4])origin, 0);
    check_census(out, &look);
    // Where there is no mesh, importers make one of the skeleton, whatever the settings say.
    if ((out->scene->mFlags & AI_SCENE_FLAGS_INCOMPLETE) != 0)
        refuse(out, CHILD_FAILED, "no mesh is in it, only a skeleton or an animation");
    share_meshes(out);
    count(out);
    find_unit(out);
    out->header.animations_ignored = out->scene->mNumAnimations;
    out->header.left_out = look.left_out;
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
    const uint64_t memory = foreign_memory(r->size);
    const child_limits limits = {.memory = memory, .cpu_seconds = seconds, .wall_seconds = 10.0 + seconds};
    const import_request request = {r, hint, library, memory};
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
    const char *extension = extension_of(&(import_request){.r = r, .hint = hint});
    const char *refusal = importer_refusal(extension);
    *unknown = refusal == NULL && importer_for(extension) == NULL;
    return foreign_fail(r, "%s", refusal != NULL ? refusal : "format not supported in this build");
}

bool foreign_read_assimp_from(foreign_reader *r, const char *hint, const char *library, bool *unknown)
{
    (void)library;
    return foreign_read_assimp(r, hint, unknown);
}

#endif
