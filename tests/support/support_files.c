// SPDX-License-Identifier: MIT
// Temporary files, and the cube in every format of the readers. The writers follow the formats' specifications, not the
// readers.
#define _POSIX_C_SOURCE 200809L
#include "support_files.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const float corners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const uint32_t quads[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                     {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

static void give_up(const char *what)
{
    perror(what);
    abort();
}

void make_test_directory(char path[FILE_PATH_SIZE])
{
    const char *parent = getenv("TMPDIR");
    snprintf(path, FILE_PATH_SIZE, "%s/graze-test-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(path))
        give_up(path);
}

void remove_test_directory(const char *path)
{
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        char file[FILE_PATH_SIZE + 260];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && unlink(file) != 0)
            (void)rmdir(file);
    }
    if (directory)
        closedir(directory);
    (void)rmdir(path);
}

void write_test_file(const char *directory, const char *name, const void *bytes, size_t size, char path[FILE_PATH_SIZE])
{
    snprintf(path, FILE_PATH_SIZE, "%.400s/%.100s", directory, name);
    FILE *f = fopen(path, "wb");
    if (!f || (size > 0 && fwrite(bytes, 1, size, f) != size) || fclose(f) != 0)
        give_up(path);
}

void file_append(file_text *t, const void *bytes, size_t size)
{
    if (size == 0)
        return;
    if (t->capacity - t->size < size) {
        t->capacity = 2 * (t->capacity + size) + 256;
        t->bytes = realloc(t->bytes, t->capacity);
        if (!t->bytes)
            give_up("memory");
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

void file_print(file_text *t, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text)
        give_up("a text too long");
    file_append(t, text, (size_t)length);
}

static void append_bits(file_text *t, uint64_t value, unsigned size, bool big)
{
    for (unsigned i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)(value >> 8 * (big ? size - 1 - i : i));
        file_append(t, &byte, 1);
    }
}

void file_append_u32(file_text *t, uint32_t value, bool big)
{
    append_bits(t, value, 4, big);
}

void file_append_u64(file_text *t, uint64_t value, bool big)
{
    append_bits(t, value, 8, big);
}

void file_append_float(file_text *t, float value, bool big)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    append_bits(t, bits, 4, big);
}

void file_append_double(file_text *t, double value, bool big)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    append_bits(t, bits, 8, big);
}

static void make_obj(file_text *t)
{
    file_print(t, "# a cube\no cube\n");
    for (int v = 0; v < 8; v++)
        file_print(t, "v %g %g %g\n", (double)corners[v][0], (double)corners[v][1], (double)corners[v][2]);
    for (int q = 0; q < 6; q++)
        file_print(t, "f %u %u %u %u\n", quads[q][0] + 1, quads[q][1] + 1, quads[q][2] + 1, quads[q][3] + 1);
}

// Calls for each of the twelve triangles' corners.
static const float *triangle_corner(int triangle, int corner)
{
    static const int fan[2][3] = {{0, 1, 2}, {0, 2, 3}};
    return corners[quads[triangle / 2][fan[triangle % 2][corner]]];
}

static void make_stl_text(file_text *t)
{
    file_print(t, "solid cube\n");
    for (int i = 0; i < 12; i++) {
        file_print(t, "facet normal 0 0 0\n outer loop\n");
        for (int k = 0; k < 3; k++) {
            const float *p = triangle_corner(i, k);
            file_print(t, "  vertex %e %e %e\n", (double)p[0], (double)p[1], (double)p[2]);
        }
        file_print(t, " endloop\nendfacet\n");
    }
    file_print(t, "endsolid cube\n");
}

static void make_stl_binary(file_text *t)
{
    char header[80] = "solid but binary"; // as many programs write it
    file_append(t, header, sizeof header);
    file_append_u32(t, 12, false);
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 3; k++)
            file_append_float(t, 0, false);
        for (int k = 0; k < 9; k++)
            file_append_float(t, triangle_corner(i, k / 3)[k % 3], false);
        file_append(t, "\0", 2);
    }
}

static size_t make_ply(file_text *t, const char *format, const char *type)
{
    bool text = strcmp(format, "ascii") == 0, big = strcmp(format, "binary_big_endian") == 0,
         wide = strcmp(type, "double") == 0;
    file_print(t, "ply\nformat %s 1.0\ncomment a cube\nelement vertex 8\n", format);
    file_print(t, "property %s x\nproperty %s y\nproperty %s z\nelement face 6\n", type, type, type);
    file_print(t, "property list uchar int vertex_indices\nend_header\n");
    size_t header = t->size;
    for (int v = 0; v < 8; v++)
        for (int k = 0; k < 3; k++) {
            if (text)
                file_print(t, "%g%s", (double)corners[v][k], k == 2 ? "\n" : " ");
            else if (wide)
                file_append_double(t, (double)corners[v][k], big);
            else
                file_append_float(t, corners[v][k], big);
        }
    for (int q = 0; q < 6; q++) {
        if (text)
            file_print(t, "4 %u %u %u %u\n", quads[q][0], quads[q][1], quads[q][2], quads[q][3]);
        else
            file_append(t, "\4", 1);
        for (int k = 0; k < 4 && !text; k++)
            file_append_u32(t, quads[q][k], big);
    }
    return header;
}

