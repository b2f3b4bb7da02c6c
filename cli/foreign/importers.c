// SPDX-License-Identifier: MIT
// The table of Assimp's importers. Each turn is a change of signs and an exchange of axes, so undoing it loses nothing.
#include "foreign/importers.h"

#include <string.h>
#include <strings.h>

static const char unit_unknown[] = "the unit is not known: the format may declare one, which Assimp does not tell";

static const importer importers[] = {
    // A matrix before the root's.
    {"3ds", "Discreet 3DS Importer", TURN_Z_UP, .survey = survey_3ds},
    {"dxf", "Drawing Interchange Format (DXF) Importer", TURN_Z_UP, .note = unit_unknown, .survey = survey_dxf,
     .left_out = "entity without faces left out", .many_left_out = "entities without faces left out"},
    // From a left-handed system to a right-handed one.
    {"x", "Direct3D XFile Importer", TURN_MIRRORED, .survey = survey_x},
    {"lwo", "LightWave/Modo Object Importer", TURN_MIRRORED, .survey = survey_lwo},
    // Axes as in the file.
    {"fbx", "Autodesk FBX Importer", TURN_NONE, .survey = survey_fbx,
     .left_out = "geometry that no model shows left out", .many_left_out = "geometries that no model shows left out",
     .note = "Assimp leaves out of a node's place what is tiny: shifts below 0.00035, turns below 0.00035 degrees"},
    {"x3d", "Extensible 3D(X3D) Importer", TURN_NONE, .checks_commas = true, .note = unit_unknown, .survey = survey_x3d,
     .left_out = "sensor, route or other element that moves or sounds left out",
     .many_left_out = "sensors, routes and other elements that move or sound left out"},
};

#define NOT_READ(what) what ": " IMPORTER_ADVICE

// What Assimp was found to make of these.
static const struct {
    const char *extension, *reason;
} refused[] = {
    {"amf",
     NOT_READ("AMF is not read, as Assimp drops all volumes of a mesh but the first and takes turns for shifts")},
    {"xgl", NOT_READ("XGL is not read, as Assimp does not put its objects at their places")},
    {"zgl", NOT_READ("XGL is not read, as Assimp does not put its objects at their places")},
    {"ogex", NOT_READ("OpenGEX is not read, as Assimp ignores shifts and scales of nodes")},
    {"ac", NOT_READ("AC3D is not read, as Assimp turns the shifts of objects and takes corners that are no vertices")},
    {"acc", NOT_READ("AC3D is not read, as Assimp turns the shifts of objects and takes corners that are no vertices")},
    {"ac3d",
     NOT_READ("AC3D is not read, as Assimp turns the shifts of objects and takes corners that are no vertices")},
    {"raw", NOT_READ("RAW is not read, as Assimp loses groups and guesses what rows mean")},
    {"md5mesh", NOT_READ("MD5 is not read, as Assimp makes zeros of vertices where blank lines are missing")},
    {"ase", NOT_READ("ASE is not read, as Assimp takes missing vertices for zeros and corners that are none")},
    {"ask", NOT_READ("ASE is not read, as Assimp takes missing vertices for zeros and corners that are none")},
    {"mesh", NOT_READ("Ogre's mesh is not read, as Assimp takes corners that are none and text that is no number")},
    {"lws", "a scene that names other files, each with axes of its own: give the meshes themselves"},
    {"irr", "a scene that names other files, each with axes of its own: give the meshes themselves"},
    {"x3db", "binary X3D, which Assimp does not read: export X3D as XML (.x3d)"},
    {"lxo", NOT_READ("Modo's LXO is not read, as nobody compared what Assimp makes of it with the truth")},
    {"prj", NOT_READ("3D Studio's PRJ is not read, as nobody compared what Assimp makes of it with the truth")},
};

// What an importer finds in a file whose name promises another format.
static const struct {
    const char *name, *format;
} own_formats[] = {
    {"Wavefront Object Importer", "OBJ"},
    {"OFF Importer", "OFF"},
    {"Stanford Polygon Library (PLY) Importer", "PLY"},
    {"Stereolithography (STL) Importer", "STL"},
    {"glTF2 Importer", "glTF"},
    {"glTF Importer", "glTF 1.0"},
    {"Collada Importer", "COLLADA"},
    {"3mf Importer", "3MF"},
};

const importer *importer_for(const char *extension)
{
    for (size_t i = 0; i < sizeof importers / sizeof *importers; i++)
        if (strcasecmp(importers[i].extension, extension) == 0)
            return &importers[i];
    return NULL;
}

const importer *importer_find(const char *name)
{
    for (size_t i = 0; i < sizeof importers / sizeof *importers; i++)
        if (strcmp(importers[i].name, name) == 0)
            return &importers[i];
    return NULL;
}

const char *importer_refusal(const char *extension)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcasecmp(refused[i].extension, extension) == 0)
            return refused[i].reason;
    return NULL;
}

const char *importer_format(const char *name)
{
    for (size_t i = 0; i < sizeof own_formats / sizeof *own_formats; i++)
        if (strcmp(own_formats[i].name, name) == 0)
            return own_formats[i].format;
    return NULL;
}
