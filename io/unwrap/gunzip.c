// SPDX-License-Identifier: MIT
// Unpacks gzip by zlib, which checks the CRC and the length of each member. What comes out is bounded by a ratio to
// what goes in, so that a small file cannot fill the memory.
// Source: RFC 1952, "GZIP file format specification version 4.3", 1996.
#include "unwrap/unwrap.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum {
    GZIP_ONLY = 16, // added to zlib's window bits: expect the header and trailer of gzip
    LEAST_MEMBER = 18,
    RESERVED_FLAGS = 0xe0,
    LENGTH_SIZE = 4, // at the end of a member: how long it is unpacked, modulo 2^32
    FIRST_ROOM = 65536,
    OUT_BETWEEN_LOOKS = 1 << 18, // bytes unpacked between two looks at the flag and the clock
    MOST_IN = 1 << 30,           // bytes given to zlib at once: its counter has 32 bits
    ALWAYS_ALLOWED = 16 << 20,   // bytes unpacked, and so many times the file's size
    ALLOWED_RATIO = 64,
    BLOCK_HEADER = 16 // before each of zlib's blocks: its size, for the control; keeps the alignment of malloc
};

// A file that is being unpacked.
typedef struct gunzip {
    load_control *control;
    const unsigned char *bytes;
    size_t size, taken; // of the file; given to zlib
    uint64_t limit;     // bytes that may come out
    unwrapped_block *out;
    z_stream z;
} gunzip;

bool grz_io_is_gzip(const unsigned char *bytes, size_t size)
{
    return size >= LEAST_MEMBER && bytes[0] == 0x1f && bytes[1] == 0x8b && bytes[2] == Z_DEFLATED &&
           (bytes[3] & RESERVED_FLAGS) == 0;
}

static void *allocate(void *control, unsigned count, unsigned size)
{
    const size_t whole = (size_t)count * size + BLOCK_HEADER;
    unsigned char *block = grz_io_control_reallocate(control, NULL, 0, whole);
    if (block == NULL)
        return NULL;
    memcpy(block, &whole, sizeof whole);
    return block + BLOCK_HEADER;
}

static void release(void *control, void *block)
{
    size_t whole;
    unsigned char *begin = (unsigned char *)block - BLOCK_HEADER;
    memcpy(&whole, begin, sizeof whole);
    grz_io_control_release(control, begin, whole);
}

