/* SPDX-License-Identifier: BSD-3-Clause
 * What a call hands over between processes. */
#ifndef XMPI_REWRITER_MESSAGE_H
#define XMPI_REWRITER_MESSAGE_H

#include <clang/AST/Expr.h>
#include <optional>

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

/* Which arguments of a call with this NAME say of what datatype the elements are that it sends or
 * receives, to or from which process, and with which tag; -1: none of them does. */
struct Envelope {
    int type, process, tag;
};

std::optional<Envelope> sentBy(llvm::StringRef name);
std::optional<Envelope> receivedBy(llvm::StringRef name);

/* Of a call that makes a persistent request: what starting it does. */
llvm::StringRef startedName(llvm::StringRef name);

} // namespace xmpi
#endif
