/* SPDX-License-Identifier: BSD-3-Clause
 * Without a pragma xmpicc is mpicc: the same arguments, objects, messages and exit statuses. */
#define _GNU_SOURCE
#include "wrapper/fixture.h"

/* What a fake mpicc is given for these arguments of xmpicc. */
static char *passed(const fixture_t *fixture, const char *arguments)
{
    return sh_output(sh(fixture, "$X --xmpi-mpicc=$F/mpicc %s", arguments));
}

static void check_passed(const fixture_t *fixture, const char *arguments, const char *expected)
{
    char *out = passed(fixture, arguments);
    assert_string_equal(out, expected);
    free(out);
}

static void test_arguments_stay_as_they_are(void **state)
{
    const fixture_t *f = *state;
    check_passed(f, "-c plain.c -O2 -DX='a \"b\" c' -o 'out put.o'",
                 "-c\nplain.c\n-O2\n-DX=a \"b\" c\n-o\nout put.o\n");
}

/* Runs the same with mpicc and xmpicc in the same folder and compares all that comes out, but for
 * what objects tell of their source. */
static void check_same(const fixture_t *f, const char *arguments)
{
    sh_good(f,
            "for t in $M $X; do n=$R/$(basename $t); rm -rf $n.d; cp -r . $R/run; cd $R/run; "
            "\"$t\" %s >$n.out 2>$n.err </dev/null; echo $? >status; cd ../place; mv $R/run $n.d; "
            "for o in $n.d/*.o; do [ ! -f $o ] || objcopy -R .xmpi_source $o; done; done; "
            "cmp $R/mpicc.out $R/xmpicc.out && cmp $R/mpicc.err $R/xmpicc.err && "
            "diff -r $R/mpicc.d $R/xmpicc.d",
            arguments);
}

static void test_same_results(void **state)
{
    const fixture_t *f = *state;
    static const char *const lines[] = {
        "-c plain.c",
        "-c plain.c -g -O2 -Wall -MMD -MP",
        "-c plain.c -o other.o -MD -MF deps",
        "-S plain.c",
        "-E plain.c",
        "-M plain.c",
        "-MM plain.c",
        "-c other.c plain.c",
        "-c -x c plain.txt",
        "-c plain.c -save-temps -fstack-usage",
        "-fsyntax-only plain.c",
        "-c @arguments",
        "-c missing.c",
        "-c broken.c",
        "-c plain.c other.c -o one.o",
        "-c plain.c -no-such-option",
        "-c plain.c -o /no/such/folder/plain.o",
        "plain.c -o",
        "--version",
        "-v",
        "-dumpmachine",
        "-print-libgcc-file-name",
        "-print-prog-name=ld",
        "-showme:compile",
        "-shared -fPIC other.c -o libother.so",
        "-r other.c -o all.o",
        "-x c -E -dM /dev/null",
        "",
    };
    put(f, "other.c", "int other(void)\n{\n    return __LINE__;\n}\n");
    put(f, "plain.txt", plain_source);
    put(f, "broken.c", "int a = ;\n\tint b = a +;\n");
    put(f, "arguments", "plain.c -O1 'other.c'\n");
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_same(f, lines[i]);
}

static void test_standard_input(void **state)
{
    const fixture_t *f = *state;
    sh_good(
        f, "echo 'int main(void) { return 3; }' | $X -x c - -o three && { ./three; test $? = 3; }");
    sh_good(f, "echo 'X' | $X -DX=yes -E -P -x c - | grep -q yes");
    sh_fails(1, f, "echo 'int a = ;' | $X -c -x c -");
}

static void test_exit_status(void **state)
{
    const fixture_t *f = *state;
    sh_fails(42, f, "FAKE_STATUS=42 $X --xmpi-mpicc=$F/mpicc -c plain.c");
}

static void test_runtime_is_linked_before_mpi(void **state)
{
    const fixture_t *f = *state;
    char *out = sh_output(sh(f, "$X plain.c -o plain && ./plain"));
    assert_string_equal(out, "runtime\n21 plain.c\n");
    free(out);
    out = sh_output(sh(f, "$X -c plain.c && $X plain.o -lmpi -o again && ./again"));
    assert_string_equal(out, "runtime\n21 plain.c\n");
    free(out);
}

