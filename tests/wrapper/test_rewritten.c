/* SPDX-License-Identifier: BSD-3-Clause
 * A rewritten source leaves the same files, names and positions as mpicc would from the original.
 */
#define _GNU_SOURCE
#include "wrapper/fixture.h"

/* The object or program comes from the rewritten text. */
#define assert_rewritten(f, file) sh_good(f, "nm '%s' | grep -q ' T xmpi_rewritten'", file)

static void test_names_of_outputs(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "$X -c adaptive.c");
    assert_rewritten(f, "adaptive.o");
    sh_good(f, "$X -S adaptive.c && grep -q xmpi_rewritten adaptive.s");
    sh_good(f, "$X -o prog adaptive.c && test \"$(./prog)\" = 'runtime\n21 adaptive.c'");
    assert_rewritten(f, "prog");
    sh_good(f, "$X adaptive.c && ./a.out && test ! -e adaptive.o.o");
    sh_good(f, "$X adaptive.o -o linked && ./linked");
    assert_no_leftovers(f);
}

static void test_several_sources(void **state)
{
    const fixture_t *f = *state;
    put(f, "a.c", "int b(void);\nint main(void)\n{\n    return b();\n}\n");
    put(f, "b.c", "int b(void);\n#pragma xmpi loop\nint b(void)\n{\n    return 5;\n}\n");
    sh_good(f, "$X a.c b.c -o both && { ./both; test $? = 5; }");
    assert_rewritten(f, "both");
    sh_good(f, "$X -c a.c b.c && test -s a.o && test -s b.o");
    assert_rewritten(f, "b.o");
    sh_good(f, "! nm a.o | grep -q xmpi_rewritten");
    sh_good(f, "echo '-O1 b.c' >words && rm b.o && $X -c @words");
    assert_rewritten(f, "b.o");
    sh_good(f, "cp b.c b.text && $X -x c b.text a.c -x none -o named && { ./named; test $? = 5; }");
    assert_rewritten(f, "named");
    sh_good(f, "rm -f b.o; $X -c -o b.o a.c b.c 2>ours; s=$?; $M -c -o b.o a.c b.c 2>theirs; "
               "test $s = $? && cmp ours theirs && test ! -e b.o");
    assert_no_leftovers(f);
}

static void test_language_flags_reach_the_rewriter(void **state)
{
    const fixture_t *f = *state;
    char *out = sh_output(
        sh(f, "REWRITE_LOG=$R/log; export REWRITE_LOG; $X --xmpi-mpicc=$F/mpicc -c adaptive.c "
              "-I inc -DA='x y' -U B -std=gnu99 -O2 -Wall -fopenmp -fipa-pta -march=native -MD "
              "-Wp,-DC,-MMD,deps -isystem sys -include local.h -funroll-loops -Xpreprocessor -DD "
              "-o adaptive.o -fno-signed-char -L/lib -pthread >/dev/null; "
              "sed 's/xmpi\\.[A-Za-z0-9]*/T/' $R/log"));
    char *expected = sh_output(
        sh(f, "printf '%%s\\n' --output=$TMPDIR/T/0/adaptive.c --name=adaptive.c "
              "--later=$TMPDIR/T/0/adaptive.c.later adaptive.c -- "
              "-I inc '-DA=x y' -U B -std=gnu99 -O2 -fopenmp -march=native -DC -isystem sys "
              "-include local.h -DD -fno-signed-char -pthread -isystem $P/include -I/mpi/include "
              "-DMPI_FLAG=1"));
    assert_string_equal(out, expected);
    free(expected);
    free(out);
    assert_no_leftovers(f);
}

static void test_command_for_mpicc(void **state)
{
    const fixture_t *f = *state;
    char *out = sh_output(sh(f, "$X --xmpi-mpicc=$F/mpicc -O2 -iquote q adaptive.c x.o -lm | "
                                "sed 's/xmpi\\.[A-Za-z0-9]*/T/'"));
    char *expected = sh_output(
        sh(f, "printf '%%s\\n' -iquote . -O2 -iquote q $TMPDIR/T/0/adaptive.c x.o -lm "
              "-ffile-prefix-map=$TMPDIR/T/0/adaptive.c=adaptive.c -isystem $P/include -L$P/lib "
              "-lxmpi -Wl,-rpath,$P/lib"));
    assert_string_equal(out, expected);
    free(expected);
    free(out);
}

