// SPDX-License-Identifier: MIT
// Makes text printable, one character or byte after the other, into a few bytes each: to a stream or to an array.
#include "report/printable.h"

#include <string.h>

enum {
    PIECE_SIZE = 5 // \xNN and a NUL, or the longest character of UTF-8
};

size_t printable_utf8_length(const char *at)
{
    const unsigned char *text = (const unsigned char *)at;
    size_t length;
    unsigned char low = 0x80, high = 0xBF; // bounds of the second byte

    if (text[0] < 0x80)
        return 1;
    if (text[0] >= 0xC2 && text[0] <= 0xDF)
        length = 2;
    else if (text[0] >= 0xE0 && text[0] <= 0xEF)
        length = 3;
    else if (text[0] >= 0xF0 && text[0] <= 0xF4)
        length = 4;
    else
        return 0;
    if (text[0] == 0xE0)
        low = 0xA0;
    else if (text[0] == 0xED)
        high = 0x9F;
    else if (text[0] == 0xF0)
        low = 0x90;
    else if (text[0] == 0xF4)
        high = 0x8F;
    if (text[1] < low || text[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++) {
        if (text[i] < 0x80 || text[i] > 0xBF)
            return 0;
    }
    return length;
}

bool printable_is_utf8(const char *text)
{
    while (*text != '\0') {
        const size_t length = printable_utf8_length(text);
        if (length == 0)
            return false;
        text += length;
    }
    return true;
}

// Make what stands at `text`, which is not the end, printable. Returns how many bytes of `text` that were.
static size_t escape(const char *text, char piece[PIECE_SIZE])
{
    const unsigned char byte = (unsigned char)*text;
    const size_t length = printable_utf8_length(text);
    const bool control = byte < 0x20 || byte == 0x7F || (byte == 0xC2 && length == 2 && (unsigned char)text[1] < 0xA0);

    if (length == 0 || control) {
        snprintf(piece, PIECE_SIZE, "\\x%02x", byte);
        return 1; // the second byte of a control character is no character by itself: it comes next
    }
    if (byte == '\\') {
        memcpy(piece, "\\\\", 3);
        return 1;
    }
    memcpy(piece, text, length);
    piece[length] = '\0';
    return length;
}

void printable_write(const char *text, FILE *stream)
{
    char piece[PIECE_SIZE];

    for (;;) {
        // Most text is printable ASCII, which is written at once.
        size_t plain = 0;
        while (text[plain] >= 0x20 && text[plain] < 0x7F && text[plain] != '\\')
            plain++;
        fwrite(text, 1, plain, stream);
        text += plain;
        if (*text == '\0')
            return;
        text += escape(text, piece);
        fputs(piece, stream);
    }
}

char *printable_copy(const char *text, char *to, size_t size)
{
    char piece[PIECE_SIZE];
    size_t used = 0;

    while (*text != '\0') {
        text += escape(text, piece);
        const size_t length = strlen(piece);
        if (used + length >= size)
            break;
        memcpy(to + used, piece, length);
        used += length;
    }
    to[used] = '\0';
    return to;
}
