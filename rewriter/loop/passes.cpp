/* SPDX-License-Identifier: BSD-3-Clause
 * A loop that counts to a constant, and whose iterations do not know which one they are, repeats
 * what is in it. One that counts to something else, and uses its counter, goes through rows. */
#include "loop/passes.h"
#include "source/integer.h"
#include "source/loops.h"
#include "source/within.h"
#include <algorithm>
#include <vector>

namespace xmpi
{

using namespace clang;

namespace
{

enum { MaxDepth = 16 };
const long long most = 1 << 20; /* nobody goes through an array more often in an iteration */

bool leaves(const Stmt *statement)
{
    return anyWithin(statement,
                     [](const Stmt *one) { return isa<BreakStmt, ReturnStmt, GotoStmt>(one); });
}

/* The variable that a for loop steps by one, and what it is at first. */
const VarDecl *counterOf(const ForStmt *loop, const Expr *&start)
{
    const auto *step = dyn_cast_or_null<UnaryOperator>(loop->getInc());
    const VarDecl *counter =
        step != nullptr && step->isIncrementOp() ? variableNamed(step->getSubExpr()) : nullptr;
    start = nullptr;
    if (counter == nullptr || loop->getInit() == nullptr)
        return nullptr;
    if (const auto *declaration = dyn_cast<DeclStmt>(loop->getInit()))
        start = declaration->isSingleDecl() && declaration->getSingleDecl() == counter
                    ? counter->getInit()
                    : nullptr;
    else if (const auto *binary = dyn_cast<BinaryOperator>(loop->getInit()))
        start = binary->getOpcode() == BO_Assign && variableNamed(binary->getLHS()) == counter
                    ? binary->getRHS()
                    : nullptr;
    return start != nullptr ? counter : nullptr;
}

/* 0: not a constant. */
long long tripsOf(const Analysis &analysis, const ForStmt *loop)
{
    const Expr *start;
    const VarDecl *counter = counterOf(loop, start);
    const auto *condition = dyn_cast_or_null<BinaryOperator>(loop->getCond());
    if (counter == nullptr || condition == nullptr || leaves(loop->getBody()) ||
        (condition->getOpcode() != BO_LT && condition->getOpcode() != BO_LE) ||
        variableNamed(condition->getLHS()) != counter)
        return 0;
    std::optional<long long> from = constantInteger(start, analysis.context);
    std::optional<long long> to = constantInteger(condition->getRHS(), analysis.context);
    if (!from || !to || *from < -most || *to > most || *to < *from)
        return 0;
    return std::min(most, *to - *from + (condition->getOpcode() == BO_LE));
}

bool usesCounter(const ForStmt *loop)
{
    const Expr *start;
    const VarDecl *counter = counterOf(loop, start);
    return counter == nullptr || namesOf(loop->getBody(), counter) > 0;
}

/* Loops, and calls of functions of the file, that STATEMENT does in any case, in their order. */
bool collect(const Stmt *statement, std::vector<const Stmt *> &parts)
{
    if (isLoop(statement)) {
        parts.push_back(statement);
        return true;
    }
    if (const auto *call = dyn_cast<CallExpr>(statement))
        if (call->getDirectCallee() != nullptr &&
            call->getDirectCallee()->getDefinition() != nullptr)
            parts.push_back(statement);
    size_t before = parts.size();
    for (const Stmt *child : partsIn(statement))
        if (!collect(child, parts))
            return false;
    bool sometimes = isa<IfStmt, SwitchStmt, ConditionalOperator, GotoStmt>(statement);
    return !sometimes || parts.size() == before;
}

long long passesOf(const Analysis &analysis, const Stmt *stage, int depth);

/* What is in the body of a loop or function. What has no loop goes along. */
long long within(const Analysis &analysis, const Stmt *body, int depth)
{
    std::vector<const Stmt *> parts;
    if (depth > MaxDepth || !collect(body, parts))
        return 0;
    long long found = 1;
    int loops = 0;
    for (const Stmt *part : parts) {
        long long passes = passesOf(analysis, part, depth + 1);
        std::vector<const Stmt *> inner;
        bool computes =
            !isa<CallExpr>(part) || passes != 1 ||
            !collect(cast<CallExpr>(part)->getDirectCallee()->getDefinition()->getBody(), inner) ||
            !inner.empty();
        if (!computes)
            continue;
        found = passes;
        loops++;
    }
    return loops > 1 ? 0 : found;
}

bool hasLoop(const Stmt *body)
{
    std::vector<const Stmt *> parts;
    return !collect(body, parts) || !parts.empty();
}

long long passesOf(const Analysis &analysis, const Stmt *stage, int depth)
{
    if (const auto *call = dyn_cast<CallExpr>(stage)) {
        const FunctionDecl *callee = definitionOf(call);
        return callee != nullptr ? within(analysis, callee->getBody(), depth) : 1;
    }
    if (const auto *loop = dyn_cast<ForStmt>(stage)) {
        if (!hasLoop(loop->getBody()))
            return 1;
        long long trips = tripsOf(analysis, loop);
        if (usesCounter(loop))
            return trips == 0 ? 1 : 0;
        return trips == 0 ? 0 : std::min(most, trips * within(analysis, loop->getBody(), depth));
    }
    if (isa<WhileStmt, DoStmt>(stage)) {
        const Stmt *body = isa<WhileStmt>(stage) ? cast<WhileStmt>(stage)->getBody()
                                                 : cast<DoStmt>(stage)->getBody();
        return hasLoop(body) ? 0 : 1;
    }
    return within(analysis, stage, depth);
}

} // namespace

long long repeatsOf(const Analysis &analysis, const Stmt *loop)
{
    const auto *counts = dyn_cast<ForStmt>(loop);
    return counts != nullptr ? tripsOf(analysis, counts) : 0;
}

long long passesOf(const Analysis &analysis, const Stmt *stage)
{
    return passesOf(analysis, stage, 0);
}

} // namespace xmpi
