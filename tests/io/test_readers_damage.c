// SPDX-License-Identifier: MIT
// Damaged files: every sample cut at every length (files for the importer at 80 lengths), bytes changed at random,
// counts of 10^18, lines of many megabytes. Also importers in a child process that crash, hang, use too much memory or
// send false data. Nothing may crash, use much more memory than the file, take longer than a second, or give an invalid
// model.
// ctest: timeout 600
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "foreign/foreign.h"
#include "support_files.h"
#include "support_sanitizer.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The promises of model.h about every model.
static void assert_whole(const model *m)
{
    uint64_t corners = 0, faces = 0;
    assert_true(m->face_count > 0);
    for (uint64_t f = 0; f < m->face_count && m->corner_counts; f++) {
        assert_true(m->corner_counts[f] >= 3);
        corners += m->corner_counts[f];
    }
    assert_true(m->index_count == (m->corner_counts ? corners : 3 * m->face_count));
    for (uint64_t i = 0; i < m->index_count; i++)
        assert_true(m->indices[i] < m->vertex_count);
    assert_true(m->mesh_count == 0 && m->instance_count == 0);
    for (size_t i = 0; i < m->part_count; i++) {
        assert_true(m->parts[i].first_face == faces && m->parts[i].face_count > 0 && m->parts[i].name);
        faces += m->parts[i].face_count;
    }
    assert_true(m->part_count == 0 || faces == m->face_count);
}

// Read damaged bytes: either a refusal with a message that names the file, or a valid model, in time. Returns true if a
// model was read.
static bool read_damaged(const char *name, const unsigned char *bytes, size_t size, model *m)
{
    char message[MODEL_MESSAGE_SIZE];
    double start = now();
    bool ok = model_read_memory(name, false, bytes, size, m, message) && model_flatten(m, name, message);
    double taken = now() - start;
    if (taken > 1)
        fail_msg("%s took %g s", name, taken);
    if (ok)
        assert_whole(m);
    else if (strncmp(message, name, strlen(name)) != 0 || m->positions || m->indices || m->notes || m->parts)
        fail_msg("%s: message \"%s\" or a model that is not empty", name, message);
    return ok;
}

// A cut sample is refused, or, where the format cannot show the cut, has no more than the whole sample.
static void check_cut(const file_sample *s, size_t size)
{
    model m;
    unsigned char *copy = malloc(size ? size : 1); // of exactly this size, for the address sanitizer
    assert_non_null(copy);
    memcpy(copy, s->bytes, size);
    bool text_without_counts = strstr(s->name, ".obj") || strcmp(s->name, "text.stl") == 0;
    if (read_damaged(s->name, copy, size, &m)) {
        bool complete = m.vertex_count == s->vertex_count && m.face_count == s->face_count;
        if (!(complete || (text_without_counts && m.vertex_count <= s->vertex_count && m.face_count <= s->face_count)))
            fail_msg("%s cut at %zu of %zu: %llu vertices, %llu faces", s->name, size, s->size,
                     (unsigned long long)m.vertex_count, (unsigned long long)m.face_count);
        model_finish(&m);
    }
    free(copy);
}

static void cut_files_are_refused_or_read_whole(void **state)
{
    (void)state;
    for (int i = 0; i < FILE_SAMPLE_COUNT; i++) {
        const file_sample *s = &file_samples[i];
        for (size_t size = 0; size < s->size; size++)
            check_cut(s, size);
    }
}

static void cut_binary_files_are_refused(void **state)
{
    (void)state;
    int binary = 0;
    for (int i = 0; i < FILE_SAMPLE_COUNT; i++) {
        const file_sample *s = &file_samples[i];
        if (strcmp(s->name, "binary.stl") != 0 && strcmp(s->name, "little.ply") != 0 && strcmp(s->name, "big.ply") != 0)
            continue;
        binary++;
        for (size_t size = 0; size < s->size; size++) {
            model m;
            if (read_damaged(s->name, s->bytes, size, &m))
                fail_msg("%s cut at %zu of %zu was accepted", s->name, size, s->size);
        }
    }
    assert_int_equal(binary, 3);
}

