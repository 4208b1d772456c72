/* SPDX-License-Identifier: BSD-3-Clause
 * An installation of xmpicc in a scratch folder: the real driver and the real mpicc, with a
 * rewriter and a runtime made of a few lines, so that the driver is tested without the rest of
 * XMPI. */
#ifndef XMPI_TESTS_FIXTURE_H
#define XMPI_TESTS_FIXTURE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/command.h"

typedef struct {
    char *root;     /* all of it */
    char *work;     /* where commands run */
    char *prologue; /* what the shell knows: $X xmpicc, $M mpicc, $P the prefix, $F fake tools */
} fixture_t;

/* Blanks the pragmas, as the rewriter does, and leaves a mark in the object. A source that says
 * REFUSE is refused, one that says CRASH is the end of the rewriter. */
static const char fake_rewriter[] =
    "#!/bin/sh\n"
    "[ -z \"$REWRITE_LOG\" ] || printf '%s\\n' \"$@\" >>\"$REWRITE_LOG\"\n"
    "for word; do\n"
    "    case $word in\n"
    "    --output=*) out=${word#*=} ;;\n"
    "    --name=*) name=${word#*=} ;;\n"
    "    --readable) readable=yes ;;\n"
    "    --report) echo \"$name:1:1: remark: found a loop\" >&2 ;;\n"
    "    --report=*) echo '{}' >\"${word#*=}\" ;;\n"
    "    --) break ;;\n"
    "    *) source=$word ;;\n"
    "    esac\n"
    "done\n"
    "if grep -q REFUSE \"$source\"; then\n"
    "    echo \"$name:3:9: error: no such variable [xmpi-unknown-variable]\" >&2; exit 1\n"
    "fi\n"
    "if grep -q CRASH \"$source\"; then kill -SEGV $$; fi\n"
    "{ echo '#include <xmpi_gen.h>'\n"
    "  [ -n \"$readable\" ] || printf '#line 1 \"%s\"\\n' \"$name\"\n"
    "  sed 's/^[ \\t]*#[ \\t]*pragma xmpi.*//' \"$source\"\n"
    "  echo 'int xmpi_rewritten(void);'\n"
    "  echo 'int xmpi_rewritten(void) { return xmpi_gen_marker; }'; } >\"$out\"\n";

/* Prints its arguments one per line; knows -show as far as the driver needs it. */
static const char fake_mpicc[] =
    "#!/bin/sh\n"
    "if [ \"$1\" = -show ]; then\n"
    "    shift; echo fakecc \"$@\" -I/mpi/include -DMPI_FLAG=1; exit 0\n"
    "fi\n"
    "printf '%s\\n' \"$@\"\n"
    "exit ${FAKE_STATUS:-0}\n";

/* Its MPI_Init says that it was called: it stands before the MPI library. */
static const char fake_runtime[] = "#include <stdio.h>\n"
                                   "int PMPI_Init(int *argc, char ***argv);\n"
                                   "int MPI_Init(int *argc, char ***argv);\n"
                                   "int xmpi_gen_marker = 7;\n"
                                   "int MPI_Init(int *argc, char ***argv)\n"
                                   "{ puts(\"runtime\"); return PMPI_Init(argc, argv); }\n";

static const char plain_source[] = "#include <mpi.h>\n"
                                   "#include <stdio.h>\n"
                                   "#include \"local.h\"\n"
                                   "int main(int argc, char **argv)\n"
                                   "{\n"
                                   "    MPI_Init(&argc, &argv);\n"
                                   "    printf(\"%d %s\\n\", local(20), __FILE__);\n"
                                   "    MPI_Finalize();\n"
                                   "    return 0;\n"
                                   "}\n";

static const char adaptive_source[] = "#include <mpi.h>\n"
                                      "#include <stdio.h>\n"
                                      "#include \"local.h\"\n"
                                      "int main(int argc, char **argv)\n"
                                      "{\n"
                                      "    MPI_Init(&argc, &argv);\n"
                                      "#pragma xmpi loop\n"
                                      "    for (int i = 0; i < 1; i++)\n"
                                      "        printf(\"%d %s\\n\", local(20), __FILE__);\n"
                                      "    MPI_Finalize();\n"
                                      "    return 0;\n"
                                      "}\n";

