/* SPDX-License-Identifier: BSD-3-Clause
 * The frame in which mpiexec tells of a process that has ended. */
#include "banner.h"

#include <string.h>

#include "noise.h"

/* At the begin of a line, in one of "=" only, in the title behind it, in lines behind that, in a
 * line of the program's. */
enum { AT_BEGIN, IN_FRAME, IN_TITLE, BEHIND_TITLE, IN_LINE };
enum { FRAME_LEAST = 60 };

static void give(parts_t *parts, const char *text, size_t length)
{
    memcpy(parts->program + parts->program_length, text, length);
    parts->program_length += length;
}

/* What was held is the program's. The next character is at the begin of a line, or in one. */
static void release(banner_t *banner, parts_t *parts)
{
    bool at_begin = banner->length == 0 || banner->held[banner->length - 1] == '\n';
    give(parts, banner->held, banner->length);
    banner->length = 0;
    banner->stage = at_begin ? AT_BEGIN : IN_LINE;
}

static void divert(banner_t *banner, parts_t *parts)
{
    memcpy(parts->mpiexec + parts->mpiexec_length, banner->held, banner->length);
    parts->mpiexec_length += banner->length;
    banner->length = 0;
}

static void hold(banner_t *banner, char next)
{
    banner->held[banner->length++] = next;
}

/* One empty line is mpiexec's own, in front of the frame. */
static void begin_line(banner_t *banner, char next, parts_t *parts)
{
    if (banner->length > 0 && next != '=')
        release(banner, parts);
    banner->frame = banner->matched = 0;
    if (next == '\n' || next == '=') {
        hold(banner, next);
        banner->frame = next == '=';
        banner->stage = next == '=' ? IN_FRAME : AT_BEGIN;
        return;
    }
    give(parts, &next, 1);
    banner->stage = IN_LINE;
}

static void end_line_behind(banner_t *banner, parts_t *parts)
{
    if (noise_is_line(banner->held, banner->length))
        divert(banner, parts);
    else
        release(banner, parts);
}

/* False: NEXT does not go on with what is held, and is to be looked at anew. */
static bool goes_on(banner_t *banner, char next, parts_t *parts)
{
    bool fits = banner->length < BANNER_HELD_MAX - 1;
    if (banner->stage == IN_FRAME)
        fits = fits && (next == '=' || (next == '\n' && banner->frame >= FRAME_LEAST));
    if (banner->stage == IN_TITLE)
        fits = fits && next == noise_termination[banner->matched];
    if (!fits) {
        release(banner, parts);
        return false;
    }
    hold(banner, next);
    if (banner->stage == IN_FRAME) {
        banner->frame++;
        banner->stage = next == '\n' ? IN_TITLE : IN_FRAME;
    } else if (banner->stage == IN_TITLE) {
        banner->matched++;
        banner->stage = noise_termination[banner->matched] == '\0' ? BEHIND_TITLE : IN_TITLE;
        if (banner->stage == BEHIND_TITLE)
            divert(banner, parts);
    } else if (next == '\n') {
        if (banner->length == 1 && banner->matched > 0) /* the end of the title */
            divert(banner, parts);
        else
            end_line_behind(banner, parts);
        banner->matched = 0;
    }
    return true;
}

void banner_part(banner_t *banner, const char *text, size_t length, parts_t *parts)
{
    for (size_t i = 0; i < length; i++) {
        if (banner->stage != AT_BEGIN && banner->stage != IN_LINE &&
            goes_on(banner, text[i], parts))
            continue;
        if (banner->stage == AT_BEGIN) {
            begin_line(banner, text[i], parts);
            continue;
        }
        give(parts, &text[i], 1);
        banner->stage = text[i] == '\n' ? AT_BEGIN : IN_LINE;
    }
}

void banner_end(banner_t *banner, parts_t *parts)
{
    if (banner->stage == BEHIND_TITLE && noise_is_line(banner->held, banner->length))
        divert(banner, parts);
    else
        release(banner, parts);
}
