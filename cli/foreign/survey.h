// SPDX-License-Identifier: MIT
// Looks through a file before Assimp does, for what Assimp drops or gets wrong without a word: that is refused by its
// name. And counts what the file shows, so that a model with less or more of it is not taken.
#ifndef GRZ_CLI_SURVEY_H
#define GRZ_CLI_SURVEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SURVEY_TEXT_SIZE = 300
};

typedef struct survey {
    const unsigned char *bytes; // of the file
    size_t size;
    char text[SURVEY_TEXT_SIZE]; // why it is refused
    bool counts_faces, counts_corners;
    uint64_t faces;    // with three corners and more, each mesh once
    uint64_t corners;  // of all that nodes show, lines and points included
    uint64_t left_out; // what holds no faces, and Assimp does not mention
} survey;

// One format's look. False where the file is refused, with the reason in the text.
typedef bool survey_work(survey *s);

survey_work survey_3ds, survey_dxf, survey_fbx, survey_lwo, survey_x, survey_x3d;

// Write the reason. Returns false.
bool survey_fail(survey *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Whether a word is a decimal number, finite as float32.
bool survey_is_number(const unsigned char *word, size_t length);

// Its value; the caller has asked survey_is_number().
double survey_number(const unsigned char *word, size_t length);

// The part of FBX that is the same in text and binary (survey_fbx.c): nodes, in the order of the file.
typedef struct fbx_value {
    enum {
        FBX_NUMBER,
        FBX_TEXT,
        FBX_ARRAY
    } kind;
    double number;
    int64_t integer;           // of a number that is whole
    const unsigned char *text; // FBX_TEXT
    size_t length;             // of the text, or of the array
} fbx_value;

enum {
    FBX_VALUES_KEPT = 8,
    FBX_DEEPEST = 64 // nodes in nodes
};

typedef struct fbx_node {
    const unsigned char *name;
    size_t name_length;
    unsigned depth;     // 0: top
    size_t value_count; // the first FBX_VALUES_KEPT of them are kept
    fbx_value values[FBX_VALUES_KEPT];
} fbx_node;

// False: the walk ends, with the reason in the survey.
typedef bool fbx_visit(void *user, survey *s, const fbx_node *node);

// Visit every node, before those in it. False where the file is damaged or a visit failed.
bool fbx_walk_binary(survey *s, fbx_visit *visit, void *user);
bool fbx_walk_text(survey *s, fbx_visit *visit, void *user);

#endif
