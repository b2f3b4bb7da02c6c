// SPDX-License-Identifier: MIT
// What kind of XML a text is: finds the outermost element behind declaration, comments and document type. Knows no more
// of XML than that; what it cannot find is none.
#include "unread/unread.h"

#include <string.h>

enum {
    LOOKED_AT = 65536 // bytes
};

// Past the next `end`, from `at` on; `size` where it does not come.
static size_t past(const unsigned char *bytes, size_t size, size_t at, const char *end)
{
    const size_t length = strlen(end);
    for (; at + length <= size; at++)
        if (memcmp(bytes + at, end, length) == 0)
            return at + length;
    return size;
}

static bool begins(const unsigned char *bytes, size_t size, size_t at, const char *with)
{
    const size_t length = strlen(with);
    return size - at >= length && memcmp(bytes + at, with, length) == 0;
}

// Past a document type, which may hold declarations in brackets.
static size_t past_type(const unsigned char *bytes, size_t size, size_t at)
{
    for (; at < size && bytes[at] != '>'; at++)
        if (bytes[at] == '[')
            return past(bytes, size, past(bytes, size, at, "]"), ">");
    return at < size ? at + 1 : size;
}

static bool is_blank(unsigned char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

text_token grz_io_xml_root(const unsigned char *bytes, size_t size)
{
    size = size < LOOKED_AT ? size : LOOKED_AT;
    size_t at = begins(bytes, size, 0, "\xEF\xBB\xBF") ? 3 : 0;
    while (at < size) {
        if (is_blank(bytes[at]))
            at++;
        else if (begins(bytes, size, at, "<?"))
            at = past(bytes, size, at, "?>");
        else if (begins(bytes, size, at, "<!--"))
            at = past(bytes, size, at, "-->");
        else if (begins(bytes, size, at, "<!"))
            at = past_type(bytes, size, at);
        else
            break;
    }
    size_t first = at + 1, end = first;
    if (at >= size || bytes[at] != '<')
        return (text_token){bytes, 0};
    for (; end < size && !is_blank(bytes[end]) && bytes[end] != '>' && bytes[end] != '/'; end++)
        if (bytes[end] == ':')
            first = end + 1;
    return (text_token){bytes + first, end < size ? end - first : 0}; // 0 where it is cut
}
