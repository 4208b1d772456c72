/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/data/copy.h"

#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>

/* Little, or what begins and ends within lines of the caches, is better copied through them. */
enum { LEAST = 4096, LINE = 64 };

static void copy_lines(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE) {
        const __m128i *source = (const void *)(from + i);
        __m128i *place = (void *)(to + i);
        __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1);
        __m128i c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
        _mm_stream_si128(place, a);
        _mm_stream_si128(place + 1, b);
        _mm_stream_si128(place + 2, c);
        _mm_stream_si128(place + 3, d);
    }
    _mm_sfence(); /* other threads see them in order */
}

void xmpi_copy_past(void *to, const void *from, size_t bytes)
{
    size_t before = (LINE - (uintptr_t)to % LINE) % LINE;
    if (bytes < LEAST) {
        memcpy(to, from, bytes);
        return;
    }
    size_t lines = (bytes - before) / LINE * LINE, behind = before + lines;
    memcpy(to, from, before);
    copy_lines((char *)to + before, (const char *)from + before, lines);
    memcpy((char *)to + behind, (const char *)from + behind, bytes - behind);
}
#else
void xmpi_copy_past(void *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
}
#endif
