/* SPDX-License-Identifier: BSD-3-Clause
 * The driver's table of compiler options. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../xmpicc/driver/arguments/options.c"

static void test_sorted(void **state)
{
    (void)state;
    for (size_t i = 1; i < table_size; i++)
        if (strcmp(table[i - 1].name, table[i].name) >= 0)
            fail_msg("%s must come before %s", table[i].name, table[i - 1].name);
}

static void test_every_name_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < table_size; i++)
        assert_ptr_equal(option_find(table[i].name), &table[i]);
}

static void test_joined_values(void **state)
{
    (void)state;
    assert_string_equal(option_find("-I/usr/include")->name, "-I");
    assert_string_equal(option_find("-DNAME=VALUE")->name, "-D");
    assert_string_equal(option_find("-MFdeps/foo.d")->name, "-MF");
    assert_string_equal(option_find("-O3")->name, "-O");
    assert_string_equal(option_find("-print-file-name=crt1.o")->name, "-print-");
    /* The longest name that fits, not the first. */
    assert_string_equal(option_find("-isystem/usr/include")->name, "-isystem");
    assert_string_equal(option_find("-include-pch")->name, "-include-pch");
    assert_string_equal(option_find("-ofoo.o")->name, "-o");
    assert_string_equal(option_find("-Wp,-MMD,foo.d")->name, "-Wp,");
}

static void test_names_without_values_match_whole_words_only(void **state)
{
    (void)state;
    assert_null(option_find("-co"));
    assert_null(option_find("-static-libgcc"));
    assert_null(option_find("-pthreads"));
    assert_null(option_find("-Wall"));
    assert_null(option_find("-"));
    assert_null(option_find("--"));
    assert_string_equal(option_find("-static-mpi")->name, "-static-mpi");
}

static void test_separate_values(void **state)
{
    (void)state;
    assert_true(option_takes_next(option_find("-o"), "-o"));
    assert_false(option_takes_next(option_find("-ofoo"), "-ofoo"));
    assert_true(option_takes_next(option_find("-Xlinker"), "-Xlinker"));
    assert_false(option_takes_next(option_find("-c"), "-c"));
    assert_false(option_takes_next(NULL, "-Wall"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorted),
        cmocka_unit_test(test_every_name_is_found),
        cmocka_unit_test(test_joined_values),
        cmocka_unit_test(test_names_without_values_match_whole_words_only),
        cmocka_unit_test(test_separate_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