// Changes one to eight places: a bit, a byte, a digit, a piece copied over another, a piece left out. Returns the new
// size.
static size_t damage(unsigned char *bytes, size_t size, uint64_t *seed)
{
    static const unsigned char telling[] = "0123456789-+.eE/\\#\r\n\t \0\xff\x7f";
    for (uint64_t n = file_random(seed) % 8 + 1; n > 0 && size > 8; n--) {
        uint64_t dice = file_random(seed);
        size_t at = (size_t)(file_random(seed) % size), length = (size_t)(file_random(seed) % 16) + 1;
        if (length > size - at)
            length = size - at;
        switch (dice % 5) {
        case 0:
            bytes[at] ^= (unsigned char)(1u << (dice >> 8) % 8);
            break;
        case 1:
            bytes[at] = (unsigned char)(dice >> 8);
            break;
        case 2:
            bytes[at] = telling[(dice >> 8) % (sizeof telling - 1)];
            break;
        case 3:
            memmove(bytes + (dice >> 8) % (size - length + 1), bytes + at, length);
            break;
        default:
            memmove(bytes + at, bytes + at + length, size - at - length);
            size -= length;
        }
    }
    return size;
}

static void damaged_files_are_refused_or_make_a_valid_model(void **state)
{
    (void)state;
    unsigned all = 0, whole = 0;
    enum {
        ROUNDS = 4000
    };
    for (int i = 0; i < FILE_SAMPLE_COUNT; i++) {
        const file_sample *s = &file_samples[i];
        uint64_t seed = 1000 + (uint64_t)i;
        unsigned read = 0;
        for (int round = 0; round < ROUNDS; round++) {
            unsigned char *copy = malloc(s->size);
            assert_non_null(copy);
            memcpy(copy, s->bytes, s->size);
            size_t size = damage(copy, s->size, &seed);
            unsigned char *exact = realloc(copy, size); // a byte past the end is then an error to the address sanitizer
            assert_non_null(exact);
            model m;
            if (read_damaged(s->name, exact, size, &m)) {
                model_finish(&m);
                read++;
            }
            free(exact);
        }
        print_message("%s: %u of %d damaged files were still whole\n", s->name, read, (int)ROUNDS);
        all += ROUNDS;
        whole += read;
    }
    assert_true(whole > all / 100 && whole < all / 2);
}

// Bytes of a fixed seed, all of them or those of numbers and OBJ statements. None of these files happens to be a model.
static void garbage_is_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"a.obj", "a.stl", "a.ply", "a.off", "a"};
    uint64_t seed = 99;
    unsigned char bytes[300];
    for (int round = 0; round < 2000; round++)
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            size_t size = (size_t)(file_random(&seed) % sizeof bytes) + 1;
            for (size_t k = 0; k < size; k++)
                bytes[k] = round % 2 ? (unsigned char)file_random(&seed)
                                     : (unsigned char)"v f123.- \n"[file_random(&seed) % 10];
            model m;
            if (read_damaged(names[i], bytes, size, &m))
                fail_msg("round %d: %s was read", round, names[i]);
        }
}

// Limit memory to the present use and a little more. Not under a sanitizer, which needs too much memory itself.
static bool limit_memory(struct rlimit *before)
{
    if (TEST_SANITIZED)
        return false;
    assert_int_equal(getrlimit(RLIMIT_AS, before), 0);
    struct rlimit less = {.rlim_cur = (rlim_t)256 << 20, .rlim_max = before->rlim_max};
    assert_int_equal(setrlimit(RLIMIT_AS, &less), 0);
    return true;
}