static void make_off(file_text *t, const char *keyword, const char *vertex_extra, const char *face_extra)
{
    file_print(t, "%s\n# a cube\n8 6 12\n", keyword);
    for (int v = 0; v < 8; v++)
        file_print(t, "%g %g %g%s\n", (double)corners[v][0], (double)corners[v][1], (double)corners[v][2],
                   vertex_extra);
    for (int q = 0; q < 6; q++)
        file_print(t, "4 %u %u %u %u%s\n", quads[q][0], quads[q][1], quads[q][2], quads[q][3], face_extra);
}

// CRC-32 of RFC 1952, a bit at a time.
static uint32_t crc_of(const unsigned char *bytes, size_t size)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static void begin_member(file_text *t)
{
    static const unsigned char header[10] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
    file_append(t, header, sizeof header);
}

void file_append_gzip(file_text *t, const void *bytes, size_t size, size_t block)
{
    const unsigned char *p = bytes;
    begin_member(t);
    for (size_t at = 0; at < size || at == 0; at += block) {
        const size_t n = size - at < block ? size - at : block;
        const unsigned char head[5] = {at + n == size, (unsigned char)n, (unsigned char)(n >> 8), (unsigned char)~n,
                                       (unsigned char)(~n >> 8)};
        file_append(t, head, sizeof head);
        file_append(t, p + at, n);
    }
    file_append_u32(t, crc_of(bytes, size), false);
    file_append_u32(t, (uint32_t)size, false);
}

void file_append_base64(file_text *t, const unsigned char *bytes, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        uint32_t bits = (uint32_t)bytes[i] << 16;
        bits |= i + 1 < size ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= i + 2 < size ? (uint32_t)bytes[i + 2] : 0;
        file_print(t, "%c%c%c%c", digits[bits >> 18], digits[bits >> 12 & 63],
                   i + 1 < size ? digits[bits >> 6 & 63] : '=', i + 2 < size ? digits[bits & 63] : '=');
    }
}

void make_gltf(file_text *t)
{
    static const float square[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    file_text data = {0};
    for (int i = 0; i < 12; i++)
        file_append_float(&data, square[i / 3][i % 3], false);
    for (int i = 0; i < 6; i++)
        file_append_u32(&data, triangles[i], false);
    file_print(t, "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0,2]}],\n");
    file_print(
        t,
        "\"nodes\":[{\"name\":\"moved\",\"translation\":[0,0,2],\"children\":[1]},{\"name\":\"left\",\"mesh\":0},\n");
    file_print(t, "{\"name\":\"right\",\"mesh\":0,\"translation\":[10,0,0]}],\n");
    file_print(t, "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}],\n");
    file_print(t, "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,"
                  "0],\"max\":["
                  "1,1,0]},\n");
    file_print(t, "{\"bufferView\":1,\"componentType\":5125,\"count\":6,\"type\":\"SCALAR\"}],\n");
    file_print(t, "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,"
                  "\"byteLength\":24}],\n");
    file_print(t, "\"buffers\":[{\"byteLength\":%zu,\"uri\":\"data:application/octet-stream;base64,", data.size);
    file_append_base64(t, data.bytes, data.size);
    file_print(t, "\"}]}\n");
    free(data.bytes);
}

static void add(file_sample *s, const char *name, const file_text *t, size_t header_size, uint64_t vertices,
                uint64_t faces, uint64_t parts)
{
    *s = (file_sample){name, t->bytes, t->size, header_size, vertices, faces, parts};
}

void make_file_samples(file_sample samples[FILE_SAMPLE_COUNT])
{
    file_text t[FILE_SAMPLE_COUNT] = {0};
    make_obj(&t[0]);
    add(&samples[0], "cube.obj", &t[0], 40, 8, 6, 1);
    make_stl_text(&t[1]);
    add(&samples[1], "text.stl", &t[1], 100, 36, 12, 1);
    make_stl_binary(&t[2]);
    add(&samples[2], "binary.stl", &t[2], 84, 36, 12, 0);
    size_t header = make_ply(&t[3], "ascii", "float");
    add(&samples[3], "text.ply", &t[3], header, 8, 6, 0);
    header = make_ply(&t[4], "binary_little_endian", "float");
    add(&samples[4], "little.ply", &t[4], header, 8, 6, 0);
    header = make_ply(&t[5], "binary_big_endian", "double");
    add(&samples[5], "big.ply", &t[5], header, 8, 6, 0);
    make_off(&t[6], "OFF", "", "");
    add(&samples[6], "cube.off", &t[6], 24, 8, 6, 0);
    make_off(&t[7], "COFF", " 255 0 0 255", " 1 0 0");
    add(&samples[7], "colours.off", &t[7], 24, 8, 6, 0);
    make_gltf(&t[8]);
    add(&samples[8], "square.gltf", &t[8], 48, 8, 4, 2);
}

void finish_file_samples(file_sample samples[FILE_SAMPLE_COUNT])
{
    for (int i = 0; i < FILE_SAMPLE_COUNT; i++)
        free(samples[i].bytes);
}

char test_directory[FILE_PATH_SIZE];
file_sample file_samples[FILE_SAMPLE_COUNT];

int begin_file_tests(void **state)
{
    (void)state;
    make_test_directory(test_directory);
    make_file_samples(file_samples);
    return 0;
}

int end_file_tests(void **state)
{
    (void)state;
    finish_file_samples(file_samples);
    remove_test_directory(test_directory);
    return 0;
}

uint64_t file_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}
