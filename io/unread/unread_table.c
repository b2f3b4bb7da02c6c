// SPDX-License-Identifier: MIT
// The table of formats that are known and not read. DXF, X3D and others that Assimp reads for the tool are not in it;
// IFC, STEP and Blender's files are, though Assimp reads some: what it makes of them is not what they hold.
#include "unread/unread.h"

#include <stdio.h>
#include <string.h>

enum {
    LOOKED_AT = 65536 // bytes
};

// The bytes behind a mark of UTF-8 and blanks, of those that are looked at.
static const unsigned char *text_of(const unsigned char *bytes, size_t size, size_t *left)
{
    const unsigned char *p = bytes, *end = bytes + (size < LOOKED_AT ? size : LOOKED_AT);
    if (size >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        p += 3;
    while (p < end && (scan_is_blank(*p) || scan_is_line_end(*p)))
        p++;
    *left = (size_t)(end - p);
    return p;
}

static bool begins_with(const unsigned char *bytes, size_t size, const char *word)
{
    size_t left;
    const unsigned char *p = text_of(bytes, size, &left);
    return left >= strlen(word) && memcmp(p, word, strlen(word)) == 0;
}

// Where a word is in the bytes that are looked at; NULL where it is not.
static const unsigned char *find(const unsigned char *bytes, size_t size, const char *word)
{
    const size_t length = strlen(word), most = size < LOOKED_AT ? size : LOOKED_AT;
    for (size_t i = 0; i + length <= most; i++)
        if (bytes[i] == (unsigned char)word[0] && memcmp(bytes + i, word, length) == 0)
            return bytes + i;
    return NULL;
}

// ---- STEP and IFC, which share a syntax

static bool is_step(const unsigned char *bytes, size_t size)
{
    return begins_with(bytes, size, "ISO-10303-21");
}

// What follows FILE_SCHEMA, up to its quote: "IFC4'));…". NULL where there is none.
static const unsigned char *schema(const unsigned char *bytes, size_t size)
{
    const unsigned char *end = bytes + (size < LOOKED_AT ? size : LOOKED_AT);
    const unsigned char *p = find(bytes, size, "FILE_SCHEMA");
    while (p != NULL && p < end && *p != '\'')
        p++;
    return p != NULL && p < end ? p + 1 : NULL;
}

static bool is_ifc(const unsigned char *bytes, size_t size)
{
    const unsigned char *end = bytes + (size < LOOKED_AT ? size : LOOKED_AT);
    const unsigned char *p = is_step(bytes, size) ? schema(bytes, size) : NULL;
    return p != NULL && end - p > 3 && (memcmp(p, "IFC", 3) == 0 || memcmp(p, "ifc", 3) == 0);
}

// "IFC2X3", as the file has it.
static const char *name_of_ifc(const unsigned char *bytes, size_t size, char *room, size_t room_size)
{
    const unsigned char *end = bytes + (size < LOOKED_AT ? size : LOOKED_AT);
    const unsigned char *p = is_ifc(bytes, size) ? schema(bytes, size) : NULL;
    size_t length = 0;
    while (p != NULL && p + length < end && length + 1 < room_size &&
           ((p[length] >= '0' && p[length] <= '9') || (p[length] >= 'A' && p[length] <= 'Z') ||
            (p[length] >= 'a' && p[length] <= 'z') || p[length] == '_'))
        length++;
    if (length == 0)
        return NULL;
    memcpy(room, p, length);
    room[length] = '\0';
    return room;
}

// ---- others

// Columns 73 to 80 of the first line: the section, "S" for start, and a number.
static bool is_iges(const unsigned char *bytes, size_t size)
{
    enum {
        SECTION = 72,
        LINE = 80
    };
    if (size <= LINE || bytes[SECTION] != 'S' || bytes[LINE - 1] != '1')
        return false;
    for (size_t i = 0; i < LINE; i++)
        if (bytes[i] < ' ' || bytes[i] > '~' || (i > SECTION && i < LINE - 1 && bytes[i] != ' ' && bytes[i] != '0'))
            return false;
    return true;
}

static bool is_brep(const unsigned char *bytes, size_t size)
{
    return begins_with(bytes, size, "DBRep_DrawableShape") || begins_with(bytes, size, "CASCADE Topology V") ||
           begins_with(bytes, size, "Open CASCADE Topology V");
}

// "Version 9.5 JT  DM …", 80 bytes.
static bool is_jt(const unsigned char *bytes, size_t size)
{
    return size > 80 && memcmp(bytes, "Version ", 8) == 0 && find(bytes, 20, " JT ") != NULL;
}

// "AC1032": the version.
static bool is_dwg(const unsigned char *bytes, size_t size)
{
    return size > 6 && memcmp(bytes, "AC10", 4) == 0 && bytes[4] >= '0' && bytes[4] <= '9' && bytes[5] >= '0' &&
           bytes[5] <= '9';
}

// Text, binary, or a zip archive whose first file is one of them (the specification demands that).
static bool is_usd(const unsigned char *bytes, size_t size)
{
    enum {
        NAME_LENGTH_AT = 26, // of zip's header of a file
        NAME_AT = 30
    };
    if (begins_with(bytes, size, "#usda ") || (size > 8 && memcmp(bytes, "PXR-USDC", 8) == 0))
        return true;
    if (size < NAME_AT || memcmp(bytes, "PK\3\4", 4) != 0)
        return false;
    const size_t length = (size_t)bytes[NAME_LENGTH_AT] | (size_t)bytes[NAME_LENGTH_AT + 1] << 8;
    const unsigned char *end = bytes + NAME_AT + length;
    return size - NAME_AT >= length && length > 5 &&
           (memcmp(end - 5, ".usda", 5) == 0 || memcmp(end - 5, ".usdc", 5) == 0 || memcmp(end - 4, ".usd", 4) == 0);
}

// A robot with macros in it. Files that xacro wrote declare its name space and use none.
static bool is_xacro(const unsigned char *bytes, size_t size)
{
    return find(bytes, size, "<xacro:") != NULL;
}

static bool is_vrml(const unsigned char *bytes, size_t size)
{
    return begins_with(bytes, size, "#VRML V");
}

static bool is_vtk(const unsigned char *bytes, size_t size)
{
    return begins_with(bytes, size, "# vtk DataFile");
}

static bool is_pcd(const unsigned char *bytes, size_t size)
{
    return begins_with(bytes, size, "# .PCD ") || begins_with(bytes, size, "VERSION .7\nFIELDS");
}

static bool is_gmsh(const unsigned char *bytes, size_t size)
{
    return begins_with(bytes, size, "$MeshFormat");
}

static bool is_medit(const unsigned char *bytes, size_t size)
{
    return begins_with(bytes, size, "MeshVersionFormatted");
}

static bool is_lfs_pointer(const unsigned char *bytes, size_t size)
{
    return begins_with(bytes, size, "version https://git-lfs.github.com/");
}

#define START(bytes) .start = (bytes), .start_size = sizeof(bytes) - 1
#define CURVED ": it holds curved surfaces: export STL or 3MF"
#define SCENE ": export glTF, FBX or OBJ"
#define POINTS ": it holds points without faces: make a surface of them (MeshLab, CloudCompare) and save it as PLY"
#define VOLUME ": save the surface of its elements as STL or PLY"
#define ROBOT ": use the robot's URDF, or the mesh files that this file names"

const unread_format grz_io_unread_formats[] = {
    {"IFC", .extensions = "ifc ifczip ifcxml", .fits = is_ifc, .name = name_of_ifc,
     .advice = "; IfcConvert FILE.ifc FILE.obj --use-element-names makes an OBJ with a group for each element"},
    {"IFC", .xml_root = "ifcXML iso_10303_28",
     .advice = "; IfcConvert FILE.ifc FILE.obj --use-element-names makes an OBJ with a group for each element"},
    {"STEP", .extensions = "step stp stpz p21", .fits = is_step, .advice = CURVED},
    {"IGES", .extensions = "iges igs", .fits = is_iges, .advice = CURVED},
    {"BREP (Open CASCADE)", .extensions = "brep brp", .fits = is_brep, .advice = CURVED},
    {"Parasolid", .extensions = "x_t x_b xmt_txt xmt_bin", START("**ABCDEFGHIJKLM"), .advice = CURVED},
    {"ACIS", .extensions = "sat sab", .advice = CURVED},
    {"JT", .extensions = "jt", .fits = is_jt, .advice = CURVED},
    {"SolidWorks", .extensions = "sldprt sldasm", .advice = CURVED},
    {"CATIA", .extensions = "catpart catproduct cgr 3dxml", .advice = CURVED},
    {"Inventor", .extensions = "ipt iam", .advice = CURVED},
    {"NX or Creo", .extensions = "prt", .advice = CURVED},
    {"Solid Edge or Creo", .extensions = "par psm asm", .advice = CURVED},
    {"Fusion", .extensions = "f3d f3z", .advice = CURVED},
    {"FreeCAD", .extensions = "fcstd", .advice = CURVED},
    {"Rhino", .extensions = "3dm", START("3D Geometry Fil"), .advice = CURVED},
    {"DWG (AutoCAD)", .extensions = "dwg", .fits = is_dwg, .advice = ": export STL"},
    {"SketchUp", .extensions = "skp", START("\xFF\xFE\xFF\x0ES\0k\0e\0"), .advice = SCENE},
    {"Revit", .extensions = "rvt rfa", .advice = ": export IFC, and make OBJ of that with IfcConvert"},
    {"Blender", .extensions = "blend", START("BLENDER"), .advice = SCENE " from Blender"},
    {"Maya", .extensions = "ma mb", START("//Maya ASCII"), .advice = SCENE},
    {"3ds Max", .extensions = "max", .advice = SCENE},
    {"Cinema 4D", .extensions = "c4d", .advice = SCENE},
    {"USD", .extensions = "usd usda usdc usdz", .fits = is_usd, .advice = ": export glTF or OBJ (Blender opens USD)"},
    {"Alembic", .extensions = "abc", START("Ogawa"), .advice = SCENE},
    {"VRML", .extensions = "wrl vrml", .fits = is_vrml, .advice = ": save it as glTF, OBJ or X3D"},
    {"SDF (Gazebo)", .extensions = "sdf", .xml_root = "sdf gazebo", .advice = ROBOT},
    {"MJCF (MuJoCo)", .extensions = "mjcf", .xml_root = "mujoco mujocoinclude", .advice = ROBOT},
    {"xacro", .extensions = "xacro", .xml_root = "robot", .fits = is_xacro,
     .advice = ": its macros have to be expanded: run xacro FILE > robot.urdf"},
    {"URDF", .extensions = "urdf", .xml_root = "robot",
     .advice =
         " as one mesh: it is a robot, which `graze scene`, grz_io_robot_load_file() and Python's libgraze.Robot read"},
    {"A COLLADA archive", .extensions = "zae",
     .advice = "; unpack it, it is a zip archive, and give the .dae that is in it"},
    {"Draco", .extensions = "drc", START("DRACO"),
     .advice = ": draco_decoder -i FILE.drc -o FILE.ply makes a PLY of it"},
    {"A tile (3D Tiles)", .extensions = "b3dm i3dm cmpt pnts", START("b3dm"), .advice = ": extract its glTF first"},
    {"CityGML", .extensions = "citygml", .xml_root = "CityModel", .advice = ": convert it to OBJ"},
    {"LAS (a point cloud)", .extensions = "las laz", START("LASF"), .advice = POINTS},
    {"E57 (a point cloud)", .extensions = "e57", START("ASTM-E57"), .advice = POINTS},
    {"PCD (a point cloud)", .extensions = "pcd", .fits = is_pcd, .advice = POINTS},
    {"A point cloud", .extensions = "pts ptx", .advice = POINTS},
    {"VTK", .extensions = "vtk", .fits = is_vtk, .advice = VOLUME},
    {"VTK", .extensions = "vtp vtu vtm", .xml_root = "VTKFile", .advice = VOLUME},
    {"OpenVDB", .extensions = "vdb", START(" BDV\0\0\0\0"), .advice = ": it holds a volume: make a mesh of it first"},
    {"Gmsh", .extensions = "msh", .fits = is_gmsh, .advice = VOLUME},
    {"Medit", .fits = is_medit, .advice = VOLUME},
    {"A compressed file of this kind", .extensions = "zip 7z xz bz2 zst rar lz4",
     .advice = ": unpack it first; only .gz is unpacked here"},
    {"A pointer of Git LFS", .fits = is_lfs_pointer, .advice = ": the model is elsewhere; git lfs pull brings it"},
    {"An HTML page", .extensions = "html htm", .xml_root = "html",
     .advice = ": it is no model, whatever its name says"},
};

const size_t grz_io_unread_format_count = sizeof grz_io_unread_formats / sizeof *grz_io_unread_formats;
