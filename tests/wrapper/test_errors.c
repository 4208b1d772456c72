/* SPDX-License-Identifier: BSD-3-Clause
 * What is said and left behind when something is wrong. */
#define _GNU_SOURCE
#include "wrapper/fixture.h"

static const char refused_source[] = "int main(void)\n{\n#pragma xmpi data distributed(REFUSE)\n"
                                     "#pragma xmpi loop\n    for (;;)\n        ;\n}\n";
static const char refusal[] = "refused.c:3:9: error: no such variable [xmpi-unknown-variable]\n";

static void check_error(const fixture_t *f, const char *line, int status, const char *text)
{
    command_t command = sh(f, "%s", line);
    if (command.status != status || strcmp(command.err, text) != 0)
        print_error("%s\nstatus %d\n%s%s", line, command.status, command.out, command.err);
    assert_int_equal(command.status, status);
    assert_string_equal(command.err, text);
    assert_string_equal(command.out, "");
    command_free(&command);
    assert_no_leftovers(f);
}

/* One line on standard error that contains TEXT. */
static void check_status(const fixture_t *f, const char *line, int status, const char *text)
{
    command_t command = sh(f, "%s", line);
    if (strstr(command.err, text) == NULL || command.status != status)
        print_error("%s\nstatus %d\n%s%s", line, command.status, command.out, command.err);
    assert_int_equal(command.status, status);
    assert_non_null(strstr(command.err, text));
    assert_int_equal(strncmp(command.err, "xmpicc: error: ", 15), 0);
    assert_int_equal(strcspn(command.err, "\n"), strlen(command.err) - 1);
    command_free(&command);
    assert_no_leftovers(f);
}

static void check_one_line(const fixture_t *f, const char *line, const char *text)
{
    check_status(f, line, 1, text);
}

static void test_refused_source(void **state)
{
    const fixture_t *f = *state;
    put(f, "refused.c", refused_source);
    check_error(f, "$X -Wall -Werror -MMD -c refused.c", 1, refusal);
    check_error(f, "$X -Wall -Wp,-MMD,refused.d refused.c -o refused", 1, refusal);
    sh_good(f, "! ls refused.o refused.d refused 2>/dev/null");
    /* Nothing half-done: the other source is not compiled either. */
    check_error(f, "$X -c adaptive.c refused.c", 1, refusal);
    sh_good(f, "test ! -e adaptive.o");
}

/* The compiler knows its language best: only its messages, only its exit status. */
static void test_source_that_does_not_compile(void **state)
{
    const fixture_t *f = *state;
    put(f, "broken.c",
        "#pragma xmpi loop\nint REFUSE = ;\nint other(void) { return undeclared; }\n");
    sh_good(f, "$X -MMD -c broken.c -o b.o 2>ours; echo $? >>ours; $M -c broken.c 2>theirs; "
               "echo $? >>theirs; cmp ours theirs && test ! -e b.o && test ! -e b.d");
    sh_good(f, "sed -i s/REFUSE/ACCEPT/ broken.c; $X -c broken.c 2>ours; echo $? >>ours; "
               "sed s/REFUSE/ACCEPT/ theirs | cmp ours -");
    assert_no_leftovers(f);
}

static void test_fallback(void **state)
{
    const fixture_t *f = *state;
    put(f, "refused.c", refused_source);
    command_t command = sh(f, "$X -Wall -Werror --xmpi-fallback -c refused.c && nm refused.o");
    assert_int_equal(command.status, 0);
    assert_int_equal(strncmp(command.err, refusal, strlen(refusal)), 0);
    assert_string_equal(command.err + strlen(refusal),
                        "xmpicc: warning: refused.c is compiled as it is and will not adapt "
                        "(--xmpi-fallback)\n");
    assert_null(strstr(command.out, "xmpi_rewritten"));
    command_free(&command);
    sh_good(f,
            "$X --xmpi-fallback -c refused.c adaptive.c && nm adaptive.o | grep -q xmpi_rewritten");
}

static void test_rewriter_that_breaks(void **state)
{
    const fixture_t *f = *state;
    put(f, "crash.c", "#pragma xmpi loop\nint CRASH;\n");
    check_one_line(f, "$X -c crash.c", "was ended by signal 11 (Segmentation fault) on crash.c");
    check_one_line(f, "XMPI_REWRITE=/no/such/rewriter $X -c adaptive.c",
                   "cannot run /no/such/rewriter: No such file or directory");
    check_one_line(f, "XMPI_REWRITE=/bin/true $X -c adaptive.c", "/bin/true has not written");
    put(f, "../usage", "#!/bin/sh\nexit 2\n");
    sh_good(f, "chmod +x ../usage");
    check_one_line(f, "XMPI_REWRITE=$R/usage $X -c adaptive.c",
                   "failed on adaptive.c with exit status 2");
}

static void test_mpicc_without_show(void **state)
{
    const fixture_t *f = *state;
    check_one_line(f, "$X --xmpi-mpicc=/bin/false -c adaptive.c", "/bin/false -show does not work");
}

