// SPDX-License-Identifier: MIT
// The table of Assimp's importers. Each turn is a change of signs and an exchange of axes, so undoing it loses nothing.
#include "foreign/importers.h"

#include <stddef.h>
#include <string.h>

static const char names_others[] =
    "the format names other files, each with axes of its own: give the meshes themselves";

static const char unit_unknown[] = "the unit is not known: the format may declare one, which Assimp does not tell";

static const importer importers[] = {
    // A matrix before the root's.
    {.name = "Discreet 3DS Importer", .turn = TURN_Z_UP},
    {.name = "ASE Importer", .turn = TURN_Z_UP, .commas = COMMAS_IN_QUOTES},
    {.name = "Drawing Interchange Format (DXF) Importer", .turn = TURN_Z_UP, .note = unit_unknown},
    {.name = "Quake II Mesh Importer", .turn = TURN_Z_UP},
    {.name = "Quake III Mesh Importer", .turn = TURN_Z_UP},
    {.name = "Return To Castle Wolfenstein Mesh Importer", .turn = TURN_Z_UP},
    {.name = "Doom 3 / MD5 Mesh Importer", .turn = TURN_Z_UP, .commas = COMMAS_IN_QUOTES},
    {.name = "Inter-Quake Model Importer", .turn = TURN_Z_UP},
    {.name = "Quake Mesh / 3D GameStudio Mesh Importer", .turn = TURN_QUAKE},
    // From a left-handed system to a right-handed one.
    {.name = "Direct3D XFile Importer", .turn = TURN_MIRRORED},
    {.name = "LightWave/Modo Object Importer", .turn = TURN_MIRRORED},
    {.name = "BlitzBasic 3D Importer", .turn = TURN_MIRRORED},
    {.name = "Unreal Mesh Importer", .turn = TURN_MIRRORED},
    {.name = "MMD Importer", .turn = TURN_MIRRORED},
    // Axes as in the file, but a unit that stays with Assimp.
    {.name = "Additive manufacturing file format(AMF) Importer", .commas = COMMAS_NOWHERE, .note = unit_unknown},
    {.name = "Open Game Engine Exchange", .note = unit_unknown},
    {.name = "Autodesk FBX Importer",
     .note = "Assimp leaves out of a node's place what is tiny: shifts below 0.00035, turns below 0.00035 degrees"},
    {.name = "Extensible 3D(X3D) Importer", .commas = COMMAS_NOWHERE, .note = unit_unknown},
    // Nothing but text to be careful with.
    {.name = "AC3D Importer", .commas = COMMAS_IN_QUOTES},
    {.name = "Neutral File Format Importer", .commas = COMMAS_IN_QUOTES},
    {.name = "Raw Importer", .commas = COMMAS_IN_QUOTES},
    {.name = "Valve SMD Importer", .commas = COMMAS_IN_QUOTES},
    // Scenes that are made of other files.
    {.name = "LightWave Scene Importer", .refusal = names_others},
    {.name = "Irrlicht Scene Reader", .refusal = names_others},
    // What an importer finds in a file whose name promises another format.
    {.name = "Wavefront Object Importer", .format = "OBJ"},
    {.name = "OFF Importer", .format = "OFF"},
    {.name = "Stanford Polygon Library (PLY) Importer", .format = "PLY"},
    {.name = "Stereolithography (STL) Importer", .format = "STL"},
    {.name = "glTF2 Importer", .format = "glTF"},
    {.name = "Collada Importer", .format = "COLLADA"},
    {.name = "3mf Importer", .format = "3MF"},
    {.name = "glTF Importer",
     .refusal = "a file of glTF 1.0, which nothing here reads as it stands: convert it to glTF 2.0"},
};

const importer *importer_find(const char *name)
{
    static const importer other = {.name = "", .turn = TURN_NONE};
    for (size_t i = 0; i < sizeof importers / sizeof *importers; i++)
        if (strcmp(importers[i].name, name) == 0)
            return &importers[i];
    return &other;
}
