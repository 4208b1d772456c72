/* SPDX-License-Identifier: BSD-3-Clause
 * Loops and other statements that go by a condition; loops that count in ones. */
#ifndef XMPI_REWRITER_LOOPS_H
#define XMPI_REWRITER_LOOPS_H

#include "source/variable.h"
#include "source/within.h"
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <optional>

namespace xmpi
{

inline bool isLoop(const clang::Stmt *statement)
{
    return llvm::isa<clang::ForStmt>(statement) || llvm::isa<clang::WhileStmt>(statement) ||
           llvm::isa<clang::DoStmt>(statement);
}

/* What a loop, an if, a switch or a choice goes by; null where it has none, and of others. */
inline const clang::Expr *conditionIn(const clang::Stmt *statement)
{
    if (const auto *counted = llvm::dyn_cast<clang::ForStmt>(statement))
        return counted->getCond();
    if (const auto *whole = llvm::dyn_cast<clang::WhileStmt>(statement))
        return whole->getCond();
    if (const auto *until = llvm::dyn_cast<clang::DoStmt>(statement))
        return until->getCond();
    if (const auto *choice = llvm::dyn_cast<clang::IfStmt>(statement))
        return choice->getCond();
    if (const auto *cases = llvm::dyn_cast<clang::SwitchStmt>(statement))
        return cases->getCond();
    const auto *chosen = llvm::dyn_cast<clang::ConditionalOperator>(statement);
    return chosen != nullptr ? chosen->getCond() : nullptr;
}

/* for (i = BEGIN; i < END; i++) */
struct CountedLoop {
    const clang::VarDecl *counter; /* a local variable, which the body leaves as it is */
    const clang::Expr *begin, *end;
    bool closed; /* END itself is counted, too */
};

/* What a loop's first statement sets, and to what; null where it does something else. */
inline std::pair<const clang::VarDecl *, const clang::Expr *> firstSetBy(const clang::ForStmt *loop)
{
    using namespace clang;
    if (const auto *declared = dyn_cast_or_null<DeclStmt>(loop->getInit()))
        if (const auto *variable =
                declared->isSingleDecl() ? dyn_cast<VarDecl>(declared->getSingleDecl()) : nullptr)
            return {variable->getCanonicalDecl(), variable->getInit()};
    const auto *set = dyn_cast_or_null<BinaryOperator>(loop->getInit());
    if (set == nullptr || set->getOpcode() != BO_Assign)
        return {nullptr, nullptr};
    return {variableIn(set->getLHS()), set->getRHS()};
}

/* STATEMENT, or what is in it, sets or steps VARIABLE, by its name. */
inline bool changes(const clang::Stmt *statement, const clang::VarDecl *variable)
{
    return anyWithin(statement, [&](const clang::Stmt *one) {
        const auto *binary = clang::dyn_cast<clang::BinaryOperator>(one);
        const auto *unary = clang::dyn_cast<clang::UnaryOperator>(one);
        return (binary && binary->isAssignmentOp() && variableIn(binary->getLHS()) == variable) ||
               (unary &&
                (unary->isIncrementDecrementOp() || unary->getOpcode() == clang::UO_AddrOf) &&
                variableIn(unary->getSubExpr()) == variable);
    });
}

/* What STATEMENT sets VARIABLE to, by its name, or changes it by; null where it does neither, or by
 * no value. */
inline const clang::Expr *valueFor(const clang::VarDecl *variable, const clang::Stmt *statement)
{
    const auto *binary = clang::dyn_cast<clang::BinaryOperator>(statement);
    if (binary != nullptr)
        return binary->isAssignmentOp() && variableIn(binary->getLHS()) == variable
                   ? binary->getRHS()
                   : nullptr;
    for (const clang::VarDecl *one : declaredBy(statement))
        if (one->getCanonicalDecl() == variable)
            return one->getInit();
    return nullptr;
}

/* STATEMENT (or null) declares VARIABLE. */
inline bool declares(const clang::Stmt *statement, const clang::VarDecl *variable)
{
    const auto *declaration = clang::dyn_cast_or_null<clang::DeclStmt>(statement);
    return declaration != nullptr && llvm::is_contained(declaration->decls(), variable);
}

/* Nothing where LOOP counts in another way, or perhaps does. */
inline std::optional<CountedLoop> countedLoop(const clang::ForStmt *loop)
{
    using namespace clang;
    const auto [counter, begin] = firstSetBy(loop);
    const auto *goesOn = dyn_cast_or_null<BinaryOperator>(loop->getCond());
    const auto *step = dyn_cast_or_null<UnaryOperator>(loop->getInc());
    if (counter == nullptr || begin == nullptr || !counter->hasLocalStorage() ||
        goesOn == nullptr || variableIn(goesOn->getLHS()) != counter ||
        (goesOn->getOpcode() != BO_LT && goesOn->getOpcode() != BO_LE) || step == nullptr ||
        !step->isIncrementOp() || variableIn(step->getSubExpr()) != counter ||
        changes(loop->getBody(), counter))
        return std::nullopt;
    return CountedLoop{counter, begin, goesOn->getRHS(), goesOn->getOpcode() == BO_LE};
}

} // namespace xmpi
#endif
