/* SPDX-License-Identifier: BSD-3-Clause
 * Sample: what several of them tell together. */
#include "decide/model/sample.h"

/* Whether all members made as many calls, and the least seconds that one of them took. */
static bool comparable(const xmpi_sample_t *samples, int members, int class_index, double *least)
{
    *least = samples[0].operations[class_index].seconds;
    for (int i = 1; i < members; i++) {
        const xmpi_operations_t *operations = &samples[i].operations[class_index];
        if (operations->calls != samples[0].operations[class_index].calls)
            return false;
        *least = operations->seconds < *least ? operations->seconds : *least;
    }
    return true;
}

double xmpi_sample_waiting(const xmpi_sample_t *samples, int members, int rank)
{
    static const xmpi_class_t blocking[] = {XMPI_CLASS_P2P, XMPI_CLASS_COLLECTIVE, XMPI_CLASS_WAIT};
    double waiting = 0, least;
    for (int i = 0; i < 3; i++)
        if (comparable(samples, members, blocking[i], &least))
            waiting += samples[rank].operations[blocking[i]].seconds - least;
    return waiting;
}

double xmpi_sample_busy(const xmpi_sample_t *sample)
{
    return sample->computation + sample->operations[XMPI_CLASS_IO].seconds;
}

int xmpi_reference_member(const xmpi_sample_t *samples, int members)
{
    int reference = 0;
    for (int i = 1; i < members; i++)
        if (samples[i].wall - xmpi_sample_busy(&samples[i]) <
            samples[reference].wall - xmpi_sample_busy(&samples[reference]))
            reference = i;
    return reference;
}
