/* SPDX-License-Identifier: BSD-3-Clause
 * Looking for XMPI in what is to be compiled. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/base/file.h"
#include "driver/linking/archive.h"
#include "driver/linking/record.h"
#include "includes.h"
#include "inputs.h"
#include "driver/base/message.h"

/* Reads standard input to its end and puts a copy in its place. */
static char *read_standard_input(memory_t *memory, size_t *length)
{
    char *text = file_read_all(memory, STDIN_FILENO, length);
    int fd = memfd_create("stdin", 0);
    if (text == NULL || fd < 0)
        return NULL;
    for (size_t done = 0; done < *length;) {
        ssize_t put = write(fd, text + done, *length - done);
        if (put < 0 && errno != EINTR)
            return NULL;
        done += put > 0 ? (size_t)put : 0;
    }
    lseek(fd, 0, SEEK_SET);
    dup2(fd, STDIN_FILENO);
    close(fd);
    return text;
}

static bool is_read(const driver_t *driver, const input_t *input)
{
    if (input->language != LANGUAGE_C && input->language != LANGUAGE_CXX &&
        input->language != LANGUAGE_PREPROCESSED && input->language != LANGUAGE_FORTRAN)
        return false;
    return strcmp(input->path, "-") != 0 || driver->invocation.goal < GOAL_PREPROCESS;
}

static int refuse(const input_t *input)
{
    const char *kind = "preprocessed text", *remedy = "compile the C file itself";
    if (strcmp(input->path, "-") == 0)
        kind = "a source on standard input";
    return complain("%s: #pragma xmpi in %s is not supported: %s, or use --xmpi-link-only",
                    strcmp(input->path, "-") == 0 ? "<stdin>" : input->path, kind, remedy);
}

/* What becomes a part of the program, an object or an archive, tells in PART what loops it has; a
 * shared library, and our own archive, which has what they call, do not. */
static void look_into_file(const driver_t *driver, const char *path, input_t *part)
{
    static const char archive[] = "!<arch>", bitcode[] = "BC\xc0\xde", elf[] = "\177ELF";
    enum { ELF_TYPE = 16, ELF_RELOCATABLE = 1 };
    size_t length;
    const char *content = file_read(driver->memory, path, &length);
    if (content == NULL || strcmp(path_base(path), "libxmpi.a") == 0)
        return;
    bool object = length > ELF_TYPE && strncmp(content, elf, strlen(elf)) == 0 &&
                  content[ELF_TYPE] == ELF_RELOCATABLE;
    if (!object && strncmp(content, archive, strlen(archive)) != 0 &&
        strncmp(content, bitcode, strlen(bitcode)) != 0)
        return;
    part->moves |= source_may_move(content, length);
    part->divides |= source_may_divide(content, length);
    part->relies |= source_may_rely(content, length);
    part->open |= record_is_open(content, length);
}

static void look_into_part(const driver_t *driver, const char *path, input_t *part)
{
    const words_t members = archive_thin_members(driver->memory, path);
    for (size_t i = 0; i < members.count; i++)
        look_into_file(driver, members.items[i], part);
    if (members.count == 0)
        look_into_file(driver, path, part);
}

/* The archive that -lNAME stands for, in the first folder of the user's that has such a library;
 * NULL: none. */
static const char *archive_of(const driver_t *driver, const char *name)
{
    const char *folder;
    for (size_t at = 0;
         (folder = parse_next_value(&driver->invocation, ROLE_LIBRARY_FOLDER, &at)) != NULL;) {
        const char *path = name[0] == ':'
                               ? memory_format(driver->memory, "%s/%s", folder, name + 1)
                               : memory_format(driver->memory, "%s/lib%s.a", folder, name);
        const char *shared = memory_format(driver->memory, "%s/lib%s.so", folder, name);
        if (!driver->invocation.static_libraries && file_is_regular(shared))
            return NULL;
        if (file_is_regular(path))
            return path;
    }
    return NULL;
}

