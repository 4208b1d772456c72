/* SPDX-License-Identifier: BSD-3-Clause
 * The policies: a line for each, whose xmpi_policy_t, in a file of its own, is xmpi_policy_NAME.
 * This is the only list of them; the rewriter and xmpictl read it, too. */
#ifndef XMPI_DECIDE_POLICIES_POLICIES_H
#define XMPI_DECIDE_POLICIES_POLICIES_H

/* clang-format off */
#define XMPI_POLICIES(policy) \
    policy(balance) \
    policy(spread) \
    policy(swap) \
    policy(map) \
    policy(migrate) \
    policy(smp) \
    policy(hpmp) \
    policy(amp) \
    policy(schedule) \
    policy(random)
/* clang-format on */

/* The settings that policies have for parameters, XMPI_NAME in small letters: what the clause
 * policy(...) of a pragma may set. Types, ranges and help are in the table of settings. */
#define XMPI_POLICY_SETTINGS(setting)                                                              \
    setting(application_gain) setting(constraint) setting(forecast) setting(goal)                  \
        setting(history) setting(imbalance) setting(payback) setting(process_gain) setting(share)  \
            setting(swap) setting(swaps) setting(tolerance) setting(window)

#endif
