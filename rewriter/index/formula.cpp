/* SPDX-License-Identifier: BSD-3-Clause
 * Computes formulas with numbers that are made up for all that they are made of, and with the
 * counters of one such that it is about the same row as the other one. */
#include "index/formula.h"
#include "rows/own_loops.h"
#include "source/integer.h"
#include "source/variable.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace xmpi
{

using namespace clang;

namespace
{

enum { Tries = 3, MaxDepth = 8, MaxCombinations = 65 };

using Number = std::optional<double>;
using Received = std::function<bool(const Expr *)>;
using Holds = std::function<std::optional<bool>(const Expr *)>;

/* An element, or something in it: the array, and the numbers of indices and members on the way. */
struct Location {
    const VarDecl *array = nullptr;
    std::vector<double> way;
};

/* Between 1 and 2, for what has KEY in a try. */
double madeUp(uint64_t key, unsigned attempt)
{
    key = (key + attempt) * 0x9e3779b97f4a7c15u;
    key = (key ^ (key >> 31)) * 0xbf58476d1ce4e5b9u;
    return 1 + static_cast<double>((key ^ (key >> 29)) >> 12) * 0x1p-52;
}

uint64_t mixed(uint64_t key, double value)
{
    return (key ^ static_cast<uint64_t>(std::hash<double>()(value))) * 0x94d049bb133111ebu + 1;
}

class Computer
{
  public:
    Computer(const Analysis &analysis, const LoopUses &uses, unsigned attempt)
        : analysis(analysis), uses(uses), attempt(attempt)
    {
    }

    std::map<const VarDecl *, double> counters; /* what they are */
    Holds holds;                                /* of conditions; or null */

    struct Read {
        const VarDecl *array;
        double number;
    };
    std::vector<Read> read; /* elements */
    /* Elements of which one stands for each thing that is RECEIVED: COMBINATION tells which. */
    std::vector<Read> others;
    Received received;
    size_t combination = 0;

    /* What ASSIGNMENT makes of what it is to. */
    Number after(const BinaryOperator *assignment)
    {
        const Number given = of(assignment->getRHS());
        if (!given || assignment->getOpcode() == BO_Assign)
            return given;
        const Number before = of(assignment->getLHS());
        return before
                   ? combined(BinaryOperator::getOpForCompoundAssignment(assignment->getOpcode()),
                              *before, *given, assignment->getType()->isIntegerType())
                   : std::nullopt;
    }

    Number of(const Expr *expression)
    {
        expression = expression->IgnoreParens();
        if (const auto constant = constantInteger(expression, analysis.context))
            return *constant;
        if (const auto *real = dyn_cast<FloatingLiteral>(expression))
            return real->getValueAsApproximateDouble();
        if (const auto *cast = dyn_cast<CastExpr>(expression))
            return ofCast(cast);
        if (expression->getType()->isPointerType())
            return ofPointer(expression);
        if (const auto *binary = dyn_cast<BinaryOperator>(expression))
            return ofBinary(binary);
        if (const auto *unary = dyn_cast<UnaryOperator>(expression);
            unary != nullptr && unary->getOpcode() != UO_Deref)
            return ofUnary(unary);
        if (const auto *choice = dyn_cast<ConditionalOperator>(expression))
            return ofChoice(choice);
        if (const auto *call = dyn_cast<CallExpr>(expression))
            return ofCall(call);
        return ofPlace(expression);
    }

    std::optional<Location> locate(const Expr *place)
    {
        place = place->IgnoreParenCasts();
        if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(place))
            return moved(behind(subscript->getBase()), subscript->getIdx(), 1);
        if (const auto *unary = dyn_cast<UnaryOperator>(place))
            return unary->getOpcode() == UO_Deref ? behind(unary->getSubExpr()) : std::nullopt;
        if (const auto *member = dyn_cast<MemberExpr>(place)) {
            std::optional<Location> all =
                member->isArrow() ? behind(member->getBase()) : locate(member->getBase());
            if (const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl()); all && field)
                all->way.push_back(field->getFieldIndex());
            return all;
        }
        const VarDecl *variable = variableIn(place);
        return variable != nullptr ? std::optional(Location{arrayOf(variable), {}}) : std::nullopt;
    }

  private:
    const Analysis &analysis;
    const LoopUses &uses;
    const unsigned attempt;
    int depth = 0;

    /* What VARIABLE, a parameter perhaps, means. */
    const VarDecl *arrayOf(const VarDecl *variable) const
    {
        const std::set<const VarDecl *> meant = uses.meaning(variable);
        return (meant.size() == 1 ? *meant.begin() : variable)->getCanonicalDecl();
    }

    /* What POINTER leads to: an element, the last number is its own. */
    std::optional<Location> behind(const Expr *pointer)
    {
        pointer = pointer->IgnoreParenCasts();
        if (const Expr *target = addressedBy(pointer))
            return locate(target);
        if (const auto *sum = dyn_cast<BinaryOperator>(pointer)) {
            const auto [base, number] = sidesOf(sum);
            return sum->isAdditiveOp()
                       ? moved(behind(base), number, sum->getOpcode() == BO_Sub ? -1 : 1)
                       : std::nullopt;
        }
        const VarDecl *variable = variableIn(pointer);
        const Expr *set = variable != nullptr ? onlyValueOf(variable) : nullptr;
        if (set != nullptr && set->getType()->isPointerType() && ++depth < MaxDepth)
            if (std::optional<Location> there = behind(set))
                return there;
        std::optional<Location> first = locate(pointer);
        if (first)
            first->way.push_back(0);
        return first;
    }

    std::optional<Location> moved(std::optional<Location> element, const Expr *index, int sign)
    {
        const Number by = element && !element->way.empty() ? of(index) : std::nullopt;
        if (!by)
            return std::nullopt;
        element->way.back() += sign * *by;
        return element;
    }

    double numberOf(const Location &location) const
    {
        uint64_t key = reinterpret_cast<uintptr_t>(location.array);
        for (const double step : location.way)
            key = mixed(key, step);
        return madeUp(key, attempt);
    }

    Number ofPointer(const Expr *pointer)
    {
        const std::optional<Location> location = behind(pointer);
        return location ? Number(numberOf(*location)) : std::nullopt;
    }

    static bool isFloat(QualType type)
    {
        return type->isSpecificBuiltinType(BuiltinType::Float);
    }

    Number ofCast(const CastExpr *cast)
    {
        const Expr *from = cast->getSubExpr();
        if (cast->getType()->isPointerType() || from->getType()->isPointerType())
            return ofPointer(from);
        const Number number = of(from);
        if (number && cast->getCastKind() == CK_FloatingCast && isFloat(cast->getType()))
            return static_cast<float>(*number);
        return number && cast->getCastKind() == CK_FloatingToIntegral ? Number(std::trunc(*number))
                                                                      : number;
    }

    Number ofUnary(const UnaryOperator *unary)
    {
        const Number number =
            unary->isIncrementDecrementOp() ? std::nullopt : of(unary->getSubExpr());
        if (!number)
            return std::nullopt;
        if (unary->getOpcode() == UO_Minus)
            return -*number;
        if (unary->getOpcode() == UO_LNot)
            return *number == 0;
        return unary->getOpcode() == UO_Plus ? number : std::nullopt;
    }

    Number ofBinary(const BinaryOperator *binary)
    {
        const Number left = binary->isAssignmentOp() ? std::nullopt : of(binary->getLHS()),
                     right = left ? of(binary->getRHS()) : std::nullopt;
        return right ? combined(binary->getOpcode(), *left, *right,
                                binary->getType()->isIntegerType())
                     : std::nullopt;
    }

    static Number combined(BinaryOperatorKind kind, double left, double right, bool integer)
    {
        switch (kind) {
        case BO_Add:
            return left + right;
        case BO_Sub:
            return left - right;
        case BO_Mul:
            return left * right;
        case BO_Div:
            return right == 0 ? std::nullopt
                              : Number(integer ? std::trunc(left / right) : left / right);
        case BO_Rem:
            return right == 0 ? std::nullopt : Number(std::fmod(left, right));
        default:
            return compared(kind, left, right);
        }
    }

    static Number compared(BinaryOperatorKind kind, double left, double right)
    {
        switch (kind) {
        case BO_LT:
            return left < right;
        case BO_GT:
            return left > right;
        case BO_LE:
            return left <= right;
        case BO_GE:
            return left >= right;
        case BO_EQ:
            return left == right;
        case BO_NE:
            return left != right;
        case BO_LAnd:
            return left != 0 && right != 0;
        case BO_LOr:
            return left != 0 || right != 0;
        default:
            return std::nullopt;
        }
    }

    Number ofChoice(const ConditionalOperator *choice)
    {
        const std::optional<bool> known = holds ? holds(choice->getCond()) : std::nullopt;
        const Number condition = known ? Number(*known) : of(choice->getCond());
        return !condition ? std::nullopt
                          : of(*condition != 0 ? choice->getTrueExpr() : choice->getFalseExpr());
    }

    Number ofCall(const CallExpr *call)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        uint64_t key = reinterpret_cast<uintptr_t>(callee ? callee->getCanonicalDecl() : nullptr);
        for (const Expr *argument : call->arguments()) {
            const Number number = of(argument);
            if (!number)
                return std::nullopt;
            key = mixed(key, *number);
        }
        return callee != nullptr ? Number(madeUp(key, attempt)) : std::nullopt;
    }

    /* What VARIABLE is set to where it is declared, and not otherwise; or null. */
    const Expr *onlyValueOf(const VarDecl *variable) const
    {
        const Expr *given = variable->isLocalVarDecl() ? variable->getInit() : nullptr;
        for (const Stmt *body : uses.bodies)
            for (const Write &write : analysis.finder.of(body).writes)
                if (write.place.base == variable && write.how != Write::How::Declared)
                    return nullptr;
        return given;
    }

    /* NUMBER, or what stands for PLACE, of ARRAY, which is received. */
    double standIn(const Expr *place, const VarDecl *array, double number)
    {
        if (others.empty() || !received(place) ||
            llvm::any_of(others, [&](const Read &other) { return other.array == array; }))
            return number;
        const double other = others[combination % others.size()].number;
        combination /= others.size();
        return other;
    }

    Number ofVariable(const Expr *name, const VarDecl *variable)
    {
        if (auto known = counters.find(variable); known != counters.end())
            return known->second;
        if (const Expr *set = onlyValueOf(variable); set != nullptr && depth < MaxDepth) {
            depth++;
            const Number number = of(set);
            depth--;
            if (number)
                return number;
        } /* by its name: counters of loops that are like one another have the same */
        const double number = madeUp(llvm::hash_value(variable->getName()), attempt);
        return name->getType()->isIntegerType() ? std::floor(1000 * number)
                                                : standIn(name, variable, number);
    }

    Number ofPlace(const Expr *place)
    {
        if (const VarDecl *variable = variableIn(place))
            return ofVariable(place, variable);
        const std::optional<Location> location = locate(place);
        if (!location)
            return std::nullopt;
        const double number = numberOf(*location);
        if (place->getType()->isIntegerType())
            return std::floor(1000 * number);
        read.push_back({location->array, number});
        return standIn(place, location->array, number);
    }
};

