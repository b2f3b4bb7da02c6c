// SPDX-License-Identifier: MIT
/// @file
/// libgraze_io: read meshes from files (OBJ, STL, PLY, OFF, glTF, 3MF, COLLADA) and write pictures as PNG. A second
/// library beside libgraze, which reads no files itself; link with graze_io as well. It calls nothing of libgraze, and
/// graze.h does not include this header.
///
///     grz_io_model *model;
///     grz_mesh_description description = grz_default_mesh_description();
///     if (grz_io_load_file("cow.ply", NULL, &model, &error) == GRZ_OK && grz_io_describe(model, &description, &error)
///     == GRZ_OK)
///         grz_mesh_create(device, &description, &mesh, &error); // copies: the model can go
///     grz_io_model_destroy(model);
///
/// The readers are strict. Every coordinate is the file's, bit for bit: of text the double that strtod gives, of binary
/// float32 the double of the same value. Faces keep their order and their corners, polygons stay polygons, nothing is
/// merged or dropped. A count that the file cannot hold, a corner that is no vertex, a text number that is no number:
/// each is an error that names its line or byte. Points and lines are skipped and listed in grz_io_model::notes. glTF
/// and COLLADA place their meshes by nodes, 3MF by items of its build and by components: the matrices are multiplied
/// and applied in doubles; where one mirrors, the corners of its faces turn round, so that the outside stays outside.
///
/// Thread-safety: the library has no global state. Every call is safe on several threads at once, as long as each has
/// its own objects. A model that no thread changes may be read by all of them.
#ifndef GRAZE_IO_H
#define GRAZE_IO_H

#include <graze/limits.h>
#include <graze/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A file format that can be read.
typedef struct grz_io_format {
    const char *name;       ///< "OBJ"; static text
    const char *extensions; ///< of file names, in lower case, without dots, separated by blanks: "obj"; static text
} grz_io_format;

/// Ask which formats there are.
/// @return whether there is a format `index`, from 0; *format is zeroed where not. Thread-safe.
GRZ_API bool grz_io_format_info(size_t index, grz_io_format *format);

/// What speaks for a format, the weakest first.
typedef enum grz_io_evidence {
    GRZ_IO_UNKNOWN, ///< nothing: no format fits
    GRZ_IO_GUESS,   ///< neither signature nor extension names a format, but the bytes could be one
    GRZ_IO_BY_NAME, ///< the extension alone
    GRZ_IO_BY_BYTES ///< the first bytes are the format's signature; or they fit the format that the extension names
} grz_io_evidence;

/// Tell the format of a file.
///
/// The first bytes decide where they are a signature; then the extension; then a guess: STL for a binary file of
/// exactly the size that an STL header states, OBJ for text. Of a file that gzip packed, both are those of what is in
/// it: the extension of "part.obj.gz" is "obj".
///
/// @param name      the file's name, for its extension; NULL: none
/// @param bytes     the whole file, `size` bytes; only the first 64 KiB are looked at
/// @param size      of the whole file
/// @param evidence  may be NULL; receives what speaks for the format
/// @return the format's name, static text; NULL where none fits, and where grz_io_unread() is true. Thread-safe.
GRZ_API const char *grz_io_detect(const char *name, const void *bytes, size_t size, grz_io_evidence *evidence);

/// Tell what a file is that is of a known format and not read here: STEP, IFC, USD, point clouds and others.
///
/// The calls that read refuse such a file with the same words. Programs that read further formats by other means ask
/// first, so that what they would make of it is not taken for what it holds.
///
/// @param name         as for grz_io_detect()
/// @param bytes        as for grz_io_detect()
/// @param size         of the whole file
/// @param reason       may be NULL; receives what the file is and what to do: "STEP is not read: it holds curved
///                     surfaces: export STL or 3MF"; empty where the result is false. Always terminated
/// @param reason_size  bytes at `reason`; 512 are enough for every reason
/// @return whether the file is of such a format. Thread-safe.
GRZ_API bool grz_io_unread(const char *name, const void *bytes, size_t size, char *reason, size_t reason_size);

