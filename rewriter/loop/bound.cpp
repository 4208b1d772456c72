/* SPDX-License-Identifier: BSD-3-Clause
 * How many iterations a counting loop makes at most, where its head says so. A loop that may also
 * end for other reasons only ends earlier. */
#include "source/integer.h"
#include "source/loops.h"
#include "analysis.h"
#include "source/within.h"

namespace xmpi
{

using namespace clang;

namespace
{

/* What the head of a for loop says: VARIABLE goes from START by STEP until it passes END. */
struct Counting {
    const VarDecl *variable = nullptr;
    const Expr *start = nullptr; /* null: the value that the variable has before the loop */
    const Expr *end = nullptr;
    long long step = 0;
    bool inclusive = false; /* END itself is reached */
};

class BoundFinder
{
  public:
    explicit BoundFinder(Analysis &analysis)
        : analysis(analysis), loop(dyn_cast<ForStmt>(analysis.loop))
    {
    }

    /* An expression for the place before the loop; "" where nothing is certain. */
    std::string find()
    {
        if (loop == nullptr || loop->getInc() == nullptr || loop->getCond() == nullptr ||
            isEnteredAgain() || !readStep() || !readStart() || !isOwn() ||
            !readEnd(loop->getCond()))
            return "";
        return text();
    }

  private:
    Analysis &analysis;
    const ForStmt *loop;
    Counting counting;

    /* The runtime counts the iterations of all the times that it is entered. */
    bool isEnteredAgain() const
    {
        size_t loops = 0;
        for (const auto &pragma : analysis.pragmas.list)
            loops += pragma->directive == Directive::Loop;
        for (const Step &step : analysis.path)
            if (analysis.structure.enclosingLoop(step.anchor) != nullptr)
                return true;
        return loops > 1 || analysis.several;
    }

    long long constantOf(const Expr *expression) const
    {
        return constantInteger(expression, analysis.context).value_or(0);
    }

    bool readStep()
    {
        const Expr *change = loop->getInc()->IgnoreParens();
        if (const auto *unary = dyn_cast<UnaryOperator>(change)) {
            counting.variable = variableNamed(unary->getSubExpr());
            counting.step = unary->isIncrementOp() ? 1 : unary->isDecrementOp() ? -1 : 0;
        } else if (const auto *binary = dyn_cast<CompoundAssignOperator>(change)) {
            counting.variable = variableNamed(binary->getLHS());
            long long step = constantOf(binary->getRHS());
            bool adds = binary->getOpcode() == BO_AddAssign;
            counting.step = adds ? step : binary->getOpcode() == BO_SubAssign ? -step : 0;
        }
        const long long most = 1 << 30; /* further away nothing is a usual step */
        return counting.variable != nullptr && counting.step != 0 && counting.step > -most &&
               counting.step < most;
    }

    bool readStart()
    {
        const Stmt *first = loop->getInit();
        if (first == nullptr)
            return !analysis.startsOver; /* which is told of it in an iteration */
        if (const auto *declaration = dyn_cast<DeclStmt>(first)) {
            for (const Decl *declared : declaration->decls())
                if (declared == counting.variable)
                    counting.start = counting.variable->getInit();
        } else if (const auto *binary = dyn_cast<BinaryOperator>(first)) {
            if (binary->getOpcode() == BO_Assign &&
                variableNamed(binary->getLHS()) == counting.variable)
                counting.start = binary->getRHS();
        }
        return counting.start != nullptr && isSimple(counting.start, analysis.startsOver);
    }

    /* Only the head of the loop sets the variable. */
    bool isOwn() const
    {
        const VarDecl *variable = counting.variable;
        if (!variable->getType()->isIntegerType() || variable->getType().isVolatileQualified() ||
            hasAddress(loop->getBody()) || hasAddress(loop->getCond()))
            return false;
        for (const Stmt *part : {loop->getBody(), static_cast<const Stmt *>(loop->getCond())})
            for (const Write &write : analysis.finder.withCallees(part).writes)
                if (!write.place.behind &&
                    write.place.base->getCanonicalDecl() == variable->getCanonicalDecl())
                    return false;
        return true;
    }

