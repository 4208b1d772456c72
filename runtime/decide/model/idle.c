/* SPDX-License-Identifier: BSD-3-Clause
 * Idle PEs. */
#include "decide/model/idle.h"

#include <math.h>

const double xmpi_idle_answering_share = 0.0001;

double xmpi_load_share(const xmpi_load_t *load, int members, double used)
{
    if (!(load->cores > 0) || !(load->seconds > 0) || !(load->busy >= 0))
        return 0;
    double others = fmax(0, fmin(load->busy / load->seconds, load->cores) - used);
    double left = load->cores - members - others;
    double even =
        load->cores / (members + 1 + ceil(others - 0.05)); /* what ticks of the clock add */
    return fmin(1, fmax(left, even));
}
