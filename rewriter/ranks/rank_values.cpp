/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions, stores and calls, judged by how they follow the division of the rows. */
#include "ranks/rank_values.h"
#include "flow/gathered.h"
#include "index/turns.h"
#include "facts/computed.h"
#include "source/integer.h"
#include "library/mpi_outputs.h"
#include "trial/survey.h"
#include <algorithm>
#include <numeric>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

static bool isOneEnd(unsigned ends)
{
    return ends == Form::AtFirst || ends == Form::AtLast;
}

/* At the first end of the domain the row at the first edge of the block is known, and no other. */
bool Guards::endOfDomain() const
{
    return ends && edge && isOneEnd(edged) && (ended == edged || (sure & edged) != 0);
}

void Guards::add(const Form &condition)
{
    const Kind kind = condition.judged();
    if (condition.any || kind == Kind::Row) {
        (condition.any ? any : row) = true;
        if (weak.isUniform())
            weak = condition;
        return;
    }
    bool worse = kind == Kind::Local || (kind == Kind::Block && !local);
    local = local || kind == Kind::Local;
    block = block || kind == Kind::Block;
    gathered |= kind == Kind::Block ? condition.gathered : 0;
    ends = ends || kind == Kind::Ends;
    one = one || (kind == Kind::Ends && !condition.others);
    told |= kind == Kind::Ends ? condition.chosen() : 0;
    const bool sized = (condition.ends & Form::Sized) != 0;
    ended |= kind == Kind::Ends && !sized ? condition.chosen() : 0;
    sure |=
        kind == Kind::Ends && !condition.others && isOneEnd(condition.ends) ? condition.ends : 0;
    edge = edge || kind == Kind::Edge;
    edged |= kind != Kind::Edge ? 0 : condition.ends != 0 ? condition.ends : Form::Verdict;
    if (worse || (kind == Kind::Ends && cause.cause.empty()))
        cause = condition;
}

void RankValues::misuse(Problem problem, SourceLocation where, const std::string &what,
                        const std::string &by)
{
    if (watched)
        misuses.push_back({problem, where, what, by});
}

/* -- uniform factors */

/* Which one of the variables of its function with its name VARIABLE is, as a text; "": the first.
 */
static std::string markOf(const VarDecl *variable)
{
    int earlier = 0;
    for (const Decl *one : variable->getDeclContext()->noload_decls()) {
        if (one == variable || !variable->isLocalVarDecl())
            break;
        const auto *other = dyn_cast<VarDecl>(one);
        earlier += other != nullptr && other->getDeclName() == variable->getDeclName();
    }
    return earlier == 0 ? "" : "#" + std::to_string(earlier);
}

/* EXPRESSION leaves of a real number what is whole. */
static bool rounds(const Expr *expression)
{
    expression = expression->IgnoreParens();
    const auto *cast = dyn_cast<CastExpr>(expression);
    return cast != nullptr &&
           (cast->getCastKind() == CK_FloatingToIntegral || rounds(cast->getSubExpr()));
}

std::string RankValues::textOf(const Expr *expression) const
{
    const Expr *bare = expression->IgnoreParenCasts();
    if (rounds(expression))
        return "(int " + textOf(bare) + ")";
    if (std::optional<long long> value = constantInteger(bare, analysis.context))
        return std::to_string(*value);
    if (const auto *reference = dyn_cast<DeclRefExpr>(bare)) {
        const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
        auto known = variable ? names.find(variable->getCanonicalDecl()) : names.end();
        if (known != names.end())
            return known->second;
        if (variable != nullptr)
            return "(" + analysis.source.spelled(bare) + markOf(variable) + ")";
    }
    return "(" + analysis.source.spelled(bare) + ")";
}

bool RankValues::isSmall(const Expr *expression)
{
    const auto *literal = dyn_cast<IntegerLiteral>(expression->IgnoreParenCasts());
    return literal != nullptr && literal->getValue().ule(3);
}

bool RankValues::isAny(const BinaryOperator *comparison)
{
    for (bool swapped : {false, true}) {
        const Expr *side = swapped ? comparison->getLHS() : comparison->getRHS();
        const auto *literal = dyn_cast<IntegerLiteral>(side->IgnoreParenCasts());
        BinaryOperatorKind kind = comparison->getOpcode();
        if (swapped)
            kind = BinaryOperator::reverseComparisonOp(kind);
        if (literal == nullptr)
            continue;
        if (literal->getValue() == 0)
            return kind == BO_GT || kind == BO_NE || kind == BO_EQ || kind == BO_LE;
        return literal->getValue() == 1 && (kind == BO_GE || kind == BO_LT);
    }
    return false;
}

