// SPDX-License-Identifier: MIT
// What a file may be wrapped in: gzip, and UTF-16 with a byte order mark in place of UTF-8. What is inside goes to the
// readers. XML stays in UTF-16: its parser knows the encoding by itself.
#ifndef GRZ_IO_UNWRAP_H
#define GRZ_IO_UNWRAP_H

#include "control.h"

enum {
    UNWRAP_START_SIZE = 16384 // bytes that are unwrapped to tell a format
};

// Bytes in a block by the control.
typedef struct unwrapped_block {
    unsigned char *bytes; // NULL: there is none
    size_t size;
    size_t capacity; // of the block
} unwrapped_block;

typedef struct unwrapped {
    const unsigned char *bytes; // what the readers get: the file's own, or those of `block`
    size_t size;
    bool packed;       // it was gzip
    const char *utf16; // "little-endian" or "big-endian" where UTF-16 became UTF-8; NULL: it is none
    unwrapped_block block;
} unwrapped;

// Whether grz_io_unwrap() would change anything, by the first bytes.
bool grz_io_is_wrapped(const unsigned char *bytes, size_t size);

// Unwrap a file. Release `out` also on failure, which has its reason in the control.
bool grz_io_unwrap(load_control *control, const unsigned char *bytes, size_t size, unwrapped *out);

void grz_io_unwrap_release(load_control *control, unwrapped *out);

// The first bytes of what is wrapped, XML included, for telling the format. Returns where they are: in `room`, or in
// the file itself where it is not wrapped. `out_size` receives the size of the whole, as far as the file states it; at
// least UNWRAP_START_SIZE of them are there, or all.
const unsigned char *grz_io_unwrap_start(const unsigned char *bytes, size_t size, unsigned char room[UNWRAP_START_SIZE],
                                         size_t *out_size);

// ---- gzip (gunzip.c)

bool grz_io_is_gzip(const unsigned char *bytes, size_t size);

// Unpack all members. What is unpacked may have 16 MiB and 64 bytes for each byte of the file.
bool grz_io_gunzip(load_control *control, const unsigned char *bytes, size_t size, unwrapped_block *out);

// The length that the last member states: of a file with one member, the whole, modulo 2^32.
size_t grz_io_gzip_length(const unsigned char *bytes, size_t size);

// Unpack the first bytes, as many as are sound. Returns how many.
size_t grz_io_gunzip_start(const unsigned char *bytes, size_t size, unsigned char *room, size_t room_size);

// ---- UTF-16 (utf16.c)

// "little-endian" or "big-endian" where this is UTF-16 text: a mark, and a first character of ASCII. NULL: it is none,
// or it is XML, which begins with "<", and `xml` is false.
const char *grz_io_utf16_order(const unsigned char *bytes, size_t size, bool xml);

// Make UTF-8 of it, without a mark.
bool grz_io_utf16_to_utf8(load_control *control, const unsigned char *bytes, size_t size, unwrapped_block *out);

// The first bytes, up to a mistake. Returns how many.
size_t grz_io_utf16_start(const unsigned char *bytes, size_t size, unsigned char *room, size_t room_size);

#endif
