/* SPDX-License-Identifier: BSD-3-Clause
 * Installing: what a user finds under the prefix works from there, and uninstalling takes all away.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/command.h"

enum { SECONDS = 300 };

static char *dir;

static command_t shell(const char *line)
{
    return command_shell(dir, SECONDS,
                         "PATH=\"$PWD/prefix dir/bin:$PATH\" XDG_RUNTIME_DIR=\"$PWD\" "
                         "S='%s' B='%s'; export PATH XDG_RUNTIME_DIR; unset C_INCLUDE_PATH; %s",
                         source_dir(), build_dir(), line);
}

static void expect(const char *line, int status, const char *words)
{
    command_t command = shell(line);
    if (command.status != status ||
        (strstr(command.out, words) == NULL && strstr(command.err, words) == NULL))
        fail_msg("%s: status %d\n%s%s", line, command.status, command.out, command.err);
    command_free(&command);
}

static int install(void **state)
{
    (void)state;
    dir = scratch_make();
    command_t made = shell("make -C \"$S\" install PREFIX=\"$PWD/prefix\" && "
                           "mv prefix 'prefix dir'"); /* it may be moved: no path is built in */
    int status = made.status;
    if (status != 0)
        fprintf(stderr, "%s%s", made.out, made.err);
    command_free(&made);
    return status;
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static void installed_commands_compile_and_run(void **state)
{
    (void)state;
    expect("xmpicc -O1 \"$S\"/tests/control/programs/patient.c -o patient", 0, "");
    expect("(until grep -qs interval t; do sleep 0.05; done; touch stop) & xmpirun -n 2 --trace t "
           "./patient",
           0, "right\n");
    expect("xmpi-report t", 0, "t.html");
    expect("xmpi-info", 0, "backends     spawn, pool");
    expect("xmpictl list", 0, "policy");
}

/* The MPI's commands are beside ours, and are found as they would be by their own names. */
static void the_mpi_is_in_the_prefix(void **state)
{
    (void)state;
    expect("for c in mpicc mpiexec; do command -v $c; done | grep -c '/prefix dir/bin/'", 0, "2\n");
    expect("mpicc -O1 \"$S\"/tests/control/programs/patient.c -w "
           "-I\"$PWD/prefix dir/include\" -o plain && touch stop && mpiexec -n 2 ./plain",
           0, "right\n");
    expect("mkdir -p first && ln -sfn \"$PWD/prefix dir/bin/xmpicc\" first/mpicc && "
           "PATH=\"$PWD/first:$PATH\" "
           "mpicc -O1 \"$S\"/tests/control/programs/patient.c -o linked && nm linked | grep -c "
           "'U xmpi_gen_program'",
           0, "1\n");
}

/* Those of the other languages that the MPI has, too: C++ always, Fortran where there was a
 * compiler. */
static void other_languages_of_the_mpi_are_in_the_prefix(void **state)
{
    (void)state;
    expect("ls \"$(dirname \"$(readlink -f \"$B/bin/mpicc\")\")\" | grep -E "
           "'^mpi(cc|cxx|c\\+\\+|fort|f77|f90)$' | while read -r c; do command -v $c; done | "
           "grep -vc '/prefix dir/bin/'",
           1, "0\n");
    command_t command = shell("ls 'prefix dir/bin' | grep -cE '^mpi(cxx|fort)$'");
    int languages = atoi(command.out);
    command_free(&command);
    if (languages < 2)
        skip();
    expect("echo '#include <mpi.h>\n#include <iostream>\nint main(int c, char **v) { MPI_Init(&c, "
           "&v); "
           "std::cout << \"ran \"; MPI_Finalize(); }' >p.cc && "
           "mpicxx p.cc -o p && mpiexec -n 2 ./p",
           0, "ran ran ");
    expect("printf '%s\\n' 'program p' 'use mpi' 'integer e' 'call mpi_init(e)' 'print *, \"ran\"' "
           "'call mpi_finalize(e)' 'end program' >p.f90 && mpifort p.f90 -o p && mpiexec -n 2 ./p",
           0, " ran\n ran\n");
}

/* ccache knows a compiler by its file. */
static void the_compiler_is_another_one_with_another_rewriter(void **state)
{
    (void)state;
    expect("grep -c \"$(sha256sum <\"$B/bin/xmpi-rewrite\" | cut -c 1-64)\" \"$B/bin/xmpicc\"", 0,
           "1\n");
}

/* What mpicc makes of an object of xmpicc's: undefined names, one of which says what to do. */
static void a_wrong_link_says_what_is_right(void **state)
{
    (void)state;
    expect("xmpicc -O1 -c \"$S\"/tests/control/programs/patient.c -o patient.o && mpicc patient.o "
           "-o p",
           1, "xmpi_gen_link_this_with_xmpicc");
}

/* C that gcc takes, with a warning: implicit declarations, pointers and integers as one. */
static void what_the_compiler_takes_is_rewritten(void **state)
{
    (void)state;
    expect("(echo 'old() { return undeclared(1); }'; echo 'long number(char *p) { return p; }'; "
           "echo 'char *pointer(long n) { return n; }'; "
           "cat \"$S\"/tests/control/programs/patient.c; "
           "echo 'undeclared(n) int n; { return n; }') >gnu.c && xmpicc -std=gnu99 -w -O1 gnu.c -o "
           "gnu && touch "
           "stop && mpiexec -n 1 ./gnu",
           0, "right\n");
    /* A function within a function that computes from its parameters alone. */
    expect("cd \"$S\"/tests/install && xmpicc -O1 inner.c -o \"$OLDPWD\"/inner -lm && cd - && "
           "for seed in 1 2; do XMPI_POLICY=random XMPI_INTERVAL=5 XMPI_MAX=4 XMPI_SEED=$seed "
           "XMPI_TRACE=inner.trace mpiexec -n 2 ./inner && grep -q '\"outcome\":\"done\"' "
           "inner.trace || exit; done",
           0, "9950 3\n9950 3\n");
}