/* A number that no process at an end of the domain has, but for what isAny tells. */
static bool isWithin(const Expr *expression)
{
    const auto *literal = dyn_cast<IntegerLiteral>(expression->IgnoreParenCasts());
    return literal != nullptr && literal->getValue() != 0;
}

/* A comparison by KIND, of what differs by BY, holds at an end of the domain only; BY grows from
 * the first to the last process, or falls. */
static bool isOfOne(BinaryOperatorKind kind, const Form &by)
{
    const std::string &term = by.by[by.has(Form::Rank) ? Form::Rank : Form::First];
    const bool falls = !term.empty() && term[0] == '-';
    const bool last = by.has(Form::Size) || by.has(Form::Count);
    if (kind == BO_EQ || kind == BO_NE)
        return kind == BO_EQ;
    return (kind == BO_GT || kind == BO_GE) == (last != falls);
}

/* Where rank, or first row, BY and MORE compares with 0 by KIND otherwise than elsewhere: at an end
 * of the domain alone, or who knows where; nothing where BY is of something else. */
static std::optional<unsigned> endOf(BinaryOperatorKind kind, const Form &by, long long more)
{
    const Form::Term term = by.has(Form::Rank) ? Form::Rank : Form::First;
    const std::optional<int> shift = rowsOfShift(by.shift);
    const bool falls = by.by[term] == "-1", last = term == Form::Rank && by.has(Form::Size);
    if (!shift || (by.by[term] != "1" && !falls) || !(last ? by.isOfRanks() : by.isOnlyOf(term)) ||
        (last && by.by[Form::Size] != (falls ? "1" : "-1")))
        return std::nullopt;
    if (falls && BinaryOperator::isRelationalOp(kind))
        kind = BinaryOperator::reverseComparisonOp(kind);
    const bool equal = BinaryOperator::isEqualityOp(kind);
    const long long at = (falls ? *shift + more : -*shift - more) +
                         (kind == BO_LE || kind == BO_GT ? 1 : 0); /* from there on */
    const long long end = last ? -1 : equal ? 0 : 1;
    return at != end ? Form::Verdict : last ? Form::AtLast : Form::AtFirst;
}

Form RankValues::sumOf(const BinaryOperator *binary, BinaryOperatorKind kind, const Form &left,
                       const Form &right)
{
    const Expr *first = binary->getLHS(), *second = binary->getRHS();
    Form sum = add(left, right, kind == BO_Sub);
    if (sum.turn != 0) {
        sum.shift = leastOfTurns(left, textOf(first), right, textOf(second), kind == BO_Sub);
        return sum;
    }
    const bool behind = !left.isAffine() && right.isAffine() && right.isPlain();
    if (kind == BO_Add && (right.has(Form::Own) || behind))
        sum.shift = shiftOf(right, left, first, false);
    else if (behind && !right.has(Form::Own))
        sum.shift = "*";
    else if (!right.has(Form::Own) || !left.has(Form::Own))
        sum.shift = shiftOf(left, right, second, kind == BO_Sub);
    return sum;
}

/* What EXPRESSION, which is FORM, adds to the terms and the shift of that; nothing where it is not
 * known. */
std::optional<long long> RankValues::constantIn(const Form &form, const Expr *expression) const
{
    return form.isAffine() ? 0 : constantInteger(expression->IgnoreParenCasts(), analysis.context);
}

/* A comparison by KIND of BY and MORE with 0 asks whether there are any rows, and not for more. */
static bool asksForAny(BinaryOperatorKind kind, const Form &by, long long more)
{
    const std::optional<int> shift = rowsOfShift(by.shift);
    const std::string &count = by.by[Form::Count];
    if (!shift || count.find(Form::some) != count.npos)
        return false;
    const bool falls = count[0] == '-';
    if (falls)
        kind =
            BinaryOperator::isRelationalOp(kind) ? BinaryOperator::reverseComparisonOp(kind) : kind;
    const long long least = falls ? *shift + more : -*shift - more;
    if (least == 0)
        return kind == BO_GT || kind == BO_NE || kind == BO_EQ || kind == BO_LE;
    return least == 1 && (count == "1" || count == "-1") && (kind == BO_GE || kind == BO_LT);
}

