/* SPDX-License-Identifier: BSD-3-Clause
 * make deps builds MPICH once for each configuration: with C++ always, with Fortran where there is
 * a compiler. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/command.h"

/* In MPICH's place: a configure that leaves its options in what is installed. */
static const char fetch[] =
    "#!/bin/sh\n"
    "cat >\"$1/configure\" <<'END'\n"
    "echo \"$@\" >options\n"
    "prefix=${1#--prefix=}\n"
    "printf 'all:\\n\\t@echo \"  CC       mpi.lo\"\\ninstall: all\\n\\tmkdir -p "
    "%s/bin && cp options mpicc %s/bin\\n' \"$prefix\" \"$prefix\" >Makefile\n"
    "echo 'argno=`expr $argno + 1`' >mpicc\n"
    "END\n";

static char *dir;

/* deps/build-mpich where gfortran is, or is not, must succeed and say WORDS, or nothing. */
static void expect_build(const char *path, const char *words)
{
    command_t command =
        command_shell(dir, 60, "PATH=\"$PWD/%s\" deps/build-mpich \"$PWD/mpich\"", path);
    if (command.status != 0 ||
        (*words == '\0' ? command.out[0] != '\0' : strstr(command.out, words) == NULL))
        fail_msg("status %d\n%s%s", command.status, command.out, command.err);
    command_free(&command);
}

static void expect_options(const char *word)
{
    command_t command = command_shell(dir, 60, "grep -e '%s' mpich/bin/options", word);
    assert_int_equal(command.status, 0);
    command_free(&command);
}

static int make(void **state)
{
    (void)state;
    dir = scratch_make();
    command_t command = command_shell(dir, 60,
                                      "mkdir deps with without && cp '%s/deps/build-mpich' deps && "
                                      "for t in sh mkdir flock mktemp rm cat readlink dirname gcc "
                                      "chmod make grep sed nproc awk touch cp mv; do "
                                      "    ln -s \"$(command -v $t)\" without/$t && ln -s "
                                      "\"$(command -v $t)\" with/$t || exit; done; "
                                      "ln -s \"$(command -v cat)\" with/gfortran",
                                      source_dir());
    int status = command.status;
    command_free(&command);
    char *path = NULL;
    assert_true(asprintf(&path, "%s/deps/fetch-mpich", dir) > 0);
    write_file(path, fetch);
    free(path);
    command = command_shell(dir, 60, "chmod +x deps/fetch-mpich");
    command_free(&command);
    return status;
}

static int clean(void **state)
{
    (void)state;
    scratch_remove(dir);
    return 0;
}

static void it_is_built_once(void **state)
{
    (void)state;
    expect_build("without", "building MPICH into");
    expect_options("--enable-cxx.*--disable-fortran");
    expect_build("without", "");
}

static void it_is_built_again_where_a_language_has_come(void **state)
{
    (void)state;
    expect_build("with", "was configured otherwise than now: it is built anew");
    expect_options("--enable-cxx.*--enable-fortran=all");
    expect_build("with", "");
    expect_build("without", ""); /* its compiler has gone: nothing would be won */
    expect_options("--enable-fortran=all");
}

/* As those before C++ and Fortran were: nothing tells what they are. */
static void one_of_unknown_configuration_is_built_again(void **state)
{
    (void)state;
    command_t command = command_shell(dir, 60, ": >mpich/.complete; : >mpich/bin/options");
    command_free(&command);
    expect_build("with", "it is built anew");
    expect_options("--enable-cxx");
}

/* One command for each argument would take longer than what it compiles; one that is there already
 * is mended, too. */
static void its_wrappers_start_no_commands_to_count(void **state)
{
    (void)state;
    const char *counts = "! grep expr mpich/bin/mpicc && [ \"$(argno=4; . mpich/bin/mpicc; "
                         "echo $argno)\" = 5 ]";
    command_t command = command_shell(dir, 60, "%s", counts);
    assert_int_equal(command.status, 0);
    command_free(&command);
    command = command_shell(dir, 60, "echo 'argno=`expr $argno + 1`' >mpich/bin/mpicc");
    command_free(&command);
    expect_build("with", "");
    command = command_shell(dir, 60, "%s", counts);
    assert_int_equal(command.status, 0);
    command_free(&command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_built_once),
        cmocka_unit_test(it_is_built_again_where_a_language_has_come),
        cmocka_unit_test(one_of_unknown_configuration_is_built_again),
        cmocka_unit_test(its_wrappers_start_no_commands_to_count),
    };
    return cmocka_run_group_tests(tests, make, clean);
}
