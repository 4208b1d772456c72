/* SPDX-License-Identifier: BSD-3-Clause
 * What is made of a program that cannot be divided. */
#ifndef XMPI_REWRITER_INSTEAD_H
#define XMPI_REWRITER_INSTEAD_H

#include "pragmas/pragma.h"
#include "source/source.h"
#include "source/struct_members.h"
#include "state/state.h"
#include <functional>
#include <optional>

namespace xmpi
{

using ClauseFinder =
    std::function<std::optional<std::string>(const std::string &text, const Shapes *)>;

/* What DIAGNOSTICS holds back is why the loops of PRAGMAS are not divisible: TEXT becomes the file
 * with a point in each, and the first reason a remark. False where that is no way out, and all that
 * is held back is said: it is of somebody who meant something else, or ranks do not all go through
 * a loop alike, or its text is a macro's. STATES: where nothing is doubtful about those of all
 * loops, the program can start over; else CLAUSE_FOR tells of the file with points that name
 * nothing what is to be named. NAME: what the user calls the file; READABLE: for people. */
bool moveInstead(clang::ASTContext &context, const StructMembers &members, const Pragmas &pragmas,
                 const FoundStates &states, llvm::StringRef name, bool readable,
                 const ClauseFinder &clauseFor, Diagnostics &diagnostics, std::string &text);

} // namespace xmpi
#endif
