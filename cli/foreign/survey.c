// SPDX-License-Identifier: MIT
// What the surveys of all formats share: messages and numbers.
#include "foreign/survey.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_NUMBER = 100 // characters
};

bool survey_fail(survey *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(s->text, sizeof s->text, format, arguments);
    va_end(arguments);
    return false;
}

double survey_number(const unsigned char *word, size_t length)
{
    char text[LONGEST_NUMBER + 1];
    memcpy(text, word, length);
    text[length] = '\0';
    return strtod(text, NULL);
}

bool survey_is_number(const unsigned char *word, size_t length)
{
    size_t i = length > 0 && (word[0] == '-' || word[0] == '+'), digits = 0;
    if (length > LONGEST_NUMBER)
        return false;
    for (; i < length && word[i] >= '0' && word[i] <= '9'; i++)
        digits++;
    if (i < length && word[i] == '.')
        for (i++; i < length && word[i] >= '0' && word[i] <= '9'; i++)
            digits++;
    if (digits == 0)
        return false;
    if (i < length && (word[i] == 'e' || word[i] == 'E')) {
        i++;
        i += i < length && (word[i] == '-' || word[i] == '+');
        digits = 0;
        for (; i < length && word[i] >= '0' && word[i] <= '9'; i++)
            digits++;
    }
    if (digits == 0 || i != length)
        return false;
    const double value = survey_number(word, length);
    return value >= -(double)FLT_MAX && value <= (double)FLT_MAX;
}