bool areClose(const Number &one, const Number &other)
{
    return one && other && std::abs(*one - *other) <= 1e-9 * (std::abs(*one) + std::abs(*other));
}

/* Where COUNTER has an effect on the place of BETWEEN, and it is not yet that of EDGE, it becomes
 * such that it is. */
void meet(Computer &computer, const Location &edge, const Expr *between, const VarDecl *counter)
{
    const std::optional<Location> now = computer.locate(between);
    std::array<std::optional<Location>, 2> at;
    for (const int value : {0, 1}) {
        computer.counters[counter] = value;
        at[value] = computer.locate(between);
    }
    computer.counters.erase(counter);
    for (size_t i = 0; now && at[0] && at[1] && i < now->way.size() && i < edge.way.size(); i++)
        if (const double step = at[1]->way[i] - at[0]->way[i];
            step != 0 && now->way[i] != edge.way[i]) {
            computer.counters[counter] = (edge.way[i] - at[0]->way[i]) / step;
            return;
        }
}

/* The same of all COUNTERS: whether BETWEEN is where EDGE is then. */
bool meet(Computer &computer, const Location &edge, const Expr *between,
          const std::vector<const VarDecl *> &counters)
{
    for (const VarDecl *counter : counters)
        meet(computer, edge, between, counter);
    const std::optional<Location> there = computer.locate(between);
    return there && there->way == edge.way;
}

} // namespace

