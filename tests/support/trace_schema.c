/* SPDX-License-Identifier: BSD-3-Clause
 * Compares traces with what docs/trace.md says of them. */
#define _GNU_SOURCE
#include "support/trace_schema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/command.h"

enum { FIELDS_MAX = 256, NAME_MAX_LENGTH = 32 };

typedef struct {
    char object[NAME_MAX_LENGTH], name[NAME_MAX_LENGTH];
    char type[NAME_MAX_LENGTH]; /* of the object, or of those in a list; empty: a plain value */
    bool optional, seen;
} field_t;

static field_t fields[FIELDS_MAX];
static int count;

/* --- the document --------------------------------------------------------------------------------
 */

static void add_field(const char *object, const char *name, size_t length, bool optional)
{
    assert_in_range(length, 1, NAME_MAX_LENGTH - 1);
    assert_in_range(count, 0, FIELDS_MAX - 1);
    field_t *field = &fields[count++];
    snprintf(field->object, sizeof field->object, "%s", object);
    snprintf(field->name, sizeof field->name, "%.*s", (int)length, name);
    field->optional = optional;
}

/* A type, like `{phases}`, is that of the field before it, or of EACH of the row. */
static void set_type(int first, const char *word, size_t length, bool each)
{
    assert_true(count > first && length > 2);
    for (int i = each ? first : count - 1; i < count; i++)
        snprintf(fields[i].type, NAME_MAX_LENGTH, "%.*s", (int)length - 2, word + 1);
}

/* The words in backticks that are not in parentheses. */
static void read_fields(const char *object, const char *text)
{
    int first = count, depth = 0;
    for (const char *at = text; *at != '\0'; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at != '`')
            continue;
        const char *word = at + 1;
        size_t length = strcspn(word, "`");
        if (depth == 0 && strchr("[{", *word) != NULL)
            set_type(first, word, length, strstr(text, "each an ") != NULL);
        else if (depth == 0)
            add_field(object, word, length, at > text && at[-1] == '*');
        at = word + length;
    }
}

/* | `object` | what | fields | */
static void read_row(char *line)
{
    char object[NAME_MAX_LENGTH] = "";
    char *what = strstr(line, "` | ");
    char *last = what != NULL ? strstr(what + 4, " | ") : NULL;
    if (strncmp(line, "| `", 3) != 0 || last == NULL)
        return;
    snprintf(object, sizeof object, "%.*s", (int)(what - line - 3), line + 3);
    read_fields(object, last + 3);
}

static void read_document(void)
{
    char *path, *rest = NULL;
    if (count > 0)
        return;
    assert_true(asprintf(&path, "%s/docs/trace.md", source_dir()) > 0);
    char *text = read_file(path, NULL);
    assert_non_null(text);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
        read_row(line);
    assert_true(count > 50);
    free(text);
    free(path);
}

/* --- traces --------------------------------------------------------------------------------------
 */

static field_t *find(const char *object, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(fields[i].object, object) == 0 && strcmp(fields[i].name, name) == 0)
            return &fields[i];
    return NULL;
}

static void check(const char *object, const cJSON *value, bool event)
{
    const cJSON *item, *element;
    if (!cJSON_IsObject(value))
        fail_msg("an object %s is none", object);
    cJSON_ArrayForEach(item, value)
    {
        field_t *field = find(object, item->string);
        if (event && (strcmp(item->string, "event") == 0 || strcmp(item->string, "time") == 0))
            continue;
        if (field == NULL)
            fail_msg("docs/trace.md does not tell of %s.%s", object, item->string);
        field->seen = true;
        if (field->type[0] != '\0' && cJSON_IsArray(item))
            cJSON_ArrayForEach(element, item) check(field->type, element, false);
        else if (field->type[0] != '\0')
            check(field->type, item, false);
    }
    for (int i = 0; i < count; i++)
        if (strcmp(fields[i].object, object) == 0 && !fields[i].optional &&
            cJSON_GetObjectItemCaseSensitive(value, fields[i].name) == NULL)
            fail_msg("%s has no %s, which docs/trace.md promises", object, fields[i].name);
}

void trace_schema_check(const cJSON *event)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(event, "event"));
    read_document();
    assert_non_null(name);
    assert_true(cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(event, "time")));
    check(name, event, true);
}

void trace_schema_check_lines(const char *text)
{
    char *copy = strdup(text), *rest = NULL;
    assert_non_null(copy);
    for (char *line = strtok_r(copy, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        cJSON *event = cJSON_Parse(line);
        if (event == NULL)
            fail_msg("this line of a trace is no event: %.200s", line);
        trace_schema_check(event);
        cJSON_Delete(event);
    }
    free(copy);
}

const char *trace_schema_unseen(void)
{
    static char name[2 * NAME_MAX_LENGTH];
    read_document();
    for (int i = 0; i < count; i++)
        if (!fields[i].seen) {
            snprintf(name, sizeof name, "%s.%s", fields[i].object, fields[i].name);
            return name;
        }
    return NULL;
}
