/* SPDX-License-Identifier: BSD-3-Clause
 * Expressions, stores and calls, judged by how they follow the division of the rows. */
#include "flow/rank_values.h"
#include "flow/gathered.h"
#include "compat.h"
#include "facts/first_use.h"
#include "source/integer.h"
#include "library/mpi_outputs.h"
#include "check/safety.h"
#include "library/library.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

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
    edge = edge || kind == Kind::Edge;
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

std::string RankValues::textOf(const Expr *expression) const
{
    const Expr *bare = expression->IgnoreParenCasts();
    if (std::optional<long long> value = constantInteger(bare, analysis.context))
        return std::to_string(*value);
    if (const auto *reference = dyn_cast<DeclRefExpr>(bare)) {
        const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
        auto known = variable ? names.find(variable->getCanonicalDecl()) : names.end();
        if (known != names.end())
            return known->second;
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

Form RankValues::combine(const BinaryOperator *binary, const Form &left, const Form &right)
{
    const Expr *first = binary->getLHS(), *second = binary->getRHS();
    BinaryOperatorKind kind = binary->getOpcode();
    if (binary->isCompoundAssignmentOp())
        kind = BinaryOperator::getOpForCompoundAssignment(kind);
    if (kind == BO_Add || kind == BO_Sub) {
        Form sum = add(left, right, kind == BO_Sub);
        if (kind == BO_Add && right.has(Form::Own))
            sum.shift = shiftOf(right, left, first, false);
        else if (!right.has(Form::Own) || !left.has(Form::Own))
            sum.shift = shiftOf(left, right, second, kind == BO_Sub);
        if ((left.strided && !isSmall(second)) || (right.strided && !isSmall(first)))
            sum.strided = false; /* the rest of a tile */
        return sum;
    }
    if (kind == BO_Mul)
        return product(binary, left, right);
    if (kind == BO_Div || kind == BO_Shr)
        return quotient(binary, left, right);
    if (kind == BO_Rem && left.isOnlyOf(Form::Own) && right.isOnlyOf(Form::Count) &&
        left.isPlain() && isa<DeclRefExpr>(first->IgnoreParenCasts()))
        return left; /* it is less anyway */
    if (kind == BO_Rem)
        return right.isUniform() ? remainder(left, textOf(second)) : join(left, right);
    if (kind == BO_And && right.isUniform() && textOf(second) == "1")
        return remainder(left, "2");
    if (kind == BO_Shl && right.isUniform())
        return scale(left, "<<" + textOf(second));
    if (BinaryOperator::isComparisonOp(kind)) {
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
        form.others = form.kind == Kind::Ends && (form.ends & Form::Verdict) == 0 &&
                      by.isAffine() && !isOfOne(kind, by);
        if (by.isPlain() && by.has(Form::Own))
            form.spread = kind == BO_EQ   ? Form::Spread::Some
                          : kind == BO_NE ? Form::Spread::Others
                                          : Form::Spread::Range;
        form.each =
            (left.each && right.isOnlyOf(Form::Rank)) || (right.each && left.isOnlyOf(Form::Rank));
        if (form.kind == Kind::Block && (left.isUniform() || right.isUniform()))
            form.gathered = comparedAs(form.gathered, kind, right.isUniform(), isAny(binary));
        else if (form.kind == Kind::Block && !form.any)
            form.gathered |= Form::Otherwise;
        if (form.any && literal && !isAny(binary)) {
            form.any = false;
            form.kind = Kind::Local;
        }
        return form;
    }
    if (BinaryOperator::isLogicalOp(kind)) {
        const bool one = kind == BO_LAnd && ((left.kind == Kind::Ends && !left.others) ||
                                             (right.kind == Kind::Ends && !right.others));
        Guards both;
        both.add(left.asTest());
        both.add(right.asTest());
        Form form = both.endOfDomain() && !both.local && !both.block
                        ? Form::of(Kind::Row, left.cause, left.where)
                        : join(left.asTest(), right.asTest());
        form.others = form.others && !one;
        if (one)
            form.gathered &= ~Form::AtEdge;
        return form;
    }
    return mix(left, right);
}

/* Of INDEX, or a pointer, and BY, written as TEXT. */
std::string RankValues::shiftOf(const Form &index, const Form &by, const Expr *text,
                                bool negative) const
{
    if (!by.isUniform() || (!index.has(Form::Own) && !index.isUniform()))
        return index.shift;
    std::string shift = textOf(text), unit = index.by[Form::Own];
    unit = !unit.empty() && unit[0] == '-' ? unit.substr(1) : unit;
    if (shift == "0")
        return index.shift;
    if (shift == unit)
        shift = "1";
    else if (!unit.empty() && unit != "1")
        return index.shift; /* within a row */
    return addShifts(index.shift, shift, negative);
}

Form RankValues::product(const BinaryOperator *binary, const Form &left, const Form &right)
{
    if (left.isUniform())
        return scale(right, textOf(binary->getLHS()));
    if (right.isUniform())
        return scale(left, textOf(binary->getRHS()));
    for (const auto &[one, other] : {std::pair{left, right}, {right, left}})
        if (one.isOnlyOf(Form::Count) && other.isOfRanks() && !other.isOnlyOf(Form::Size) &&
            binary->getType()->isIntegerType())
            misuse(Problem::OwnFormula, binary->getOperatorLoc(), analysis.source.spelled(binary),
                   "");
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
    if (edge.cause.empty())
        edge.cause = condition.cause;
    return edge;
}

/* Of the ends of the domain, the row at the edge of a block is known. */
static Form atEnd(const Form &value, const Form &condition)
{
    if (value.kind != Kind::Edge || value.isAffine())
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

Form RankValues::choose(const Form &condition, const ConditionalOperator *choice, Form one,
                        Form other) const
{
    Guards own;
    own.add(condition);
    if (own.local)
        return join(merge(one, other), condition);
    if (own.edge && !guards().ends && !one.isAffine() && !other.isAffine()) {
        one = atEdge(one, condition);
        other = atEdge(other, condition);
    }
    if (own.ends && !guards().edge) {
        one = atEnd(one, condition);
        other = atEnd(other, condition);
    }
    Form form = merge(one, other);
    if (own.ends) {
        const Form &elsewhere = own.one ? other : one;
        form.others = one.others || other.others || (!elsewhere.zero && !elsewhere.message);
    }
    if (one.isAffine() != other.isAffine() && one.isPlain() && other.isPlain() &&
        !choice->getType()->isFloatingType())
        return form; /* a clipped number of a row */
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

/* -- elements */

static Form rowRead(const RankState::Rows &rows, const Form &index, SourceLocation where)
{
    const std::string name = rows.variable->getNameAsString();
    const bool begin = index.isPlain() && index.isOnlyOf(Form::First) && index.shift.empty() &&
                       index.by[Form::First] == "1";
    if (rows.global && begin) { /* of the block */
        Form form = Form::of(Kind::Edge, name, where);
        form.ends = Form::AtFirst;
        return form;
    }
    if (rows.global)
        return index.isLocal() && index.has(Form::Own) ? index.asValue()
                                                       : Form::of(Kind::Row, name, where);
    bool backwards = index.has(Form::Own) && index.by[Form::Own][0] == '-';
    if (backwards || index.has(Form::Rank) || index.has(Form::Size) ||
        (!index.isAffine() && index.isLocal() && !index.isPhase()))
        return index.asValue();
    bool edge = index.isPlain() && !index.has(Form::Own) && !index.has(Form::First);
    if (index.kind == Kind::Row && index.has(Form::Own) && index.has(Form::Count))
        return Form::of(Kind::Row, name, where);
    Form form = Form::of(edge ? Kind::Edge : Kind::Row, name, where);
    form.message = edge && rows.ghosts;
    if (!rows.ghosts && index.has(Form::Own) && !index.has(Form::First) && index.shift != "*")
        form.from = index.shift.empty() ? "0" : index.shift;
    form.ends = !edge                         ? 0
                : index.isBare()              ? Form::AtFirst
                : index.isOnlyOf(Form::Count) ? Form::AtLast
                                              : Form::Verdict;
    return form;
}

static Form readRow(const RankState::Rows &rows, const Form &index, SourceLocation where)
{
    Form form = rowRead(rows, index, where);
    form.data = true;
    return form;
}

Form RankValues::readFile(const CallExpr *call, const VarDecl *file, const Form *index) const
{
    if (index != nullptr)
        return readRow(rowsOfFile(file), *index, call->getExprLoc());
    Form form = left.isUniform() ? Form::of(Kind::Row) : left;
    form.data = true;
    return form;
}

/* INDEX names the own entry of a table: 0; the one behind it: 1; else nothing. */
static std::optional<int> entryOf(const Expr *target, const Form &index)
{
    const auto *subscript = dyn_cast<ArraySubscriptExpr>(target->IgnoreParenCasts());
    if (subscript == nullptr || !index.isOnlyOf(Form::Rank) || index.by[Form::Rank] != "1")
        return std::nullopt;
    const Expr *at = subscript->getIdx()->IgnoreParenCasts();
    if (isa<DeclRefExpr>(at) || isa<MemberExpr>(at))
        return 0;
    const auto *sum = dyn_cast<BinaryOperator>(at);
    if (sum == nullptr || sum->getOpcode() != BO_Add)
        return std::nullopt;
    for (const Expr *side : {sum->getLHS(), sum->getRHS()})
        if (const auto *one = dyn_cast<IntegerLiteral>(side->IgnoreParenCasts()))
            return one->getValue() == 1 ? std::optional<int>(1) : std::nullopt;
    return std::nullopt;
}

std::optional<Form> RankValues::readPart(const Place &place, const Expr *target,
                                         const Form &index) const
{
    /* (A table may begin anywhere in its memory.) */
    std::optional<int> entry = entryOf(target, add(index, offsetOf(baseOf(place)), true));
    if (!entry)
        return std::nullopt;
    std::vector<const VarDecl *> tables = {baseOf(place)};
    if (analysis.renewed.count({tables.front(), place.field}) == 0)
        for (const VarDecl *variable : pointees(baseOf(place)))
            tables.push_back(variable);
    for (const VarDecl *variable : tables) {
        auto table = analysis.renewed.find({variable, place.field});
        if (table == analysis.renewed.end())
            continue;
        const std::string by = table->second.plain ? "1" : "?";
        const std::string name = place.base->getNameAsString();
        if (table->second.kind != RangeKind::Displ && *entry != 0)
            return std::nullopt;
        Form form = Form::of(table->second.kind == RangeKind::Count ? Form::Count : Form::First,
                             name, target->getExprLoc());
        form.by[table->second.kind == RangeKind::Count ? Form::Count : Form::First] = by;
        if (*entry == 1 || followsRange(table->second.kind))
            form.by[Form::Count] = by;
        return form;
    }
    return std::nullopt;
}

/* Its elements are those of its initialiser. */
static bool isConstantTable(const ASTContext &context, const Place &place)
{
    const VarDecl *table = place.base;
    return table->getType()->isArrayType() && table->hasGlobalStorage() && table->hasInit() &&
           context.getBaseElementType(table->getType()).isConstQualified();
}

Form RankValues::read(const Place &place, const Form &index, SourceLocation where) const
{
    Form content = formOf(place);
    std::optional<Rows> rows = rowsOf(place);
    if (rows)
        noteGhosts(*rows, place, index, where);
    if (rows && !(content.isLocal() && content.has(Form::Own)))
        return readRow(*rows, index, where);
    if (content.peer && index.has(Form::Own)) {
        Form form = index.asValue();
        form.cause = place.base->getNameAsString();
        return form;
    }
    const bool backwards = index.has(Form::Own) && index.by[Form::Own][0] == '-';
    if (backwards && content.kind == Kind::Row && !content.isAffine())
        return index.asValue(); /* of another row of the same block */
    if (index.has(Form::Own))
        content.from = moved(content.from, index.shift, false);
    if (content.parts && content.isOnlyOf(Form::Rank))
        return index;    /* the rank of each */
    if (content.parts) { /* of all ranks in turn, or of one */
        content.parts = index.each;
        content.gathered |= index.each ? 0 : Form::Otherwise;
        part = content;
        return content;
    }
    bool table = content.table;
    content.peer = content.table = false;
    if (content.isUniform()) {
        bool known = isKnown(place);
        if (isConstantTable(analysis.context, place))
            return join(content, index);
        return known && table ? join(content, index) : known ? content : Form::of(Kind::Row);
    }
    if (index.kind == Kind::Local && !index.isPhase() && !index.isOfRanks())
        return join(content, index);
    return content;
}

/* What is put at INDEX follows where its row is in the block. */
static bool isElsewhere(const Form &index)
{
    if (!index.isPlain())
        return index.kind == Kind::Local && index.follows(Form::Own);
    const std::string &own = index.by[Form::Own];
    return !own.empty() && !index.has(Form::First) &&
           (own[0] == '-' || (index.strided && own == Form::some)); /* backwards, or some of them */
}

/* TARGET is an element that is always the same one. */
static bool isConstantIndex(const Expr *target)
{
    const auto *subscript = dyn_cast<ArraySubscriptExpr>(target);
    return subscript == nullptr || isa<IntegerLiteral>(subscript->getIdx()->IgnoreParenCasts());
}

void RankValues::store(const Place &place, const Expr *target, const Form &index, Form value,
                       bool compound, bool whole)
{
    const VarDecl *base = baseOf(place);
    target = target->IgnoreParens();
    bool element = isa<ArraySubscriptExpr>(target) || place.element || place.behind;
    if (place.type->isPointerType() && !element) {
        state.offsets[base] = whole ? value : merge(offsetOf(base), value);
        if (!rowLoops.empty() && !isFresh(place))
            rowLoops.back().led.insert(base);
        return;
    }
    if (value.message)
        fill(place, nullptr);
    if (element)
        noteSwept(place, target, index, true);
    if (std::optional<Rows> rows = rowsOf(place)) {
        if (!inStart && value.isOnlyOf(Form::Own) && place.type->isIntegerType())
            setForm(place, value, false); /* indices of rows: where they are used will tell */
        else if (inLoop)
            judge(*rows, target, index, compound ? ofPairs(value) : value);
        else if (inStart)
            judgeMade(*rows, target, index, value);
        return;
    }
    if (taken.parts && gathering != 0 && !element && rowLoops.empty()) {
        setForm(place, ofParts(), whole);
        return;
    }
    const Form given = value;
    value = guarded(value);
    bool ownElement = element && index.has(Form::Own);
    if (rowLoops.empty() && value.kind == Kind::Block)
        gatherUnder(place, given, value, compound);
    if (!rowLoops.empty()) {
        if (compound || gathering != 0)
            value = accumulated(place, formOf(place), value, ownElement);
        else if (whole && !element)
            rowLoops.back().fresh.insert(base);
        if (!compound && gathering == 0 && !element)
            value.gathered = pickedUnder(given);
        if (!ownElement)
            for (const VarDecl *meant : element ? pointees(base) : std::set<const VarDecl *>{base})
                rowLoops.back().assigned.insert(meant);
    }
    if (ownElement && value.isUniform())
        value.kind = Kind::Row;
    if (ownElement)
        value.from = moved(value.from, index.shift, true);
    if (element && !value.isUniform() && isElsewhere(index) && !value.isOnlyOf(Form::Own))
        value = join(value, Form::of(Kind::Local, index.cause, index.where));
    value.table = element && !ownElement && !isConstantIndex(target);
    setForm(place, value, whole || (place.behind && !place.element && place.field == nullptr));
}

/* Through what rows are chosen otherwise than by their number; or "". */
std::string RankValues::badRows(const Form &index, const Guards &around) const
{
    bool own = index.has(Form::Own) || index.kind == Kind::Row || index.kind == Kind::Edge;
    bool backwards = index.has(Form::Own) && index.by[Form::Own][0] == '-';
    if (index.strided || backwards || index.has(Form::Rank) || index.has(Form::Size) ||
        (index.kind == Kind::Local && !index.isPhase()))
        return index.cause;
    if (!index.has(Form::Own) && index.has(Form::First) && !around.local)
        return ""; /* one row, by its number among all */
    if (around.local || (own && (around.block || (around.ends && !around.edge))))
        return around.cause.cause;
    return "";
}

void RankValues::judge(const Rows &rows, const Expr *target, const Form &index, const Form &value)
{
    const Guards around = guards();
    const std::string name = rows.variable->getNameAsString();
    const std::string by = badRows(index, around);
    bool own = index.has(Form::Own) || index.kind == Kind::Row;
    const Kind kind = value.judged();
    bool odd = kind == Kind::Ends || kind == Kind::Block || kind == Kind::Edge;
    if (!by.empty())
        return misuse(Problem::LocalRows, target->getExprLoc(), name, by);
    if (kind == Kind::Local || (odd && own && !around.edge))
        return misuse(Problem::LocalValue, target->getExprLoc(), name, value.cause);
    judgeNeighbours(rows, target, index, value);
    judgeEdge(rows, target, index, value, around);
}

/* What is made of rows beside the one that is set, of the same block, is right where messages stand
 * for those of other blocks: so is what is chosen by them. */
void RankValues::judgeNeighbours(const Rows &rows, const Expr *target, const Form &index,
                                 const Form &value)
{
    if (rows.global || !index.has(Form::Own) || index.has(Form::First) || index.shift == "*")
        return;
    const std::string own = moved("0", addShifts(index.shift, rows.halo, true), false);
    edges[{rows.variable, false}].messages |= value.message && !value.running;
    std::vector<Form> made = conditions;
    made.push_back(value);
    for (const Form &one : made)
        if (!one.from.empty() && one.from != own)
            noteEdge(rows, target, analysis.source.spelled(target), one.message && !one.running);
}

void RankValues::noteEdge(const Rows &rows, const Expr *target, const std::string &by, bool message)
{
    Edges &known = edges[{rows.variable, false}];
    known.messages = known.messages || message;
    if (known.by.empty()) {
        known.by = by;
        known.where = target->getExprLoc();
    }
}

/* What is set at the edges of blocks alone is right where it is made of what messages have brought:
 * then another store, or another way, does the same for the rows between. */
void RankValues::judgeEdge(const Rows &rows, const Expr *target, const Form &index,
                           const Form &value, const Guards &around)
{
    const bool own = index.has(Form::Own) || index.kind == Kind::Row;
    const bool first = !own && !index.has(Form::First) && index.isPlain() && !rows.global;
    if (around.ends || around.local || target->getType()->isPointerType() ||
        !(first || (own && around.edge)))
        return;
    Edges &known = edges[{rows.variable, own}];
    known.messages = known.messages || value.message;
    if (known.by.empty()) {
        known.by = around.edge || index.cause.empty() ? around.cause.cause : index.cause;
        if (known.by.empty())
            known.by = analysis.source.spelled(target);
        known.where = target->getExprLoc();
    }
}

void RankValues::reportEdges()
{
    for (const auto &[store, edge] : edges)
        if (!edge.messages && edge.where.isValid())
            misuse(Problem::LocalRows, edge.where, store.first->getNameAsString(), edge.by);
    for (const auto &left : analysis.leftOut) {
        const bool set = std::any_of(edges.begin(), edges.end(), [&](const auto &known) {
            return known.first.first == left.first && known.second.messages;
        });
        if (!set)
            misuse(Problem::LocalRows, left.second->getExprLoc(), left.first->getNameAsString(),
                   analysis.source.spelled(left.second));
    }
}

} // namespace xmpi