/* EDGE has a number that BETWEEN has as well, where each thing that is RECEIVED stands for
 * something that this reads. */
static bool isSame(const Analysis &analysis, const LoopUses &uses, const Received &received,
                   const Holds &holds, const std::function<Number(Computer &)> &edge,
                   const std::function<Number(Computer &, Computer &)> &between)
{
    size_t possible = 1;
    std::vector<bool> same(MaxCombinations, true);
    for (unsigned attempt = 0; attempt < Tries; attempt++) {
        Computer one(analysis, uses, attempt), other(analysis, uses, attempt);
        one.holds = holds;
        const Number value = between(one, other);
        const size_t many = other.read.size();
        possible = std::min<size_t>(MaxCombinations, 1 + many * many);
        for (size_t i = 0; i < possible; i++) {
            one.others = i > 0 ? other.read : std::vector<Computer::Read>();
            one.received = received;
            one.combination = i > 0 ? i - 1 : 0;
            same[i] = same[i] && areClose(edge(one), value);
        }
    }
    return std::find(same.begin(), same.begin() + possible, true) != same.begin() + possible;
}

bool isSameFormula(const Analysis &analysis, const LoopUses &uses, const BinaryOperator *edge,
                   const BinaryOperator *between, const std::vector<const VarDecl *> &counters,
                   const Received &received, const Holds &holds)
{
    return isSame(
        analysis, uses, received, holds, [&](Computer &one) { return one.after(edge); },
        [&](Computer &one, Computer &other) {
            const std::optional<Location> row = one.locate(edge->getLHS());
            return row && meet(other, *row, between->getLHS(), counters) ? other.after(between)
                                                                         : std::nullopt;
        });
}

bool isSameValue(const Analysis &analysis, const LoopUses &uses, const Expr *edge,
                 const Expr *between, const Received &received)
{
    return isSame(
        analysis, uses, received, nullptr, [&](Computer &one) { return one.of(edge); },
        [&](Computer &, Computer &other) { return other.of(between); });
}

} // namespace xmpi