/* Compares what a line says of mpicc's and of xmpicc's object of the same source. $C is the
 * compiler, $S the source as typed. */
static void check_like_mpicc(const fixture_t *f, const char *source, const char *line)
{
    char *text = sh_output(sh(f, "printf %%s \"%s\"", source));
    for (int i = 0; i < 2; i++)
        sh_good(f,
                "S=%s C=%s; rm -f *.d *.o *.gcno deps prog; { %s; } >$R/%d.out 2>&1 || "
                "{ cat $R/%d.out; exit 1; }",
                text, i == 0 ? "$M" : "$X", line, i, i);
    sh_good(f, "diff $R/0.out $R/1.out && test -s $R/0.out");
    assert_no_leftovers(f);
    free(text);
}

static const char *const typed_names[] = {"adaptive.c", "./adaptive.c", "src/adaptive.c",
                                          "$PWD/src/adaptive.c", "../place/src/adaptive.c"};

static void test_debug_information(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p src && cp adaptive.c local.h src");
    for (size_t i = 0; i < sizeof typed_names / sizeof *typed_names; i++) {
        check_like_mpicc(f, typed_names[i],
                         "$C -g -c $S -o o.o && readelf --debug-dump=info o.o | "
                         "sed -n 's/.*: *//; /adaptive/p; /place$/p'");
        check_like_mpicc(f, typed_names[i],
                         "$C -g -c $S -o o.o && readelf --debug-dump=decodedline o.o | "
                         "awk '$2 ~ /^[0-9]+$/ && $1 ~ /c$/ && $2 > 5 && $2 < 12 {print $1, $2}'");
        sh_good(f, "! { strings -a o.o | grep -F $TMPDIR; }");
    }
}

static void test_debug_information_of_mapped_builds(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p src && cp adaptive.c local.h src");
    static const char *const maps[] = {
        "-ffile-prefix-map=$PWD=.", "-fdebug-prefix-map=$PWD=/build -fmacro-prefix-map=$PWD/=",
        "-ffile-prefix-map=$PWD=/a -fdebug-prefix-map=$PWD/src=/b", "-fdebug-prefix-map=/=/c/"};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        char *line;
        assert_true(asprintf(&line,
                             "$C -g %s -c $S -o o.o && readelf --debug-dump=info o.o | "
                             "sed -n 's/.*: *//; /adaptive/p; /place$/p'; strings o.o | grep '^21'",
                             maps[i]) > 0);
        put(f, "src/adaptive.c",
            "#include <stdio.h>\n#pragma xmpi loop\nint adaptive(void);\nint adaptive(void)\n{\n"
            "    return puts(\"21\" __FILE__ __BASE_FILE__);\n}\n");
        check_like_mpicc(f, "$PWD/src/adaptive.c", line);
        free(line);
    }
}

static void test_names_and_time_in_the_program(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p src");
    put(f, "src/names.c",
        "#include <stdio.h>\nint main(void)\n{\n#pragma xmpi loop\n"
        "    puts(__FILE__ __BASE_FILE__ __TIMESTAMP__);\n"
        "    return __LINE__ != 6;\n}\n");
    sh_good(f, "touch -d '2001-02-03 04:05:06' src/names.c");
    check_like_mpicc(f, "src/names.c", "$C $S -o prog && ./prog");
    sh_good(f, "./prog | grep -q 'src/names.csrc/names.cSat Feb  3 04:05:06 2001'");
}

/* A depfile one name per line: where its lines are broken does not matter. */
#define NAMES "sed 's/ \\\\$//' | tr -s '\\n' ' ' | sed 's/\\([^\\\\]\\) /\\1\\n/g'"

