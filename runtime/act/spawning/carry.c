/* SPDX-License-Identifier: BSD-3-Clause
 * Carry: what a new process starts with. */
#define _GNU_SOURCE
#include "act/spawning/carry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Hydra 4.0 takes lines of 1023 bytes, and a whole request of 64 KiB. */
enum { PIECE = 800, MOST = 20000, NAME_ROOM = 40, PATH_MOST = 900 };

static void name_of(int i, char name[NAME_ROOM])
{
    snprintf(name, NAME_ROOM, "XMPI_CARRIED_%d", i);
}

/* --- sending ------------------------------------------------------------------------------------
 */

static int count(char *const *texts)
{
    int n = 0;
    while (texts != NULL && texts[n] != NULL)
        n++;
    return n;
}

static void put(FILE *stream, char *const *texts)
{
    for (int i = 0; i < count(texts); i++)
        fprintf(stream, "%s%c", texts[i], 0);
}

/* Texts, each with its NUL: umask, folder, number of variables and these, and the arguments from
 * the name of the program on. */
static char *gather(const xmpi_command_line_t *command, size_t *size)
{
    char *bytes = NULL;
    FILE *stream = open_memstream(&bytes, size);
    if (stream == NULL)
        return NULL;
    fprintf(stream, "%o%c%s%c%d%c", command->mask, 0, command->folder, 0, count(command->variable),
            0);
    put(stream, command->variable);
    fprintf(stream, "%s%c", command->name != NULL ? command->name : command->program, 0);
    put(stream, command->argument);
    return fclose(stream) == 0 ? bytes : NULL;
}

static char *variable_of(int i, const unsigned char *bytes, size_t n)
{
    char name[NAME_ROOM], *text = malloc(NAME_ROOM + 2 * n + 2);
    name_of(i, name);
    if (text == NULL)
        return NULL;
    char *at = text + sprintf(text, "%s=", name);
    for (size_t k = 0; k < n; k++)
        at += sprintf(at, "%02x", bytes[k]);
    return text;
}

static xmpi_status_t divide(const char *bytes, size_t size, xmpi_carry_t *carry)
{
    size_t piece = PIECE / 2;
    carry->variable = calloc(size / piece + 2, sizeof *carry->variable);
    for (size_t at = 0; at < size && carry->variable != NULL; at += piece) {
        size_t n = size - at < piece ? size - at : piece;
        char *made = variable_of(carry->n, (const unsigned char *)bytes + at, n);
        if (made == NULL)
            return XMPI_ERR_MEMORY;
        carry->variable[carry->n++] = made;
    }
    return carry->variable != NULL ? XMPI_OK : XMPI_ERR_MEMORY;
}

/* The program itself is named to the process manager as it is. */
static xmpi_status_t check_program(const char *program, xmpi_error_t *error)
{
    if (strlen(program) > PATH_MOST)
        return xmpi_error_set(error, XMPI_ERR_PROCESS,
                              "the path of the program has %zu characters, of which a process "
                              "manager takes %d",
                              strlen(program), PATH_MOST);
    if (strchr(program, '\n') != NULL)
        return xmpi_error_set(error, XMPI_ERR_PROCESS,
                              "the path of the program has a line break, which a process manager "
                              "does not pass on");
    return XMPI_OK;
}

xmpi_status_t xmpi_carry_make(const xmpi_command_line_t *command, xmpi_carry_t *carry,
                              xmpi_error_t *error)
{
    size_t size = 0;
    *carry = (xmpi_carry_t){0};
    xmpi_status_t status = check_program(command->program, error);
    if (status != XMPI_OK)
        return status;
    char *bytes = gather(command, &size);
    if (bytes != NULL && size > MOST) {
        free(bytes);
        return xmpi_error_set(error, XMPI_ERR_PROCESS,
                              "arguments, folder and variables (mpiexec -env) of the program have "
                              "%zu bytes, of which "
                              "a process manager takes %d",
                              size, MOST);
    }
    status = bytes != NULL ? divide(bytes, size, carry) : XMPI_ERR_MEMORY;
    free(bytes);
    if (status != XMPI_OK) {
        xmpi_carry_free(carry);
        xmpi_error_set(error, status, "no memory to spawn a process");
    }
    return status;
}

void xmpi_carry_free(xmpi_carry_t *carry)
{
    for (int i = 0; i < carry->n; i++)
        free(carry->variable[i]);
    free(carry->variable);
    *carry = (xmpi_carry_t){0};
}

/* --- receiving ----------------------------------------------------------------------------------
 */

/* Takes the bytes out of the environment; NULL when there are none. */
static char *take(size_t *size)
{
    char name[NAME_ROOM], *bytes = NULL;
    const char *digits;
    *size = 0;
    for (int i = 0; name_of(i, name), (digits = getenv(name)) != NULL; i++) {
        char *grown = realloc(bytes, *size + strlen(digits) / 2 + 1);
        unsigned byte;
        if (grown == NULL)
            break;
        bytes = grown;
        for (; sscanf(digits, "%2x", &byte) == 1; digits += 2)
            bytes[(*size)++] = (char)byte;
        unsetenv(name);
    }
    return bytes;
}

/* The texts behind one another; NULL-terminated. */
static char **split(char *bytes, size_t size)
{
    int n = 0;
    for (size_t i = 0; i < size; i++)
        n += bytes[i] == '\0';
    char **text = calloc((size_t)n + 1, sizeof *text);
    for (int i = 0; i < n && text != NULL; i++, bytes += strlen(bytes) + 1)
        text[i] = bytes;
    return text;
}

static _Noreturn void give_up(const char *what, const char *name)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    fprintf(stderr, "xmpi: a new process on %s cannot %s %s: %s; it does not join\n", host, what,
            name, strerror(errno));
    _exit(0);
}

void xmpi_carry_receive(void)
{
    enum { MASK, FOLDER, VARIABLES, FIRST };
    size_t size;
    char *bytes = take(&size);
    char **text = bytes != NULL ? split(bytes, size) : NULL;
    int all = count(text), variables = all > FIRST ? atoi(text[VARIABLES]) : -1;
    if (variables < 0 || variables >= all - FIRST)
        return;
    for (int i = 0; i < variables; i++)
        putenv(text[FIRST + i]);
    char **argument = text + FIRST + variables;
    umask((mode_t)strtol(text[MASK], NULL, 8));
    if (text[FOLDER][0] != '\0' && chdir(text[FOLDER]) != 0)
        give_up("go to the folder", text[FOLDER]);
    execv("/proc/self/exe", argument);
    give_up("start", argument[0]);
}