Form RankValues::comparisonOf(const BinaryOperator *binary, const Form &left, const Form &right)
{
    const Expr *first = binary->getLHS(), *second = binary->getRHS();
    const BinaryOperatorKind kind = binary->getOpcode();
    if ((left.counted || right.counted) && isAny(binary))
        return Form();
    bool literal = isSmall(first) || isSmall(second) ||
                   (left.has(Form::Own) && left.by[Form::Own] == textOf(second)) ||
                   (right.has(Form::Own) && right.by[Form::Own] == textOf(first));
    for (const auto &[root, own] : {std::pair{left, right}, {right, left}})
        if (binary->isEqualityOp() && root.agreed && own.isOnlyOf(Form::Rank))
            return Form::of(Kind::Ends, own.cause, own.where); /* one of them */
    const Form by = add(left, right, true);
    const bool within = (by.isOnlyOf(Form::Rank) || by.isOnlyOf(Form::First)) &&
                        (isWithin(second) || isWithin(first)) && !isAny(binary);
    Form form = compare(left, right, literal && !within);
    const std::optional<long long> less = constantIn(left, first), more = constantIn(right, second);
    if (form.kind == Kind::Ends && less && more)
        form.ends = endOf(kind, by, *less - *more).value_or(form.ends);
    form.others = form.kind == Kind::Ends && (form.ends & Form::Verdict) == 0 && by.isAffine() &&
                  !isOfOne(kind, by);
    if (by.isPlain() && by.has(Form::Own))
        form.spread = kind == BO_EQ   ? Form::Spread::Some
                      : kind == BO_NE ? Form::Spread::Others
                                      : Form::Spread::Range;
    if (form.every > 2 && kind != BO_EQ)
        form.every = 0;
    else if (form.every > 0 && kind == BO_EQ)
        form.spread = Form::Spread::Some;
    form.each =
        (left.each && right.isOnlyOf(Form::Rank)) || (right.each && left.isOnlyOf(Form::Rank));
    if (form.kind == Kind::Block && (left.isUniform() || right.isUniform()))
        form.gathered = comparedAs(form.gathered, kind, right.isUniform(), isAny(binary));
    else if (form.kind == Kind::Block && !form.any)
        form.gathered |= Form::Otherwise;
    if (form.any && !(less && more && asksForAny(kind, by, *less - *more))) {
        form.any = false;
        form.kind = Kind::Local;
    }
    return form;
}

/* Of which rows FORM, both of two tests or one of them, holds. */
static void spreadBoth(BinaryOperatorKind kind, const Form &left, const Form &right, Form &form)
{
    const auto some = [](const Form &test) { return test.spread == Form::Spread::Some; };
    const bool any = some(left) || some(right),
               one = (some(left) && left.every == 0) || (some(right) && right.every == 0);
    if (left.isUniform() || right.isUniform())
        return;
    if (kind == BO_LOr) {
        form.every = 0;
        form.spread = some(form) ? Form::Spread::None : form.spread;
        return;
    }
    form.every = one ? 0 : std::lcm(std::max(left.every, 1), std::max(right.every, 1));
    form.every = form.every == 1 ? 0 : form.every;
    form.spread = any ? Form::Spread::Some : form.spread;
    form.partly = form.every != 0;
}

/* One of the two or both. */
static Form logicalOf(BinaryOperatorKind kind, const Form &left, const Form &right)
{
    const bool one = kind == BO_LAnd && ((left.kind == Kind::Ends && !left.others) ||
                                         (right.kind == Kind::Ends && !right.others));
    Guards both;
    both.add(left.asTest());
    both.add(right.asTest());
    Form form = both.endOfDomain() && !both.local && !both.block
                    ? Form::of(Kind::Row, left.cause, left.where)
                    : join(left.asTest(), right.asTest());
    form.others = form.others && !one;
    spreadBoth(kind, left, right, form);
    if (one)
        form.gathered &= ~Form::AtEdge;
    return form;
}

/* BINARY makes FORM of the place of a row in the block and of the rank, as rank + i * size does, by
 * which rows are dealt out one by one: blocks follow one another instead. */