static bool fail_memory(const gunzip *g)
{
    const uint64_t limit = g->control->options.limits.memory_limit;
    if (limit > 0)
        return grz_io_control_fail(g->control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT,
                                   "not enough memory to unpack the file: the limit is %llu bytes",
                                   (unsigned long long)limit);
    return grz_io_control_fail(g->control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory to unpack the file");
}

// The place in the file that zlib has come to.
static size_t place(const gunzip *g)
{
    return g->taken - g->z.avail_in;
}

static bool fail_at(const gunzip *g, const char *what)
{
    return grz_io_control_fail(g->control, GRZ_ERROR_FORMAT, place(g), "byte %zu: %s", place(g), what);
}

size_t grz_io_gzip_length(const unsigned char *bytes, size_t size)
{
    const unsigned char *p = bytes + size - LENGTH_SIZE;
    return (size_t)p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
}

static bool grow(gunzip *g)
{
    unwrapped_block *out = g->out;
    if (out->capacity >= g->limit)
        return grz_io_control_fail(
            g->control, GRZ_ERROR_FORMAT, GRZ_NO_ELEMENT,
            "more than %llu bytes when unpacked: %d MiB and %d bytes for each byte of a .gz are read; unpack it first",
            (unsigned long long)g->limit, (int)(ALWAYS_ALLOWED >> 20), (int)ALLOWED_RATIO);
    uint64_t wanted = out->capacity > 0 ? 2 * (uint64_t)out->capacity : grz_io_gzip_length(g->bytes, g->size);
    wanted = wanted < FIRST_ROOM ? FIRST_ROOM : wanted > g->limit ? g->limit : wanted;
    void *moved =
        wanted > SIZE_MAX ? NULL : grz_io_control_reallocate(g->control, out->bytes, out->capacity, (size_t)wanted);
    if (moved == NULL)
        return fail_memory(g);
    out->bytes = moved;
    out->capacity = (size_t)wanted;
    return true;
}

// Give zlib more of the file where it has none left. False: there is no more.
static bool feed(gunzip *g)
{
    if (g->z.avail_in > 0)
        return true;
    const size_t left = g->size - g->taken;
    g->z.next_in = (z_const Bytef *)(g->bytes + g->taken);
    g->z.avail_in = left < MOST_IN ? (uInt)left : MOST_IN;
    g->taken += g->z.avail_in;
    return left > 0;
}

// A member has ended. `more` receives whether another one follows.
static bool end_member(gunzip *g, bool *more)
{
    const size_t at = place(g);
    *more = at < g->size;
    if (!*more)
        return true;
    if (!grz_io_is_gzip(g->bytes + at, g->size - at))
        return fail_at(g, "not gzip, behind the end of the gzip data");
    return inflateReset(&g->z) == Z_OK || fail_at(g, "gzip data that cannot be unpacked");
}

// Some bytes more. `more` receives whether it goes on.
static bool step(gunzip *g, bool *more)
{
    unwrapped_block *out = g->out;
    if (!grz_io_control_goes_on(g->control) || (out->size == out->capacity && !grow(g)))
        return false;
    const size_t room = out->capacity - out->size;
    const bool fed = feed(g);
    g->z.next_out = out->bytes + out->size;
    g->z.avail_out = room < OUT_BETWEEN_LOOKS ? (uInt)room : OUT_BETWEEN_LOOKS;
    const uInt before = g->z.avail_out;
    const int result = inflate(&g->z, Z_NO_FLUSH);
    out->size += before - g->z.avail_out;
    *more = true;
    if (result == Z_STREAM_END)
        return end_member(g, more);
    if (result == Z_MEM_ERROR)
        return fail_memory(g);
    if (result != Z_OK && result != Z_BUF_ERROR) {
        char what[120];
        (void)snprintf(what, sizeof what, "damaged gzip data: %s", g->z.msg != NULL ? g->z.msg : "of no known kind");
        return fail_at(g, what);
    }
    return fed || g->z.avail_out == 0 || fail_at(g, "the file ends within its gzip data");
}

bool grz_io_gunzip(load_control *control, const unsigned char *bytes, size_t size, unwrapped_block *out)
{
    gunzip g = {.control = control, .bytes = bytes, .size = size, .out = out};
    g.limit = (uint64_t)size <= (UINT64_MAX - ALWAYS_ALLOWED) / ALLOWED_RATIO
                  ? ALWAYS_ALLOWED + ALLOWED_RATIO * (uint64_t)size
                  : UINT64_MAX;
    g.z = (z_stream){.zalloc = allocate, .zfree = release, .opaque = control};
    if (inflateInit2(&g.z, MAX_WBITS + GZIP_ONLY) != Z_OK)
        return fail_memory(&g);
    bool ok = true;
    for (bool more = true; ok && more;)
        ok = step(&g, &more);
    (void)inflateEnd(&g.z);
    return ok;
}

size_t grz_io_gunzip_start(const unsigned char *bytes, size_t size, unsigned char *room, size_t room_size)
{
    z_stream z = {.next_in = (z_const Bytef *)bytes, .avail_in = size < MOST_IN ? (uInt)size : MOST_IN};
    z.next_out = room;
    z.avail_out = (uInt)room_size;
    if (inflateInit2(&z, MAX_WBITS + GZIP_ONLY) != Z_OK)
        return 0;
    (void)inflate(&z, Z_SYNC_FLUSH);
    (void)inflateEnd(&z);
    return room_size - z.avail_out;
}
