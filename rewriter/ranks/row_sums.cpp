/* SPDX-License-Identifier: BSD-3-Clause
 * What loops over own rows leave in variables that are none of a row: sums, and the like; and what
 * is chosen for rows at the edges of blocks. */
#include "facts/first_use.h"
#include "compat.h"
#include "flow/gathered.h"
#include "library/constants.h"
#include "ranks/rank_values.h"
#include "rows/own_loops.h"
#include "source/integer.h"
#include "source/loops.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

using Kind = Form::Kind;

void RankValues::freshen(const VarDecl *variable)
{
    if (variable->hasLocalStorage() && !variable->getType()->isPointerType())
        makeWhole(Place::of(variable));
    if (!rowLoops.empty())
        rowLoops.back().fresh.insert(variable);
}

/* BEFORE, with which a loop over own rows begins, is not of another row of the neighbour than the
 * one that ROW, what it goes on with, would be there. */
bool RankValues::standsForRowBefore(const Form &before, const Form &row) const
{
    const bool falls = rowLoops.back().falls;
    const unsigned edge = falls ? Form::AtFirst : Form::AtLast;
    if (!before.message || before.running || row.from != "0")
        return true;
    return (before.comes == 0 || (before.comes & edge) != 0) &&
           (before.stands == nullptr || row.stands == nullptr ||
            leadToSame(before.stands, row.stands));
}

/* LOOP reads VARIABLE, a number, by a pointer that leads there. */
bool RankValues::isReadBehindPointer(const Stmt *loop, const VarDecl *variable) const
{
    return variable->getType()->isArithmeticType() &&
           llvm::any_of(analysis.finder.of(loop).mentions, [&](const Mention &mention) {
               const VarDecl *pointer = baseOf(mention.place);
               return !mention.assigned && pointer != variable &&
                      (mention.place.behind || mention.place.element) &&
                      pointees(pointer).count(variable) != 0;
           });
}

/* What an iteration for one row reads of those for the rows before belongs to the block, but where
 * a message has brought what was before its first row. */
void RankValues::carry(const Stmt *loop, const State &entry)
{
    const RowLoop &rows = rowLoops.back();
    std::vector<const Stmt *> iteration;
    for (const Stmt *part : {static_cast<const Stmt *>(conditionIn(loop)), bodyOf(loop)})
        if (part != nullptr)
            iteration.push_back(part);
    if (const auto *counted = dyn_cast<ForStmt>(loop); counted && counted->getInc() != nullptr)
        iteration.push_back(counted->getInc());
    for (auto &[holder, form] : state.forms) {
        if (form.kind != Kind::Row || form.isAffine() || form.message || form.peer ||
            !rows.assigned.count(holder.first) || rows.induced.count(holder.first))
            continue;
        auto before = entry.forms.find(holder);
        const bool known = before != entry.forms.end() &&
                           (before->second.kind == Kind::Row || before->second.message);
        const bool stands = known && standsForRowBefore(before->second, form);
        if (!stands && (readsBeforeSetting(analysis, iteration, holder.first, holder.second) ||
                        isReadBehindPointer(loop, holder.first))) {
            form.kind = Kind::Block;
            form.gathered |= Form::Otherwise;
            if (form.cause.empty())
                form.cause = holder.first->getNameAsString();
        }
    }
}

/* All that PLACE may stand for is set anew in the iteration of a loop over own rows. */
bool RankValues::isFresh(const Place &place) const
{
    const std::set<const VarDecl *> &fresh = rowLoops.back().fresh;
    std::set<const VarDecl *> all = {baseOf(place)};
    if (place.behind || place.element)
        all = pointees(baseOf(place));
    if (all.size() > 1) /* it leads to something */
        all.erase(baseOf(place));
    return llvm::all_of(all, [&](const VarDecl *one) { return fresh.count(one) != 0; });
}

