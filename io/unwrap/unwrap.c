// SPDX-License-Identifier: MIT
// Unpacks, then makes UTF-8 of it. A file that is not wrapped costs a look at its first bytes.
#include "unwrap/unwrap.h"

#include <string.h>

void grz_io_unwrap_release(load_control *control, unwrapped *out)
{
    grz_io_control_release(control, out->block.bytes, out->block.capacity);
    *out = (unwrapped){0};
}

static void take(unwrapped *out, const unwrapped_block *block)
{
    out->block = *block;
    out->bytes = block->bytes;
    out->size = block->size;
}

bool grz_io_unwrap(load_control *control, const unsigned char *bytes, size_t size, unwrapped *out)
{
    *out = (unwrapped){.bytes = bytes, .size = size, .packed = grz_io_is_gzip(bytes, size)};
    unwrapped_block block = {0};
    if (out->packed) {
        const bool unpacked = grz_io_gunzip(control, bytes, size, &block);
        take(out, &block);
        if (!unpacked)
            return false;
        if (grz_io_is_gzip(out->bytes, out->size))
            return grz_io_control_fail(control, GRZ_ERROR_UNSUPPORTED, GRZ_NO_ELEMENT,
                                       "what gzip packed in it is packed by gzip again: unpack it first");
    }
    out->utf16 = grz_io_utf16_order(out->bytes, out->size, false);
    if (out->utf16 == NULL)
        return true;
    const unwrapped_block before = out->block;
    block = (unwrapped_block){0};
    if (!grz_io_utf16_to_utf8(control, out->bytes, out->size, &block))
        return false;
    grz_io_control_release(control, before.bytes, before.capacity);
    take(out, &block);
    return true;
}

bool grz_io_is_wrapped(const unsigned char *bytes, size_t size)
{
    return grz_io_is_gzip(bytes, size) || grz_io_utf16_order(bytes, size, false) != NULL;
}

const unsigned char *grz_io_unwrap_start(const unsigned char *bytes, size_t size, unsigned char room[UNWRAP_START_SIZE],
                                         size_t *out_size)
{
    unsigned char text[UNWRAP_START_SIZE];
    const unsigned char *from = bytes;
    size_t some = size; // bytes at `from`
    *out_size = size;
    if (grz_io_is_gzip(bytes, size)) {
        some = grz_io_gunzip_start(bytes, size, room, UNWRAP_START_SIZE);
        *out_size = some < UNWRAP_START_SIZE ? some : grz_io_gzip_length(bytes, size);
        *out_size = *out_size < some ? some : *out_size;
        from = room;
    }
    if (grz_io_utf16_order(from, some, true) == NULL)
        return from;
    *out_size = grz_io_utf16_start(from, some, text, sizeof text);
    memcpy(room, text, *out_size);
    return room;
}
