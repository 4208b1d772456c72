/* SPDX-License-Identifier: BSD-3-Clause
 * Goals as people write them. */
#define _XOPEN_SOURCE 700
#include "settings/goal_text.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What no program takes: 31 years. Beyond it sums of times lose their seconds, and those of other
 * settings end there, too. */
static const double MOST_SECONDS = 1e9;

/* A number of at least 0 at *TEXT, which goes on behind it. */
static bool take_number(const char **text, double *number)
{
    char *end;
    if (strchr("0123456789.", **text) == NULL || **text == '\0')
        return false;
    errno = 0;
    *number = strtod(*text, &end);
    if (end == *text || errno != 0 || !isfinite(*number))
        return false;
    *text = end;
    return true;
}

static bool parse_share(const char *text, xmpi_goal_t *goal)
{
    double percent;
    if (!take_number(&text, &percent) || strcmp(text, "%") != 0 || percent >= 100)
        return false;
    *goal = (xmpi_goal_t){XMPI_GOAL_SAVE, percent / 100};
    return true;
}

/* Parts with units, from the greatest to the smallest; a number alone is of seconds. */
static bool parse_seconds(const char *text, xmpi_goal_t *goal)
{
    static const struct {
        char name;
        double seconds;
    } units[] = {{'d', 86400}, {'h', 3600}, {'m', 60}, {'s', 1}};
    size_t next = 0;
    double number, sum = 0;
    while (*text != '\0') {
        size_t unit = next;
        if (!take_number(&text, &number))
            return false;
        if (*text == '\0' && next == 0) {
            sum = number;
            break;
        }
        while (unit < 4 && units[unit].name != *text)
            unit++;
        if (unit == 4)
            return false;
        sum += number * units[unit].seconds;
        next = unit + 1;
        text++;
    }
    *goal = (xmpi_goal_t){XMPI_GOAL_SECONDS, sum};
    return sum > 0 && sum <= MOST_SECONDS;
}

static bool parse_with(const char *text, const char *format, struct tm *when)
{
    struct tm trial = *when; /* strptime() writes what fits before it fails */
    const char *end = strptime(text, format, &trial);
    if (end == NULL || *end != '\0')
        return false;
    *when = trial;
    return true;
}

static bool parse_deadline(const char *text, time_t now, xmpi_goal_t *goal)
{
    struct tm when;
    if (localtime_r(&now, &when) == NULL)
        return false;
    when.tm_sec = 0;
    bool dated =
        parse_with(text, "%Y-%m-%dT%H:%M:%S", &when) || parse_with(text, "%Y-%m-%dT%H:%M", &when) ||
        parse_with(text, "%Y-%m-%d %H:%M:%S", &when) || parse_with(text, "%Y-%m-%d %H:%M", &when);
    if (!dated && !parse_with(text, "%H:%M:%S", &when) && !parse_with(text, "%H:%M", &when))
        return false;
    when.tm_isdst = -1;
    time_t then = mktime(&when);
    if (!dated && then <= now) {
        when.tm_mday++;
        when.tm_isdst = -1;
        then = mktime(&when);
    }
    *goal = (xmpi_goal_t){XMPI_GOAL_DEADLINE, (double)then};
    return then > now && difftime(then, now) <= MOST_SECONDS;
}

xmpi_status_t xmpi_goal_parse(const char *text, time_t now, xmpi_goal_t *goal, xmpi_error_t *error)
{
    *goal = (xmpi_goal_t){XMPI_GOAL_NONE, 0};
    if (text[0] == '\0' || parse_share(text, goal) || parse_seconds(text, goal) ||
        parse_deadline(text, now, goal))
        return XMPI_OK;
    *goal = (xmpi_goal_t){XMPI_GOAL_NONE, 0};
    return xmpi_error_set(error, XMPI_ERR_INPUT,
                          "XMPI_GOAL=%.64s: must be a time like 90s, 10m or 1h30m, a share of the "
                          "static time to save like 30%%, or a deadline that is still to come like "
                          "18:00 or 2030-05-31T18:00; at most %.10g seconds",
                          text, MOST_SECONDS);
}
