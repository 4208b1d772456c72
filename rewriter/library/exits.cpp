/* SPDX-License-Identifier: BSD-3-Clause
 * Recognises error exits, also behind functions such as die(). */
#include "library/exits.h"
#include "facts/effects.h"
#include "library/library.h"
#include "source/within.h"
#include <clang/Basic/SourceManager.h>
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
    if (isa<ReturnStmt, GotoStmt>(statement))
        return true;
    return llvm::any_of(statement->children(), returns);
}

bool endsInCall(const CallExpr *call, int depth)
{
    if (deedOf(call) == Deed::Exits)
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
    const CallExpr *call = callIn(expression);
    return call != nullptr && endsInCall(call, depth);
}

/* The branches in STATEMENT that are SO. */
void collect(const Stmt *statement, bool (*so)(const Stmt *), std::set<const Stmt *> &found)
{
    eachWithin(statement, [&](const Stmt *one) {
        if (const auto *choice = dyn_cast<IfStmt>(one))
            for (const Stmt *branch : {choice->getThen(), choice->getElse()})
                if (so(branch))
                    found.insert(branch);
    });
}

/* Assigns constants to variables, and then jumps behind END or returns. */
bool passes(const Stmt *statement, SourceLocation end, ASTContext &context)
{
    if (statement == nullptr)
        return false;
    if (isa<ReturnStmt>(statement))
        return true;
    if (const auto *jump = dyn_cast<GotoStmt>(statement))
        return context.getSourceManager().isBeforeInTranslationUnit(
            end, jump->getLabel()->getStmt()->getBeginLoc());
    const auto *block = dyn_cast<CompoundStmt>(statement);
    if (block == nullptr || block->body_empty() || !passes(block->body_back(), end, context))
        return false;
    return std::all_of(block->body_begin(), block->body_end() - 1, [&](const Stmt *part) {
        const auto *binary = dyn_cast<BinaryOperator>(part);
        return binary != nullptr && binary->getOpcode() == BO_Assign &&
               isa<DeclRefExpr>(binary->getLHS()) && binary->getRHS()->isEvaluatable(context);
    });
}

} // namespace

bool leavesProgram(const Stmt *branch)
{
    if (const auto *block = dyn_cast_or_null<CompoundStmt>(branch))
        return !block->body_empty() && leavesProgram(block->body_back());
    return isa_and_nonnull<ReturnStmt, GotoStmt>(branch) || endsProgram(branch);
}

std::set<const Stmt *> branchesThatLeave(const Stmt *statement)
{
    std::set<const Stmt *> found;
    collect(statement, leavesProgram, found);
    return found;
}

bool endsProgram(const Stmt *statement)
{
    return ends(statement, 0) && !returns(statement);
}

std::set<const Stmt *> branchesThatEnd(const Structure &structure)
{
    std::set<const Stmt *> found;
    for (const FunctionDecl *function : structure.functions)
        collect(function->getBody(), endsProgram, found);
    return found;
}

std::set<const Stmt *> branchesThatPass(const Structure &structure, ASTContext &context,
                                        const Stmt *anchor)
{
    std::set<const Stmt *> found;
    for (const Stmt *statement : structure.preceding(anchor))
        if (const auto *choice = dyn_cast<IfStmt>(statement))
            for (const Stmt *branch : {choice->getThen(), choice->getElse()})
                if (passes(branch, anchor->getEndLoc(), context))
                    found.insert(branch);
    return found;
}

} // namespace xmpi
