/* SPDX-License-Identifier: BSD-3-Clause
 * What a call hands over between processes. */
#ifndef XMPI_REWRITER_MESSAGE_H
#define XMPI_REWRITER_MESSAGE_H

#include <clang/AST/Expr.h>

namespace xmpi
{

/* To one and from one, or to all behind it (a scan, or a function of another file, of which nobody
 * knows). */
struct Message {
    bool sends = false, receives = false;
    const clang::Expr *to = nullptr, *from = nullptr; /* the processes; null: others */
    const clang::Expr *sent = nullptr, *received = nullptr;
    const clang::Expr *manySent = nullptr, *manyReceived = nullptr;
};

Message messageOf(const clang::CallExpr *call);

} // namespace xmpi
#endif
