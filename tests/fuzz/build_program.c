/* SPDX-License-Identifier: BSD-3-Clause
 * A program as two executables. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/build_program.h"
#include "support/command.h"

enum { SECONDS = 300, FLAGS = 2000 };

verdict_t verdict_of(outcome_t outcome, const char *why)
{
    verdict_t verdict = {.outcome = outcome};
    size_t length = strcspn(why, "\n");
    snprintf(verdict.why, sizeof verdict.why, "%.*s", (int)(length < 390 ? length : 390), why);
    return verdict;
}

const char *line_with(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    while (at != NULL && at > text && at[-1] != '\n')
        at--;
    return at != NULL ? at : text;
}

/* The text of PATH has WORD in it. */
static bool has_word(const char *path, const char *word)
{
    char *text = read_file(path, NULL);
    bool found = text != NULL && strstr(text, word) != NULL;
    free(text);
    return found;
}

/* Compiles the program's other file, which is in the same one behind OTHER_FILE, by COMPILER; the
 * name of the object for the linker, "" where there is none. */
static const char *other_file(const char *dir, const char *path, const char *compiler)
{
    if (!has_word(path, "#ifdef OTHER_FILE"))
        return "";
    command_t command =
        command_shell(dir, SECONDS, "%s -w -DOTHER_FILE -c '%s' -o other.o", compiler, path);
    bool good = command.status == 0;
    command_free(&command);
    return good ? "other.o" : "other.c (it does not compile)";
}

/* One of the wrappers of the build. */
static const char *wrapper(const char *name)
{
    static char path[FLAGS];
    snprintf(path, sizeof path, "'%s/bin/%s'", build_dir(), name);
    return path;
}

/* -- by tcc */

/* What mpicc adds to a command, as the rewriter (includes) and tcc (links) take it. There are no
 * links where there is no tcc. */
static const struct flags {
    char includes[FLAGS], links[FLAGS];
} * flags(void)
{
    static struct flags of;
    static bool known;
    if (known)
        return &of;
    known = true;
    command_t look = command_shell(NULL, SECONDS, "command -v tcc >/dev/null");
    command_t command = command_shell(NULL, SECONDS, "'%s/bin/mpicc' -show", build_dir());
    bool has_tcc = look.status == 0;
    char *rest = NULL;
    for (char *word = command.status == 0 ? strtok_r(command.out, " \n", &rest) : NULL;
         word != NULL; word = strtok_r(NULL, " \n", &rest)) {
        char *to = strncmp(word, "-I", 2) == 0 ? of.includes : of.links;
        size_t length = strlen(to);
        if (strncmp(word, "-L", 2) == 0)
            snprintf(to + length, FLAGS - length, "'%s' '-Wl,-rpath=%s' ", word, word + 2);
        else if (strncmp(word, "-l", 2) == 0 || to == of.includes)
            snprintf(to + length, FLAGS - length, "'%s' ", word);
    }
    if (!has_tcc)
        of.links[0] = '\0';
    command_free(&look);
    command_free(&command);
    return &of;
}

/* tcc, with what it needs to compile a file. */
static const char *tcc(void)
{
    static char command[2 * FLAGS + 10];
    snprintf(command, sizeof command, "tcc %s", flags()->includes);
    return command;
}

static bool plain_by_tcc(const char *dir, const char *path)
{
    const struct flags *with = flags();
    if (with->links[0] == '\0')
        return false;
    command_t command = command_shell(dir, SECONDS, "%s -w '%s' %s -o plain %s -lm", tcc(), path,
                                      other_file(dir, path, tcc()), with->links);
    bool good = command.status == 0;
    command_free(&command);
    return good;
}

/* tcc knows no constructors: what the rewriter lets run before main is called there. */
static const char starter[] = "\n#undef main\nint main(int argc, char **argv)\n{\n    "
                              "xmpi_describe();\n    return its_main(argc, argv);\n}\n";

/* The text of the rewriter, adaptive.c, as a program; whether it is one. */
static bool adaptive_by_tcc(const char *dir, const char *path)
{
    const struct flags *with = flags();
    const char *b = build_dir();
    if (with->links[0] == '\0')
        return false;
    command_t command = command_shell(
        dir, SECONDS,
        "printf '%%s' '%s' >>adaptive.c && %s -w -Dmain=its_main '-I%s/include' adaptive.c %s -o "
        "adaptive '-L%s/lib' '-Wl,-rpath=%s/lib' -lxmpi %s -lm",
        starter, tcc(), b, other_file(dir, path, tcc()), b, b, with->links);
    bool good = command.status == 0;
    command_free(&command);
    return good;
}