/// Options of the calls that read. Start from grz_io_default_options().
typedef struct grz_io_options {
    size_t size; ///< sizeof this structure, as the caller knows it
    grz_limits
        limits; ///< memory: the model's arrays, and what is collected from a pipe; a file is mapped, which does not count
    const char *format;      ///< read as this format, a name of grz_io_format_info(); NULL: as grz_io_detect() tells
    grz_allocator allocator; ///< of the model; zeroed: malloc. It must work as long as the model lives
    /// May be NULL. On failure receives the reason in full, "line 12: …", without the file's name: it may be longer
    /// than what grz_error::message has room for. Always terminated.
    char *reason;
    size_t reason_size; ///< bytes at `reason`; 512 are enough for every reason
    /// Where files lie that this one names, such as the buffers of a glTF file; borrowed for the call. NULL: the folder
    /// of the path given to grz_io_load_file(); none for grz_io_load_memory(), which then refuses such a file.
    const char *directory;
    /// Keep each mesh that a file shows several times once: fill grz_io_model::meshes and `instances` instead of making
    /// parts. Only glTF, 3MF and COLLADA have instances; other formats are read as always.
    bool keep_instances;
} grz_io_options;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_io_default_options(); this function
/// is for bindings to other languages, which cannot call inline functions. Bytes that this version does not know become
/// 0.
GRZ_API void grz_io_options_init(grz_io_options *options, size_t size);

/// @return options that suit most callers: format detected, no limits, malloc.
GRZ_INLINE grz_io_options grz_io_default_options(void)
{
    grz_io_options defaults;
    grz_io_options_init(&defaults, sizeof defaults);
    return defaults;
}

/// A run of faces that the file keeps apart: an `o` or `g` of OBJ, a `solid` of STL text, a node of glTF or COLLADA
/// that shows a mesh, a mesh that the build of 3MF shows. No part is empty. Where a model has parts, they cover all its
/// faces in order.
typedef struct grz_io_part {
    /// Valid UTF-8 without control characters (what was not became U+FFFD), at most 1,000 bytes. Names may repeat.
    /// Faces before the first `o` or `g`, and behind a `g` without a name, are part "default"; the third solid is
    /// "solid 3" and the third `o` "object 3" where they have no name. A node of glTF without a name has its mesh's, or
    /// is "node 3", counted from 0 as in the file. A node of COLLADA without a name has its id, or the name of the node
    /// around it, or the geometry's; where it shows several geometries, it is "NODE/GEOMETRY". A mesh of 3MF has the
    /// name of its object, else of the nearest object around it that has one, else a part number, or is "object 3" by
    /// its id.
    const char *name;
    uint64_t first_face;  ///< index into the model's faces
    uint64_t face_count;  ///< at least 1
    uint64_t first_index; ///< where its corners begin in grz_io_model::indices
    uint64_t index_count; ///< how many corners its faces have together
} grz_io_part;

/// The axis that points up in a file.
typedef enum grz_io_up {
    GRZ_IO_UP_UNKNOWN, ///< the file does not tell, nor does its format
    GRZ_IO_UP_Y,       ///< +y
    GRZ_IO_UP_Z,       ///< +z
    GRZ_IO_UP_X        ///< +x
} grz_io_up;

/// A mesh that instances show: a run of the model's vertices, corners and faces. Its corners count from its own first
/// vertex. Only with grz_io_options::keep_instances.
typedef struct grz_io_mesh {
    uint64_t first_vertex; ///< index into the model's vertices
    uint64_t vertex_count; ///< its corners are below this
    uint64_t first_index;  ///< where its corners begin in grz_io_model::indices
    uint64_t index_count;  ///< how many corners its faces have together
    uint64_t first_face;   ///< index into the model's faces
    uint64_t face_count;   ///< at least 1
} grz_io_mesh;

/// A place at which a mesh is shown. Where the matrix mirrors, `mesh` is one whose faces are turned over already, so
/// that the outside stays outside.
typedef struct grz_io_instance {
    const char *name;    ///< as grz_io_part::name
    uint64_t mesh;       ///< index into grz_io_model::meshes
    double matrix[3][4]; ///< from the mesh to the file's world: rows, the last column is the translation
} grz_io_instance;