static void test_runtime_only_where_a_program_is_linked(void **state)
{
    const fixture_t *f = *state;
    char *runtime =
        sh_output(sh(f, "printf -- '-L%%s/lib\\n-lxmpi\\n-Wl,-rpath,%%s/lib\\n' $P $P"));
    char *expected;
    assert_true(asprintf(&expected, "a.o\n-lm\n%s", runtime) > 0);
    check_passed(f, "a.o -lm", expected);
    free(expected);
    assert_true(asprintf(&expected, "a.o\n%s-lmpi\nb.o\n", runtime) > 0);
    check_passed(f, "a.o -lmpi b.o", expected);
    free(expected);
    assert_true(asprintf(&expected, "a.o\n%s/x/libmpi.so.12\n", runtime) > 0);
    check_passed(f, "a.o /x/libmpi.so.12", expected);
    free(expected);
    check_passed(f, "-shared a.o -o liba.so", "-shared\na.o\n-o\nliba.so\n");
    check_passed(f, "-r a.o", "-r\na.o\n");
    check_passed(f, "-c a.s", "-c\na.s\n");
    check_passed(f, "--version a.o", "--version\na.o\n");
    char *out = passed(f, "-shared a.o --xmpi-link-shared");
    assert_non_null(strstr(out, "\n-lxmpi\n"));
    free(out);
    free(runtime);
}

static void test_static_runtime(void **state)
{
    const fixture_t *f = *state;
    char *out = passed(f, "-static-mpi a.o");
    assert_non_null(
        strstr(out, "\n-l:libxmpi.a\n-Wl,--push-state,-Bdynamic\n-lm\n-Wl,--pop-state\n"));
    assert_null(strstr(out, "rpath"));
    free(out);
}

static void test_missing_runtime(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p $R/bare/bin; cp $X $R/bare/bin");
    sh_good(f, "$R/bare/bin/xmpicc --xmpi-mpicc=$M -c plain.c");
    command_t command = sh(f, "$R/bare/bin/xmpicc --xmpi-mpicc=$M plain.o -o bare");
    assert_int_equal(command.status, 1);
    assert_non_null(strstr(command.err, "xmpicc: error: there is no runtime to link, "));
    assert_int_equal(strcspn(command.err, "\n"), strlen(command.err) - 1);
    command_free(&command);
    sh_good(f, "XMPICC=off $R/bare/bin/xmpicc --xmpi-mpicc=$M plain.o -o bare");
}

static void test_off(void **state)
{
    const fixture_t *f = *state;
    check_passed(f, "--xmpi-off adaptive.c -o a", "adaptive.c\n-o\na\n");
    char *out = sh_output(sh(f, "XMPICC=off $X --xmpi-mpicc=$F/mpicc adaptive.c"));
    assert_string_equal(out, "adaptive.c\n");
    free(out);
    out = sh_output(sh(f, "XMPICC_FLAGS=--xmpi-off $X --xmpi-mpicc=$F/mpicc adaptive.c"));
    assert_string_equal(out, "adaptive.c\n");
    free(out);
    sh_fails(2, f, "XMPICC=of $X -c plain.c");
    sh_fails(2, f, "XMPICC_FLAGS=-O2 $X -c plain.c");
}

static void test_link_only(void **state)
{
    const fixture_t *f = *state;
    char *out = sh_output(sh(f, "$X --xmpi-link-only adaptive.c -o monitored && ./monitored"));
    assert_string_equal(out, "runtime\n21 adaptive.c\n");
    free(out);
    sh_good(f, "! nm monitored | grep -q xmpi_rewritten");
    /* Even where the linker would drop a library that nothing refers to. */
    put(f, "bare.c", "int main(void)\n{\n    return 0;\n}\n");
    sh_good(f, "$X --xmpi-link-only -Wl,--as-needed bare.c -o bare && "
               "readelf -d bare | grep -q 'NEEDED.*libxmpi'");
}

