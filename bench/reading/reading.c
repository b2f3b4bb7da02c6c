// SPDX-License-Identifier: MIT
// The time that libgraze_io takes to read a torus of a million triangles in each of its formats, and to make a mesh of
// it, compared with a plain read of the same bytes (docs/internals/performance-reading.md). Each figure is the smallest
// of several passes, in ms on one thread.
// Usage: bench_reading [PASSES]; files go to $TMPDIR or /tmp, 500 MB, and are removed.
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include <graze/io.h>

enum {
    AROUND = 1000,
    ACROSS = 500,
    VERTICES = AROUND * ACROSS,
    TRIANGLES = 2 * VERTICES,
    PATH_SIZE = 512
};

static double positions[VERTICES][3];
static uint32_t triangles[TRIANGLES][3];

typedef enum encoding {
    PLY_FLOAT,
    PLY_DOUBLE,
    PLY_SHUFFLED, // vertices and faces in no order
    PLY_ASCII,
    OBJ,
    OFF,
    STL_BINARY,
    STL_ASCII,
    GLB,
    GLB_TURNED, // by a node's rotation
    THREEMF,    // stored and deflated
    THREEMF_PACKED,
    ENCODINGS
} encoding;

static const char *const names[ENCODINGS] = {"float.ply", "double.ply", "shuffled.ply", "ascii.ply",
                                             "torus.obj", "torus.off",  "binary.stl",   "ascii.stl",
                                             "torus.glb", "turned.glb", "stored.3mf",   "packed.3mf"};

static void make_torus(void)
{
    for (uint32_t i = 0; i < AROUND; i++)
        for (uint32_t j = 0; j < ACROSS; j++) {
            const double u = i * 6.283185307179586 / AROUND, v = j * 6.283185307179586 / ACROSS;
            const double r = 1.0 + 0.03 * sin(9.0 * u + 1.0) * sin(7.0 * v);
            const uint32_t here = i * ACROSS + j, right = i * ACROSS + (j + 1) % ACROSS,
                           down = (i + 1) % AROUND * ACROSS + j;
            const uint32_t across = (i + 1) % AROUND * ACROSS + (j + 1) % ACROSS;
            const double point[3] = {(2.0 + r * cos(v)) * cos(u), (2.0 + r * cos(v)) * sin(u), r * sin(v)};
            const uint32_t pair[2][3] = {{here, down, across}, {here, across, right}};
            memcpy(positions[here], point, sizeof point);
            memcpy(triangles[2 * here], pair, sizeof pair);
        }
}

// Multiplying by an odd number modulo a power of two is a permutation; numbers beyond the end are skipped.
static uint32_t shuffled(uint32_t *state, uint32_t count)
{
    do
        *state = (*state * UINT32_C(2891336453) + 1) & ((UINT32_C(1) << 20) - 1);
    while (*state >= count);
    return *state;
}

static void shuffle(void)
{
    static double old_positions[VERTICES][3];
    static uint32_t old_triangles[TRIANGLES][3], place[VERTICES];
    uint32_t state = 1;
    memcpy(old_positions, positions, sizeof positions);
    memcpy(old_triangles, triangles, sizeof triangles);
    for (uint32_t v = 0; v < VERTICES; v++) {
        place[v] = shuffled(&state, VERTICES);
        memcpy(positions[place[v]], old_positions[v], sizeof *positions);
    }
    for (uint32_t i = 0; i < TRIANGLES; i++) {
        const uint32_t to = shuffled(&state, TRIANGLES);
        for (int k = 0; k < 3; k++)
            triangles[to][k] = place[old_triangles[i][k]];
    }
}

static void write_point(FILE *file, const char *before, const double p[3])
{
    fprintf(file, "%s%.9g %.9g %.9g\n", before, (double)(float)p[0], (double)(float)p[1], (double)(float)p[2]);
}

static void write_floats(FILE *file, const double p[3])
{
    const float narrow[3] = {(float)p[0], (float)p[1], (float)p[2]};
    fwrite(narrow, sizeof narrow, 1, file);
}