void RankValues::judgePlace(const BinaryOperator *binary, const Form &form)
{
    if (inLoop && !inStart && form.follows(Form::Own) && form.follows(Form::Rank) &&
        binary->getType()->isIntegerType() && analysis.hasCountAlone())
        misuse(Problem::OwnFormula, binary->getOperatorLoc(), analysis.source.spelled(binary), "");
}

Form RankValues::combine(const BinaryOperator *binary, const Form &left, const Form &right)
{
    const Expr *first = binary->getLHS(), *second = binary->getRHS();
    BinaryOperatorKind kind = binary->getOpcode();
    if (binary->isCompoundAssignmentOp())
        kind = BinaryOperator::getOpForCompoundAssignment(kind);
    if (kind == BO_Add || kind == BO_Sub) {
        Form form = besideEdge(sumOf(binary, kind, left, right), left, right);
        judgePlace(binary, form);
        return form;
    }
    if (kind == BO_Mul)
        return besideEdge(product(binary, left, right), left, right);
    if (kind == BO_Div || kind == BO_Shr) {
        Form form = besideEdge(quotient(binary, left, right), left, right);
        form.every = 0;
        return form;
    }
    if (kind == BO_Rem && left.isOnlyOf(Form::Own) && right.isOnlyOf(Form::Count) &&
        left.isPlain() && isa<DeclRefExpr>(first->IgnoreParenCasts()) && staysWithin(left))
        return left; /* it is less anyway */
    if ((kind == BO_Rem || kind == BO_And) && left.kind == Kind::Block)
        return mix(left, right); /* what is left of parts is not left of all */
    if (kind == BO_Rem)
        return right.isUniform() ? remainder(left, textOf(second)) : join(left, right);
    if (kind == BO_And && right.isUniform() && textOf(second) == "1")
        return remainder(left, "2");
    if (kind == BO_Shl && right.isUniform())
        return scale(left, "<<" + textOf(second));
    if (BinaryOperator::isComparisonOp(kind))
        return comparisonOf(binary, left, right);
    if (BinaryOperator::isLogicalOp(kind))
        return logicalOf(kind, left, right);
    return mix(left, right);
}

std::string unitOf(const Form &index)
{
    for (const Form::Term term : {Form::Own, Form::Piece, Form::Length, Form::First, Form::Count})
        if (index.has(term))
            return index.by[term][0] == '-' ? index.by[term].substr(1) : index.by[term];
    return index.isAffine() ? "1" : "";
}

/* Of INDEX, or a pointer, and BY, written as TEXT. */
std::string RankValues::shiftOf(const Form &index, const Form &by, const Expr *text,
                                bool negative) const
{
    const bool piece = !index.has(Form::Own) && (index.has(Form::Piece) || index.has(Form::Length));
    if (by.isPlain() && by.isAffine() && !by.has(Form::Own))
        return addShifts(index.shift, by.shift, negative);
    const std::string unit = unitOf(index);
    if (by.kind == Kind::Row && !by.isAffine() && index.has(Form::Own) && unit == "1")
        return "*"; /* who knows how many rows from the own one */
    if (by.kind == Kind::Row && !by.isAffine() && index.isUniform())
        return by.shift;
    if (!by.isUniform() || (!index.has(Form::Own) && !index.isPlain()))
        return index.shift;
    std::string shift = textOf(text);
    if (shift == "0")
        return index.shift;
    if (shift == unit)
        shift = "1";
    else if (!unit.empty() && unit != "1")
        return piece ? "*" : index.shift; /* within a row */
    return addShifts(index.shift, shift, negative);
}

Form RankValues::product(const BinaryOperator *binary, const Form &left, const Form &right)
{
    if (left.isUniform())
        return scale(right, textOf(binary->getLHS()));
    if (right.isUniform())
        return scale(left, textOf(binary->getRHS()));
    for (const auto &[one, other] : {std::pair{left, right}, {right, left}}) {
        if (!one.isOnlyOf(Form::Count) || !other.isOfRanks() || other.isOnlyOf(Form::Size) ||
            !binary->getType()->isIntegerType())
            continue;
        if (!haveEqualBlocks())
            misuse(Problem::OwnFormula, binary->getOperatorLoc(), analysis.source.spelled(binary),
                   "");
        else if (one.isPlain() && one.by[Form::Count] == "1" && other.isPlain() &&
                 other.isOnlyOf(Form::Rank) && other.by[Form::Rank] == "1" && one.shift.empty() &&
                 other.shift.empty())
            return Form::of(Form::First, other.cause, other.where);
    }
    return mix(left, right);
}

