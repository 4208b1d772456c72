/* SPDX-License-Identifier: BSD-3-Clause
 * Profile files. */
#include "world/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world/lines.h"

typedef struct {
    const char *path;
    xmpi_profile_t *profile;
    int room;
} reader_t;

static xmpi_status_t add_point(reader_t *reader, xmpi_profile_point_t point)
{
    xmpi_profile_t *profile = reader->profile;
    if (profile->points == reader->room) {
        int room = 2 * reader->room + 64;
        xmpi_profile_point_t *grown = realloc(profile->point, (size_t)room * sizeof *grown);
        if (grown == NULL)
            return XMPI_ERR_MEMORY;
        profile->point = grown;
        reader->room = room;
    }
    profile->point[profile->points++] = point;
    return XMPI_OK;
}

static xmpi_status_t take_line(void *context, char *text, int line, xmpi_error_t *error)
{
    reader_t *reader = context;
    const xmpi_profile_t *profile = reader->profile;
    xmpi_profile_point_t point, last = {0, 0};
    char more;
    if (profile->points > 0)
        last = profile->point[profile->points - 1];
    if (sscanf(text, "%" SCNd64 " %lf %c", &point.iteration, &point.work, &more) != 2 ||
        !isfinite(point.work) || point.work < last.work || point.iteration <= last.iteration)
        return xmpi_error_set(error, XMPI_ERR_INPUT,
                              "%.200s:%d: expected an iteration and the work until then, both more "
                              "than in the line before",
                              reader->path, line);
    xmpi_status_t status = add_point(reader, point);
    return xmpi_error_set(error, status, "%.200s: no memory for a profile", reader->path);
}

xmpi_status_t xmpi_profile_read(const char *path, xmpi_profile_t *profile, xmpi_error_t *error)
{
    reader_t reader = {.path = path, .profile = profile};
    *profile = (xmpi_profile_t){0};
    xmpi_status_t status = xmpi_lines_each(path, &reader, take_line, error);
    if (status == XMPI_OK && profile->points == 0)
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "%.200s: is an empty profile", path);
    if (status != XMPI_OK)
        xmpi_profile_free(profile);
    return status;
}

void xmpi_profile_free(xmpi_profile_t *profile)
{
    free(profile->point);
    *profile = (xmpi_profile_t){0};
}

static xmpi_status_t write_text(const char *path, const char *mode, const char *text,
                                xmpi_error_t *error)
{
    FILE *file = fopen(path, mode);
    int good = file != NULL && fputs(text, file) >= 0;
    good = (file == NULL || fclose(file) == 0) && good;
    return good ? XMPI_OK
                : xmpi_error_set(error, XMPI_ERR_INPUT, "%.200s: %s", path, strerror(errno));
}

xmpi_status_t xmpi_profile_begin(const char *path, xmpi_error_t *error)
{
    return write_text(path, "w", "# iteration, and the work of all members until then\n", error);
}

xmpi_status_t xmpi_profile_append(const char *path, xmpi_profile_point_t point, xmpi_error_t *error)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRId64 " %.12g\n", point.iteration, point.work);
    return write_text(path, "a", text, error);
}