static void test_where_a_pragma_cannot_be_honoured(void **state)
{
    const fixture_t *f = *state;
    check_one_line(f, "$X -x c -c - -o stdin.o <adaptive.c",
                   "<stdin>: #pragma xmpi in a source on standard input is not supported");
    check_one_line(f, "$X -x c++ -c - -o stdin.o <adaptive.c",
                   "<stdin>: #pragma xmpi in a source on standard input is not supported");
    check_one_line(f,
                   "echo '#pragma xmpi loop' >h.hpp; echo '#include \"h.hpp\"' >h.cc; $X -c h.cc",
                   "h.cc: a file that it includes has #pragma xmpi");
    check_one_line(f, "$X -E adaptive.c >a.i && $X -c a.i", "preprocessed text is not supported");
    /* C++ is served, and is said to be C++. */
    sh_good(f, "cp adaptive.c a.cc; REWRITE_LOG=log $X -c a.cc && grep -qx -e --cxx log && "
               "$X -x c++ -c adaptive.c && nm a.o adaptive.o | grep -c xmpi_rewritten | grep -x 2");
    sh_good(f, "$X --xmpi-link-only -c a.i && $X --xmpi-off -c a.cc && $X -E a.cc >/dev/null");
    sh_good(f, "! ls stdin.o 2>/dev/null");
    /* What only looks like one does not stand in the way. */
    sh_good(f, "{ echo '// #pragma xmpi loop'; echo '_Pragma(\"GCC poison x\") int a;'; } >b.cc; "
               "$X -c b.cc && $X -x c -c - -o b.o <b.cc");
}

static void test_own_options(void **state)
{
    const fixture_t *f = *state;
    check_status(f, "$X --xmpi-frobnicate -c plain.c", 2, "unknown option --xmpi-frobnicate");
    check_status(f, "$X --xmpi-mpicc -c plain.c", 2, "--xmpi-mpicc lacks its value");
    check_status(f, "$X --xmpi-keep= -c plain.c", 2, "--xmpi-keep= lacks its value");
    check_status(f, "$X --xmpi-off=yes -c plain.c", 2, "--xmpi-off=yes takes no value");
    check_status(f, "$X -c plain.c --xmpi-skip", 2, "--xmpi-skip lacks the word");
    check_one_line(f, "TMPDIR=/no/such/folder $X -c adaptive.c", "cannot make a temporary folder");
}

static void test_exit_status_of_mpicc(void **state)
{
    const fixture_t *f = *state;
    sh_fails(42, f, "FAKE_STATUS=42 $X --xmpi-mpicc=$F/mpicc -c adaptive.c");
    assert_no_leftovers(f);
    sh_good(f, "mkdir -p two && cp plain.c local.h two");
    sh_fails(42, f, "FAKE_STATUS=42 $X --xmpi-mpicc=$F/mpicc -c adaptive.c two/plain.c");
    /* What is not compiled is not linked. */
    sh_good(f, "test \"$(FAKE_STATUS=42 $X --xmpi-mpicc=$F/mpicc adaptive.c two/plain.c | "
               "grep -c xmpi/lib)\" = 0");
    assert_no_leftovers(f);
}

/* The source says nothing of XMPI, but what it includes does: the rewriter is asked, and can say
 * that it does not belong there. */
static void test_pragma_in_a_header(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p in && printf 'int a;\\n#pragma xmpi loop\\n' >in/loop.h && "
               "printf '#include <stdio.h>\\n  # include \"loop.h\"\\nint b;\\n' >in/user.c && "
               "printf '#include \"missing.h\"\\n#include \"local.h\"\\nint b;\\n' >in/none.c && "
               "echo 'int a;' >in/local.h && export REWRITE_LOG=$R/log && "
               "$X -w -c in/user.c && grep -q in/user.c $R/log && rm $R/log && "
               "cd in && $X -w -c user.c && grep -q user.c $R/log && rm $R/log && "
               "{ $X -c none.c 2>$R/said || true; } && test ! -e $R/log");
    assert_no_leftovers(f);
}

/* A unity build: a source that includes others, which build systems write in a folder of their own;
 * or a source among the headers of the user's. */
static void test_pragma_in_an_included_source(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p unity parts && cp plain.c local.h parts && "
               "printf '#include \"plain.c\"\n#pragma xmpi loop\n' >parts/loop.c && "
               "echo '#include \"../parts/loop.c\"' >unity/0.c && "
               "echo '#include \"0.c\"' >unity/all.c && echo '#include <loop.c>' >unity/far.c && "
               "export REWRITE_LOG=$R/log && "
               "for given in unity/0.c unity/all.c '-I parts unity/far.c' '-iquoteparts -Iparts "
               "unity/far.c'; do "
               "    $X -w -c $given -o $R/o && grep -q unity/ $R/log && rm $R/log || exit 1; done; "
               "echo '#include \"again.c\"' >unity/again.c; "
               "{ $X -c unity/again.c 2>$R/said || true; } && test ! -e $R/log");
    assert_no_leftovers(f);
}

/* It is compiled as it is, but not without a word. */
static void test_misspelt_pragma(void **state)
{
    static const char said[] = "xmp.c:2: warning: unknown pragma 'xmp': did you mean '#pragma xmpi "
                               "loop'? [xmpi-pragma-name]\n";
    const fixture_t *f = *state;
    sh_good(f, "printf 'int main(void) {\\n#pragma xmp loop\\nfor (;;) ; }\\n' >xmp.c");
    check_error(f, "$X -c xmp.c -o xmp.o && test -s xmp.o", 0, said);
    sh_good(f, "sed 's/loop/loop on t(i)/' xmp.c >other.c");
    check_error(f, "$X -c other.c -o xmp.o && rm xmp.c other.c xmp.o", 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_source),
        cmocka_unit_test(test_source_that_does_not_compile),
        cmocka_unit_test(test_fallback),
        cmocka_unit_test(test_rewriter_that_breaks),
        cmocka_unit_test(test_mpicc_without_show),
        cmocka_unit_test(test_where_a_pragma_cannot_be_honoured),
        cmocka_unit_test(test_own_options),
        cmocka_unit_test(test_exit_status_of_mpicc),
        cmocka_unit_test(test_pragma_in_a_header),
        cmocka_unit_test(test_misspelt_pragma),
        cmocka_unit_test(test_pragma_in_an_included_source),
    };
    return cmocka_run_group_tests(tests, fixture_make, fixture_remove);
}