static void test_depfiles(void **state)
{
    const fixture_t *f = *state;
    static const char *const lines[] = {
        "$C -MMD -c $S && cat adaptive.d | " NAMES,
        "$C -MMD -MP -c $S -o out/o.x.o && cat out/o.x.d | " NAMES,
        "$C -MMD -MF deps -MT 'a target' -c $S && cat deps | " NAMES,
        "$C -MMD -MFdeps -MQ 'a$target' -c $S && cat deps | " NAMES,
        "$C -Wp,-MMD,deps -c $S && cat deps | " NAMES,
        "$C -MMD $S -o out/prog && cat out/prog.d | " NAMES,
        "$C -MMD $S && cat a-adaptive.d | " NAMES,
        "$C -MMD -S $S && cat adaptive.d | " NAMES,
        "DEPENDENCIES_OUTPUT='deps target' $C -c $S && cat deps | " NAMES,
        "$C -MD -c $S && sed '/xmpi_gen/d' adaptive.d | " NAMES,
        "$C -MMD -c $S -MF $R/linked && cat $R/target | " NAMES "; rm $R/target; touch $R/target",
    };
    sh_good(
        f,
        "mkdir -p src out && cp adaptive.c local.h src; touch $R/target; ln -s target $R/linked");
    for (size_t i = 0; i < sizeof typed_names / sizeof *typed_names; i++)
        for (size_t j = 0; j < sizeof lines / sizeof *lines; j++)
            check_like_mpicc(f, typed_names[i], lines[j]);
}

static void test_depfile_keeps_its_permissions(void **state)
{
    const fixture_t *f = *state;
    sh_good(f,
            "umask 027; $X -MMD -c adaptive.c -o perm.o && test \"$(stat -c %%a perm.d)\" = 640");
}

static void test_warnings(void **state)
{
    const fixture_t *f = *state;
    put(f, "warns.c",
        "int main(void)\n{\n    int early = 1;\n#pragma xmpi loop\n"
        "\tint late = 2.5, *wrong = 3;\n    return 0;\n}\n");
    check_like_mpicc(f, "warns.c", "$C -Wall -Wextra -Wconversion -Wno-unknown-pragmas -c $S");
    check_like_mpicc(f, "warns.c", "$C -Wall -Wno-unknown-pragmas -fsyntax-only $S");
}

