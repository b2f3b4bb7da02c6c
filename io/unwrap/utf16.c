// SPDX-License-Identifier: MIT
// UTF-8 of UTF-16. One pass checks and counts, a second one writes, so that the block has the right size. Half a
// surrogate pair is an error: what it stands for is not known.
// Source: The Unicode Standard, sections 3.8 (surrogates) and 3.9 (encoding forms).
#include "unwrap/unwrap.h"

enum {
    MARK_SIZE = 2,
    BYTES_BETWEEN_LOOKS = 1 << 18, // a few milliseconds
    MOST_UTF8 = 4                  // bytes of a character
};

static const uint32_t FIRST_HIGH = 0xd800, FIRST_LOW = 0xdc00, PAST_LOW = 0xe000, FIRST_PAIR = 0x10000;

// A cursor over UTF-16.
typedef struct utf16_text {
    const unsigned char *bytes;
    size_t at, size;
    bool big;
} utf16_text;

static uint32_t unit_at(const utf16_text *t, size_t at)
{
    const unsigned char *p = t->bytes + at;
    return t->big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

// Go past the next character, of which there is at least one unit. False, at its first byte, where it is none.
static bool next_character(utf16_text *t, uint32_t *character)
{
    const uint32_t first = unit_at(t, t->at);
    *character = first;
    if (first < FIRST_HIGH || first >= PAST_LOW) {
        t->at += 2;
        return true;
    }
    if (first >= FIRST_LOW || t->size - t->at < 4)
        return false;
    const uint32_t second = unit_at(t, t->at + 2);
    if (second < FIRST_LOW || second >= PAST_LOW)
        return false;
    *character = FIRST_PAIR + ((first - FIRST_HIGH) << 10) + (second - FIRST_LOW);
    t->at += 4;
    return true;
}

static size_t utf8_size(uint32_t character)
{
    return character < 0x80 ? 1 : character < 0x800 ? 2 : character < FIRST_PAIR ? 3 : 4;
}

static unsigned char *write_utf8(unsigned char *to, uint32_t character)
{
    const size_t size = utf8_size(character);
    if (size == 1) {
        *to = (unsigned char)character;
        return to + 1;
    }
    for (size_t i = size - 1; i > 0; i--, character >>= 6)
        to[i] = (unsigned char)(0x80 | (character & 0x3f));
    *to = (unsigned char)(0xf00 >> size | character); // as many ones as there are bytes, and a zero
    return to + size;
}

static bool has_mark(const unsigned char *bytes, size_t size, bool *big)
{
    *big = size >= MARK_SIZE && bytes[0] == 0xfe && bytes[1] == 0xff;
    return *big || (size >= MARK_SIZE && bytes[0] == 0xff && bytes[1] == 0xfe);
}

const char *grz_io_utf16_order(const unsigned char *bytes, size_t size, bool xml)
{
    utf16_text t = {.bytes = bytes, .at = MARK_SIZE, .size = size};
    if (!has_mark(bytes, size, &t.big) || size < MARK_SIZE + 2)
        return NULL;
    const uint32_t first = unit_at(&t, MARK_SIZE);
    if (first == 0 || first >= 0x80 || (first == '<' && !xml)) // of 0 it would be UTF-32
        return NULL;
    return t.big ? "big-endian" : "little-endian";
}

// Check, and count the bytes of UTF-8.
static bool measure(load_control *control, utf16_text t, size_t *needed)
{
    uint32_t character;
    size_t next_look = t.at;
    *needed = 0;
    while (t.size - t.at >= 2) {
        if (t.at >= next_look) {
            if (!grz_io_control_goes_on(control))
                return false;
            next_look = t.at + BYTES_BETWEEN_LOOKS;
        }
        if (!next_character(&t, &character))
            return grz_io_control_fail(control, GRZ_ERROR_FORMAT, t.at,
                                       "byte %zu: half a surrogate pair in UTF-16 text", t.at);
        *needed += utf8_size(character);
    }
    return t.at == t.size || grz_io_control_fail(control, GRZ_ERROR_FORMAT, t.at,
                                                 "byte %zu: the file ends within a character of UTF-16 text", t.at);
}

bool grz_io_utf16_to_utf8(load_control *control, const unsigned char *bytes, size_t size, unwrapped_block *out)
{
    utf16_text t = {.bytes = bytes, .at = MARK_SIZE, .size = size};
    size_t needed;
    uint32_t character;
    (void)has_mark(bytes, size, &t.big);
    if (!measure(control, t, &needed))
        return false;
    out->bytes = grz_io_control_reallocate(control, NULL, 0, needed);
    if (out->bytes == NULL)
        return grz_io_control_fail(control, GRZ_ERROR_MEMORY, GRZ_NO_ELEMENT, "not enough memory to make UTF-8 of it");
    out->capacity = out->size = needed;
    unsigned char *to = out->bytes;
    while (t.at < t.size && next_character(&t, &character))
        to = write_utf8(to, character);
    return true;
}

size_t grz_io_utf16_start(const unsigned char *bytes, size_t size, unsigned char *room, size_t room_size)
{
    utf16_text t = {.bytes = bytes, .at = MARK_SIZE, .size = size};
    unsigned char *to = room;
    uint32_t character;
    if (!has_mark(bytes, size, &t.big))
        return 0;
    while (t.size - t.at >= 2 && room_size - (size_t)(to - room) >= MOST_UTF8 && next_character(&t, &character))
        to = write_utf8(to, character);
    return (size_t)(to - room);
}