static void every_command_has_help_and_a_man_page(void **state)
{
    (void)state;
    expect("for c in 'prefix dir'/bin/xmpi*; do n=$(basename \"$c\"); "
           "[ $n = xmpi-rewrite ] && continue; \"$c\" --help >help 2>&1 || exit; "
           "grep -q . help || exit; v=--version; case $n in xmpicxx|xmpifort) v=--xmpi-version;; "
           "esac; "
           "\"$c\" $v >/dev/null 2>why || grep -q 'the MPI in use was built without' why || exit; "
           "grep -q NAME \"prefix dir/share/man/man1/$n.1\" || exit; done; echo all",
           0, "all\n");
    expect("xmpi-info --frob", 2, "--frob");
    expect("xmpi-info word", 2, "one word too many");
    expect("XMPI_MAX=many xmpi-info --settings", 2, "XMPI_MAX=many");
    expect("XMPI_MAX=7 xmpi-info --settings | grep XMPI_MAX", 0, "environment");
}

static void settings_page_is_up_to_date(void **state)
{
    (void)state;
    expect("xmpi-info --settings-page | diff - \"$S\"/docs/settings.md", 0, "");
}

static void other_builds_find_it(void **state)
{
    (void)state;
    expect("export PKG_CONFIG_PATH=\"$PWD/prefix dir/lib/pkgconfig\"; pkg-config --modversion xmpi",
           0, "0.1");
    expect("mkdir -p cm && cd cm && cp \"$S\"/tests/mpi/programs/flex_static.c . && "
           "printf '%s\\n' 'cmake_minimum_required(VERSION 3.20)' 'project(p C)' "
           "'find_package(XMPI 0.1 REQUIRED)' 'add_executable(p flex_static.c)' "
           "'target_link_libraries(p XMPI::xmpi)' >CMakeLists.txt && "
           "cmake -DCMAKE_C_COMPILER=\"$B/bin/mpicc\" -DCMAKE_PREFIX_PATH=\"$PWD/../prefix dir\" . "
           "&& cmake --build . && test -x p",
           0, "");
}

static void completion_knows_options_and_commands(void **state)
{
    (void)state;
    expect("bash -c '. \"prefix dir/share/bash-completion/completions/xmpirun\"; "
           "COMP_WORDS=(xmpirun --pol); COMP_CWORD=1; _xmpi_complete xmpirun; "
           "echo ${COMPREPLY[@]}; COMP_WORDS=(xmpictl sh); _xmpictl_complete; "
           "echo ${COMPREPLY[@]}' 2>/dev/null",
           0, "--policy=\nshrink\n");
}

/* A program that knows nothing of XMPI is watched, and its result is what it was. */
static void binaries_are_watched_by_preloading(void **state)
{
    (void)state;
    expect("printf '%s\\n' '#include <mpi.h>' '#include <stdio.h>' "
           "'int main(int c, char **v) { int r, s = 1, t; MPI_Init(&c, &v);' "
           "'MPI_Comm_rank(MPI_COMM_WORLD, &r);' "
           "'for (int i = 0; i < 100; i++) MPI_Allreduce(&s, &t, 1, MPI_INT, MPI_SUM, "
           "MPI_COMM_WORLD);' "
           "'if (!r) printf(\"sum %d\\n\", t); MPI_Finalize(); return 0; }' >plain.c && "
           "\"$B\"/bin/mpicc plain.c -o plain && "
           "cp 'prefix dir/lib/libxmpi.so' . && " /* a space would end the name in LD_PRELOAD */
           "\"$B\"/bin/mpiexec -n 3 -env LD_PRELOAD \"$PWD/libxmpi.so\" "
           "-env XMPI_TRACE watched ./plain",
           0, "sum 3\n");
    expect("grep -c '\"calls\":100' watched", 0, "1\n");
    expect("grep -o '\"process\":[0-9]*' watched | sort -u | wc -l", 0, "3\n");
    expect("xmpi-report watched", 0, "watched.html");
}

static void uninstalling_leaves_nothing(void **state)
{
    (void)state;
    expect("mv 'prefix dir' prefix && make -C \"$S\" uninstall PREFIX=\"$PWD/prefix\" && "
           "find prefix | wc -l",
           0, "\n0\n");
    expect("mkdir -p shared/bin && make -C \"$S\" install uninstall PREFIX=\"$PWD/shared\" && "
           "find shared",
           0, "\nshared\nshared/bin\n"); /* what was there before stays */
    expect("make -C \"$S\" --no-print-directory uninstall PREFIX=\"$PWD/none\" 2>&1 | wc -l", 0,
           "0\n");
    expect("make -C \"$S\" uninstall PREFIX=none 2>&1", 2, "PREFIX=none has to begin with /");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(installed_commands_compile_and_run),
        cmocka_unit_test(the_mpi_is_in_the_prefix),
        cmocka_unit_test(other_languages_of_the_mpi_are_in_the_prefix),
        cmocka_unit_test(the_compiler_is_another_one_with_another_rewriter),
        cmocka_unit_test(a_wrong_link_says_what_is_right),
        cmocka_unit_test(what_the_compiler_takes_is_rewritten),
        cmocka_unit_test(every_command_has_help_and_a_man_page),
        cmocka_unit_test(settings_page_is_up_to_date),
        cmocka_unit_test(other_builds_find_it),
        cmocka_unit_test(completion_knows_options_and_commands),
        cmocka_unit_test(binaries_are_watched_by_preloading),
        cmocka_unit_test(uninstalling_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, install, clean);
}
