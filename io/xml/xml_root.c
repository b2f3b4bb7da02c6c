// SPDX-License-Identifier: MIT
// Looks for the root's tag without a parser: what begins with '<' and is no comment, instruction or document type.
#include "xml/xml_root.h"

#include "xml/xml_events.h"

#include <string.h>

// Characters of one or two bytes; only ASCII ones are told apart.
typedef struct characters {
    const unsigned char *bytes;
    size_t count;  // of characters
    unsigned size; // of one, in bytes
    unsigned low;  // which of two bytes holds the ASCII one
} characters;

static characters open_characters(const unsigned char *bytes, size_t size)
{
    const bool wide = size >= 2 && bytes[0] + bytes[1] == 0xff + 0xfe;
    const unsigned each = wide ? 2 : 1;
    return (characters){bytes, size / each, each, wide && bytes[0] == 0xfe};
}

// 0 where it is not ASCII, and behind the end.
static char at(const characters *c, size_t i)
{
    if (i >= c->count)
        return '\0';
    const unsigned char *p = c->bytes + i * c->size;
    const bool ascii = p[c->low] < 0x80 && (c->size == 1 || p[1 - c->low] == 0);
    return ascii ? (char)p[c->low] : '\0';
}

static bool begins(const characters *c, size_t i, const char *with)
{
    size_t k = 0;
    while (with[k] != '\0' && at(c, i + k) == with[k])
        k++;
    return with[k] == '\0';
}

// Behind the next `end` from i on; the end of all characters where there is none.
static size_t skip(const characters *c, size_t i, const char *end)
{
    while (i < c->count && !begins(c, i, end))
        i++;
    return i < c->count ? i + strlen(end) : i;
}

static bool ends_name(char c)
{
    return c == '>' || c == '/' || c == ' ' || (c >= '\t' && c <= '\r');
}

bool grz_io_xml_root_is(const unsigned char *bytes, size_t size, const char *name)
{
    if (!grz_io_xml_begins(bytes, size))
        return false;
    const characters c = open_characters(bytes, size);
    size_t i = 0;
    for (;;) {
        i = skip(&c, i, "<");
        if (begins(&c, i, "!--"))
            i = skip(&c, i + 3, "-->");
        else if (begins(&c, i, "?"))
            i = skip(&c, i, "?>");
        else if (begins(&c, i, "!"))
            i = skip(&c, i, ">");
        else
            break;
    }
    size_t end = i;
    while (end < c.count && !ends_name(at(&c, end))) {
        if (at(&c, end) == ':')
            i = end + 1;
        end++;
    }
    return end < c.count && end - i == strlen(name) && begins(&c, i, name);
}
