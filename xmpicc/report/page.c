/* SPDX-License-Identifier: BSD-3-Clause
 * The page, and its figures as files. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tool/tool.h"
#include "write.h"

static const char place[] = "id=\"trace\">[]";

/* The text of FILE, malloc; NULL when it cannot be read. */
static char *read_all(const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return NULL;
    ssize_t got = getdelim(&text, &length, '\0', file);
    fclose(file);
    if (got >= 0)
        return text;
    free(text);
    return NULL;
}

/* Inside a script element "</" would end it, and "<!--" change its reading. */
static void write_inside_script(const char *json, FILE *file)
{
    for (; *json != '\0'; json++)
        if (*json == '<')
            fputs("\\u003c", file);
        else
            fputc(*json, file);
}

int write_page(const events_t *events, FILE *file)
{
    char path[TOOL_PATH_MAX];
    if (tool_installed("share/xmpi", "report.html", path) != TOOL_OK)
        return TOOL_MISUSED;
    char *page = read_all(path);
    char *at = page != NULL ? strstr(page, place) : NULL;
    char *json = cJSON_PrintUnformatted(events->list);
    if (at != NULL && json != NULL) {
        fwrite(page, 1, (size_t)(at - page), file);
        fprintf(file, "id=\"trace\" data-damaged=\"%d\">", events->damaged);
        write_inside_script(json, file);
        fputs(at + strlen(place), file);
    }
    cJSON_free(json);
    free(page);
    return at != NULL ? TOOL_OK : tool_complain("%s: this is not the page of a report", path);
}

int write_svg(const events_t *events, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return tool_complain("%s: %s", folder, strerror(errno));
    char *json = cJSON_PrintUnformatted(events->list);
    int status = tool_node("report-svg.mjs", folder, json != NULL ? json : "");
    cJSON_free(json);
    return status;
}
