// SPDX-License-Identifier: MIT
// A file of the archive, stored or deflated, handed on in pieces. Its sizes, its checksum and what its
// own header says have to agree with the directory; what all files may have together, unpacked, is bounded.
// Source: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", version 6.3.10, 4.3 to 4.5.
#include "threemf/threemf.h"

#include <string.h>

#include <zlib.h>

#define HEADER "PK\3\4"
enum {
    HEADER_SIZE = 30,
    PIECE = 1 << 18,                  // bytes unpacked at once
    ENCRYPTED = 1 | 1 << 6 | 1 << 13, // bits 0, 6 and 13 of the flags
    SIZES_BEHIND = 1 << 3,            // the header has no sizes: they stand behind the file
    STORED = 0,
    DEFLATED = 8,
    MOST_MIB = 64,          // what any package may unpack
    MOST_BYTES_A_BYTE = 64, // and for each of its bytes
    SIZE_ROOM = 16          // before a block of zlib's: its size, and the same alignment
};

typedef struct unpacking {
    threemf *t;
    size_t file;
    threemf_take take;
    void *user;
    const unsigned char *packed;
    uint64_t left; // bytes still to come, unpacked
    uLong checksum;
} unpacking;

static voidpf allocate(voidpf user, uInt count, uInt size)
{
    const size_t total = (size_t)count * size + SIZE_ROOM;
    unsigned char *block = grz_io_control_reallocate(user, NULL, 0, total);
    if (block == NULL)
        return NULL;
    memcpy(block, &total, sizeof total);
    return block + SIZE_ROOM;
}

static void release(voidpf user, voidpf address)
{
    unsigned char *block = (unsigned char *)address - SIZE_ROOM;
    size_t total;
    memcpy(&total, block, sizeof total);
    grz_io_control_release(user, block, total);
}

// Whether a file may be unpacked.
static bool check_entry(threemf *t, size_t file)
{
    const threemf_file *f = &t->files[file];
    const uint64_t most = t->r->control->options.limits.memory_limit > 0
                              ? UINT64_MAX
                              : ((uint64_t)MOST_MIB << 20) + MOST_BYTES_A_BYTE * (uint64_t)t->r->size;
    if ((f->flags & ENCRYPTED) != 0)
        return grz_io_threemf_fail(t, file, 0, "it is encrypted");
    if (f->method != STORED && f->method != DEFLATED)
        return grz_io_threemf_fail(t, file, 0, "it is packed by method %u; only 0 (stored) and 8 (deflated) are read",
                                   f->method);
    if (f->size > most || t->unpacked > most - f->size)
        return grz_io_threemf_fail(t, file, 0,
                                   "it says that it has %llu MiB unpacked, with what was read before more than the "
                                   "%llu MiB that a package of this size may have",
                                   (unsigned long long)(f->size >> 20), (unsigned long long)(most >> 20));
    return true;
}

// Find the packed bytes behind the file's own header, which has to agree with the directory.
static bool find_bytes(unpacking *u)
{
    threemf *t = u->t;
    const threemf_file *f = &t->files[u->file];
    const bool inside = t->directory >= HEADER_SIZE && f->header <= t->directory - HEADER_SIZE;
    const unsigned char *p = t->r->bytes + (inside ? f->header : 0);
    if (!inside || memcmp(p, HEADER, 4) != 0)
        return grz_io_threemf_fail(t, u->file, 0, "it is not where the zip archive says");
    const uint64_t extra = threemf_get_2(p + 28), begin = f->header + HEADER_SIZE + f->name_length + extra;
    const uint32_t size = threemf_get_4(p + 22), packed = threemf_get_4(p + 18);
    const bool has_sizes = (threemf_get_2(p + 6) & SIZES_BEHIND) == 0 && size != UINT32_MAX && packed != UINT32_MAX;
    if (threemf_get_2(p + 26) != f->name_length || threemf_get_2(p + 8) != f->method ||
        (has_sizes && (size != f->size || packed != f->packed_size)))
        return grz_io_threemf_fail(t, u->file, 0, "what the zip archive says about it at two places does not agree");
    if (begin > t->directory || f->packed_size > t->directory - begin)
        return grz_io_threemf_fail(t, u->file, 0, "its bytes end past those of the zip archive");
    u->packed = t->r->bytes + begin;
    return true;
}