/* -- */

verdict_t build_plain(const char *dir, const char *path, bool quickly)
{
    if (quickly && plain_by_tcc(dir, path))
        return verdict_of(SAME, "");
    command_t command = command_shell(dir, SECONDS, "'%s/bin/mpicc' -O0 -w '%s' %s -o plain -lm",
                                      build_dir(), path, other_file(dir, path, wrapper("mpicc")));
    verdict_t verdict =
        verdict_of(command.status == 0 ? SAME : BROKEN, line_with(command.err, "error"));
    command_free(&command);
    return verdict;
}

/* What says nothing of the clause but that it was not looked at. */
static const char unseen[] = ": warning: state(...): the program is too large";

/* By the compiler, on whatever rung it is. REFUSED: what the rewriter does not take; WARNED: where
 * it sees a clause that is likely to be wrong. */
static verdict_t build_as_it_is(const char *dir, const char *path)
{
    command_t command =
        command_shell(dir, SECONDS, "'%s/bin/xmpicc' -O0 -w '%s' %s -o adaptive -lm", build_dir(),
                      path, other_file(dir, path, wrapper("xmpicc")));
    const char *said = strstr(command.err, ": error:"),
               *warned = strstr(command.err, ": warning: state(...): ");
    const bool refused = said != NULL && strstr(said, "[xmpi-") != NULL;
    verdict_t verdict = verdict_of(SAME, "");
    if (command.status != 0)
        verdict = verdict_of(refused ? REFUSED : UNBUILT, line_with(command.err, "error"));
    else if (warned != NULL && strncmp(warned, unseen, sizeof unseen - 1) != 0)
        verdict = verdict_of(WARNED, line_with(command.err, ": warning: state(...): "));
    command_free(&command);
    return verdict;
}

/* What the rewriter says of the program, whose text is in adaptive.c then; REFUSED is also what is
 * not divisible. RESIZABLE: its state is found. */
static verdict_t rewrite(const char *dir, const char *path, bool *resizable)
{
    verdict_t verdict = verdict_of(SAME, "");
    const char *b = build_dir(), *name = strrchr(path, '/');
    command_t command =
        command_shell(dir, SECONDS,
                      "'%s/bin/xmpi-rewrite' --output=adaptive.c --name='%s' '%s' -- -isystem "
                      "'%s/include' %s",
                      b, name != NULL ? name + 1 : path, path, b, flags()->includes);
    const char *said = strstr(command.err, "[xmpi-"), *remark = strstr(command.err, ": remark: ");
    *resizable = strstr(command.err, ": remark: resizable") != NULL;
    if (strstr(command.err, ": error:") != NULL && said != NULL)
        verdict = verdict_of(REFUSED, line_with(command.err, ": error:"));
    else if (remark != NULL && strstr(remark, "not divisible: ") != NULL)
        verdict = verdict_of(REFUSED, line_with(command.err, "not divisible: "));
    else if (command.status != 0)
        verdict = verdict_of(UNBUILT, line_with(command.err, "error"));
    else if (said != NULL)
        verdict = verdict_of(WARNED, line_with(command.err, "[xmpi-"));
    command_free(&command);
    return verdict;
}

verdict_t build_adaptive(const char *dir, const char *path, const judgement_t *how)
{
    bool resizable = false;
    if (has_word(path, "#pragma xmpi loop movable") || has_word(path, "#pragma xmpi loop state("))
        return build_as_it_is(dir, path);
    verdict_t verdict = rewrite(dir, path, &resizable);
    if (resizable) /* it starts over, which is the compiler's and linker's matter, too */
        return build_as_it_is(dir, path);
    if (verdict.outcome == REFUSED || verdict.outcome == UNBUILT)
        return verdict;
    if (how->resizable)
        return verdict_of(REFUSED, "it is divisible [xmpi-divisible]");
    const bool alone =
        !has_word(path, "#ifdef OTHER_FILE"); /* else the linker's part is looked at */
    if (how->quickly && alone && adaptive_by_tcc(dir, path))
        return verdict;
    verdict_t built = build_as_it_is(dir, path);
    return built.outcome == SAME ? verdict : built;
}