void RankValues::noteAssigned(const Place &place)
{
    if (rowLoops.empty() || rowsOf(place))
        return;
    for (const VarDecl *one : pointees(baseOf(place)))
        if (!one->getType()->isPointerType() && !one->getType()->isArrayType())
            rowLoops.back().assigned.insert(one);
}

/* What is in rows tells whether the statement runs. */
bool RankValues::isChosenByRows() const
{
    return llvm::any_of(conditions, [](const Form &condition) { return condition.data; });
}

/* What is added up, which makes VALUE of what was there, is another one at the edge of each block,
 * and nothing that a message has brought. (The largest of all may begin with any of them.) */
bool RankValues::isOfEdge(const Form &value) const
{
    if ((gathering & (Form::Largest | Form::Smallest | Form::Picked)) != 0 || value.message)
        return false;
    const Guards around = guards();
    auto edge = [](const Form &form) { return form.kind == Kind::Edge && !form.before; };
    return (around.edge && !around.ends) || edge(value) || (edge(taken) && !taken.message);
}

/* FORM is of the row at the edge of a block, the own one or that of a neighbour, and that alone. */
static bool isEdgeRow(const Form &form)
{
    const bool row = form.kind == Kind::Edge || (form.kind == Kind::Row && form.neighbour);
    return row && !form.before && !form.running && !form.isAffine();
}

/* FORM is what has been added up of all rows of the block. (Where some are left out, the one at the
 * edge may be what is missing.) */
static bool isWholeSum(const Form &form)
{
    const unsigned sums = Form::Added | Form::Counted | Form::Multiplied | Form::Toggled;
    return form.kind == Kind::Block && form.gathered != 0 && (form.gathered & ~sums) == 0;
}

/* BOTH is made of ONE and OTHER: with a sum over the block, the row at its edge once more, or that
 * of a neighbour, which has it in its sum, is another one with other blocks. */
Form RankValues::besideEdge(Form both, const Form &one, const Form &other) const
{
    if (!rowLoops.empty() ||
        !((isWholeSum(one) && isEdgeRow(other)) || (isWholeSum(other) && isEdgeRow(one))))
        return both;
    both.gathered |= Form::AtEdge;
    both.message = false; /* that makes up for nothing */
    return both;
}

/* Tests around compare rows of one block that are beside one another, or beside that of VALUE.
 * (What messages have brought stands for those of other blocks.) */
bool RankValues::isChosenBeside(const Form &value) const
{
    Form all = value;
    for (size_t i = rowLoops.back().around; i < conditions.size(); i++)
        all = join(all, conditions[i]);
    return all.from == "*" && !all.message;
}

/* How else than by its rows a block has come to what it has added up, now VALUE. */
unsigned RankValues::gatheredBeside(const Form &value) const
{
    const RowLoop &rows = rowLoops.back();
    const Guards around = guards();
    const bool mark = gathering == Form::Set || gathering == Form::Cleared;
    const bool chosen = (gathering & (Form::Largest | Form::Smallest)) != 0;
    unsigned beside = 0;
    if ((taken.kind == Kind::Block && !mark) || (around.block && !chosen))
        beside |= Form::Otherwise;
    if (rows.pairs || rows.spaced) /* of each row of the block with each other one, or the next */
        beside |= Form::Otherwise;
    if (value.from == "*" || isChosenBeside(value) || rows.some || isOfEdge(value))
        beside |= Form::Neighbours;
    if (around.local || (around.ends && !around.edge)) /* some processes make it */
        beside |= Form::Otherwise;
    return beside;
}

