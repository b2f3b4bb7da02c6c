// SPDX-License-Identifier: MIT
// Zip archives made in memory. Source: PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", version 6.3.10, 4.3.
#include "support_package.h"

#include <stdlib.h>
#include <string.h>

static uint32_t checksum(const unsigned char *bytes, size_t size)
{
    const uint32_t polynomial = 0xEDB88320; // CRC-32, its bits turned round
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
    }
    return ~crc;
}

static void append_u16(file_text *t, unsigned value)
{
    const unsigned char bytes[2] = {(unsigned char)value, (unsigned char)(value >> 8)};
    file_append(t, bytes, sizeof bytes);
}

// What the header of a file and its entry in the directory have in common.
static void append_about(file_text *t, const char *name, const void *bytes, size_t size)
{
    static const unsigned char about[10] = {20}; // the version needed; flags, method and time are 0
    file_append(t, about, sizeof about);
    file_append_u32(t, checksum(bytes, size), false);
    file_append_u32(t, (uint32_t)size, false);
    file_append_u32(t, (uint32_t)size, false);
    append_u16(t, (unsigned)strlen(name));
    append_u16(t, 0);
}

void package_add(package *p, const char *name, const void *bytes, size_t size)
{
    static const unsigned char zeros[10] = {0};
    const uint32_t begin = (uint32_t)p->archive.size;
    file_append(&p->archive, "PK\3\4", 4);
    append_about(&p->archive, name, bytes, size);
    file_append(&p->archive, name, strlen(name));
    file_append(&p->archive, bytes, size);
    file_append(&p->directory, "PK\1\2\24", 6); // the fifth is the version that wrote it
    append_about(&p->directory, name, bytes, size);
    file_append(&p->directory, zeros, sizeof zeros);
    file_append_u32(&p->directory, begin, false);
    file_append(&p->directory, name, strlen(name));
    p->count++;
}

void package_end(package *p)
{
    const uint32_t begin = (uint32_t)p->archive.size, size = (uint32_t)p->directory.size;
    file_append(&p->archive, p->directory.bytes, size);
    file_append(&p->archive, "PK\5\6\0\0\0\0", 8);
    append_u16(&p->archive, p->count);
    append_u16(&p->archive, p->count);
    file_append_u32(&p->archive, size, false);
    file_append_u32(&p->archive, begin, false);
    append_u16(&p->archive, 0);
    free(p->directory.bytes);
    p->directory = (file_text){0};
}

void package_of_model(package *p, const void *model, size_t size)
{
    static const char relations[] =
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r\" "
        "Target=\"/3D/3dmodel.model\" Type=\"http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel\"/>"
        "</Relationships>";
    package_add(p, "_rels/.rels", relations, sizeof relations - 1);
    package_add(p, "3D/3dmodel.model", model, size);
}