/* A source that only includes the header, itself or through a header of its own. */
static void test_public_header(void **state)
{
    const fixture_t *f = *state;
    put(f, "uses.c",
        "#include <xmpi.h>\nint marker(void);\nint marker(void)\n{\n"
        "    return xmpi_gen_marker;\n}\n");
    sh_good(f, "$X -Wall -Werror -c uses.c && ! nm uses.o | grep -q xmpi_rewritten");
    put(f, "common.h", "#include <xmpi.h>\n");
    put(f, "through.c",
        "#include \"common.h\"\nint through(void);\nint through(void)\n{\n"
        "    return XMPI;\n}\n");
    sh_good(f, "$X -DXMPI=xmpi_gen_marker -c through.c");
}

static void test_which_mpicc(void **state)
{
    const fixture_t *f = *state;
    char *out = sh_output(sh(f, "XMPI_MPICC=$F/mpicc $X -c plain.c"));
    assert_string_equal(out, "-c\nplain.c\n");
    free(out);
    /* In PATH a link to xmpicc under the name of mpicc is passed over. */
    sh_good(f, "mkdir -p $R/alone/bin $R/links; cp $X $R/alone/bin; ln -sf $R/alone/bin/xmpicc "
               "$R/links/mpicc");
    out = sh_output(sh(f, "PATH=$R/links:$F:$PATH $R/links/mpicc -c plain.c"));
    assert_string_equal(out, "-c\nplain.c\n");
    free(out);
    sh_fails(1, f, "$X --xmpi-mpicc=$X -c plain.c");
    sh_fails(1, f, "$X --xmpi-mpicc=/no/such/mpicc -c plain.c");
}

static void test_recursion(void **state)
{
    const fixture_t *f = *state;
    static const char *const lines[] = {
        "MPICH_CC=$X $X -c plain.c",
        "MPICH_CC=$X $M -c plain.c",
        "$X -cc=$X -c plain.c",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        command_t command = sh(f, "%s", lines[i]);
        assert_int_equal(command.status, 1);
        assert_non_null(strstr(command.err, "xmpicc: error: mpicc is told to use xmpicc as"));
        assert_int_equal(strcspn(command.err, "\n"), strlen(command.err) - 1);
        command_free(&command);
    }
}

static void test_other_compiler(void **state)
{
    const fixture_t *f = *state;
    put(f, "../cc.sh", "#!/bin/sh\necho other compiler\n");
    sh_good(f, "chmod +x ../cc.sh; test \"$($X -cc=$R/cc.sh -c plain.c)\" = 'other compiler'");
    sh_good(f, "test \"$(MPICH_CC=$R/cc.sh $X -c plain.c)\" = 'other compiler'");
}

/* Headers that name one another by their folder from there: each is read once, or the memory for
 * what is read of them, under ever longer names, is more than there is. */
static void test_headers_that_name_one_another(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p parts && for name in one two; do "
               "{ printf '#ifndef %%s\\n#define %%s\\n' $name $name; "
               "printf '#include \"../parts/one.h\"\\n#include \"../parts/two.h\"\\n'; "
               "printf '#endif\\n%%4000000s' ' '; } >parts/$name.h; done");
    put(f, "around.c", "#include \"parts/one.h\"\nint around;\n");
    sh_good(f, "ulimit -v 1000000 && "
               "test \"$($X --xmpi-mpicc=$F/mpicc -c around.c | head -n 2 | xargs)\" = "
               "'-c around.c'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments_stay_as_they_are),
        cmocka_unit_test(test_same_results),
        cmocka_unit_test(test_standard_input),
        cmocka_unit_test(test_exit_status),
        cmocka_unit_test(test_runtime_is_linked_before_mpi),
        cmocka_unit_test(test_runtime_only_where_a_program_is_linked),
        cmocka_unit_test(test_static_runtime),
        cmocka_unit_test(test_missing_runtime),
        cmocka_unit_test(test_off),
        cmocka_unit_test(test_link_only),
        cmocka_unit_test(test_public_header),
        cmocka_unit_test(test_which_mpicc),
        cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_other_compiler),
        cmocka_unit_test(test_headers_that_name_one_another),
    };
    return cmocka_run_group_tests(tests, fixture_make, fixture_remove);
}