/* What a sum, or something like it, becomes in a loop over own rows. */
Form RankValues::accumulated(const Place &place, const Form &before, const Form &value,
                             bool ownElement)
{
    const VarDecl *variable = baseOf(place);
    RowLoop &rows = rowLoops.back();
    if (rows.induced.count(variable)) {
        const bool varied = rows.varied.count(variable) != 0;
        rows.beside[variable] |= gatheredBeside(varied ? taken : Form());
        return varied && taken.judged() != Kind::Row && !taken.isUniform() ? value : before;
    }
    if ((ownElement && !rows.pairs) || isFresh(place) || value.isLocal())
        return value;
    if (rows.pieces)
        return ofPieces(place, before, value);
    const bool edge = before.kind == Kind::Edge && !before.before &&
                      (gathering & (Form::Largest | Form::Smallest)) != 0;
    if (before.kind != Kind::Uniform && before.kind != Kind::Block && !edge && !rows.pairs)
        return value;
    Form sum = Form::of(Kind::Block, variable->getNameAsString(), value.where);
    sum.begun = before.kind == Kind::Uniform ? !before.zero && isKnown(place) : before.begun;
    /* (The first row is in it. What goes to each row but some stands for nothing there.) */
    sum.message = before.message || (value.message && !rows.some) || edge;
    sum.others = before.others || value.others;
    sum.gathered = before.gathered | gathering | gatheredBeside(value);
    sum.data = before.data || value.data || taken.data || isChosenByRows();
    sum.from = value.from;
    return sum;
}

/* VALUE, put at INDEX of PLACE, which has where the entries of each own row begin: how many there
 * are of all rows is where the next one would begin. */
Form RankValues::endOfEntries(const Place &place, const Form &index, const Form &value) const
{
    const unsigned sums = Form::Added | Form::Counted;
    const Form begins = formOf(place);
    const bool end = index.isPlain() && index.isOnlyOf(Form::Count) && value.kind == Kind::Block &&
                     !value.begun && (value.gathered & ~sums) == 0;
    return end && begins.isPlain() && startsWith(begins.by[Form::Own], Form::some) &&
                   begins.cause == value.cause
               ? begins
               : value;
}

/* What is made in a loop over pieces, beside those over their rows: a sum over all rows of the sums
 * over those of each piece; else it is another one where there are other pieces. */
Form RankValues::ofPieces(const Place &place, const Form &before, const Form &value) const
{
    const unsigned sums = Form::Added | Form::Counted;
    const Guards around = guards();
    if (around.local || around.ends || around.block || taken.kind != Kind::Block || taken.begun ||
        taken.isAffine() || gathering == 0 || ((taken.gathered | gathering) & ~sums) != 0 ||
        (before.kind != Kind::Uniform && before.kind != Kind::Block))
        return Form::ofPieces(place.base->getNameAsString(), value.where);
    Form sum = Form::of(Kind::Block, baseOf(place)->getNameAsString(), value.where);
    sum.begun = before.kind == Kind::Uniform ? !before.zero && isKnown(place) : before.begun;
    sum.message = before.message || value.message;
    sum.gathered = before.gathered | gathering | taken.gathered;
    sum.data = before.data || taken.data;
    return sum;
}

/* VALUE, that is added to a row: of the block, where that is done for each row of it. */
Form RankValues::ofPairs(const Form &value) const
{
    return rowLoops.empty() || !rowLoops.back().pairs || value.isUniform()
               ? value
               : join(value, Form::of(Kind::Block, value.cause, value.where));
}

/* How VALUE, which is assigned in a loop over own rows, is of them after it. */
unsigned RankValues::pickedUnder(const Form &value) const
{
    const Guards around = guards();
    if (around.local || (!around.row && !around.block && !around.edge))
        return Form::Otherwise;
    if (value.isUniform())
        return value.zero ? Form::Cleared : Form::Set;
    const auto isOne = [](const Form &condition) { return condition.spread == Form::Spread::Some; };
    if (std::any_of(conditions.begin() + rowLoops.back().around, conditions.end(), isOne))
        return Form::Picked; /* in one block alone */
    const bool number = value.isPlain() && value.judged() == Kind::Row && !value.data;
    const std::string &step = value.by[Form::Own];
    const bool falls = countingOf(analysis, rowLoops.back().rows).falls != startsWith(step, "-");
    const bool first = anyWithin(rowLoops.back().rows, [](const Stmt *one) {
        return isa<BreakStmt, ReturnStmt, GotoStmt>(one);
    });
    return !number || step.empty() ? Form::Otherwise
           : falls != first        ? Form::Smallest
                                   : Form::Largest;
}

