/* SPDX-License-Identifier: BSD-3-Clause
 * Recognises error exits, also behind functions such as die(). */
#include "exits.h"
#include "effects.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

enum { MaxDepth = 8 };

bool ends(const Stmt *statement, int depth);

bool returns(const Stmt *statement)
{
    if (statement == nullptr)
        return false;
    if (isa<ReturnStmt>(statement) || isa<GotoStmt>(statement))
        return true;
    return std::any_of(statement->child_begin(), statement->child_end(), returns);
}

bool endsInCall(const CallExpr *call, int depth)
{
    static const char *const names[] = {"exit",       "_exit", "_Exit",
                                        "quick_exit", "abort", "MPI_Abort"};
    llvm::StringRef name = calleeName(call);
    if (std::any_of(std::begin(names), std::end(names),
                    [&](const char *known) { return name == known; }))
        return true;
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee == nullptr || depth == MaxDepth)
        return false;
    const FunctionDecl *own = callee->getDefinition();
    return callee->isNoReturn() ||
           (own != nullptr && !returns(own->getBody()) && ends(own->getBody(), depth + 1));
}

bool ends(const Stmt *statement, int depth)
{
    if (statement == nullptr)
        return false;
    if (const auto *block = dyn_cast<CompoundStmt>(statement))
        return !block->body_empty() && ends(block->body_back(), depth);
    if (const auto *once = dyn_cast<DoStmt>(statement))
        return ends(once->getBody(), depth);
    if (const auto *choice = dyn_cast<IfStmt>(statement))
        return ends(choice->getThen(), depth) && ends(choice->getElse(), depth);
    const auto *expression = dyn_cast<Expr>(statement);
    const auto *call = expression ? dyn_cast<CallExpr>(expression->IgnoreParenCasts()) : nullptr;
    return call != nullptr && endsInCall(call, depth);
}

void collect(const Stmt *statement, std::set<const Stmt *> &found)
{
    if (const auto *choice = dyn_cast<IfStmt>(statement))
        for (const Stmt *branch : {choice->getThen(), choice->getElse()})
            if (endsProgram(branch))
                found.insert(branch);
    for (const Stmt *child : statement->children())
        if (child != nullptr)
            collect(child, found);
}

} // namespace

bool endsProgram(const Stmt *statement)
{
    return ends(statement, 0) && !returns(statement);
}

std::set<const Stmt *> branchesThatEnd(const Structure &structure)
{
    std::set<const Stmt *> found;
    for (const FunctionDecl *function : structure.functions)
        collect(function->getBody(), found);
    return found;
}

} // namespace xmpi
