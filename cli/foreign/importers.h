// SPDX-License-Identifier: MIT
// The formats that are read through Assimp, what its importers do to the axes of a file, and what they do not say about
// it (sources of Assimp 5.2.5). Only importers in the table are used: those whose models were compared with the truth.
// The others' formats are refused by their names.
#ifndef GRZ_CLI_IMPORTERS_H
#define GRZ_CLI_IMPORTERS_H

#include "foreign/survey.h"

// How an importer turns what it has read.
typedef enum importer_turn {
    TURN_NONE,
    TURN_Z_UP,    // (x, y, z) becomes (x, z, -y): a matrix before that of the root
    TURN_MIRRORED // z becomes -z in every mesh and on both sides of every matrix, and all faces turn round
} importer_turn;

// An importer, by the name that Assimp gives in a scene's metadata.
typedef struct importer {
    const char *extension; // "3ds"
    const char *name;
    importer_turn turn;
    const char *note;                     // what else Assimp does to a file, or does not say about it; NULL: nothing
    bool checks_commas;                   // a comma between two digits is misread, so that a file with one is not taken
    survey_work *survey;                  // NULL: nothing is known to be dropped
    const char *left_out, *many_left_out; // what the survey counts: "1 route", "2 routes"
} importer;

// The importer for files of this extension, without its dot, in any case of letters; NULL where none is used.
const importer *importer_for(const char *extension);

// The importer of this name; NULL likewise.
const importer *importer_find(const char *name);

// Why files of this extension are refused although Assimp reads them; NULL where there is no such line.
const char *importer_refusal(const char *extension);

// The format that libgraze_io reads itself, "OBJ", where that is what an importer of this name finds; NULL: another.
const char *importer_format(const char *name);

#define IMPORTER_ADVICE "export OBJ, STL, PLY, glTF or 3MF"

#endif