static void write_ply(FILE *file, encoding e)
{
    const char *type = e == PLY_DOUBLE ? "double" : "float";
    fprintf(file, "ply\nformat %s 1.0\nelement vertex %d\n", e == PLY_ASCII ? "ascii" : "binary_little_endian",
            (int)VERTICES);
    fprintf(file, "property %s x\nproperty %s y\nproperty %s z\n", type, type, type);
    fprintf(file, "element face %d\nproperty list uchar int vertex_indices\nend_header\n", (int)TRIANGLES);
    for (int v = 0; v < VERTICES; v++)
        if (e == PLY_ASCII)
            write_point(file, "", positions[v]);
        else if (e == PLY_DOUBLE)
            fwrite(positions[v], sizeof *positions, 1, file);
        else
            write_floats(file, positions[v]);
    for (int i = 0; i < TRIANGLES; i++)
        if (e == PLY_ASCII) {
            fprintf(file, "3 %u %u %u\n", triangles[i][0], triangles[i][1], triangles[i][2]);
        } else {
            fputc(3, file);
            fwrite(triangles[i], sizeof *triangles, 1, file);
        }
}

static void write_stl(FILE *file, encoding e)
{
    const uint32_t count = TRIANGLES;
    const char zeros[80] = {0};
    if (e == STL_BINARY) {
        fwrite(zeros, sizeof zeros, 1, file);
        fwrite(&count, sizeof count, 1, file);
    } else {
        fputs("solid torus\n", file);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (e == STL_BINARY)
            fwrite(zeros, 12, 1, file);
        else
            fputs("facet normal 0 0 1\nouter loop\n", file);
        for (int k = 0; k < 3; k++)
            if (e == STL_BINARY)
                write_floats(file, positions[triangles[i][k]]);
            else
                write_point(file, "vertex ", positions[triangles[i][k]]);
        if (e == STL_BINARY)
            fwrite(zeros, 2, 1, file);
        else
            fputs("endloop\nendfacet\n", file);
    }
    if (e == STL_ASCII)
        fputs("endsolid torus\n", file);
}

static void write_rows(FILE *file, encoding e)
{
    if (e == OFF)
        fprintf(file, "OFF\n%d %d 0\n", (int)VERTICES, (int)TRIANGLES);
    for (int v = 0; v < VERTICES; v++)
        write_point(file, e == OBJ ? "v " : "", positions[v]);
    const uint32_t first = e == OBJ;
    for (int i = 0; i < TRIANGLES; i++)
        fprintf(file, "%s %u %u %u\n", e == OBJ ? "f" : "3", triangles[i][0] + first, triangles[i][1] + first,
                triangles[i][2] + first);
}

static void write_glb(FILE *file, encoding e)
{
    char json[1024];
    const uint32_t points = VERTICES * 12, faces = TRIANGLES * 12;
    (void)snprintf(json, sizeof json,
                   "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0%s}],\"meshes\":[{\"primitives\":[{"
                   "\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\"accessors\":[{\"bufferView\":0,"
                   "\"componentType\":5126,\"count\":%d,\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5125,"
                   "\"count\":%d,\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":%u},"
                   "{\"buffer\":0,\"byteOffset\":%u,\"byteLength\":%u}],\"buffers\":[{\"byteLength\":%u}]}",
                   e == GLB_TURNED ? ",\"rotation\":[0.1,0.2,0.3,0.9]" : "", (int)VERTICES, 3 * (int)TRIANGLES, points,
                   points, faces, points + faces);
    uint32_t length = (uint32_t)strlen(json);
    while (length % 4 != 0)
        json[length++] = ' ';
    const uint32_t header[5] = {0x46546C67, 2, 28 + length + points + faces, length, 0x4E4F534A};
    const uint32_t chunk[2] = {points + faces, 0x004E4942};
    fwrite(header, sizeof header, 1, file);
    fwrite(json, length, 1, file);
    fwrite(chunk, sizeof chunk, 1, file);
    for (int v = 0; v < VERTICES; v++)
        write_floats(file, positions[v]);
    fwrite(triangles, sizeof triangles, 1, file);
}