/* How VALUE, that is assigned elsewhere, under tests of blocks perhaps, is of all rows; GIVEN is it
 * without these. */
void RankValues::gatherUnder(const Place &place, const Form &given, Form &value,
                             bool compound) const
{
    const Guards around = guards();
    const Form before = formOf(place);
    if (!around.block && (gathering & (Form::Largest | Form::Smallest)) != 0 && compound)
        value.gathered =
            gathering | before.gathered | (taken.kind == Kind::Block ? taken.gathered : 0);
    if (!around.block)
        return;
    const unsigned sum = Form::Added | Form::Counted;
    if (around.gathered == Form::Repeated && compound && (gathering & ~sum) == 0 &&
        (given.gathered & ~sum) == 0) { /* a loop over what the own rows have */
        value.gathered = given.gathered | gathering;
        value.begun = before.kind == Kind::Uniform ? !before.zero && isKnown(place) : before.begun;
    } else if (!given.isUniform()) {
        value.gathered = Form::Otherwise;
    } else {
        value.gathered = given.zero ? contraryOf(around.gathered) : around.gathered;
    }
}

/* PLACE, TARGET, which is put together from the parts of all ranks, takes each of them, and what
 * there is of it before the last one serves for nothing else. */
bool RankValues::takesAllParts(const Place &place, const Expr *target) const
{
    const Stmt *outer = target;
    const Stmt *assignment = nullptr; /* or the if that picks */
    for (; outer != nullptr && outer != overRanks; outer = analysis.structure.parent(outer)) {
        const auto *choice = dyn_cast<IfStmt>(outer);
        const auto *binary = dyn_cast<BinaryOperator>(outer);
        const bool picks = choice != nullptr && pickedBy(analysis.context, choice) == gathering;
        if ((choice != nullptr && !picks) || isa<SwitchStmt, ConditionalOperator>(outer))
            return false;
        if (picks || (binary != nullptr && binary->isAssignmentOp()))
            assignment = outer;
    }
    const auto leaves = [](const Stmt *one) {
        return isa<BreakStmt, ContinueStmt, ReturnStmt, GotoStmt>(one);
    };
    return outer != nullptr && assignment != nullptr && !anyWithin(outer, leaves) &&
           namesOf(outer, place.base) == namesOf(assignment, place.base);
}

/* What has been made of the parts of all ranks, in a loop over them. */
Form RankValues::ofParts(const Place &place, const Expr *target) const
{
    static const std::pair<unsigned, const char *> known[] = {
        {Form::Added, "MPI_SUM"},   {Form::Counted, "MPI_SUM"},  {Form::Multiplied, "MPI_PROD"},
        {Form::Largest, "MPI_MAX"}, {Form::Smallest, "MPI_MIN"}, {Form::Set, "MPI_LOR"},
        {Form::Cleared, "MPI_LAND"}};
    bool counted = false;
    for (const auto &[how, operation] : known)
        if (gathering == how && puttingTogether(operation, taken.gathered, counted) && !counted &&
            takesAllParts(place, target))
            return Form::of(Kind::Row, taken.cause, taken.where);
    Form form = Form::of(Kind::Block, taken.cause, taken.where);
    form.data = taken.data;
    form.gathered = Form::Otherwise;
    return form;
}

/* EFFECTS, of one row, add to SUM what they have made of rows themselves, in place of what all
 * processes before have added of theirs. */
static bool addsChanged(const Effects &effects, const VarDecl *sum)
{
    const auto isStored = [&](const Mention &read, SourceLocation where) {
        return llvm::any_of(effects.writes, [&](const Write &write) {
            return !read.place.type->isArithmeticType() && write.place.element &&
                   RankState::baseOf(write.place) == RankState::baseOf(read.place) &&
                   write.where < where;
        });
    };
    return llvm::any_of(effects.writes, [&](const Write &write) {
        const auto begin = effects.mentions.begin(), end = effects.mentions.end();
        return RankState::baseOf(write.place) == sum && write.value != nullptr &&
               std::any_of(begin, end, [&](const Mention &read) {
                   return !read.assigned && write.value->getBeginLoc() <= read.where &&
                          read.where <= write.value->getEndLoc() && isStored(read, write.where);
               });
    });
}

