// SPDX-License-Identifier: MIT
// What each of Assimp's importers does to the axes of a file, and what it does not say about the file. Found in the
// sources of Assimp 5.2.5; an importer that is not in the table leaves the axes as they are.
#ifndef GRZ_CLI_IMPORTERS_H
#define GRZ_CLI_IMPORTERS_H

// How an importer turns what it has read.
typedef enum importer_turn {
    TURN_NONE,
    TURN_Z_UP,    // (x, y, z) becomes (x, z, -y): a matrix before that of the root
    TURN_QUAKE,   // either that or Half-Life's (x, y, z) to (-y, z, -x), which the root's matrix shows
    TURN_MIRRORED // z becomes -z in every mesh and on both sides of every matrix, and all faces turn round
} importer_turn;

// Whether a comma between two digits is misread, so that a file with one is not taken.
typedef enum importer_commas {
    COMMAS_FINE,
    COMMAS_IN_QUOTES, // only names and remarks may have them, which stand in quotes
    COMMAS_NOWHERE    // numbers stand in quotes, too
} importer_commas;

// An importer, by the name that Assimp gives in a scene's metadata.
typedef struct importer {
    const char *name;
    importer_turn turn;
    const char *note; // what else Assimp does to a file, or does not say about it; NULL: nothing
    importer_commas commas;
    const char *refusal; // why its scenes are not taken; NULL: they are
    const char *format;  // the format that libgraze_io reads itself, "OBJ"; NULL: it does not
} importer;

// The row of an importer; one without a turn where there is none.
const importer *importer_find(const char *name);

#endif
