/* SPDX-License-Identifier: BSD-3-Clause
 * In which order texts are put into a program. */
#ifndef XMPI_REWRITER_ORDER_H
#define XMPI_REWRITER_ORDER_H

namespace xmpi
{

/* Of several that go to the same offset: inner closings first, then openings. */
enum Order {
    CloseExit,
    CloseCondition,
    CloseBody,
    EndLoop,
    CloseGuard,
    Return,
    Arrive, /* values from members, which what is registered may be computed from */
    Register,
    Divide, /* between the names of a declaration */
    Open,
    OpenInner,
    Replace
};

} // namespace xmpi
#endif