static void test_pass_through_of_the_original(void **state)
{
    const fixture_t *f = *state;
    static const char *const lines[] = {"$C -E $S", "$C -E -dM $S | sort", "$C -M $S", "$C -MM $S",
                                        "$C -MM -MG -MT t $S"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_like_mpicc(f, "adaptive.c", lines[i]);
}

static void test_files_written_beside(void **state)
{
    const fixture_t *f = *state;
    check_like_mpicc(f, "adaptive.c",
                     "$C --coverage -fstack-usage -c $S && ls *.gcno *.su; rm *.su");
    check_like_mpicc(f, "adaptive.c", "$C -save-temps -c $S && ls *.i *.s; rm -f *.i *.s");
}

static void test_sources_in_different_folders(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p one two inc");
    put(f, "one/value.h", "#define VALUE 1\n");
    put(f, "inc/value.h", "#define VALUE 2\n");
    put(f, "one/x.c",
        "#include \"value.h\"\nint y(void);\n#pragma xmpi loop\n"
        "int main(void)\n{\n    return 10 * VALUE + y();\n}\n");
    put(f, "two/y.c", "#include \"value.h\"\nint y(void);\nint y(void)\n{\n    return VALUE;\n}\n");
    put(f, "two/x.c",
        "#include \"value.h\"\nint x(void);\n#pragma xmpi loop\nint x(void)\n{\n    return "
        "VALUE;\n}\n");
    sh_good(f, "$X -Iinc one/x.c two/y.c -o split && { ./split; test $? = 12; }");
    assert_rewritten(f, "split");
    sh_good(f, "$X -Iinc -c two/y.c one/x.c && $X x.o y.o -o split && { ./split; test $? = 12; }");
    assert_rewritten(f, "x.o");
    sh_good(f, "cd two && $X -x c -I../inc y.c ../one/x.c && { ./a.out; test $? = 12; }");
    check_like_mpicc(f, "one/x.c", "$C -MMD -Iinc $S two/y.c -o prog && cat prog.d");
    check_like_mpicc(f, "one/x.c", "$C -MMD -Iinc $S two/y.c && cat a-x.d a-y.d");
    check_like_mpicc(f, "one/x.c",
                     "$C --coverage -Iinc $S two/y.c -o prog && ls *.gcno && (./prog; ls *.gcda; "
                     "rm *.gcda)");
    /* The same name in two folders. */
    put(f, "two/x.c", "int y(void);\n#pragma xmpi loop\nint y(void)\n{\n    return 3;\n}\n");
    sh_good(f, "cp $P/bin/xmpi-rewrite $R/rewrite-static; sed -i 's/int xmpi_rewritten/static &/; "
               "s/static int xmpi_rewritten(void);//' $R/rewrite-static");
    sh_good(
        f,
        "XMPI_REWRITE=$R/rewrite-static $X one/x.c two/x.c -o same && { ./same; test $? = 13; }");
    sh_fails(1, f, "$X -Iinc one/x.c two/missing.c -o never || { test ! -e never && exit 1; }");
    assert_no_leftovers(f);
}

static void test_awkward_names(void **state)
{
    const fixture_t *f = *state;
    sh_good(f,
            "mkdir -p 'a b' \"$R/t m p\"; cp adaptive.c 'a b/it'\\''s $x #1.c'; cp local.h 'a b'; "
            "cp adaptive.c ./-dash.c");
    check_like_mpicc(f, "'a b/it'\\\\''s \\$x #1.c'",
                     "$C -MMD -g -c \"$S\" -o o.o && cat o.d | " NAMES);
    sh_good(f,
            "TMPDIR=\"$R/t m p\" $X -MMD -g -c 'a b/it'\\''s $x #1.c' -o o.o && ! grep m.p o.d && "
            "test -z \"$(ls -A \"$R/t m p\")\"");
    sh_good(f, "$X -c ./-dash.c -o dash.o");
    assert_rewritten(f, "dash.o");
    sh_good(f, "mkdir -p $R/t=1; TMPDIR=$R/t=1 $X -g -c adaptive.c -o o.o && "
               "! { strings -a o.o | grep -q xmpi\\\\.; } && test -z \"$(ls -A $R/t=1)\"");
}

static void test_prefix_with_blanks(void **state)
{
    void *other;
    (void)state;
    fixture_make_in(&other, "the prefix");
    const fixture_t *f = other;
    char *out = sh_output(sh(f, "\"$X\" adaptive.c -o 'a prog' && './a prog'"));
    assert_string_equal(out, "runtime\n21 adaptive.c\n");
    free(out);
    assert_rewritten(f, "a prog");
    fixture_remove(&other);
}

/* Nothing is written where the sources are, not even for a moment: the folder's time stays. */
static void test_source_folder_is_left_alone(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p ro out && cp adaptive.c local.h ro && chmod 555 ro && "
               "touch -d 2001-01-01 ro && cd out && $X -MMD -c ../ro/adaptive.c && "
               "test \"$(stat -c %%Y ../ro)\" = \"$(date -d 2001-01-01 +%%s)\"");
    assert_rewritten(f, "out/adaptive.o");
}

/* What is kept is what the compiler reads, so everything names it; but the depfile, as it is made
 * from the source. */
static void test_keep(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "$X --xmpi-keep -g -MMD -c adaptive.c && "
               "head -1 adaptive.xmpi.c | grep -q xmpi_gen.h && "
               "readelf --debug-dump=info adaptive.o | grep -q 'DW_AT_name.*: adaptive.xmpi.c$' && "
               "! { strings -a adaptive.o | grep -F $TMPDIR; } && "
               "grep -q ' adaptive.c' adaptive.d && ! grep -q xmpi.c adaptive.d");
    sh_good(f, "mkdir -p 'kept \"here\"' && $X -g --xmpi-keep='kept \"here\"' -c adaptive.c && "
               "test -s 'kept \"here\"/adaptive.xmpi.c' && "
               "strings -a adaptive.o | grep -q 'kept \"here\"/adaptive.xmpi.c'");
    sh_good(f, "sed 's/return 0/int unused; return 0/' adaptive.c >careless.c && "
               "line=$($X --xmpi-keep -Wall -c careless.c 2>&1 | "
               "sed -n 's/^careless.xmpi.c:\\([0-9]*\\):.*unused.*/\\1/p') && "
               "sed -n ${line}p careless.xmpi.c | grep -q 'int unused'");
    sh_fails(1, f, "$X --xmpi-keep=no/folder -c adaptive.c");
    assert_no_leftovers(f);
}

static void test_keep_two_of_one_name(void **state)
{
    const fixture_t *f = *state;
    sh_good(f, "mkdir -p one two && cp adaptive.c local.h one && cp adaptive.c local.h two");
    command_t command = sh(f, "$X --xmpi-keep -c one/adaptive.c two/adaptive.c");
    assert_int_equal(command.status, 1);
    assert_non_null(strstr(command.err, "two sources would be kept as adaptive.xmpi.c"));
    command_free(&command);
    assert_no_leftovers(f);
}