static const char local_header[] = "#ifndef ADD\n#define ADD 1\n#endif\n"
                                   "static inline int local(int x)\n{\n    return x + ADD;\n}\n";

/* Runs a shell line in the work folder. */
static inline command_t sh(const fixture_t *fixture, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static inline command_t sh(const fixture_t *fixture, const char *format, ...)
{
    char *line;
    va_list arguments;
    va_start(arguments, format);
    assert_true(vasprintf(&line, format, arguments) >= 0);
    va_end(arguments);
    command_t command = command_shell(fixture->work, 300, "%s%s", fixture->prologue, line);
    free(line);
    return command;
}

/* Runs a shell line that must succeed. */
#define sh_good(...) sh_check(0, __LINE__, sh(__VA_ARGS__))

/* Runs a shell line that must end with this status. */
#define sh_fails(status, ...) sh_check(status, __LINE__, sh(__VA_ARGS__))

static inline void sh_check(int status, int line, command_t command)
{
    if (command.status != status)
        print_error("line %d: exit status %d, not %d\n%s%s", line, command.status, status,
                    command.out, command.err);
    assert_int_equal(command.status, status);
    command_free(&command);
}

/* The output of a shell line that must succeed; free it. */
static inline char *sh_output(command_t command)
{
    if (command.status != 0)
        print_error("%s%s", command.out, command.err);
    assert_int_equal(command.status, 0);
    free(command.err);
    return command.out;
}

static inline void put(const fixture_t *fixture, const char *name, const char *text)
{
    char *path;
    assert_true(asprintf(&path, "%s/%s", fixture->work, name) >= 0);
    write_file(path, text);
    free(path);
}

static inline int fixture_make_in(void **state, const char *prefix_name)
{
    fixture_t *fixture = calloc(1, sizeof *fixture);
    *state = fixture;
    fixture->root = scratch_make();
    assert_true(asprintf(&fixture->work, "%s/place", fixture->root) >= 0);
    assert_int_equal(mkdir(fixture->work, 0755), 0);
    assert_true(
        asprintf(&fixture->prologue,
                 "unset XMPICC XMPICC_FLAGS XMPI_MPICC XMPI_MPICXX XMPI_MPIFORT XMPI_REWRITE MPICH_CC MPICC_PROFILE "
                 "REWRITE_LOG C_INCLUDE_PATH; R='%s' P='%s/%s' F='%s/fake' M='%s/bin/mpicc'; "
                 "X=$P/bin/xmpicc; export TMPDIR=$R/tmp LC_ALL=C; ",
                 fixture->root, fixture->root, prefix_name, fixture->root, build_dir()) >= 0);
    put(fixture, "../rewrite", fake_rewriter);
    put(fixture, "../mpicc", fake_mpicc);
    put(fixture, "../runtime.c", fake_runtime);
    put(fixture, "plain.c", plain_source);
    put(fixture, "adaptive.c", adaptive_source);
    put(fixture, "local.h", local_header);
    sh_good(fixture,
            "mkdir -p \"$P/bin\" \"$P/lib\" \"$P/include\" $F $R/tmp && "
            "cp %s/bin/xmpicc \"$P/bin\" && ln -s $M \"$P/bin/mpicc\" && "
            "mv ../rewrite \"$P/bin/xmpi-rewrite\" && mv ../mpicc $F/mpicc && "
            "chmod +x \"$P/bin/xmpi-rewrite\" $F/mpicc && "
            "echo 'extern int xmpi_gen_marker;' | tee \"$P/include/xmpi_gen.h\" "
            ">\"$P/include/xmpi.h\" && "
            "$M -shared -fPIC ../runtime.c -o \"$P/lib/libxmpi.so\"",
            build_dir());
    return 0;
}

static inline int fixture_make(void **state)
{
    return fixture_make_in(state, "prefix");
}

static inline int fixture_remove(void **state)
{
    fixture_t *fixture = *state;
    scratch_remove(fixture->root);
    free(fixture->work);
    free(fixture->prologue);
    free(fixture);
    return 0;
}

/* Nothing is left of a command in the folder for temporary files. */
#define assert_no_leftovers(fixture) sh_good(fixture, "test -z \"$(ls -A $TMPDIR)\"")

#endif