static void look_into_libraries(driver_t *driver)
{
    invocation_t *invocation = &driver->invocation;
    const char *name, *path;
    invocation->archives = words_new(driver->memory);
    if (invocation->goal != GOAL_LINK)
        return;
    for (size_t at = 0; (name = parse_next_value(invocation, ROLE_LIBRARY, &at)) != NULL;)
        if ((path = archive_of(driver, name)) != NULL) {
            input_t part = {0};
            look_into_part(driver, path, &part);
            invocation->library_moves |= part.moves;
            invocation->library_divides |= part.divides;
            invocation->library_relies |= part.relies;
            invocation->library_open |= part.open;
            words_add(&invocation->archives, path);
        }
}

/* Of C, the rewriter says what is wrong with a pragma there. */
static int look_into_includes(const driver_t *driver, input_t *input, const char *text)
{
    bool cxx = input->language == LANGUAGE_CXX;
    if ((input->has_pragma && !cxx) || !includes_have_pragma(driver, input, text))
        return 0;
    if (cxx)
        return complain(
            "%s: a file that it includes has #pragma xmpi, which only a source can have: "
            "call XMPI_Point there (#include <xmpi.h>)",
            input->path);
    input->has_pragma = true;
    return 0;
}

/* Compilers leave out pragmas that they do not know, and the program would do nothing of its own.
 */
static void warn_of_pragma(const input_t *input, const char *text, size_t length)
{
    const misspelt_t found = source_misspelt_pragma(text, length);
    if (found.word != NULL)
        fprintf(stderr,
                "%s:%d: warning: unknown pragma '%.*s': did you mean '#pragma xmpi %s'? "
                "[xmpi-pragma-name]\n",
                input->path, found.line, (int)found.length, found.word, found.directive);
}

static int look_into(driver_t *driver, input_t *input)
{
    size_t length;
    if (!is_read(driver, input)) {
        if (driver->invocation.goal == GOAL_LINK && input->language == LANGUAGE_NONE)
            look_into_part(driver, input->path, input);
        return 0;
    }
    bool standard = strcmp(input->path, "-") == 0;
    const char *text = standard ? read_standard_input(driver->memory, &length)
                                : file_read(driver->memory, input->path, &length);
    if (text == NULL)
        return standard ? complain("cannot read standard input: %s", strerror(errno)) : 0;
    input->mentions_xmpi = source_mentions_xmpi(text, length);
    input->moves = source_may_move(text, length);
    input->divides = source_may_divide(text, length);
    if (driver->settings.link_only || driver->invocation.goal >= GOAL_PREPROCESS)
        return 0;
    if (input->language == LANGUAGE_FORTRAN)
        return 0;
    if ((input->language != LANGUAGE_C && input->language != LANGUAGE_CXX) || standard)
        return source_has_pragma_line(text) ? refuse(input) : 0;
    input->has_pragma = source_may_have_pragma(text, length);
    warn_of_pragma(input, text, length);
    return look_into_includes(driver, input, text);
}

/* Who asks for a report and hears nothing does not know why. */
static void report_plain(const driver_t *driver)
{
    const invocation_t *invocation = &driver->invocation;
    for (size_t i = 0; i < invocation->input_count && driver->settings.report; i++)
        if (invocation->inputs[i].language == LANGUAGE_C && !invocation->inputs[i].has_pragma)
            fprintf(stderr, "%s: remark: no #pragma xmpi: compiled as it is\n",
                    invocation->inputs[i].path);
}

int inputs_look_into(driver_t *driver, size_t *rewritten)
{
    *rewritten = 0;
    for (size_t i = 0; i < driver->invocation.input_count; i++) {
        int status = look_into(driver, &driver->invocation.inputs[i]);
        if (status != 0)
            return status;
        *rewritten += driver->invocation.inputs[i].has_pragma;
    }
    look_into_libraries(driver);
    report_plain(driver);
    if (*rewritten > 1 && driver->settings.report_file != NULL)
        return complain("--xmpi-report=%s is for one source, but the command compiles %zu with "
                        "#pragma xmpi: compile them one by one",
                        driver->settings.report_file, *rewritten);
    return 0;
}
