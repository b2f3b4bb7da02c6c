// SPDX-License-Identifier: MIT
#include "robot/document.h"

#include "file.h"
#include "unwrap/unwrap.h"

static void *read_plain(load_control *control, const document_call *call, const unsigned char *bytes, size_t size)
{
    plain_environment plain;
    xml_tree tree;
    void *made = NULL;
    if (!grz_io_enter_plain(control, &plain))
        return NULL;
    if (grz_io_xml_read(control, bytes, size, false, false, &tree))
        made = call->read(control, tree.root, size);
    grz_io_xml_free(&tree);
    grz_io_leave_plain(&plain);
    return made;
}

// The document may be packed by gzip.
static void *read_tree(load_control *control, const document_call *call, const unsigned char *bytes, size_t size)
{
    unwrapped_block block = {0};
    if (!grz_io_is_gzip(bytes, size))
        return read_plain(control, call, bytes, size);
    void *made =
        grz_io_gunzip(control, bytes, size, &block) ? read_plain(control, call, block.bytes, block.size) : NULL;
    grz_io_control_release(control, block.bytes, block.capacity);
    return made;
}

grz_status grz_io_load_document_file(const document_call *call, const char *path, const grz_io_options *options,
                                     void **out, grz_error *error)
{
    load_control control;
    file_bytes file;
    if (path == NULL)
        return grz_io_refuse(call->name, "path is NULL", error);
    const grz_status status = grz_io_control_begin(&control, call->name, options, error);
    if (status != GRZ_OK)
        return status;
    if (grz_io_open_path(&control, path, &file)) {
        *out = read_tree(&control, call, file.shown.bytes, file.shown.size);
        grz_io_release_file(&file, &control.allocator);
    }
    return *out != NULL ? GRZ_OK : grz_io_control_explain(&control, path, error);
}

grz_status grz_io_load_document_memory(const document_call *call, const char *name, const void *bytes, size_t size,
                                       const grz_io_options *options, void **out, grz_error *error)
{
    load_control control;
    if (bytes == NULL && size > 0)
        return grz_io_refuse(call->name, "bytes is NULL", error);
    const grz_status status = grz_io_control_begin(&control, call->name, options, error);
    if (status != GRZ_OK)
        return status;
    *out = read_tree(&control, call, bytes, size);
    return *out != NULL ? GRZ_OK : grz_io_control_explain(&control, name != NULL ? name : "memory", error);
}