/* What EXPRESSION is made of: arrays, operators, numbers, functions, whatever the indices are. A
 * number that EFFECTS declare stands for what it is. */
static void takeApart(const ASTContext &context, const Effects &effects, const Stmt *expression,
                      std::multiset<std::string> &parts)
{
    const auto *bare = dyn_cast<Expr>(expression);
    bare = bare != nullptr ? bare->IgnoreParenCasts() : nullptr;
    if (bare == nullptr)
        return;
    if (std::optional<long long> number = constantInteger(bare, context)) {
        parts.insert(std::to_string(*number));
        return;
    }
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(bare)) {
        const std::optional<Place> place = placeOf(element);
        parts.insert(place ? place->base->getNameAsString() : "");
        return;
    }
    if (const auto *name = dyn_cast<DeclRefExpr>(bare)) {
        for (const Write &write : effects.writes)
            if (write.how == Write::How::Declared && write.place.base == name->getDecl())
                return takeApart(context, effects, write.value, parts);
        parts.insert(name->getDecl()->getNameAsString());
        return;
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(bare))
        parts.insert(binary->getOpcodeStr().str());
    if (const auto *unary = dyn_cast<UnaryOperator>(bare))
        parts.insert(UnaryOperator::getOpcodeStr(unary->getOpcode()).str());
    if (const auto *literal = dyn_cast<FloatingLiteral>(bare))
        parts.insert(std::to_string(literal->getValueAsApproximateDouble()));
    for (const Stmt *child : bare->children())
        takeApart(context, effects, child, parts);
}

/* What EFFECTS add to what ISSUM tells, and under which tests of what is in rows. */
static std::set<std::multiset<std::string>> addedTo(const Analysis &analysis,
                                                    const Effects &effects,
                                                    const std::function<bool(const Write &)> &isSum)
{
    const ASTContext &context = analysis.context;
    std::set<std::multiset<std::string>> added;
    for (const Write &write : effects.writes) {
        const Expr *value = write.value != nullptr ? write.value->IgnoreParenCasts() : nullptr;
        const bool itself = value != nullptr && placeOf(value) &&
                            placeOf(value)->base == write.place.base && !placeOf(value)->element;
        if (!isSum(write) || write.how != Write::How::Assigned || value == nullptr || itself ||
            value->isEvaluatable(context))
            continue;
        std::multiset<std::string> parts;
        takeApart(context, effects, value, parts);
        if (parts.erase(write.place.base->getNameAsString()) != 0)
            parts.insert("itself");
        for (const Expr *condition : write.conditions) {
            const Stmt *of = analysis.structure.parent(condition);
            if (isa_and_nonnull<IfStmt, ConditionalOperator>(of))
                takeApart(context, effects, condition, parts);
        }
        added.insert(parts);
    }
    return added;
}

/* What EFFECTS, of a row, add to SUM is not what has been added up of all rows before, in OWN. */
bool RankValues::addsOther(const Effects &effects, const VarDecl *sum, const std::string &own) const
{
    const auto here =
        addedTo(analysis, effects, [&](const Write &write) { return baseOf(write.place) == sum; });
    std::set<std::multiset<std::string>> before;
    for (const FunctionDecl *function : analysis.structure.functions)
        before.merge(
            addedTo(analysis, analysis.finder.of(function->getBody()), [&](const Write &write) {
                return write.place.base->getName() == own && !write.place.element;
            }));
    return !here.empty() && !before.empty() &&
           !std::includes(before.begin(), before.end(), here.begin(), here.end());
}

