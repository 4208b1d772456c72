/* SPDX-License-Identifier: BSD-3-Clause
 * Signals, and many commands at once: nothing is left, nothing is mixed up. */
#define _GNU_SOURCE
#include "wrapper/fixture.h"

/* An mpicc that tells when it runs, through a fifo, and then waits for its end in a child, as the
 * real one waits for the compiler. */
static const char slow_mpicc[] = "#!/bin/sh\n"
                                 "if [ \"$1\" = -show ]; then echo cc -I/x; exit 0; fi\n"
                                 "sh -c 'echo $$ >\"$FIFO\"; exec sleep 1000'\n"
                                 "exit 0\n";

/* Starts xmpicc, waits until its mpicc runs, sends SIGNAL and checks that all is gone: the compiler
 * that mpicc has started, the temporary folder, and xmpicc by that signal. */
static void check_signal(const fixture_t *f, const char *source, const char *signal, int number)
{
    put(f, "../slow", slow_mpicc);
    command_t command = sh(f,
                           "chmod +x ../slow; rm -f $R/fifo; mkfifo $R/fifo; export FIFO=$R/fifo; "
                           "$X --xmpi-mpicc=$R/slow -c %s & xmpicc=$!; read compiler <$R/fifo; "
                           "kill -%s $xmpicc; wait $xmpicc; echo $?; "
                           "kill -0 $compiler 2>/dev/null && echo running; ls -A $TMPDIR",
                           source, signal);
    char expected[16];
    snprintf(expected, sizeof expected, "%d\n", 128 + number);
    assert_string_equal(command.out, expected);
    command_free(&command);
}

static void test_signals(void **state)
{
    const fixture_t *f = *state;
    check_signal(f, "adaptive.c", "TERM", 15);
    check_signal(f, "adaptive.c", "HUP", 1);
}

/* A shell's background commands ignore SIGINT, so this one is started by a shell of its own. */
static void test_interrupt(void **state)
{
    const fixture_t *f = *state;
    put(f, "../slow", slow_mpicc);
    put(f, "../interrupt.c",
        "#include <signal.h>\n#include <unistd.h>\n"
        "int main(int argc, char **argv)\n"
        "{\n    (void)argc;\n    signal(SIGINT, SIG_DFL);\n    return execv(argv[1], argv + "
        "1);\n}\n");
    command_t command = sh(
        f, "chmod +x ../slow; gcc ../interrupt.c -o ../interrupt; rm -f $R/fifo; mkfifo $R/fifo; "
           "export FIFO=$R/fifo; ../interrupt $X --xmpi-mpicc=$R/slow -c adaptive.c & "
           "xmpicc=$!; read compiler <$R/fifo; kill -INT $xmpicc; wait $xmpicc; echo $?; "
           "kill -0 $compiler 2>/dev/null && echo running; ls -A $TMPDIR");
    assert_string_equal(command.out, "130\n");
    command_free(&command);
}

/* nohup: a signal that the caller ignores stays ignored. */
static void test_ignored_signal(void **state)
{
    const fixture_t *f = *state;
    put(f, "../brief",
        "#!/bin/sh\nif [ \"$1\" = -show ]; then echo cc; exit 0; fi\n"
        "kill -HUP $PPID; kill -HUP $$; exit 7\n");
    sh_fails(7, f, "chmod +x ../brief; trap '' HUP; $X --xmpi-mpicc=$R/brief -c adaptive.c");
    assert_no_leftovers(f);
}

/* When mpicc dies of a signal, so does xmpicc. */
static void test_signal_of_the_child(void **state)
{
    const fixture_t *f = *state;
    put(f, "../dying",
        "#!/bin/sh\nif [ \"$1\" = -show ]; then echo cc; exit 0; fi\nkill -TERM $$\n");
    sh_fails(128 + 15, f, "chmod +x ../dying; $X --xmpi-mpicc=$R/dying -c adaptive.c");
    assert_no_leftovers(f);
}

static void test_signal_while_rewriting(void **state)
{
    const fixture_t *f = *state;
    put(f, "../hanging", "#!/bin/sh\necho $$ >\"$FIFO\"\nexec sleep 1000\n");
    command_t command =
        sh(f, "chmod +x ../hanging; rm -f $R/fifo; mkfifo $R/fifo; export FIFO=$R/fifo; "
              "XMPI_REWRITE=$R/hanging $X -c adaptive.c & xmpicc=$!; read rewriter <$R/fifo; "
              "kill -TERM $xmpicc; wait $xmpicc; echo $?; ls -A $TMPDIR; ls adaptive.o");
    assert_string_equal(command.out, "143\n");
    command_free(&command);
}

/* Twenty folders with sources of the same name, compiled at once by one makefile. */
static void test_parallel_make(void **state)
{
    const fixture_t *f = *state;
    put(f, "Makefile",
        "NUMBERS := $(shell seq 20)\n"
        "CFLAGS = -g -MMD -MP\n"
        ".SECONDARY:\n"
        "all: $(NUMBERS:%=d%/prog)\n"
        "d%/main.o: d%/main.c\n\t$(CC) $(CFLAGS) -c $< -o $@\n"
        "d%/prog: d%/main.o\n\t$(CC) $< -o $@\n"
        "-include $(NUMBERS:%=d%/main.d)\n");
    sh_good(f, "for i in $(seq 20); do mkdir -p d$i; echo \"#define ADD $i\" >d$i/local.h; "
               "cat local.h >>d$i/local.h; sed 's/__FILE__/\"\"/' adaptive.c >d$i/main.c; done; "
               "make -j4 CC=$X");
    sh_good(f,
            "for i in $(seq 20); do test \"$(d$i/prog | tail -1)\" = \"$((20 + i)) \" || exit 1; "
            "done");
    assert_no_leftovers(f);
    /* Nothing to do the second time; a touched header compiles what includes it. */
    sh_good(f, "make CC=$X | grep -q 'Nothing to be done'");
    sh_good(f, "touch d7/local.h; test \"$(make CC=$X | grep -c -- -c)\" = 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_ignored_signal),
        cmocka_unit_test(test_signal_of_the_child),
        cmocka_unit_test(test_signal_while_rewriting),
        cmocka_unit_test(test_parallel_make),
    };
    return cmocka_run_group_tests(tests, fixture_make, fixture_remove);
}