// A file of a zip archive: its header and bytes into `file`, its entry to the end of `directory`.
static void write_member(FILE *file, FILE *directory, const char *name, unsigned char *bytes, size_t size, bool packed)
{
    z_stream z = {.next_in = bytes, .avail_in = (uInt)size};
    const size_t room = size + size / 8 + 1024;
    unsigned char *out = malloc(room);
    if (out == NULL || deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK)
        exit(2);
    z.next_out = out;
    z.avail_out = (uInt)room;
    (void)deflate(&z, Z_FINISH);
    const uint32_t begin = (uint32_t)ftell(file), length = (uint32_t)strlen(name);
    const uint32_t stored = packed ? (uint32_t)z.total_out : (uint32_t)size, flags = 20;
    // Version, flags, method, time, date, checksum, sizes, lengths.
    const uint32_t about[] = {flags,  packed ? 8 : 0, 0,     (uint32_t)crc32(0, bytes, (uInt)size),
                              stored, (uint32_t)size, length};
    const uint16_t extra[] = {0, 0, 0, 0, 0};
    fwrite("PK\3\4", 4, 1, file);
    fwrite(about, 4, 2, file);
    fwrite(about + 2, 2, 1, file);
    fwrite(about + 3, 4, 4, file);
    fwrite(name, length, 1, file);
    fwrite(packed ? out : bytes, stored, 1, file);
    fwrite("PK\1\2\24\0", 6, 1, directory);
    fwrite(about, 4, 2, directory);
    fwrite(about + 2, 2, 1, directory);
    fwrite(about + 3, 4, 4, directory);
    fwrite(extra, sizeof extra, 1, directory);
    fwrite(&begin, 4, 1, directory);
    fwrite(name, length, 1, directory);
    (void)deflateEnd(&z);
    free(out);
}

static void write_3mf(FILE *file, encoding e)
{
    static char relations[] =
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r\" "
        "Target=\"/3D/3dmodel.model\" Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/>"
        "</Relationships>";
    char *text = NULL, *entries = NULL;
    size_t size = 0, entries_size = 0;
    FILE *model = open_memstream(&text, &size), *directory = open_memstream(&entries, &entries_size);
    if (model == NULL || directory == NULL)
        exit(2);
    fputs("<model xmlns=\"http://schemas.microsoft.com/3dmanufacturing/core/2015/02\"><resources><object id=\"1\">"
          "<mesh><vertices>\n",
          model);
    for (int v = 0; v < VERTICES; v++)
        fprintf(model, "<vertex x=\"%.9g\" y=\"%.9g\" z=\"%.9g\"/>\n", (double)(float)positions[v][0],
                (double)(float)positions[v][1], (double)(float)positions[v][2]);
    fputs("</vertices><triangles>\n", model);
    for (int i = 0; i < TRIANGLES; i++)
        fprintf(model, "<triangle v1=\"%u\" v2=\"%u\" v3=\"%u\"/>\n", triangles[i][0], triangles[i][1],
                triangles[i][2]);
    fputs("</triangles></mesh></object></resources><build><item objectid=\"1\"/></build></model>", model);
    fclose(model);
    write_member(file, directory, "_rels/.rels", (unsigned char *)relations, sizeof relations - 1, false);
    write_member(file, directory, "3D/3dmodel.model", (unsigned char *)text, size, e == THREEMF_PACKED);
    const uint32_t begin = (uint32_t)ftell(file);
    fclose(directory);
    const uint32_t end[] = {2 | 2 << 16, (uint32_t)entries_size, begin};
    fwrite(entries, entries_size, 1, file);
    fwrite("PK\5\6\0\0\0\0", 8, 1, file);
    fwrite(end, sizeof end, 1, file);
    fwrite("\0\0", 2, 1, file);
    free(text);
    free(entries);
}