// The next piece. After the last one the file is at its end.
static bool pass_on(unpacking *u, const unsigned char *bytes, size_t size)
{
    threemf *t = u->t;
    if (size > u->left)
        return grz_io_threemf_fail(t, u->file, 0, "it has more bytes than the %llu that the zip archive states",
                                   (unsigned long long)t->files[u->file].size);
    u->left -= size;
    t->unpacked += size;
    u->checksum = crc32(u->checksum, bytes, (uInt)size);
    if (u->left == 0 && u->checksum != t->files[u->file].checksum)
        return grz_io_threemf_fail(t, u->file, 0, "its bytes do not have the checksum that the zip archive states");
    grz_io_control_progress(t->r->control, (double)t->unpacked / ((double)t->model_bytes + 1));
    return u->take(u->user, bytes, size, u->left == 0);
}

static bool copy(unpacking *u)
{
    if (u->t->files[u->file].packed_size != u->left)
        return grz_io_threemf_fail(u->t, u->file, 0, "it is stored, but its two sizes are not the same");
    do {
        const size_t size = u->left < PIECE ? (size_t)u->left : PIECE;
        if (!pass_on(u, u->packed, size))
            return false;
        u->packed += size;
    } while (u->left > 0);
    return true;
}

static bool inflate_all(unpacking *u, z_stream *z, unsigned char *piece)
{
    uint64_t left = u->t->files[u->file].packed_size;
    int state = Z_OK;
    do {
        if (z->avail_in == 0) {
            z->avail_in = left < PIECE ? (uInt)left : PIECE;
            left -= z->avail_in;
        }
        z->next_out = piece;
        z->avail_out = PIECE;
        state = inflate(z, Z_NO_FLUSH);
        if (state != Z_OK && state != Z_STREAM_END)
            return grz_io_threemf_fail(u->t, u->file, 0, "it cannot be unpacked: its bytes are damaged or cut");
        const size_t size = PIECE - z->avail_out;
        if (size > 0 && !pass_on(u, piece, size))
            return false;
    } while (state != Z_STREAM_END);
    if (u->left > 0 || left + z->avail_in > 0)
        return grz_io_threemf_fail(u->t, u->file, 0, "it does not have the size that the zip archive states");
    return u->t->files[u->file].size > 0 || pass_on(u, piece, 0);
}

static bool expand(unpacking *u)
{
    load_control *control = u->t->r->control;
    z_stream z = {.zalloc = allocate, .zfree = release, .opaque = control, .next_in = (unsigned char *)u->packed};
    unsigned char *piece = grz_io_control_reallocate(control, NULL, 0, PIECE);
    if (piece == NULL)
        return grz_io_fail_memory(u->t->r);
    bool ok = inflateInit2(&z, -MAX_WBITS) == Z_OK;
    if (!ok)
        grz_io_fail_memory(u->t->r);
    ok = ok && inflate_all(u, &z, piece);
    (void)inflateEnd(&z);
    grz_io_control_release(control, piece, PIECE);
    return ok;
}

bool grz_io_threemf_unpack(threemf *t, size_t file, threemf_take take, void *user)
{
    unpacking u = {
        .t = t, .file = file, .take = take, .user = user, .left = t->files[file].size, .checksum = crc32(0, NULL, 0)};
    if (!check_entry(t, file) || !find_bytes(&u))
        return false;
    return t->files[file].method == STORED ? copy(&u) : expand(&u);
}
