/* SPDX-License-Identifier: BSD-3-Clause
 * How far checkpoints are apart. */
#include "decide/leader/apart.h"

#include <math.h>

double xmpi_checkpoints_apart(double stall, double writing, double mtbf)
{
    double ratio = stall / (2 * mtbf);
    double best =
        ratio >= 1 ? mtbf : sqrt(2 * stall * mtbf) * (1 + sqrt(ratio) / 3 + ratio / 9) - stall;
    return fmax(best, 2 * writing);
}

double xmpi_checkpoints_apart_after(double run, double stall, double writing, double mtbf)
{
    double least = fmax(100 * stall, 2 * writing);
    return fmin(fmax(run, least), xmpi_checkpoints_apart(stall, writing, mtbf));
}
