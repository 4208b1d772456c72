/* SPDX-License-Identifier: BSD-3-Clause
 * Profile files. */
#include "files/profile_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/lines.h"

typedef struct {
    const char *path;
    xmpi_profile_t *profile;
    int room;
    int each; /* parts in a line */
} reader_t;

static xmpi_status_t make_room(reader_t *reader)
{
    xmpi_profile_t *profile = reader->profile;
    int room = 2 * reader->room + 64;
    xmpi_profile_point_t *point = realloc(profile->point, (size_t)room * sizeof *point);
    if (point != NULL)
        profile->point = point;
    xmpi_profile_parts_t *parts = realloc(profile->parts, (size_t)room * sizeof *parts);
    if (parts != NULL)
        profile->parts = parts;
    if (point == NULL || parts == NULL)
        return XMPI_ERR_MEMORY;
    reader->room = room;
    return XMPI_OK;
}

static xmpi_status_t refuse(const reader_t *reader, int line, const char *what, xmpi_error_t *error)
{
    return xmpi_error_set(error, XMPI_ERR_INPUT, "%.200s:%d: expected %s", reader->path, line,
                          what);
}

/* The numbers of TEXT, none negative; how many there are, -1 when one is none. */
static int read_parts(const char *text, double *part)
{
    int n = 0;
    char *end;
    for (;; text = end) {
        text += strspn(text, " \t");
        if (*text == '\0')
            return n;
        double value = strtod(text, &end);
        if (end == text || n == XMPI_PROFILE_PARTS || !isfinite(value) || value < 0)
            return -1;
        part[n++] = value;
    }
}

/* Parts become the work until the point in each of them. */
static void add_up(xmpi_profile_t *profile, const double *part)
{
    int last = profile->points - 1;
    double work = profile->point[last].work, sum = 0;
    if (last > 0)
        work -= profile->point[last - 1].work;
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++)
        sum += part[i];
    for (int i = 0; i < XMPI_PROFILE_PARTS; i++)
        profile->parts[last].work[i] = (last > 0 ? profile->parts[last - 1].work[i] : 0) +
                                       (sum > 0 ? work * part[i] / sum : 0);
}

/* --- what it is of -----------------------------------------------------------------------------
 */

void xmpi_profile_text(char to[XMPI_PROFILE_TEXT], const char *text)
{
    text += strspn(text, " \t\r\n");
    snprintf(to, XMPI_PROFILE_TEXT, "%s", text);
    for (char *c = to; *c != '\0'; c++)
        if (*c == '#' || *c == '\t' || *c == '\r' || *c == '\n')
            *c = ' ';
    for (size_t n = strlen(to); n > 0 && to[n - 1] == ' '; n--)
        to[n - 1] = '\0';
}

/* What stands behind WORD at the begin of TEXT; NULL: another word does. */
static const char *behind(const char *text, const char *word)
{
    size_t length = strlen(word);
    text += strspn(text, " \t");
    bool is = strncmp(text, word, length) == 0 && (text[length] == ' ' || text[length] == '\t');
    return is ? text + length + 1 : NULL;
}

static bool take_class(const char *text, xmpi_profile_t *profile)
{
    xmpi_class_speed_t class = {{0}, 0};
    int used = 0, i = 0;
    if (sscanf(text, "%63s %lf %n", class.name, &class.speed, &used) != 2 || text[used] != '\0' ||
        !isfinite(class.speed) || !(class.speed > 0))
        return false;
    while (i < profile->classes && strcmp(profile->class_speed[i].name, class.name) != 0)
        i++;
    if (i == XMPI_CLASSES_MAX)
        return false;
    profile->class_speed[i] = class;
    profile->classes = i < profile->classes ? profile->classes : i + 1;
    return true;
}

static bool take_weights(const char *text, xmpi_profile_t *profile)
{
    profile->weighed = read_parts(text, profile->weight.work) == XMPI_PROFILE_PARTS;
    return profile->weighed;
}

static bool take_domain(const char *text, int64_t *domain)
{
    int used = 0;
    return sscanf(text, "%" SCNd64 " %n", domain, &used) == 1 && text[used] == '\0' && *domain > 0;
}

/* Whether TEXT is such a line; then GOOD says whether it makes sense. */
static bool take_origin(const char *text, xmpi_profile_t *profile, bool *good)
{
    xmpi_profile_origin_t *origin = &profile->origin;
    static const char *const word[] = {"loop", "counter", "machine"};
    char *const to[] = {origin->loop, origin->counter, origin->machine};
    const char *rest;
    *good = true;
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if ((rest = behind(text, word[i])) != NULL) {
            xmpi_profile_text(to[i], rest);
            return true;
        }
    if ((rest = behind(text, "domain")) != NULL)
        *good = take_domain(rest, &origin->domain);
    else if ((rest = behind(text, "class")) != NULL)
        *good = take_class(rest, profile);
    else if ((rest = behind(text, "weights")) != NULL)
        *good = take_weights(rest, profile);
    return rest != NULL;
}

