// SPDX-License-Identifier: MIT
// The directory of the zip archive, which stands at its end, with 64-bit sizes where it has them.
// Source: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", version 6.3.10, 4.3 and 4.5.3.
#include "threemf/threemf.h"

#include <string.h>

// The records that end an archive, and how many bytes each has at least.
#define END "PK\5\6"
#define LOCATOR_64 "PK\6\7"
#define END_64 "PK\6\6"
#define ENTRY "PK\1\2"
enum {
    END_SIZE = 22,
    LOCATOR_64_SIZE = 20,
    END_64_SIZE = 56,
    ENTRY_SIZE = 46,
    LONGEST_COMMENT = 65535,
    EXTRA_64 = 1, // the tag of 64-bit sizes
    SHOWN = 24    // bytes of what is no archive
};

// Where the directory is.
typedef struct directory {
    uint64_t offset, size, count;
} directory;

static bool is_record(const unsigned char *p, const char *signature)
{
    return memcmp(p, signature, 4) == 0;
}

static bool fail_directory(threemf *t, const char *what)
{
    return grz_io_fail(t->r, "the zip archive is damaged: %s", what);
}

// Where the record at the archive's end begins; its comment has to end with the file. SIZE_MAX: there is none.
static size_t find_end(const reader *r)
{
    for (size_t comment = 0; comment <= LONGEST_COMMENT && r->size >= END_SIZE + comment; comment++) {
        const unsigned char *p = r->bytes + r->size - END_SIZE - comment;
        if (is_record(p, END) && threemf_get_2(p + 20) == comment)
            return (size_t)(p - r->bytes);
    }
    return SIZE_MAX;
}

// No end that fits: is it no archive, one with something behind it, or one that is cut?
static bool fail_without_end(threemf *t)
{
    const reader *r = t->r;
    char quote[SCAN_QUOTE_SIZE];
    const text_token start = {r->bytes, r->size < SHOWN ? r->size : SHOWN};
    if (r->size < 4 || memcmp(r->bytes, "PK", 2) != 0)
        return grz_io_fail(t->r, "no 3MF: a 3MF is a zip archive, and this begins with %s",
                           grz_io_token_quote(start, quote));
    for (size_t behind = 1; behind <= LONGEST_COMMENT && r->size >= END_SIZE + behind; behind++) {
        const unsigned char *p = r->bytes + r->size - END_SIZE - behind;
        if (is_record(p, END) && threemf_get_2(p + 20) < behind)
            return grz_io_fail(t->r, "the zip archive is damaged: there are %llu bytes behind its end",
                               (unsigned long long)(behind - threemf_get_2(p + 20)));
    }
    return fail_directory(t, "its end is missing: it may be cut");
}

static bool find_directory(threemf *t, directory *d)
{
    const reader *r = t->r;
    const size_t end = find_end(r);
    if (end == SIZE_MAX)
        return fail_without_end(t);
    const unsigned char *p = r->bytes + end;
    *d = (directory){threemf_get_4(p + 16), threemf_get_4(p + 12), threemf_get_2(p + 10)};
    uint64_t behind = end;
    if (end >= LOCATOR_64_SIZE && is_record(p - LOCATOR_64_SIZE, LOCATOR_64)) {
        behind = threemf_get_8(p - LOCATOR_64_SIZE + 8);
        if (end < END_64_SIZE || behind > end - END_64_SIZE || !is_record(r->bytes + behind, END_64))
            return fail_directory(t, "its 64-bit end is not where it should be");
        p = r->bytes + behind;
        *d = (directory){threemf_get_8(p + 48), threemf_get_8(p + 40), threemf_get_8(p + 32)};
    }
    if (d->offset > behind || d->size > behind - d->offset)
        return fail_directory(t, "its directory ends past its end");
    if (memcmp(r->bytes, "PK", 2) != 0 && d->offset + d->size < behind) // its offsets do not count them
        return grz_io_fail(t->r, "the zip archive is damaged: there are %llu bytes before it",
                           (unsigned long long)(behind - d->offset - d->size));
    t->directory = d->offset;
    return true;
}

// The 64-bit numbers of an entry whose 32-bit ones have all bits set, in their order.
static bool read_extra_64(threemf_file *file, const unsigned char *p, const unsigned char *end)
{
    uint64_t *const fields[] = {&file->size, &file->packed_size, &file->header};
    while (end - p >= 4) {
        const unsigned tag = threemf_get_2(p), length = threemf_get_2(p + 2);
        p += 4;
        if (length > (size_t)(end - p))
            return false;
        const unsigned char *value = p, *last = p + length;
        for (size_t i = 0; tag == EXTRA_64 && i < sizeof fields / sizeof *fields; i++) {
            if (*fields[i] != UINT32_MAX)
                continue;
            if (last - value < 8)
                return false;
            *fields[i] = threemf_get_8(value);
            value += 8;
        }
        if (tag == EXTRA_64)
            return true;
        p = last;
    }
    return file->size != UINT32_MAX && file->packed_size != UINT32_MAX && file->header != UINT32_MAX;
}

// A file's name, at the end of threemf::names; what cannot be in a name becomes '?'.
static bool add_name(threemf *t, const unsigned char *name, size_t length)
{
    size_t at;
    if (!grz_io_threemf_add_text(t, &t->names, (const char *)name, length, &at))
        return false;
    char *copy = t->names.bytes + at;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)copy[i] < ' ' || copy[i] == 0x7f)
            copy[i] = '?';
    return true;
}

// The entry at *at, and go past it.
static bool add_file(threemf *t, const unsigned char **at, const unsigned char *end)
{
    const unsigned char *p = *at;
    if (end - p < ENTRY_SIZE || !is_record(p, ENTRY))
        return fail_directory(t, "its directory has fewer files than it says");
    const size_t name = threemf_get_2(p + 28), extra = threemf_get_2(p + 30), comment = threemf_get_2(p + 32);
    if ((size_t)(end - p) < ENTRY_SIZE + name + extra + comment)
        return fail_directory(t, "its directory is cut");
    threemf_file file = {.size = threemf_get_4(p + 24),
                         .packed_size = threemf_get_4(p + 20),
                         .header = threemf_get_4(p + 42),
                         .checksum = threemf_get_4(p + 16),
                         .method = threemf_get_2(p + 10),
                         .flags = threemf_get_2(p + 8),
                         .name_length = name};
    *at = p + ENTRY_SIZE + name + extra + comment;
    if (!read_extra_64(&file, p + ENTRY_SIZE + name, p + ENTRY_SIZE + name + extra))
        return fail_directory(t, "the extra fields of a file are cut");
    void *array = t->files;
    const bool ok = grz_io_threemf_grow(t, &array, &t->file_capacity, t->file_count, sizeof *t->files);
    t->files = array;
    if (!ok || !add_name(t, p + ENTRY_SIZE, name))
        return false;
    t->files[t->file_count++] = file;
    return grz_io_control_goes_on(t->r->control);
}

bool grz_io_threemf_list_files(threemf *t)
{
    directory d = {0, 0, 0};
    if (!find_directory(t, &d))
        return false;
    const unsigned char *at = t->r->bytes + d.offset, *end = at + d.size;
    for (uint64_t i = 0; i < d.count; i++)
        if (!add_file(t, &at, end))
            return false;
    return true;
}
