/* SPDX-License-Identifier: BSD-3-Clause
 * Where calls of MPI have their buffers, and the other process. */
#include "library/message.h"
#include "compat.h"
#include "facts/effects.h"
#include <map>
#include <set>

namespace xmpi
{

using namespace clang;

llvm::StringRef startedName(llvm::StringRef name)
{
    name.consume_back("_c");
    name.consume_back("_init");
    return name;
}

std::optional<Envelope> sentBy(llvm::StringRef name)
{
    static const std::set<std::string> known = {"MPI_Send",
                                                "MPI_Isend",
                                                "MPI_Ssend",
                                                "MPI_Issend",
                                                "MPI_Rsend",
                                                "MPI_Irsend",
                                                "MPI_Bsend",
                                                "MPI_Ibsend",
                                                "MPI_Sendrecv",
                                                "MPI_Isendrecv",
                                                "MPI_Sendrecv_replace",
                                                "MPI_Isendrecv_replace"};
    if (name == "MPI_Psend_init")
        return Envelope{3, 4, 5};
    return known.count(startedName(name).str()) != 0 ? std::optional(Envelope{2, 3, 4})
                                                     : std::nullopt;
}

std::optional<Envelope> receivedBy(llvm::StringRef name)
{
    static const std::map<std::string, Envelope> known = {{"MPI_Recv", {2, 3, 4}},
                                                          {"MPI_Irecv", {2, 3, 4}},
                                                          {"MPI_Mrecv", {2, -1, -1}},
                                                          {"MPI_Imrecv", {2, -1, -1}},
                                                          {"MPI_Sendrecv", {7, 8, 9}},
                                                          {"MPI_Isendrecv", {7, 8, 9}},
                                                          {"MPI_Sendrecv_replace", {2, 5, 6}},
                                                          {"MPI_Isendrecv_replace", {2, 5, 6}},
                                                          {"MPI_Precv", {3, 4, 5}}};
    const auto found = known.find(startedName(name).str());
    return found != known.end() ? std::optional(found->second) : std::nullopt;
}

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