/// What was read from a file. Made by the calls that read, which own the memory; destroy it with
/// grz_io_model_destroy(). The caller may change positions in place, to scale them for instance, and nothing else.
typedef struct grz_io_model {
    double *positions;             ///< vertex_count × 3: x, y, z
    uint64_t vertex_count;         ///< at most 2^32 - 1; vertices that no face uses included
    const uint32_t *indices;       ///< index_count corners, face after face, each below vertex_count
    uint64_t index_count;          ///< corners of all faces together
    const uint32_t *corner_counts; ///< face_count numbers, each at least 3; NULL where every face has three corners
    uint64_t face_count;           ///< at least 1, in file order
    const grz_io_part *parts;      ///< in file order; NULL where the file names none
    size_t part_count;             ///< 0 where the file names none
    const char *const *notes;  ///< what was skipped or read in an unusual way, a line each: "3 line elements skipped"
    size_t note_count;         ///< how many notes
    uint64_t bytes_read;       ///< the size of the file, or of what a pipe or the memory held
    const char *format;        ///< name of the format that was read; static text
    double unit_in_metres;     ///< what 1 in the file is, in metres: 1 for glTF, 0.001 for 3MF in mm, as COLLADA says;
                               ///< 0 where neither file nor format tells
    grz_io_up up_axis;         ///< GRZ_IO_UP_Y for glTF, GRZ_IO_UP_Z for 3MF, as COLLADA says
    const grz_io_mesh *meshes; ///< NULL where there are no instances
    size_t mesh_count;         ///< 0 where there are no instances
    const grz_io_instance *instances; ///< in the order of the file, depth first; NULL without keep_instances
    size_t instance_count;            ///< where it is not 0, the model has no parts
} grz_io_model;

/// Read a model from a file.
///
/// A regular file is mapped to memory, so it must not shrink while it is read; a pipe is read to its end. Standard
/// input has no name here: see grz_io_file_open_descriptor().
///
/// A file that gzip packed is unpacked, whatever its name: its CRC and length are checked, and it may have 16 MiB and
/// 64 bytes for each byte of the file, which count to the memory limit. Lines and bytes of messages are then those of
/// what is in it. Text in UTF-16 is read as UTF-8 if it begins with a byte order mark, and has a note.
///
/// A file that was cut is refused, unless what is left is a complete file, which nothing in the format can tell: OBJ
/// text cut at the end of a line, for instance. Coordinates of text that are not finite are refused here; those of
/// binary files are left to grz_mesh_create(), which names the vertex.
///
/// @param path     the file; its extension counts where the first bytes do not tell the format
/// @param options  NULL means the defaults
/// @param model    receives the model; NULL on failure. Destroy it with grz_io_model_destroy()
/// @param error    may be NULL. The message reads "PATH: line 12: what is wrong", a long path being cut from the left;
///                 of a wrong argument "load file: what is wrong", with the name of the call, as everywhere in this
///                 header. `element` is the line (from 1) of a text or the byte (from 0) of a binary file, or
///                 GRZ_NO_ELEMENT
/// @return GRZ_OK; GRZ_ERROR_FILE (it cannot be opened or read); GRZ_ERROR_FORMAT (damaged, or without faces);
///         GRZ_ERROR_UNSUPPORTED (of no known format, or of one that grz_io_unread() tells of); GRZ_ERROR_MEMORY;
///         GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE; GRZ_ERROR_ARGUMENT
/// Thread-safety: safe on several threads at once. For the time of the call it sets the calling thread's locale and
/// floating-point environment, and puts both back.
GRZ_API grz_status grz_io_load_file(const char *path, const grz_io_options *options, grz_io_model **model,
                                    grz_error *error);

/// Read a model from memory.
///
/// @param name     stands for the file's name: its extension counts, and messages begin with it; NULL: "memory"
/// @param bytes    what the file holds; not kept
/// @param size     how many bytes
/// @param options  NULL means the defaults
/// @param model    receives the model; NULL on failure
/// @param error    may be NULL; as with grz_io_load_file()
/// @return as grz_io_load_file(), but never GRZ_ERROR_FILE
/// Thread-safety: as grz_io_load_file().
GRZ_API grz_status grz_io_load_memory(const char *name, const void *bytes, size_t size, const grz_io_options *options,
                                      grz_io_model **model, grz_error *error);