static bool write_file(const char *path, encoding e)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return false;
    if (e == PLY_SHUFFLED)
        shuffle();
    if (e <= PLY_ASCII)
        write_ply(file, e);
    else if (e == OBJ || e == OFF)
        write_rows(file, e);
    else if (e == GLB || e == GLB_TURNED)
        write_glb(file, e);
    else if (e == THREEMF || e == THREEMF_PACKED)
        write_3mf(file, e);
    else
        write_stl(file, e);
    if (e == PLY_SHUFFLED)
        make_torus();
    const bool bad = ferror(file) != 0;
    return fclose(file) == 0 && !bad;
}

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

// Read into memory that is already mapped, as in a program that reads several files.
static bool read_plainly(const char *path, unsigned char *room, size_t size)
{
    const int file = open(path, O_RDONLY);
    size_t got = 0;
    for (ssize_t n = 1; file >= 0 && n > 0; got += n > 0 ? (size_t)n : 0)
        n = read(file, room + got, size - got);
    if (file >= 0)
        close(file);
    return got == size;
}

enum {
    PLAIN,
    MODEL,
    MESH,
    CLOSED,
    REPORT,
    STEPS
};

static void keep_least(double least[STEPS], int step, double *start)
{
    const double now = now_ms();
    least[step] = fmin(least[step], now - *start);
    *start = now_ms();
}

// One pass over all steps. False, with a line on stderr, where something fails.
static bool measure(grz_device *device, const char *path, unsigned char **room, double least[STEPS])
{
    grz_error error = {.message = "cannot be read"};
    grz_io_model *read = NULL;
    grz_mesh_description description = grz_default_mesh_description();
    grz_mesh *mesh = NULL;
    grz_mesh_report report;
    bool closed = false, done = false;
    double start = now_ms();
    if (grz_io_load_file(path, NULL, &read, &error) != GRZ_OK)
        goto end;
    keep_least(least, MODEL, &start);
    if (grz_io_describe(read, &description, &error) != GRZ_OK ||
        grz_mesh_create(device, &description, &mesh, &error) != GRZ_OK)
        goto end;
    keep_least(least, MESH, &start);
    if (grz_mesh_is_closed(mesh, &closed, NULL) != GRZ_OK || !closed)
        goto end;
    keep_least(least, CLOSED, &start);
    if (grz_mesh_check(mesh, &report, NULL) != GRZ_OK || !report.closed)
        goto end;
    keep_least(least, REPORT, &start);
    if (*room == NULL)
        *room = calloc(1, read->bytes_read);
    start = now_ms();
    done = *room != NULL && read_plainly(path, *room, read->bytes_read);
    keep_least(least, PLAIN, &start);
end:
    if (!done)
        fprintf(stderr, "bench_reading: %s: %s\n", path, error.message);
    grz_mesh_destroy(mesh);
    grz_io_model_destroy(read);
    return done;
}

int main(int argc, char **argv)
{
    const long passes = argc > 1 ? strtol(argv[1], NULL, 10) : 7;
    const char *folder = getenv("TMPDIR");
    grz_device *device = NULL;
    grz_device_options options = grz_default_device_options();
    options.threads = 1;
    if (grz_device_open(&options, &device, NULL) != GRZ_OK)
        return 2;
    make_torus();
    printf("%-14s %9s %9s %9s %9s %9s\n", "ms", "read()", "model", "mesh", "closed", "report");
    bool done = true;
    for (int e = 0; e < ENCODINGS && done; e++) {
        char path[PATH_SIZE];
        unsigned char *room = NULL;
        double least[STEPS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
        snprintf(path, sizeof path, "%s/graze_bench_%ld_%s", folder != NULL ? folder : "/tmp", (long)getpid(),
                 names[e]);
        done = write_file(path, (encoding)e);
        for (long pass = 0; pass < passes && done; pass++)
            done = measure(device, path, &room, least);
        if (done)
            printf("%-14s %9.1f %9.1f %9.1f %9.1f %9.1f\n", names[e], least[PLAIN], least[MODEL], least[MESH],
                   least[CLOSED], least[REPORT]);
        fflush(stdout);
        free(room);
        remove(path);
    }
    grz_device_close(device);
    return done ? 0 : 2;
}
