// SPDX-License-Identifier: MIT
// Files for the tests of the readers: a temporary directory, and one small model in each format, made in memory. The
// model is a cube of six quads or twelve triangles. Its coordinates are 0 and 1, which every format stores exactly.
#ifndef GRZ_TESTS_SUPPORT_FILES_H
#define GRZ_TESTS_SUPPORT_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FILE_PATH_SIZE = 512
};

// Create a directory under TMPDIR or /tmp. Ends the test program if that fails.
void make_test_directory(char path[FILE_PATH_SIZE]);

// Remove a directory and the files in it.
void remove_test_directory(const char *path);

// Write the file "directory/name". `path` receives its path.
void write_test_file(const char *directory, const char *name, const void *bytes, size_t size,
                     char path[FILE_PATH_SIZE]);

typedef struct file_sample {
    const char *name; // for example "ply-text.ply"; its extension is the right one for the format
    unsigned char *bytes;
    size_t size, header_size; // header_size: tests cut the file at each of these bytes
    uint64_t vertex_count, face_count, part_count;
} file_sample;

enum {
    FILE_SAMPLE_COUNT = 9
};

// Make all samples. Free them with finish_file_samples().
void make_file_samples(file_sample samples[FILE_SAMPLE_COUNT]);
void finish_file_samples(file_sample samples[FILE_SAMPLE_COUNT]);

// A temporary directory and all samples. begin_file_tests and end_file_tests are setup and teardown functions for a
// cmocka group.
extern char test_directory[FILE_PATH_SIZE];
extern file_sample file_samples[FILE_SAMPLE_COUNT];
int begin_file_tests(void **state);
int end_file_tests(void **state);

// The next of a fixed sequence of random numbers (xorshift). `state` is the seed, not 0.
uint64_t file_random(uint64_t *state);

// A growing text or byte buffer. The caller frees `bytes`.
typedef struct file_text {
    unsigned char *bytes;
    size_t size, capacity;
} file_text;

void file_append(file_text *t, const void *bytes, size_t size);
void file_print(file_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void file_append_u32(file_text *t, uint32_t value, bool big);
void file_append_u64(file_text *t, uint64_t value, bool big);
void file_append_float(file_text *t, float value, bool big);
void file_append_double(file_text *t, double value, bool big);

// A member of gzip, in stored blocks of `block` bytes, by other code than zlib.
void file_append_gzip(file_text *t, const void *bytes, size_t size, size_t block);
void file_append_base64(file_text *t, const unsigned char *bytes, size_t size);

// A glTF file with one square of two triangles (z = 0, x and y are 0 or 1). Two nodes show it: "left", inside the node
// "moved" at (0, 0, 2), and "right" at (10, 0, 0).
void make_gltf(file_text *t);

#endif
