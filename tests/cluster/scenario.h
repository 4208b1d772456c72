/* SPDX-License-Identifier: BSD-3-Clause
 * Figure 3 of Cores et al. (2016): a program on four nodes of as many processes as cores, one of
 * which is lost for an empty one; then nodes are lost until all processes are on the last one,
 * which is lost as well when four others come. */
#ifndef XMPI_TESTS_CLUSTER_SCENARIO_H
#define XMPI_TESTS_CLUSTER_SCENARIO_H

/* Functions of the shell: the machine file lists the nodes $1, of $cores each, and says of those in
 * $2 that they are lost; wait until the condition $1 holds; for $1 changes in all, and for $rests
 * (0) intervals behind the last one. */
#define SCENARIO_WORDS                                                                             \
    "there_are() { for n in $1; do echo $n:C:$cores; done >new; for n in $2; do echo $n:C:0; "     \
    "done >>new; mv new machines; }\n"                                                             \
    "await() { for i in $(seq 12000); do eval \"$1\" && return; sleep 0.05; done; "                \
    "touch stop; echo \"$1\" >&2; cat out t >&2; exit 1; }\n"                                      \
    "done_with() { await \"[ \\$(grep -c '\\\"outcome\\\":\\\"done\\\"' t) -ge $1 ] && rested\"; " \
    "}\n"                                                                                          \
    "rested() { awk '/^.\"event\":\"interval\"/ { n++ } /\"outcome\":\"done\"/ { n = 0 } "         \
    "END { exit n < '${rests:-0}' }' t; }\n"

/* Lines of the shell that run ./$program, one of tests/movable or with $arguments another, on nodes
 * of $cores, in sampling intervals of $interval (5), with $S the source; its steps and what it
 * prints are left in "out", and the trace in "t". The machine file says what there is from then on
 * when all that was to be done about what it said before is done, and the line $before has run. */
static const char scenario[] =
    SCENARIO_WORDS "rm -f stop t; there_are 'a b c d e'\n"
                   "XMPI_POLICY=migrate XMPI_INTERVAL=${interval:-5} XMPI_TIMEOUT=600 XMPI_TRACE=t "
                   "XMPI_BACKEND=spawn XMPI_WAIT=sleep XMPI_CONTROL=off $S/tests/cluster/run -m "
                   "machines -n $((4 * cores)) -- ./$program "
                   "${arguments:-0} >out 2>&1 &\n"
                   "await \"grep -q '\\\"interval\\\"' t 2>/dev/null\"\n"
                   "then_are() { eval \"${before:-:}\"; there_are \"$@\"; }\n"
                   "then_are 'b c d e' a; done_with 1\n"
                   "then_are 'c d e'; done_with 2\n"
                   "then_are 'd e' c; done_with 3\n"
                   "then_are e; done_with 4\n"
                   "then_are 'a b c f'; done_with 5\n"
                   "touch stop; wait; rm stop\n";

#endif