static void huge_counts_are_refused_before_memory_is_taken(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        {"a.off", "OFF\n1000000000000000000 1 0\n0 0 0\n"},
        {"a.off", "OFF\n3 1000000000000000000 0\n0 0 0\n"},
        {"a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4000000000 0 1 2\n"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1000000000000000000\nproperty float x\nproperty float "
                  "y\nproperty float z\n"
                  "end_header\n0 0 0\n"},
        {"a.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 1000000000000000000\nproperty float "
                  "x\nproperty float y\n"
                  "property float z\nend_header\n0 0 0\n"},
        {"a.ply",
         "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty uchar x\nproperty uchar y\nproperty uchar z\n"
         "element face 99999999999999999999\nproperty list uchar int vertex_index\nend_header\nxyz\n"},
        {"a.ply",
         "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty uchar x\nproperty uchar y\nproperty uchar z\n"
         "element face 1\nproperty list uint char vertex_index\nend_header\nxyz\xff\xff\xff\xff"},
        {"a.ply", "ply\nformat binary_big_endian 1.0\nelement x 1\nproperty list uint double a\nelement vertex "
                  "1\nproperty uchar x\n"
                  "property uchar y\nproperty uchar z\nend_header\n\xff\xff\xff\xffxyz"},
        {"a.stl",
         "binary, with a count of 2021161080: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
        {"a.obj", "v 0 0 0\nf 1 1 4294967295\n"},
        {"a.obj", "v 0 0 0\nf 1 1 999999999999999999999999\n"},
    };
    struct rlimit before;
    bool limited = limit_memory(&before);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        model m;
        if (read_damaged(files[i][0], (const unsigned char *)files[i][1], strlen(files[i][1]), &m))
            fail_msg("accepted: %s", files[i][1]);
    }
    if (limited)
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

static void text_without_a_vertex_is_refused_early(void **state)
{
    (void)state;
    file_text t = {0};
    char message[MODEL_MESSAGE_SIZE];
    model m;
    for (int i = 0; i < 1000; i++)
        file_print(&t, "y\n");
    assert_false(model_read_memory("a", false, t.bytes, t.size, &m, message));
    assert_string_equal(message, "a: no model of a known format: neither first bytes nor extension name one, and it is "
                                 "no OBJ text (line 1 begins with \"y\")");
    free(t.bytes);
}

