/* SPDX-License-Identifier: BSD-3-Clause
 * Swapping: presets and the payback algebra. */
#include "decide/policy/swap_terms.h"

#include <math.h>

xmpi_swap_terms_t xmpi_swap_terms(xmpi_swap_preset_t preset, const xmpi_swap_terms_t *given)
{
    static const xmpi_swap_terms_t presets[] = {
        [XMPI_SWAP_GREEDY] = {.payback = INFINITY},
        [XMPI_SWAP_SAFE] = {.payback = 0.5, .process_gain = 0.2, .history = 300},
        [XMPI_SWAP_FRIENDLY] = {.payback = INFINITY, .application_gain = 0.02, .history = 60},
    };
    xmpi_swap_terms_t terms = presets[preset];
    terms.payback = given->payback >= 0 ? given->payback : terms.payback;
    terms.process_gain = given->process_gain >= 0 ? given->process_gain : terms.process_gain;
    terms.application_gain =
        given->application_gain >= 0 ? given->application_gain : terms.application_gain;
    terms.history = given->history >= 0 ? given->history : terms.history;
    terms.doubt = XMPI_SWAP_DOUBT;
    terms.swaps = given->swaps > 0 ? given->swaps : terms.swaps;
    return terms;
}

double xmpi_swap_payback(double swap, double iteration, double before, double after)
{
    double spared = iteration * (1 - before / after);
    return spared == 0 ? INFINITY : swap / spared;
}