Form RankValues::quotient(const BinaryOperator *binary, const Form &left, const Form &right) const
{
    if (!right.isUniform() || (left.kind == Kind::Block && binary->getType()->isIntegerType()))
        return mix(left, right);
    bool shift = binary->getOpcode() == BO_Shr || binary->getOpcode() == BO_ShrAssign;
    return divide(left, (shift ? "<<" : "") + textOf(binary->getRHS()),
                  binary->getType()->isIntegerType());
}

/* -- conditions */

Guards RankValues::guards(size_t from) const
{
    Guards found;
    for (size_t i = from; i < conditions.size(); i++)
        found.add(conditions[i]);
    return found;
}

/* At the edge of a block something else stands for the neighbour: what messages have brought. */
static Form atEdge(const Form &value, const Form &condition)
{
    if (value.isAffine() || value.kind == Kind::Local)
        return join(value, condition);
    Form edge = Form::of(value.message ? Kind::Row : Kind::Edge, value.cause, value.where);
    edge.message = value.message;
    edge.data = value.data;
    edge.comes = value.comes;
    edge.stands = value.stands;
    if (edge.cause.empty())
        edge.cause = condition.cause;
    return edge;
}

/* Of the ends of the domain, the row at the edge of a block is known; not of a process that was
 * elected. */
static Form atEnd(const Form &value, const Form &condition)
{
    const unsigned told = condition.ends & (Form::AtFirst | Form::AtLast);
    if (value.kind != Kind::Edge || value.isAffine() || condition.ends == 0 ||
        (told != 0 && told != value.ends)) /* the first block ends anywhere */
        return value;
    Form end = Form::ofEnds(condition.chosen(), value.cause.empty() ? condition.cause : value.cause,
                            value.where);
    end.data = value.data;
    return end;
}

/* VALUE, if the conditions around hold. */
Form RankValues::guarded(const Form &value) const
{
    const Guards around = guards();
    Form form = under(around, value);
    if (around.row || around.block || around.local) /* in place of something else */
        form.stands = nullptr;
    if (around.ends && !around.one && !value.zero && !value.message)
        form.others = true;
    return form;
}

Form RankValues::under(const Guards &around, const Form &given) const
{
    const Form value = around.ends && !around.edge ? atEnd(given, around.cause) : given;
    if (around.local)
        return join(value, around.cause);
    if (around.endOfDomain())
        return value.isAffine() ? value : join(value, Form::of(Kind::Row));
    if (around.edge) {
        for (const Form &condition : conditions)
            if (condition.judged() == Kind::Edge)
                return atEdge(value, condition);
    }
    if (!around.ends && !around.block) {
        if (around.any && value.isUniform())
            return around.weak.asValue();
        return around.row && !value.isAffine() ? join(value, Form::of(Kind::Row)) : value;
    }
    if (value.isPlain() && !around.block) {
        Form form = value;
        form.kind = Kind::Ends;
        form.ends |= around.told;
        form.zero = false;
        form.cause = form.cause.empty() ? around.cause.cause : form.cause;
        return form;
    }
    Form form = join(value, around.cause);
    form.ends |= form.kind == Kind::Ends ? around.told : 0;
    form.gathered &= around.ends ? ~Form::AtEdge : ~0u;
    return form;
}

/* VALUE is 0 where the process has the first of all rows, and FORM the first own row: it is that.
 */
bool RankValues::isFirstThere(const Form &form, const Form &value) const
{
    if (!value.zero || conditions.size() != 1)
        return false;
    const Form &test = conditions.back();
    return test.kind == Kind::Ends && test.ends == Form::AtFirst && !test.others &&
           form.isPlain() && form.isOnlyOf(Form::First) && form.by[Form::First] == "1" &&
           form.shift.empty();
}

/* FORM, a clipped NUMBER of a row, by CONDITION: at the edges of BLOCKS, or of all rows. */
static Form clip(Form form, const Form &condition, const Form &number, bool blocks)
{
    if (blocks)
        form.kind = Form::Kind::Local;
    if (!condition.isUniform() && !condition.data && condition.every == 0)
        form.shift = number.shift;
    return form;
}