static void long_lines_take_time_in_proportion(void **state)
{
    (void)state;
    static const struct {
        const char *name, *start, *repeated, *end;
    } cases[] = {
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf", " 1 2 3", "\n"},
        {"a.obj", "v 0 0 0\n#", "##\\####", "\nf 1 1 1\n"},
        {"a.obj", "v 0 0 0\nf 1 1 1 ", "\\\n ", "1\n"},
        {"a.obj", "v 0 0 0\no ", "name ", "\nf 1 1 1\n"},
        {"a.obj", "v ", "1234567", "\n"},
        {"a.obj", "", "v       ", "\n"},
        {"a.obj", "v 0 0 0\n", "g a\ng b\n", "f 1 1 1\n"},
        {"a.off", "OFF\n1 1 0\n0 0 0", " 0.12345", "\n3 0 0 0\n"},
        {"a.stl", "solid ", "solid  ", "\nfacet"},
        {"a.stl", "", "solid\nendsolid\n", ""},
        {"a.ply", "ply\nformat ascii 1.0\n", "comment\n", "end_header\n"},
        {"a.off", "", "#######\n", ""},
        {"a", "", "\t\t\n     ", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        file_text t = {0};
        file_print(&t, "%s", cases[i].start);
        while (t.size < 8u << 20)
            file_append(&t, cases[i].repeated, strlen(cases[i].repeated));
        file_print(&t, "%s", cases[i].end);
        model m;
        const bool read = read_damaged(cases[i].name, t.bytes, t.size, &m);
        assert_true(read || i > 3); // the first four are whole
        if (read)
            model_finish(&m);
        free(t.bytes);
    }
}

// The data that the importers below write to the pipe.
static void say(int pipe, const void *bytes, size_t size)
{
    const char *p = bytes;
    for (ssize_t n; size > 0 && (n = write(pipe, p, size)) > 0; size -= (size_t)n)
        p += n;
}

static void crash(int pipe, const void *context)
{
    (void)pipe;
    (void)context;
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

static void hang(int pipe, const void *context)
{
    (void)pipe;
    (void)context;
    for (;;)
        pause();
}

static void trickle(int pipe, const void *context)
{
    (void)context;
    const child_header h = {.magic = CHILD_MAGIC, .vertex_count = 10000000, .mesh_count = 1};
    const child_mesh mesh = {.vertex_count = 10000000};
    say(pipe, &h, sizeof h);
    say(pipe, &mesh, sizeof mesh);
    for (;;) {
        say(pipe, "x", 1);
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

static void spin(int pipe, const void *context)
{
    (void)pipe;
    (void)context;
    for (volatile unsigned turns = 0;; turns++)
        continue;
}

static void leave(int pipe, const void *context)
{
    (void)pipe;
    _exit(*(const int *)context);
}

// Allocate until memory runs out, then abort as an uncaught failure does.
static void eat_memory(int pipe, const void *context)
{
    (void)pipe;
    (void)context;
    for (;;) {
        volatile char *block = malloc(64u << 20);
        if (!block)
            abort();
        block[0] = 1; // every page of it would cost more than the second of processor time on some machines
    }
}

typedef struct answer {
    child_header header;
    const char *text;
    const void *rest;
    size_t rest_size;
} answer;

static void give_answer(int pipe, const void *context)
{
    const answer *a = context;
    say(pipe, &a->header, sizeof a->header);
    say(pipe, a->text, strlen(a->text));
    say(pipe, a->rest, a->rest_size);
}

static size_t number; // of the case that is run, for messages

// Run an importer that must fail with a message that contains `what`.
static void refuse_child(child_work *work, const void *context, double seconds, const char *what)
{
    char message[MODEL_MESSAGE_SIZE] = "";
    foreign_reader r = {.path = "a.xyz", .bytes = (const unsigned char *)"", .message = message};
    const child_limits limits = {.memory = 512u << 20, .cpu_seconds = 1, .wall_seconds = seconds};
    bool unknown;
    double start = now();
    assert_false(foreign_read_child(&r, &limits, work, context, &unknown));
    assert_true(now() - start < seconds + 5); // the machine may be busy
    if (!strstr(message, what) || strncmp(message, "a.xyz: ", 7) != 0)
        fail_msg("case %zu: message \"%s\", expected \"%s\"", number, message, what);
    foreign_abandon(&r);
}

static void importers_that_fail_have_different_messages(void **state)
{
    (void)state;
    refuse_child(crash, NULL, 10, "damaged, or more than Assimp can read: the importer crashed (signal 11)");
    refuse_child(hang, NULL, 0.2, "the importer took longer than 0.2 s");
    refuse_child(spin, NULL, 10, "the importer took longer than 1 s of processor time");
    refuse_child(trickle, NULL, 0.2, "the importer took longer than 0.2 s");
    refuse_child(leave, &(int){0}, 10, "the importer ended without an answer");
    refuse_child(leave, &(int){3}, 10, "the importer failed (exit status 3)");
    struct rlimit unused;
    if (limit_memory(&unused)) { // no sanitizer: then the limit holds
        assert_int_equal(setrlimit(RLIMIT_AS, &unused), 0);
        refuse_child(eat_memory, NULL, 10, "the importer needs more than 512 MiB of memory");
    }
}

// An answer: a triangle of three vertices, and a triangle and a quad of four; the first shown twice, the second once.
typedef struct told {
    child_header header;
    child_mesh triangle, square;
    uint32_t triangle_corners[3], square_corners[7], triangle_faces[1], square_faces[2];
    child_instance shown[3];
} told;

static const told TRUTH = {
    .header = {.magic = CHILD_MAGIC,
               .vertex_count = 7,
               .index_count = 10,
               .face_count = 3,
               .mesh_count = 2,
               .instance_count = 3,
               .names_length = 3,
               .text_length = 1},
    .triangle = {3, 3, 1},
    .square = {4, 7, 2},
    .triangle_corners = {0, 1, 2},
    .square_corners = {0, 1, 2, 0, 1, 2, 3},
    .triangle_faces = {3},
    .square_faces = {3, 4},
    .shown = {{0, 2, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
              {1, 1, {{1, 0, 0, 5}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
              {0, 0, {{1, 0, 0, 0}, {0, 1, 0, 5}, {0, 0, 1, 0}}}},
};

// The bytes that go through the pipe.
static file_text tell(const told *t)
{
    static const double positions[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const char *const names[3] = {"ab", "c", ""};
    file_text bytes = {0};
    file_append(&bytes, "x", 1);
    file_append(&bytes, &t->triangle, sizeof t->triangle);
    file_append(&bytes, positions, 9 * sizeof(double));
    file_append(&bytes, t->triangle_corners, sizeof t->triangle_corners);
    file_append(&bytes, t->triangle_faces, sizeof t->triangle_faces);
    file_append(&bytes, &t->square, sizeof t->square);
    file_append(&bytes, positions, sizeof positions);
    file_append(&bytes, t->square_corners, sizeof t->square_corners);
    file_append(&bytes, t->square_faces, sizeof t->square_faces);
    for (int i = 0; i < 3; i++) {
        file_append(&bytes, &t->shown[i], sizeof t->shown[i]);
        file_append(&bytes, names[i], strlen(names[i]));
    }
    return bytes;
}

static void a_valid_answer_is_accepted(void **state)
{
    (void)state;
    model m = {0};
    char message[MODEL_MESSAGE_SIZE] = "";
    foreign_reader r = {.path = "a.xyz", .bytes = (const unsigned char *)"", .message = message};
    const child_limits limits = {.memory = 512u << 20, .cpu_seconds = 1, .wall_seconds = 10};
    file_text bytes = tell(&TRUTH);
    answer a = {TRUTH.header, "", bytes.bytes, bytes.size};
    bool unknown;
    if (!foreign_read_child(&r, &limits, give_answer, &a, &unknown))
        fail_msg("%s", message);
    assert_true(foreign_finish(&r, &m));
    assert_true(m.mesh_count == 2 && m.instance_count == 3 && m.vertex_count == 7 && m.face_count == 3);
    assert_true(model_flatten(&m, "a.xyz", message));
    assert_whole(&m);
    assert_true(m.vertex_count == 10 && m.face_count == 4 && m.part_count == 3);
    model_finish(&m);
    free(bytes.bytes);
}

#define LIE_OF(member) offsetof(told, member), sizeof TRUTH.member

static void invalid_answers_are_refused(void **state)
{
    (void)state;
    const uint64_t huge = UINT64_C(1) << 60;
    // One number of the answer, and the false value sent instead.
    const struct {
        size_t offset, size;
        uint64_t value;
        const char *expected;
    } lies[] = {
        {LIE_OF(header.magic), CHILD_MAGIC + 1, "makes no sense"},
        {LIE_OF(header.status), 9, "makes no sense"},
        {LIE_OF(header.status), CHILD_FAILED, "a.xyz: x"},
        {LIE_OF(header.text_length), UINT64_MAX, "makes no sense"},
        {LIE_OF(header.vertex_count), 8, "makes no sense"},
        {LIE_OF(header.vertex_count), 6, "makes no sense"},
        {LIE_OF(header.vertex_count), 2, "makes no sense"},
        {LIE_OF(header.vertex_count), UINT64_MAX, "larger than the importer may make it (512 MiB)"},
        {LIE_OF(header.index_count), 11, "makes no sense"},
        {LIE_OF(header.index_count), 9, "makes no sense"},
        {LIE_OF(header.index_count), UINT64_C(1) << 40, "larger than the importer may make it"},
        {LIE_OF(header.face_count), 4, "makes no sense"},
        {LIE_OF(header.face_count), 2, "makes no sense"},
        {LIE_OF(header.face_count), UINT64_C(1) << 40, "larger than the importer may make it"},
        {LIE_OF(header.mesh_count), 1, "makes no sense"},
        {LIE_OF(header.mesh_count), 3, "makes no sense"},
        {LIE_OF(header.mesh_count), huge, "larger than the importer may make it"},
        {LIE_OF(header.instance_count), 4, "ended without an answer"},
        {LIE_OF(header.instance_count), 1, "makes no sense"},
        {LIE_OF(header.instance_count), huge, "larger than the importer may make it"},
        {LIE_OF(header.names_length), 2, "makes no sense"},
        {LIE_OF(header.names_length), 4, "makes no sense"},
        {LIE_OF(header.names_length), huge, "larger than the importer may make it"},
        {LIE_OF(triangle.vertex_count), 2, "makes no sense"},
        {LIE_OF(triangle.vertex_count), 8, "makes no sense"},
        {LIE_OF(triangle.vertex_count), UINT64_MAX, "makes no sense"},
        {LIE_OF(square.index_count), 8, "makes no sense"},
        {LIE_OF(square.index_count), UINT64_MAX, "makes no sense"},
        {LIE_OF(square.face_count), 3, "makes no sense"},
        {LIE_OF(square.face_count), UINT64_MAX, "makes no sense"},
        {LIE_OF(triangle_corners[2]), 3, "makes no sense"}, // the other mesh has a vertex of this number
        {LIE_OF(square_corners[6]), 4, "makes no sense"},
        {LIE_OF(square_corners[0]), UINT32_MAX, "makes no sense"},
        {LIE_OF(triangle_faces[0]), 2, "makes no sense"},
        {LIE_OF(triangle_faces[0]), 4, "makes no sense"}, // the other mesh has a corner to spare
        {LIE_OF(square_faces[1]), 3, "makes no sense"},
        {LIE_OF(square_faces[1]), 5, "makes no sense"},
        {LIE_OF(square_faces[0]), 0, "makes no sense"},
        {LIE_OF(shown[1].mesh), 2, "makes no sense"},
        {LIE_OF(shown[1].mesh), 0, "makes no sense"}, // then the other mesh is never shown
        {LIE_OF(shown[2].mesh), UINT64_MAX, "makes no sense"},
        {LIE_OF(shown[0].name_length), UINT64_C(1) << 30, "makes no sense"},
        {LIE_OF(shown[2].name_length), 1, "makes no sense"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        told lie = TRUTH;
        const uint32_t narrow = (uint32_t)lies[i].value;
        memcpy((char *)&lie + lies[i].offset, lies[i].size == 8 ? (const void *)&lies[i].value : &narrow, lies[i].size);
        file_text bytes = tell(&lie);
        answer a = {lie.header, "", bytes.bytes, bytes.size};
        number = i;
        refuse_child(give_answer, &a, 10, lies[i].expected);
        free(bytes.bytes);
    }
    const answer silent = {{.magic = CHILD_MAGIC, .status = CHILD_FAILED}, "", "", 0};
    refuse_child(give_answer, &silent, 10, "did not say why");
}

// Answers with some bytes changed: refused, or a model that keeps the promises of model.h within the announced memory.
static void random_changes_are_refused_or_make_a_valid_model(void **state)
{
    (void)state;
    enum {
        ROUNDS = 400 // a process each, which takes a sanitizer a tenth of a second
    };
    uint64_t seed = 77;
    unsigned taken = 0;
    for (int round = 0; round < ROUNDS; round++) {
        told lie = TRUTH;
        model m = {0};
        char message[MODEL_MESSAGE_SIZE] = "";
        foreign_reader r = {.path = "a.xyz", .bytes = (const unsigned char *)"", .message = message};
        const child_limits limits = {.memory = 1u << 20, .cpu_seconds = 1, .wall_seconds = 10};
        bool unknown;
        const size_t first = sizeof lie.header.magic; // changing the magic word tests nothing more
        for (uint64_t n = file_random(&seed) % 3 + 1; n > 0; n--)
            ((unsigned char *)&lie)[first + file_random(&seed) % (sizeof lie - first)] ^=
                (unsigned char)(1u << file_random(&seed) % 8);
        file_text bytes = tell(&lie);
        answer a = {lie.header, "", bytes.bytes, bytes.size};
        if (foreign_read_child(&r, &limits, give_answer, &a, &unknown)) {
            taken++;
            const bool has_faces = r.face_count > 0;
            assert_true(foreign_finish(&r, &m) == has_faces);
            if (!model_flatten(&m, "a.xyz", message))
                fail_msg("round %d: %s", round, message);
            if (has_faces)
                assert_whole(&m);
        } else if (strncmp(message, "a.xyz: ", 7) != 0) {
            fail_msg("round %d: message \"%s\"", round, message);
        }
        foreign_abandon(&r);
        model_finish(&m);
        free(bytes.bytes);
    }
    print_message("%u of %d answers with changed bits still made sense\n", taken, (int)ROUNDS);
    assert_true(taken > 100);
}

static void gltf_instances_become_parts_with_their_transforms(void **state)
{
    (void)state;
    char path[FILE_PATH_SIZE], message[MODEL_MESSAGE_SIZE];
    const file_sample *s = &file_samples[FILE_SAMPLE_COUNT - 1];
    model m;
    write_test_file(test_directory, s->name, s->bytes, s->size, path);
    if (!model_read(path, NULL, &m, message))
        fail_msg("%s", message);
    assert_whole(&m);
    assert_true(m.vertex_count == 8 && m.face_count == 4 && m.part_count == 2);
    assert_string_equal(m.parts[0].name, "left");
    assert_string_equal(m.parts[1].name, "right");
    static const double left[12] = {0, 0, 2, 1, 0, 2, 1, 1, 2, 0, 1, 2},
                        right[12] = {10, 0, 0, 11, 0, 0, 11, 1, 0, 10, 1, 0};
    static const uint32_t indices[12] = {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7};
    assert_memory_equal(m.positions, left, sizeof left);
    assert_memory_equal(m.positions + 12, right, sizeof right);
    assert_memory_equal(m.indices, indices, sizeof indices);
    assert_true(m.note_count == 0 && m.unit_in_metres > 0 && m.up_axis == GRZ_IO_UP_Y);
    model_finish(&m);
}

#ifdef GRZ_HAVE_ASSIMP
// Files in formats that only the importer reads: cut short, and with random bytes.
static void damaged_files_of_other_formats_are_refused_in_time(void **state)
{
    (void)state;
    static const char *const names[] = {"a.gltf", "a.glb", "a.blend", "a.3mf", "a.fbx",
                                        "a.ac",   "a.lwo", "a.3ds",   "a.x3d", "a.b3d"};
    static const char text[] =
        "<?xml version=\"1.0\"?><X3D version=\"3.0\" profile=\"Interchange\"><Scene><Transform><Shape><IndexedFaceSet "
        "coordIndex=\"0 1 2 -1\"><Coordinate point=\"0 0 0 1 0 0 0 1 0\"/></IndexedFaceSet></Shape></Transform></Scene>"
        "</X3D>";
    const file_sample x3d = {.name = "square.x3d", .bytes = (unsigned char *)text, .size = sizeof text - 1}, *s = &x3d;
    char path[FILE_PATH_SIZE], message[MODEL_MESSAGE_SIZE];
    unsigned char garbage[200];
    uint64_t seed = 5;
    for (size_t k = 0; k < sizeof garbage; k++)
        garbage[k] = (unsigned char)file_random(&seed);
    size_t step = s->size / 32;
    for (size_t i = 0; i < 48 + 32 + sizeof names / sizeof *names; i++) {
        model m;
        bool cut = i < 80;
        const char *name = cut ? s->name : names[i - 80];
        write_test_file(test_directory, name, cut ? s->bytes : garbage,
                        cut ? (i < 48 ? i : step * (i - 48)) : sizeof garbage, path);
        double start = now();
        bool ok = model_read(path, NULL, &m, message);
        if (ok || strncmp(message, path, strlen(path)) != 0)
            fail_msg("%s was accepted, or its message is \"%s\"", path, message);
        if (now() - start > (TEST_SANITIZED ? 3 : 1)) // under a sanitizer each child loads Assimp again
            fail_msg("%s took %g s: %s", path, now() - start, message);
        unlink(path);
    }
}

// If Assimp's library is missing at run time, the tool names it and still reads the other formats.
static void a_missing_library_is_named(void **state)
{
    (void)state;
    char message[MODEL_MESSAGE_SIZE] = "";
    bool unknown;
    foreign_reader r = {.path = "a.fbx", .bytes = (const unsigned char *)"", .message = message};
    assert_false(foreign_read_assimp_from(&r, NULL, "libassimp-of-nobody.so.9", &unknown));
    assert_false(unknown);
    assert_non_null(strstr(
        message, "a.fbx: this format is read by Assimp, and its library libassimp-of-nobody.so.9 (Debian: libassimp5) "
                 "cannot be loaded: "));
    assert_false(foreign_read_assimp_from(&r, NULL, "libc.so.6", &unknown)); // a library, but another one
    assert_string_equal(message, "a.fbx: libc.so.6 is no library of Assimp that this tool can use");
    r.path = "a.unheardof";
    assert_false(foreign_read_assimp_from(&r, NULL, "libassimp-of-nobody.so.9", &unknown));
    assert_true(unknown);
}

// The flag that Ctrl-C sets ends an importer at work.
static void importers_can_be_cancelled(void **state)
{
    (void)state;
    char message[MODEL_MESSAGE_SIZE] = "";
    const volatile int cancel = 1;
    foreign_reader r = {.path = "a.xyz", .bytes = (const unsigned char *)"", .message = message, .cancel = &cancel};
    const child_limits limits = {.memory = 512u << 20, .cpu_seconds = 1, .wall_seconds = 100};
    bool unknown;
    const double start = now();
    assert_false(foreign_read_child(&r, &limits, hang, NULL, &unknown));
    assert_string_equal(message, "a.xyz: cancelled");
    assert_true(now() - start < 5);
}

static void an_unknown_extension_is_tried_as_obj(void **state)
{
    (void)state;
    static const char text[] = "v 0 0 0\nf 1 1 1\n";
    char path[FILE_PATH_SIZE], message[MODEL_MESSAGE_SIZE];
    model m;
    write_test_file(test_directory, "a.unheardof", text, sizeof text - 1, path);
    if (!model_read(path, NULL, &m, message))
        fail_msg("%s", message);
    model_finish(&m);
}
#else
static void formats_of_the_importer_are_refused_without_it(void **state)
{
    (void)state;
    char path[FILE_PATH_SIZE], message[MODEL_MESSAGE_SIZE];
    model m;
    write_test_file(test_directory, "a.fbx", "Kaydara FBX", 11, path);
    assert_false(model_read(path, NULL, &m, message));
    assert_non_null(strstr(message, "a.fbx: format not supported in this build"));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_files_are_refused_or_read_whole),
        cmocka_unit_test(cut_binary_files_are_refused),
        cmocka_unit_test(damaged_files_are_refused_or_make_a_valid_model),
        cmocka_unit_test(garbage_is_refused),
        cmocka_unit_test(huge_counts_are_refused_before_memory_is_taken),
        cmocka_unit_test(text_without_a_vertex_is_refused_early),
        cmocka_unit_test(long_lines_take_time_in_proportion),
        cmocka_unit_test(importers_that_fail_have_different_messages),
        cmocka_unit_test(a_valid_answer_is_accepted),
        cmocka_unit_test(invalid_answers_are_refused),
        cmocka_unit_test(random_changes_are_refused_or_make_a_valid_model),
        cmocka_unit_test(gltf_instances_become_parts_with_their_transforms),
#ifdef GRZ_HAVE_ASSIMP
        cmocka_unit_test(damaged_files_of_other_formats_are_refused_in_time),
        cmocka_unit_test(an_unknown_extension_is_tried_as_obj),
        cmocka_unit_test(a_missing_library_is_named),
        cmocka_unit_test(importers_can_be_cancelled),
#else
        cmocka_unit_test(formats_of_the_importer_are_refused_without_it),
#endif
    };
    return cmocka_run_group_tests(tests, begin_file_tests, end_file_tests);
}
