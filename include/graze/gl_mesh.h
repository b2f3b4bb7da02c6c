// SPDX-License-Identifier: MIT
/// @file
/// Meshes whose vertices and triangles lie in the caller's OpenGL buffers, for geometry that is made or deformed on
/// the GPU. What is made only while it is drawn is in no buffer: <graze/capture.h> puts it into one.
#ifndef GRAZE_GL_MESH_H
#define GRAZE_GL_MESH_H

#include <graze/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Where the data of a mesh lies. Start from grz_default_gl_mesh_description(). The buffers are borrowed as long as the
/// mesh lives; grz_mesh_create_gl() copies nothing from them if GRZ_MESH_INDEX_ONLY is set.
///
/// The names are those of the context that is shared with the device (grz_device_options::share), or that is the
/// device's own (GRZ_DEVICE_GL_CURRENT).
typedef struct grz_gl_mesh_description {
    size_t size;              ///< sizeof this structure, as the caller knows it
    uint32_t position_buffer; ///< name of a buffer of float32 coordinates: x, y, z of each vertex
    uint64_t position_offset; ///< bytes from the start of the buffer to the first vertex, a multiple of 4
    uint32_t position_stride; ///< bytes from one vertex to the next, a multiple of 4; 0: packed, that is 12
    uint64_t vertex_count;    ///< at most 2^32 - 1
    uint32_t index_buffer; ///< name of a buffer of three vertex numbers a triangle; 0: a soup, corners are 0, 1, 2, …
    uint64_t index_offset; ///< bytes from the start of the buffer to the first index, a multiple of index_size
    uint32_t index_size;   ///< bytes of an index: 4 (unless set) or 2
    uint64_t triangle_count; ///< at least 1
    /// GRZ_MESH_…; GRZ_MESH_INDEX_ONLY unless set. Without it, vertices that have equal positions now are the same
    /// corner as long as the mesh lives, as for grz_mesh_create(). To find them, all data is read back once.
    uint32_t flags;
} grz_gl_mesh_description;

/// Fill in the defaults in a structure of `size` bytes. C and C++ programs call grz_default_gl_mesh_description(); this
/// function is for bindings to other languages, which cannot call inline functions. Bytes that this version does not
/// know become 0.
GRZ_API void grz_gl_mesh_description_init(grz_gl_mesh_description *description, size_t size);

/// @return an empty description of packed positions and 32-bit indices.
GRZ_INLINE grz_gl_mesh_description grz_default_gl_mesh_description(void)
{
    grz_gl_mesh_description description;
    grz_gl_mesh_description_init(&description, sizeof description);
    return description;
}

/// Make a mesh from the caller's buffers. It takes the same queries as any other and gives the same answers. What
/// differs is what a query reads:
///
/// - A discrete answer for two objects (GRZ_ANSWER_DISCRETE) draws straight from the buffers and reads no triangle,
///   unless grz_slices_options asks for turned boxes or moved surfaces.
/// - An exact answer for two objects reads back the triangles that can reach the other's box. Methods `slices`,
///   `layers`, `selection` and `heightmap` with two such meshes read back less: the triangles that share a cell of a
///   grid with the other mesh, whose depths meet its depths in a pixel, or that lie in the box of one of its leaves.
///   Method `selection` reads all of a mesh back once, to find its leaves. If the surfaces do not touch and
///   containment is asked for, both meshes are read back.
/// - Everything else works on a copy, which is read back once after each grz_mesh_gl_changed(): a mesh with itself,
///   scenes, batches, pictures, grz_mesh_check().
///
/// Calls that draw or read back may also return GRZ_ERROR_BUSY, GRZ_ERROR_DEVICE, and GRZ_ERROR_ARGUMENT if a buffer is
/// gone. Exact answers hold for all floats. Drawing may treat coordinates below 2^-126 (subnormal in float32) as 0;
/// this depends on the driver.
///
/// The caller's writes must have reached OpenGL before the call: those of another context must have finished there
/// (glFinish(), or a fence that was waited for). Writes by shaders of this context become visible without a barrier.
///
/// @param device       one with OpenGL that sees the buffers
/// @param description  where the data lies
/// @param mesh         receives the mesh; NULL on failure. Destroy it with grz_mesh_destroy(), which does not touch the
///                     buffers
/// @param error        may be NULL. `element` is the vertex or triangle at fault
/// @return GRZ_OK; GRZ_ERROR_MESH (as grz_mesh_create()); GRZ_ERROR_ARGUMENT (also for a name that is no buffer, and
///         for a buffer that is mapped, or too small for what the description says); GRZ_ERROR_UNSUPPORTED (no OpenGL,
///         or more data than the device lets a shader see); GRZ_ERROR_DEVICE; GRZ_ERROR_BUSY; GRZ_ERROR_MEMORY
/// Thread-safety: as for everything that uses OpenGL, see grz_device.
/// @code
/// grz_gl_mesh_description d = grz_default_gl_mesh_description();
/// d.position_buffer = vbo, d.vertex_count = n, d.index_buffer = ibo, d.triangle_count = m;
/// status = grz_mesh_create_gl(device, &d, &mesh, &error);
/// @endcode
GRZ_API grz_status grz_mesh_create_gl(grz_device *device, const grz_gl_mesh_description *description, grz_mesh **mesh,
                                      grz_error *error);

/// Tell Graze that the positions in a mesh's buffer have changed, before the next query. The counterpart of
/// grz_mesh_set_positions(). A shader computes the new bounds. Indices must not change: for others make a new mesh,
/// which costs no more.
///
/// @param mesh   made by grz_mesh_create_gl()
/// @param error  may be NULL. `element` is the vertex at fault
/// @return as grz_mesh_create_gl(). After a failure, also after GRZ_ERROR_BUSY, queries with the mesh fail until a
///         later call succeeds, because its bounds are those of old positions
/// Thread-safety: needs the mesh alone, and the device's OpenGL.
GRZ_API grz_status grz_mesh_gl_changed(grz_mesh *mesh, grz_error *error);

#ifdef __cplusplus
}
#endif

#endif