Form RankValues::choose(const Form &condition, const ConditionalOperator *choice, Form one,
                        Form other) const
{
    Guards own;
    own.add(condition);
    if (own.local)
        return join(merge(one, other), condition);
    if (!own.ends && !own.edge) /* by what is in rows, perhaps */
        one.stands = other.stands = nullptr;
    if (own.edge) {
        noteAlone(choice, one, other);
        noteStandIn({choice->getTrueExpr(), one}, {choice->getFalseExpr(), other});
    }
    const bool edge = own.edge && !guards().ends && !one.isAffine() && !other.isAffine();
    for (Form *way : {&one, &other}) {
        *way = edge ? atEdge(*way, condition) : *way;
        *way = own.ends && !guards().edge ? atEnd(*way, condition) : *way;
    }
    Form form = merge(one, other);
    form.parts = one.parts && other.parts; /* of all ranks */
    if (own.ends) {
        const Form &elsewhere = own.one ? other : one;
        form.others = one.others || other.others || (!elsewhere.zero && !elsewhere.message);
    }
    const bool clipped = one.isAffine() != other.isAffine();
    if (clipped && form.isCountUpTo(condition.ends))
        return form.ofProcess();
    if (clipped && one.isPlain() && other.isPlain() && !choice->getType()->isFloatingType())
        return clip(form, condition, one.isAffine() ? one : other,
                    own.edge && !own.ends && !guards().ends);
    if (own.ends && !guards().edge && form.isPlain()) {
        form.kind = Kind::Ends;
        form.ends |= own.told;
        form.cause = form.cause.empty() ? condition.cause : form.cause;
        return form;
    }
    return own.block || (own.ends && !guards().edge) ||
                   (condition.judged() == Kind::Row && !form.isAffine())
               ? join(form, condition)
               : form;
}

void RankValues::reportEdges()
{
    for (const auto &[store, edge] : edges)
        if (edge.where.isValid() &&
            ((!edge.messages && !edge.filled) || (store.own && !store.iterating && !edge.apart)))
            misuse(Problem::LocalRows, edge.where, store.rows->getNameAsString(), edge.by);
    for (const auto &[array, set] : spoiltRead)
        misuse(Problem::LocalRows, set->getExprLoc(), array->getNameAsString(),
               analysis.source.spelled(set));
    for (const auto &left : analysis.leftOut) {
        const bool set = llvm::any_of(edges, [&](const auto &known) {
            return known.first.rows == left.first && known.second.messages;
        });
        if (!set)
            misuse(Problem::LocalRows, left.second->getExprLoc(), left.first->getNameAsString(),
                   analysis.source.spelled(left.second));
    }
    for (const auto &one : alone)
        if (one.second != nullptr && llvm::none_of(between, [&](const VarDecl *other) {
                return leadToSame(other, one.second);
            }))
            misuse(Problem::LocalValue, one.first->getExprLoc(), one.second->getNameAsString(),
                   analysis.source.spelled(one.first));
}

static std::optional<Values> valuesOf(Survey &survey, const RangeVariable &range)
{
    Values values;
    for (Survey::Sample &sample : survey.samples)
        if (const Expr *computed = computedBy(range))
            if (std::optional<long long> value = sample.trial.integerOf(computed))
                values.push_back(*value);
    return values.size() == survey.samples.size() ? values : survey.valuesOf(range.place);
}

/* The program, which starts over, gives all processes as many rows, however many they are. (Its
 * start ends where that cannot be, or leaves out rows, which the runtime sees.) */
bool RankValues::haveEqualBlocks()
{
    if (!analysis.startsOver || equalBlocks)
        return equalBlocks.value_or(false);
    const auto count = llvm::find_if(
        analysis.ranges, [](const RangeVariable &one) { return one.kind == RangeKind::Count; });
    Survey survey(analysis, false, {2, 3, 5, 7});
    const std::optional<Values> values =
        count != analysis.ranges.end() ? valuesOf(survey, *count) : std::nullopt;
    equalBlocks = values && !survey.isSpent();
    for (size_t i = 1; *equalBlocks && i < values->size(); i++)
        equalBlocks = survey.samples[i].rank == 0 || (*values)[i] == (*values)[i - 1];
    return *equalBlocks;
}

} // namespace xmpi