static void test_flags_that_change_how_compilers_work(void **state)
{
    const fixture_t *f = *state;
    static const char *const flags[] = {"-flto -O2", "-g3 -pipe", "-O2 -fwhole-program",
                                        "-std=gnu17 -fanalyzer", "-fPIE -pie -static-libgcc"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        sh_good(f,
                "$X %s -c adaptive.c && $X %s adaptive.o -o prog && ./prog | grep -q ^runtime && "
                "$X %s adaptive.c -o prog && ./prog | grep -q ^runtime",
                flags[i], flags[i], flags[i]);
    assert_no_leftovers(f);
}

/* ccache takes xmpicc for a compiler that it does not know: what it hands out is what was compiled.
 */
static void test_ccache(void **state)
{
    const fixture_t *f = *state;
    command_t command = sh(f, "ccache --version");
    int missing = command.status;
    command_free(&command);
    if (missing)
        skip();
    sh_good(f, "export CCACHE_DIR=$R/ccache; "
               "for turn in 1 2; do rm -f adaptive.o && ccache $X -O2 -c adaptive.c && "
               "nm adaptive.o | grep -q xmpi_rewritten; done && "
               "sed -i s/20/30/ adaptive.c && ccache $X -O2 -c adaptive.c && "
               "$X adaptive.o -o prog && ./prog | grep -q '^31 '");
    put(f, "adaptive.c", adaptive_source);
    /* Another rewriter comes with another xmpicc, which holds its sum. */
    sh_good(
        f,
        "export CCACHE_DIR=$R/ccache; compile() { ccache $X -O2 -c adaptive.c && nm adaptive.o; }; "
        "compile | grep -q xmpi_rewritten && cp -a $P/bin $R/before && "
        "sed -i s/xmpi_rewritten/xmpi_otherwise/ $P/bin/xmpi-rewrite && "
        "compile | grep -q xmpi_rewritten && "
        "sed -i 's/rewriter [0-9a-f]\\{8\\}/rewriter --------/' $P/bin/xmpicc && "
        "compile | grep -q xmpi_otherwise; s=$?; rm -r $P/bin; mv $R/before $P/bin; exit $s");
    assert_no_leftovers(f);
}

static void test_report(void **state)
{
    const fixture_t *f = *state;
    command_t command = sh(f, "$X --xmpi-report -c adaptive.c");
    assert_int_equal(command.status, 0);
    assert_string_equal(command.err, "adaptive.c:1:1: remark: found a loop\n");
    command_free(&command);
    sh_good(f, "$X --xmpi-report=r.json -c adaptive.c && test -s r.json");
    sh_good(f, "$X --xmpi-report -c plain.c 2>&1 | grep -q 'plain.c: remark: no #pragma xmpi'");
    sh_good(f, "cp adaptive.c second.c");
    sh_fails(1, f, "$X --xmpi-report=r.json -c adaptive.c second.c");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_of_outputs),
        cmocka_unit_test(test_several_sources),
        cmocka_unit_test(test_language_flags_reach_the_rewriter),
        cmocka_unit_test(test_command_for_mpicc),
        cmocka_unit_test(test_debug_information),
        cmocka_unit_test(test_debug_information_of_mapped_builds),
        cmocka_unit_test(test_names_and_time_in_the_program),
        cmocka_unit_test(test_depfiles),
        cmocka_unit_test(test_depfile_keeps_its_permissions),
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_pass_through_of_the_original),
        cmocka_unit_test(test_files_written_beside),
        cmocka_unit_test(test_sources_in_different_folders),
        cmocka_unit_test(test_awkward_names),
        cmocka_unit_test(test_prefix_with_blanks),
        cmocka_unit_test(test_source_folder_is_left_alone),
        cmocka_unit_test(test_keep),
        cmocka_unit_test(test_keep_two_of_one_name),
        cmocka_unit_test(test_flags_that_change_how_compilers_work),
        cmocka_unit_test(test_ccache),
        cmocka_unit_test(test_report),
    };
    return cmocka_run_group_tests(tests, fixture_make, fixture_remove);
}
