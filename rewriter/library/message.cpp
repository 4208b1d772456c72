/* SPDX-License-Identifier: BSD-3-Clause
 * Where calls of MPI have their buffers, and the other process. */
#include "library/message.h"
#include "compat.h"
#include "facts/effects.h"
#include <set>

namespace xmpi
{

using namespace clang;

Message messageOf(const CallExpr *call)
{
    static const std::set<std::string> sending = {"MPI_Send",   "MPI_Isend", "MPI_Ssend",
                                                  "MPI_Issend", "MPI_Rsend", "MPI_Irsend",
                                                  "MPI_Bsend",  "MPI_Ibsend"};
    const llvm::StringRef name = calleeName(call);
    const auto at = [&](unsigned argument) { return call->getArg(argument); };
    if (name == "MPI_Recv" || name == "MPI_Irecv")
        return {false, true, nullptr, at(3), nullptr, at(0), nullptr, at(1)};
    if (sending.count(name.str()) != 0)
        return {true, false, at(3), nullptr, at(0), nullptr, at(1), nullptr};
    if (name == "MPI_Sendrecv")
        return {true, true, at(3), at(8), at(0), at(5), at(1), at(6)};
    if (name == "MPI_Sendrecv_replace")
        return {true, true, at(3), at(5), at(0), at(0), at(1), at(1)};
    const bool scans = name.contains("scan") || name.contains("Scan");
    const bool all = !startsWith(name, "MPI_") || scans || startsWith(name, "MPI_Start");
    return {all, all, nullptr, nullptr, all ? at(0) : nullptr, nullptr, nullptr, nullptr};
}

} // namespace xmpi