/// Destroy a model. NULL is accepted.
GRZ_API void grz_io_model_destroy(grz_io_model *model);

/// Describe the whole model for grz_mesh_create(): all parts are one mesh, with the faces numbered as in the file.
///
/// @param model        borrowed by the description: it must live until the mesh is made
/// @param description  from grz_default_mesh_description(); positions and faces are set, its flags stay
/// @param error        may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT
GRZ_API grz_status grz_io_describe(const grz_io_model *model, grz_mesh_description *description, grz_error *error);

/// Opaque. Cuts parts out of a model, each as a mesh of its own with only those vertices that its faces use. It has
/// room for the largest part and is used for all of them, so that thousands of parts cost what their faces cost.
///
///     grz_io_cutter_create(model, &cutter, &error);
///     for (size_t part = 0; part < model->part_count; part++) {
///         grz_mesh_description description = grz_default_mesh_description();
///         grz_io_cutter_cut(cutter, part, &description, &error);
///         grz_mesh_create(device, &description, &meshes[part], &error);
///     }
///     grz_io_cutter_destroy(cutter);
typedef struct grz_io_cutter grz_io_cutter;

/// Make a cutter.
///
/// @param model   outlives the cutter; memory comes from its allocator
/// @param cutter  receives the cutter; NULL on failure. Destroy it with grz_io_cutter_destroy()
/// @param error   may be NULL
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT; GRZ_ERROR_MEMORY
GRZ_API grz_status grz_io_cutter_create(const grz_io_model *model, grz_io_cutter **cutter, grz_error *error);

/// Describe one part for grz_mesh_create(). Its vertices are numbered from 0 in the order in which its faces use them.
///
/// @param cutter       what the description borrows, until the next cut
/// @param part         index into grz_io_model::parts
/// @param description  from grz_default_mesh_description(); positions and faces are set, its flags stay
/// @param error        may be NULL. `element` is the part
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT
/// Thread-safety: one thread a cutter; several cutters may share a model.
GRZ_API grz_status grz_io_cutter_cut(grz_io_cutter *cutter, size_t part, grz_mesh_description *description,
                                     grz_error *error);

/// Destroy a cutter. NULL is accepted.
GRZ_API void grz_io_cutter_destroy(grz_io_cutter *cutter);

enum {
    GRZ_IO_UNIT_NAME_SIZE = 64,   ///< bytes of the longest name of a unit, with its end
    GRZ_IO_CONVERSION_SIZE = 256, ///< bytes of the longest text of grz_io_describe_conversion(), with its end
};

/// Name a unit of length.
///
/// @param unit_in_metres  as grz_io_model::unit_in_metres
/// @param name            receives "mm", "cm", "m", "inch", "foot", "micron"; "0.0035 m" for any other; "" for 0 and
///                        what is no unit
/// Thread-safety: safe on several threads at once.
GRZ_API void grz_io_unit_name(double unit_in_metres, char name[GRZ_IO_UNIT_NAME_SIZE]);

/// Find a unit by its name, one of the six words that grz_io_unit_name() knows.
/// @return whether there is one; *unit_in_metres stays as it is where not. Thread-safe.
GRZ_API bool grz_io_find_unit(const char *name, double *unit_in_metres);

/// Convert lengths from one unit to another, in place.
///
/// Each unit counts as the shortest decimal number that reads as this double, so 0.0254 is 254/10000 exactly, and each
/// length is multiplied by the exact quotient of the two and rounded once, to the nearest double: from mm to m that is
/// x / 1000, from inch to mm x * 127/5. Numbers that are not finite stay as they are.
///
/// @param lengths  `count` numbers, such as the positions of a model and the translations of its instances; unchanged
///                 on failure
/// @param count    how many
/// @param from     the unit that they are in, in metres; finite and above 0, as is `to`
/// @param to       the unit that they are to be in
/// @param error    may be NULL. `element` is the first number that would be too large for a double
/// @return GRZ_OK; GRZ_ERROR_ARGUMENT (also where a number would be too large);
///         GRZ_ERROR_UNSUPPORTED (the quotient has a numerator or denominator of more than 64 bits)
/// Thread-safety: safe on several threads at once, for different lengths.
GRZ_API grz_status grz_io_convert_lengths(double *lengths, uint64_t count, double from, double to, grz_error *error);