/* --- its points --------------------------------------------------------------------------------
 */

static xmpi_status_t take_line(void *context, char *text, int line, xmpi_error_t *error)
{
    reader_t *reader = context;
    bool good;
    if (take_origin(text, reader->profile, &good))
        return good ? XMPI_OK
                    : refuse(reader, line,
                             "domain ROWS, or class NAME SPEED, more than 0, or weights PART ...",
                             error);
    xmpi_profile_t *profile = reader->profile;
    xmpi_profile_point_t point, last = {0, 0};
    double part[XMPI_PROFILE_PARTS];
    int used = 0;
    if (profile->points > 0)
        last = profile->point[profile->points - 1];
    if (sscanf(text, "%" SCNd64 " %lf %n", &point.iteration, &point.work, &used) != 2 ||
        used == 0 || !isfinite(point.work) || point.work < last.work ||
        point.iteration <= last.iteration)
        return refuse(reader, line,
                      "an iteration and the work until then, both more than in the line before",
                      error);
    int parts = read_parts(text + used, part);
    if (parts != 0 && parts != XMPI_PROFILE_PARTS)
        return refuse(reader, line, "no parts of the work, or as many as xmpi records", error);
    if (profile->points > 0 && parts != reader->each)
        return refuse(reader, line, "as many parts of the work as in the line before", error);
    if (profile->points == reader->room && make_room(reader) != XMPI_OK)
        return xmpi_error_set(error, XMPI_ERR_MEMORY, "%.200s: no memory for a profile",
                              reader->path);
    reader->each = parts;
    profile->point[profile->points++] = point;
    if (parts > 0)
        add_up(profile, part);
    return XMPI_OK;
}

xmpi_status_t xmpi_profile_read(const char *path, xmpi_profile_t *profile, xmpi_error_t *error)
{
    reader_t reader = {.path = path, .profile = profile};
    *profile = (xmpi_profile_t){0};
    xmpi_status_t status = xmpi_lines_each(path, &reader, take_line, error);
    if (status == XMPI_OK && profile->points == 0)
        status = xmpi_error_set(error, XMPI_ERR_INPUT, "%.200s: is an empty profile", path);
    if (status != XMPI_OK) {
        xmpi_profile_free(profile);
        return status;
    }
    if (reader.each == 0) {
        free(profile->parts);
        profile->parts = NULL;
    }
    return XMPI_OK;
}

void xmpi_profile_free(xmpi_profile_t *profile)
{
    free(profile->point);
    free(profile->parts);
    *profile = (xmpi_profile_t){0};
}

static xmpi_status_t write_line(const char *path, const char *mode, const char *text,
                                const xmpi_profile_parts_t *parts, xmpi_error_t *error)
{
    FILE *file = fopen(path, mode);
    int good = file != NULL && fputs(text, file) >= 0;
    for (int i = 0; i < XMPI_PROFILE_PARTS && good && parts != NULL; i++)
        good = fprintf(file, " %.4g", parts->work[i]) > 0;
    good = good && fputc('\n', file) >= 0;
    good = (file == NULL || fclose(file) == 0) && good;
    return good ? XMPI_OK
                : xmpi_error_set(error, XMPI_ERR_INPUT, "%.200s: %s", path, strerror(errno));
}

xmpi_status_t xmpi_profile_begin(const char *path, const xmpi_profile_origin_t *origin,
                                 xmpi_error_t *error)
{
    char text[4 * XMPI_PROFILE_TEXT];
    snprintf(text, sizeof text,
             "loop %s\ndomain %" PRId64 "\ncounter %s\nmachine %s\n"
             "# iteration, the work of all members until then, and where in the domain the "
             "work since the last one was",
             origin->loop, origin->domain, origin->counter, origin->machine);
    return write_line(path, "w", text, NULL, error);
}

xmpi_status_t xmpi_profile_append(const char *path, xmpi_profile_point_t point,
                                  const xmpi_profile_parts_t *parts, xmpi_error_t *error)
{
    char text[64];
    snprintf(text, sizeof text, "%" PRId64 " %.12g", point.iteration, point.work);
    return write_line(path, "a", text, parts, error);
}

xmpi_status_t xmpi_profile_append_class(const char *path, const xmpi_class_speed_t *class,
                                        xmpi_error_t *error)
{
    char text[XMPI_NAME_MAX + 64];
    snprintf(text, sizeof text, "class %s %.6g", class->name, class->speed);
    return write_line(path, "a", text, NULL, error);
}

xmpi_status_t xmpi_profile_append_weights(const char *path, const xmpi_profile_parts_t *weight,
                                          xmpi_error_t *error)
{
    return write_line(path, "a", "weights", weight, error);
}
