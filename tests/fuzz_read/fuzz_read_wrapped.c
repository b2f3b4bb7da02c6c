// SPDX-License-Identifier: MIT
// Fuzzes what files are wrapped in: the first byte chooses. The rest is a .gz as it is; or it is packed into one, and
// what is read of it is what is read of the plain file; or it is ASCII text, and the same holds of it in UTF-16. All of
// them may be of any format. What a file that is not read is, is asked, too.
#include <graze/io.h>

#include "fuzz_input.h"
#include "support_files.h"

#define MEMORY_LIMIT (UINT64_C(64) << 20)

typedef struct outcome {
    grz_status status;
    grz_io_model *m;
    char reason[512];
} outcome;

static void require_line(const char *text)
{
    for (const char *p = text; *p != '\0'; p++)
        FUZZ_REQUIRE((unsigned char)*p >= ' ' && *p != 0x7f);
}

static outcome read_file(const void *bytes, size_t size)
{
    outcome o = {0};
    char unread[512];
    grz_io_options options = grz_io_default_options();
    options.limits.memory_limit = MEMORY_LIMIT;
    options.reason = o.reason;
    options.reason_size = sizeof o.reason;
    o.status = grz_io_load_memory("a", bytes, size, &options, &o.m, NULL);
    FUZZ_REQUIRE((o.status == GRZ_OK) == (o.m != NULL) && (o.m != NULL || *o.reason != '\0'));
    require_line(o.reason);
    if (grz_io_unread("a", bytes, size, unread, sizeof unread))
        require_line(unread);
    return o;
}

static void require_same(const outcome *one, const outcome *other, size_t more_notes)
{
    const grz_io_model *m = one->m, *n = other->m;
    if (one->status == GRZ_ERROR_MEMORY || other->status == GRZ_ERROR_MEMORY)
        return; // the wrapped one takes more
    FUZZ_REQUIRE(one->status == other->status && strcmp(one->reason, other->reason) == 0);
    if (m == NULL)
        return;
    FUZZ_REQUIRE(m->vertex_count == n->vertex_count && m->index_count == n->index_count &&
                 m->face_count == n->face_count && m->part_count == n->part_count &&
                 m->note_count + more_notes == n->note_count && strcmp(m->format, n->format) == 0);
    FUZZ_REQUIRE(memcmp(m->positions, n->positions, (size_t)m->vertex_count * 3 * sizeof(double)) == 0);
    FUZZ_REQUIRE(memcmp(m->indices, n->indices, (size_t)m->index_count * sizeof(uint32_t)) == 0);
}

static void read_packed(const uint8_t *data, size_t size, size_t block)
{
    file_text packed = {0};
    file_append_gzip(&packed, data, size, block);
    const outcome plain = read_file(data, size);
    const outcome unpacked = read_file(packed.bytes, packed.size);
    // Of nothing, the messages differ; a .gz in a .gz is not unpacked.
    if (size > 0 && !(size > 2 && data[0] == 0x1f && data[1] == 0x8b))
        require_same(&plain, &unpacked, 0);
    grz_io_model_destroy(plain.m);
    grz_io_model_destroy(unpacked.m);
    free(packed.bytes);
}

static void read_utf16(const uint8_t *data, size_t size, bool big)
{
    file_text text = {0}, wide = {0};
    file_append(&wide, big ? "\xfe\xff" : "\xff\xfe", 2);
    for (size_t i = 0; i < size; i++) {
        const uint8_t c = data[i] & 0x7f;
        const uint8_t unit[2] = {big ? 0 : c, big ? c : 0};
        file_append(&text, &c, 1);
        file_append(&wide, unit, 2);
    }
    if (size > 0 && text.bytes[0] != 0 && text.bytes[0] != '<') {
        const outcome narrow = read_file(text.bytes, size), read = read_file(wide.bytes, wide.size);
        require_same(&narrow, &read, 1);
        grz_io_model_destroy(narrow.m);
        grz_io_model_destroy(read.m);
    }
    free(text.bytes);
    free(wide.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const uint8_t way = data[0];
    if (way % 4 == 0) {
        const outcome o = read_file(data + 1, size - 1);
        grz_io_model_destroy(o.m);
    } else if (way % 4 == 1) {
        read_packed(data + 1, size - 1, (size_t)way / 4 + 1);
    } else {
        read_utf16(data + 1, size - 1, way % 4 == 3);
    }
    return 0;
}