/// Convert a model to a unit: its positions and the translations of its instances, as grz_io_convert_lengths() has it.
/// The linear part of a matrix has no unit and stays. A model that declares no unit keeps its numbers and counts as
/// being in that unit from then on.
///
/// Read without keep_instances, a mesh was rounded to its place before it is converted; with it, mesh and translation
/// are converted before they meet. The two differ in the last digits.
///
/// @param model           changed; as it was on failure
/// @param unit_in_metres  the unit, in metres; finite and above 0. Goes into grz_io_model::unit_in_metres
/// @param error           may be NULL. `element` is the vertex, or the instance, that would be too large for a double
/// @return as grz_io_convert_lengths()
/// Thread-safety: safe on several threads at once, for different models.
GRZ_API grz_status grz_io_model_convert(grz_io_model *model, double unit_in_metres, grz_error *error);

/// Say in words what a conversion does: "mm, converted to m: divided by 1000"; "m, as it is"; "declares no unit, taken
/// as mm" where `from` is 0.
///
/// @param from  see grz_io_convert_lengths()
/// @param to    likewise
/// @param text  receives the words
/// Thread-safety: safe on several threads at once.
GRZ_API void grz_io_describe_conversion(double from, double to, char text[GRZ_IO_CONVERSION_SIZE]);

/// The bytes of a file, for programs that look at a file before they read it, or read standard input. Made by
/// grz_io_file_open() or grz_io_file_open_descriptor(); give `bytes` and `size` to grz_io_detect() and
/// grz_io_load_memory().
typedef struct grz_io_file {
    const unsigned char *bytes; ///< `size` bytes, not terminated; NULL where there are none
    size_t size;                ///< may be 0
    bool mapped;                ///< a regular file, mapped to memory; false: collected from a pipe
} grz_io_file;

/// Map a regular file to memory, or read a pipe to its end.
///
/// @param path     the file
/// @param options  NULL means the defaults; `format` does not matter here. Progress is not reported
/// @param file     receives the bytes; NULL on failure. Close it with grz_io_file_close()
/// @param error    may be NULL
/// @return GRZ_OK; GRZ_ERROR_FILE; GRZ_ERROR_MEMORY; GRZ_ERROR_CANCELLED; GRZ_ERROR_DEADLINE; GRZ_ERROR_ARGUMENT
/// Thread-safety: safe on several threads at once.
GRZ_API grz_status grz_io_file_open(const char *path, const grz_io_options *options, grz_io_file **file,
                                    grz_error *error);

/// As grz_io_file_open(), from an open descriptor, from where it stands: 0 is standard input.
///
/// @param descriptor  borrowed; its position afterwards is not defined
/// @param name        what messages begin with; NULL: "descriptor"
/// @param options     see grz_io_file_open()
/// @param file        see grz_io_file_open()
/// @param error       see grz_io_file_open()
/// @return see grz_io_file_open()
/// Thread-safety: safe on several threads at once, for different descriptors.
GRZ_API grz_status grz_io_file_open_descriptor(int descriptor, const char *name, const grz_io_options *options,
                                               grz_io_file **file, grz_error *error);

/// Give the bytes back. NULL is accepted.
GRZ_API void grz_io_file_close(grz_io_file *file);

/// Write a picture as PNG. A file of that name is replaced.
///
///     grz_picture_draw(device, objects, 2, result, &options, pixels, NULL, &error);
///     grz_io_write_png("contact.png", options.width, options.height, pixels, &error);
///
/// @param path    the file
/// @param width   pixels, 1 to 2^31 - 1
/// @param height  pixels, 1 to 2^31 - 1
/// @param pixels width × height × 4 bytes: red, green, blue, opacity, row after row from the top, as grz_picture_draw()
///     gives
/// @param error   may be NULL. The message begins with the path, or with "write PNG" where an argument is wrong
/// @return GRZ_OK; GRZ_ERROR_FILE (what was written so far stays); GRZ_ERROR_ARGUMENT
/// Thread-safety: safe on several threads at once, for different files.
GRZ_API grz_status grz_io_write_png(const char *path, uint32_t width, uint32_t height, const uint8_t *pixels,
                                    grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
