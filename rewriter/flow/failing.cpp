/* SPDX-License-Identifier: BSD-3-Clause
 * Compares what is returned with what the caller asks, where both are numbers. */
#include "flow/failing.h"
#include "library/exits.h"
#include "source/integer.h"
#include "source/variable.h"

namespace xmpi
{

using namespace clang;

namespace
{

/* A number compares with THAN by KIND. */
struct Comparison {
    BinaryOperatorKind kind;
    long long than;
};

bool holds(const Comparison &asked, long long value)
{
    switch (asked.kind) {
    case BO_EQ:
        return value == asked.than;
    case BO_NE:
        return value != asked.than;
    case BO_LT:
        return value < asked.than;
    case BO_LE:
        return value <= asked.than;
    case BO_GT:
        return value > asked.than;
    default:
        return value >= asked.than;
    }
}

/* Whatever compares as KNOWN says does so as ASKED. */
bool implies(const Comparison &known, const Comparison &asked)
{
    if (known.kind == BO_EQ)
        return holds(asked, known.than);
    if (known.kind == asked.kind && known.than == asked.than)
        return true;
    const bool above = known.kind == BO_GT || known.kind == BO_GE;
    const bool below = known.kind == BO_LT || known.kind == BO_LE;
    if (asked.kind != BO_NE || !(above || below))
        return false;
    return !holds(known, asked.than) &&
           (above ? known.than >= asked.than : known.than <= asked.than);
}

template <typename IsIt>
std::optional<Comparison> comparisonIn(const ASTContext &context, const Expr *condition, IsIt isIt)
{
    const Expr *bare = condition->IgnoreParenImpCasts();
    if (isIt(bare))
        return Comparison{BO_NE, 0};
    if (const auto *unary = dyn_cast<UnaryOperator>(bare))
        return unary->getOpcode() == UO_LNot && isIt(unary->getSubExpr()->IgnoreParenImpCasts())
                   ? std::optional<Comparison>({BO_EQ, 0})
                   : std::nullopt;
    const auto *binary = dyn_cast<BinaryOperator>(bare);
    if (binary == nullptr || !binary->isComparisonOp() || binary->getOpcode() == BO_Cmp)
        return std::nullopt;
    for (const bool swapped : {false, true}) {
        const Expr *own = swapped ? binary->getRHS() : binary->getLHS();
        const std::optional<long long> than =
            constantInteger(swapped ? binary->getLHS() : binary->getRHS(), context);
        if (than && isIt(own->IgnoreParenImpCasts()))
            return Comparison{swapped ? BinaryOperator::reverseComparisonOp(binary->getOpcode())
                                      : binary->getOpcode(),
                              *than};
    }
    return std::nullopt;
}

/* BRANCH ends the program on every way through it. */
bool ends(const Analysis &analysis, const Stmt *branch)
{
    if (endsProgram(branch))
        return true;
    const auto *block = dyn_cast<CompoundStmt>(branch);
    const Stmt *last = block && !block->body_empty() ? block->body_back() : branch;
    const FunctionDecl *function = analysis.structure.functionOf(branch);
    return isa<ReturnStmt>(last) && function != nullptr && function->isMain();
}

const Stmt *nextOf(const Analysis &analysis, const Stmt *statement)
{
    const auto *block = dyn_cast_or_null<CompoundStmt>(analysis.structure.parent(statement));
    if (block == nullptr)
        return nullptr;
    auto at = llvm::find(block->body(), statement);
    return at != block->body_end() && at + 1 != block->body_end() ? *(at + 1) : nullptr;
}

/* The statement that does nothing but put what CALL hands back into VARIABLE; or null. */
const Stmt *keeper(const Analysis &analysis, const CallExpr *call, const VarDecl *&variable)
{
    const Stmt *outer = analysis.structure.parent(call);
    while (isa_and_nonnull<ImplicitCastExpr, ParenExpr>(outer))
        outer = analysis.structure.parent(outer);
    if (const auto *declaration = dyn_cast_or_null<DeclStmt>(outer)) {
        variable =
            declaration->isSingleDecl() ? dyn_cast<VarDecl>(declaration->getSingleDecl()) : nullptr;
        const bool own = variable != nullptr && variable->getInit() != nullptr &&
                         variable->getInit()->IgnoreParenImpCasts() == call;
        return own ? declaration : nullptr;
    }
    const auto *binary = dyn_cast_or_null<BinaryOperator>(outer);
    variable = binary != nullptr && binary->getOpcode() == BO_Assign ? variableIn(binary->getLHS())
                                                                     : nullptr;
    return variable != nullptr ? outer : nullptr;
}

/* VARIABLE has a value of TYPE as it is. */
bool isOf(const Analysis &analysis, const VarDecl *variable, QualType type)
{
    return analysis.context.hasSameUnqualifiedType(variable->getType(), type);
}

/* What of the result of CALL ends the program in its caller. */
std::optional<Comparison> askedOf(const Analysis &analysis, const CallExpr *call)
{
    const ASTContext &context = analysis.context;
    for (const Stmt *inner = call, *outer = analysis.structure.parent(call);
         isa_and_nonnull<Expr, IfStmt>(outer);
         inner = outer, outer = analysis.structure.parent(outer))
        if (const auto *choice = dyn_cast<IfStmt>(outer))
            return choice->getCond() == inner && ends(analysis, choice->getThen())
                       ? comparisonIn(context, choice->getCond(),
                                      [&](const Expr *one) { return one == call; })
                       : std::nullopt;
    const VarDecl *variable = nullptr;
    const Stmt *statement = keeper(analysis, call, variable);
    const auto *choice =
        statement ? dyn_cast_or_null<IfStmt>(nextOf(analysis, statement)) : nullptr;
    if (choice == nullptr || !isOf(analysis, variable, call->getType()) ||
        !ends(analysis, choice->getThen()))
        return std::nullopt;
    return comparisonIn(context, choice->getCond(), [&](const Expr *one) {
        const VarDecl *named = variableIn(one);
        return named != nullptr && named->getCanonicalDecl() == variable->getCanonicalDecl();
    });
}

/* What is known of the value that BACK hands back, by the ifs around it that ask for it. */
std::optional<Comparison> knownOf(const Analysis &analysis, const ReturnStmt *back)
{
    const VarDecl *variable = variableIn(back->getRetValue());
    if (variable == nullptr || !variable->hasLocalStorage())
        return std::nullopt;
    for (const Stmt *inner = back, *outer = analysis.structure.parent(back); outer != nullptr;
         inner = outer, outer = analysis.structure.parent(outer)) {
        const auto *choice = dyn_cast<IfStmt>(outer);
        const std::vector<Write> writes = analysis.finder.withCallees(inner).writes;
        if (llvm::any_of(writes, [&](const Write &write) {
                return write.place.base->getCanonicalDecl() == variable->getCanonicalDecl();
            }))
            return std::nullopt;
        if (choice != nullptr && inner == choice->getThen())
            if (auto known =
                    comparisonIn(analysis.context, choice->getCond(),
                                 [&](const Expr *one) { return variableIn(one) == variable; }))
                return known;
    }
    return std::nullopt;
}

} // namespace

bool endsAtCaller(const Analysis &analysis, const CallExpr *call, const ReturnStmt *back)
{
    const Expr *value = back->getRetValue();
    if (call == nullptr || value == nullptr || !value->getType()->isIntegerType() ||
        !call->getType()->isIntegerType())
        return false;
    const std::optional<Comparison> asked = askedOf(analysis, call);
    const std::optional<long long> constant = constantInteger(value, analysis.context);
    if (!asked || constant)
        return asked && holds(*asked, *constant);
    const VarDecl *variable = variableIn(value);
    const std::optional<Comparison> known =
        variable != nullptr && isOf(analysis, variable, call->getType()) ? knownOf(analysis, back)
                                                                         : std::nullopt;
    return known && implies(*known, *asked);
}

} // namespace xmpi