    bool hasAddress(const Stmt *statement) const
    {
        return anyWithin(statement, [&](const Stmt *one) {
            const Expr *target = addressedBy(dyn_cast<Expr>(one));
            return target != nullptr && variableNamed(target) == counting.variable;
        });
    }

    /* The first comparison that must hold for the loop to go on. */
    bool readEnd(const Expr *condition)
    {
        const auto *binary = dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts());
        if (binary == nullptr)
            return false;
        if (binary->getOpcode() == BO_LAnd)
            return readEnd(binary->getLHS()) || readEnd(binary->getRHS());
        if (!binary->isRelationalOp())
            return false;
        bool left = variableNamed(binary->getLHS()) == counting.variable;
        bool right = variableNamed(binary->getRHS()) == counting.variable;
        BinaryOperatorKind kind = binary->getOpcode();
        bool less = kind == BO_LT || kind == BO_LE;
        counting.inclusive = kind == BO_LE || kind == BO_GE;
        counting.end = left ? binary->getRHS() : binary->getLHS();
        return left != right && (left == less) == (counting.step > 0) &&
               (counting.step > 0 || counting.variable->getType()->isSignedIntegerType()) &&
               isSimple(counting.end, true);
    }

    /* An integer that can be computed before the loop; KEPT: and is the same while it runs. */
    bool isSimple(const Expr *expression, bool kept) const
    {
        const Expr *bare = expression->IgnoreParenCasts();
        if (!bare->getType()->isIntegralOrEnumerationType())
            return false;
        if (isa<IntegerLiteral, CharacterLiteral, UnaryExprOrTypeTraitExpr>(bare))
            return true;
        if (isa<DeclRefExpr, MemberExpr>(bare))
            return isValue(bare, kept);
        if (const auto *unary = dyn_cast<UnaryOperator>(bare))
            return (unary->getOpcode() == UO_Minus || unary->getOpcode() == UO_Plus) &&
                   isSimple(unary->getSubExpr(), kept);
        const auto *binary = dyn_cast<BinaryOperator>(bare);
        return binary != nullptr && (binary->isAdditiveOp() || binary->isMultiplicativeOp()) &&
               isSimple(binary->getLHS(), kept) && isSimple(binary->getRHS(), kept);
    }

    bool isValue(const Expr *name, bool kept) const
    {
        if (const auto *reference = dyn_cast<DeclRefExpr>(name))
            if (isa<EnumConstantDecl>(reference->getDecl()))
                return true;
        std::optional<Place> place = placeOf(name);
        if (!place || place->element || name->getType().isVolatileQualified() ||
            declares(loop->getInit(), place->base))
            return false;
        for (const RangeVariable &range : analysis.ranges)
            if (kept && overlap(range.place, *place))
                return false;
        for (const Write &write : analysis.inLoop.writes)
            if (kept && overlap(write.place, *place))
                return false;
        return !kept || !analysis.isSetup(*place);
    }

    std::string text() const
    {
        std::string end = analysis.source.written(counting.end);
        std::string start = counting.start != nullptr ? analysis.source.written(counting.start)
                                                      : counting.variable->getNameAsString();
        if (end.empty() || start.empty() || (end + start).find('\n') != std::string::npos)
            return "";
        bool up = counting.step > 0;
        std::string upper = up ? end : start, lower = up ? start : end;
        std::string distance = upper;
        if (lower != "0")
            distance = "(long long)(" + upper + ") - (long long)(" + lower + ")";
        long long step = up ? counting.step : -counting.step;
        long long more = step - 1 + counting.inclusive;
        if (more > 0)
            distance = "(long long)(" + distance + ") + " + std::to_string(more);
        return step == 1 ? distance : "(" + distance + ") / " + std::to_string(step);
    }
};

} // namespace

std::string inferBound(Analysis &analysis)
{
    return BoundFinder(analysis).find();
}

} // namespace xmpi