/* What a loop over own rows adds to, from what all processes before have on, belongs to the row. */
void RankValues::goOnFromBefore(const Stmt *body)
{
    const Effects effects = analysis.finder.of(body);
    for (auto &[holder, form] : state.forms) {
        const bool whole = form.before && !form.isLocal(); /* no row has made more of it */
        if (!whole && !form.neighbour)
            continue;
        const bool set = llvm::any_of(effects.writes, [&, base = holder.first](const Write &write) {
            return baseOf(write.place) == base;
        });
        form.neighbour = form.neighbour && !set; /* the row before, whichever that is */
        if (!whole || !set)
            continue;
        if (addsChanged(effects, holder.first) || addsOther(effects, holder.first, form.cause)) {
            form = Form::of(Kind::Local, form.cause, form.where);
            continue;
        }
        form = Form::of(Kind::Row, form.cause, form.where);
        form.message = form.running = true;
    }
}

/* -- a number with its place, of which reductions find one of all */

/* The struct of two numbers whose address POINTER is. */
static std::optional<Place> pairAt(const Expr *pointer)
{
    const Expr *target = addressedBy(pointer);
    std::optional<Place> place = target != nullptr ? placeOf(target) : std::nullopt;
    const RecordDecl *record = place ? place->type->getAsRecordDecl() : nullptr;
    const bool whole = place && place->field == nullptr && !place->element && !place->behind;
    return whole && record != nullptr && !record->isUnion() &&
                   std::distance(record->field_begin(), record->field_end()) == 2 &&
                   record->field_begin()->getType()->isArithmeticType()
               ? place
               : std::nullopt;
}

static Place firstOf(const Place &pair)
{
    Place first = pair;
    first.field = *pair.type->getAsRecordDecl()->field_begin();
    first.type = first.field->getType();
    return first;
}

std::optional<Form> RankValues::reducedFirst(const CallExpr *call, llvm::StringRef name,
                                             Place &first)
{
    if (!isReduction(name) || call->getNumArgs() <= 4 ||
        constantInteger(call->getArg(2), analysis.context) != 1)
        return std::nullopt;
    const std::string operation = operationOf(call->getArg(4));
    const bool inPlace = isInPlace(call->getArg(0), analysis.context);
    const std::optional<Place> to = pairAt(call->getArg(1)),
                               from = inPlace ? to : pairAt(call->getArg(0));
    if (!from || !to || (operation != "MPI_MAXLOC" && operation != "MPI_MINLOC"))
        return std::nullopt;
    first = firstOf(*to);
    return reducedOf(call, name, formOf(firstOf(*from)));
}

/* -- what is chosen for rows at the edges of blocks */

/* CHOICE, by whether a row is at the edge of the block, is ONE or the OTHER: what a message has
 * brought where the rows between get nothing of a row, or the contrary. (What both get from rows,
 * the neighbour's stands for.) */
void RankValues::noteAlone(const Expr *choice, const Form &one, const Form &other) const
{
    if (!iterating || rowLoops.empty())
        return;
    const Form &chosen = one.isUniform() ? other : one, &rest = one.isUniform() ? one : other;
    if (rest.isUniform() && chosen.message)
        alone.emplace(choice, nullptr);
    else if (!chosen.message && !rest.message)
        chosenBetween = true;
}

/* ARRAY gets what has been chosen by whether rows are at the edges of blocks. */
void RankValues::settleChoices(const VarDecl *array)
{
    if (chosenBetween || (!rowLoops.empty() && rowLoops.back().some))
        between.insert(array);
    chosenBetween = false;
    for (auto *chosen : {&standIns, &alone})
        for (auto &[choice, known] : *chosen)
            known = known != nullptr ? known : array;
}

/* EFFECTS are for rows at the edges of blocks alone, or for those between. */
void RankValues::noteBetween(const Effects &effects)
{
    for (const Write &write : effects.writes)
        if (write.place.element || write.place.behind)
            between.insert(baseOf(write.place));
}

} // namespace xmpi
