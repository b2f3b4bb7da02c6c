// SPDX-License-Identifier: MIT
/// @file
/// Meshes whose vertices and triangles lie in the caller's buffers of OpenGL, for geometry that is made or deformed on the GPU.
#ifndef GRAZE_GL_MESH_H
#define GRAZE_GL_MESH_H

#include <graze/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where a mesh lies. Start from grz_default_gl_mesh_description(). The buffers are borrowed for as long as the mesh lives; nothing
/// is copied from them here, unless GRZ_MESH_INDEX_ONLY is taken out of `flags`.
///
/// Names are those of the context that is shared with the device (grz_device_options::share), or is the device's own
/// (GRZ_DEVICE_GL_CURRENT).
typedef struct grz_gl_mesh_description {
    size_t size;              ///< sizeof this structure, as the caller knows it
    uint32_t position_buffer; ///< name of a buffer of float32 coordinates: x, y, z of each vertex
    uint64_t position_offset; ///< bytes from the buffer's start to the first vertex, a multiple of 4
    uint32_t position_stride; ///< bytes from one vertex to the next, a multiple of 4; 0: packed, 12
    uint64_t vertex_count;    ///< at most 2^32 - 1
    uint32_t index_buffer;    ///< name of a buffer of three vertex numbers a triangle; 0: a soup, corners are 0, 1, 2, …
    uint64_t index_offset;    ///< bytes from the buffer's start to the first index, a multiple of index_size
    uint32_t index_size;      ///< bytes of an index: 4, which it is unless set, or 2
    uint64_t triangle_count;  ///< at least 1
    /// GRZ_MESH_…; GRZ_MESH_INDEX_ONLY unless set. Without it, vertices at equal positions now are the same corner for as long as the
    /// mesh lives, as grz_mesh_create() has it, and all of it is read back once to find them.
    uint32_t flags;
} grz_gl_mesh_description;

/// @return an empty description of packed positions and 32-bit indices.
GRZ_API grz_gl_mesh_description grz_default_gl_mesh_description(void);

/// Make a mesh of the caller's buffers. It is like any other: the same queries, the same answers. They differ in what they read.
///
/// - A discrete answer about two objects (GRZ_ANSWER_DISCRETE) draws straight from the buffers and reads no triangle, unless boxes are
///   oriented or surfaces are moved (grz_slices_options).
/// - An exact answer about two objects reads back the triangles that can reach the other's box, by method `slices` of two such meshes
///   those that share a cell of a grid with the other, and nothing else; where their surfaces do not touch and containment is asked
///   for, both meshes are read back.
/// - All else, a mesh with itself, scenes, batches, pictures, grz_mesh_check(), works on a copy that is read back once after each
///   grz_mesh_gl_changed().
///
/// What reads back or draws may also return GRZ_ERROR_BUSY, GRZ_ERROR_DEVICE, and GRZ_ERROR_ARGUMENT where a buffer has gone. Exact answers
/// hold for all floats; drawing takes coordinates below 2^-126, which float32 holds with fewer digits, for 0 with some drivers.
///
/// The caller's writes must have reached OpenGL before: those of another context must have ended there (glFinish(), or a fence that
/// was waited for). Here, writes of shaders become visible by themselves.
///
/// @param device       one with OpenGL that sees the buffers; outlives the mesh
/// @param description  where the data lies
/// @param mesh         receives the mesh; NULL on failure. Destroy it with grz_mesh_destroy(), which leaves the buffers alone
/// @param error        may be NULL. `element` is the vertex or triangle at fault
/// @return GRZ_OK; GRZ_ERROR_MESH (as grz_mesh_create()); GRZ_ERROR_ARGUMENT (also a name that is no buffer, a buffer too small for what
///         is said to be in it, or mapped); GRZ_ERROR_UNSUPPORTED (no OpenGL; more than the device lets a shader see of a buffer);
///         GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY; GRZ_ERROR_MEMORY
/// Thread-safety: as all that uses OpenGL (<graze/device.h>).
GRZ_API grz_status grz_mesh_create_gl(grz_device *device, const grz_gl_mesh_description *description, grz_mesh **mesh,
                                      grz_error *error);

/// Say that the positions in a mesh's buffer have changed. The counterpart of grz_mesh_set_positions(), due before the next query;
/// indices must stay as they were: for others, make another mesh, which costs no more. Bounds are found by a shader.
///
/// @param mesh   one of grz_mesh_create_gl()
/// @param error  may be NULL. `element` is the vertex at fault
/// @return as grz_mesh_create_gl(). After a failure, GRZ_ERROR_BUSY too, queries with the mesh fail until a later call succeeds: its
///         bounds would be those of old positions
/// Thread-safety: needs the mesh alone, and the device's OpenGL.
GRZ_API grz_status grz_mesh_gl_changed(grz_mesh *mesh, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
