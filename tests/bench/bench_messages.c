/* SPDX-License-Identifier: BSD-3-Clause
 * Counts the messages of the runtime: of the decision in an interval without a change, and of one
 * in which the members change and the world is made anew. */
#define _GNU_SOURCE
#include "bench/measure.h"

#include "support/messages.h"

int main(void)
{
    char *dir = measure_begin("messages");
    if (messages_build(dir) != 0)
        measure_fail("the program cannot be built");
    for (int members = 4; members <= 64; members *= 2) {
        messages_t messages;
        if (messages_count(dir, members, &messages) != 0)
            measure_fail("%d members: the run has failed", members);
        char *interval = measure_text("decision.messages.%d", members);
        char *change = measure_text("world.messages.%d", members);
        measure_figure(interval, messages.interval, "messages");
        measure_figure(change, messages.change, "messages");
        free(interval);
        free(change);
    }
    free(dir);
    return 0;
}
