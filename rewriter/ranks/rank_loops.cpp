/* SPDX-License-Identifier: BSD-3-Clause
 * Goes through loops until nothing changes, over own rows among them. */
#include "ranks/rank_loops.h"
#include "facts/computed.h"
#include "flow/set_whole.h"
#include "rows/unrolled.h"
#include "source/integer.h"
#include "source/loops.h"
#include "source/variable.h"
#include <climits>
#include <numeric>

namespace xmpi
{

using namespace clang;

/* CONDITION tells otherwise than by what is in rows where the process is, or how many it has. */
static bool isOfLayout(const Form &condition)
{
    const Form::Kind kind = condition.judged();
    return !condition.any &&
           (kind == Form::Kind::Local || kind == Form::Kind::Edge || kind == Form::Kind::Ends);
}

void RankLoops::passUnknown(const Stmt *statement)
{
    if (isa<Expr, CompoundStmt, NullStmt, AttributedStmt, SwitchCase, BreakStmt, ContinueStmt>(
            statement)) /* a jump to the end of what leads to the loop, too */
        return;
    const Form form = Form::of(Form::Kind::Local, "goto", statement->getBeginLoc());
    functions.back().left.push_back(form);
    for (Frame &loop : loops)
        loop.left.push_back(form);
}

void RankLoops::noteEnd(Loop &loop, const Form &condition) const
{
    const bool counts = loop.counting.counter != nullptr || loop.statement == analysis.loop;
    if (!counts && loop.ended.isUniform() && isOfLayout(condition))
        loop.ended = Form::of(Form::Kind::Local, condition.cause, condition.where);
}

void RankLoops::goOnByLayout(const Loop &loop)
{
    if (loop.ended.isUniform())
        return;
    Effects effects = analysis.finder.withCallees(bodyOf(loop.statement));
    if (loop.counted != nullptr && loop.counted->getInc() != nullptr)
        llvm::append_range(effects.writes, analysis.finder.of(loop.counted->getInc()).writes);
    if (loop.condition != nullptr)
        llvm::append_range(effects.writes, analysis.finder.of(loop.condition).writes);
    setByLayout(effects, loop.ended);
}

void RankLoops::leave()
{
    if (!loops.empty())
        for (size_t i = loops.back().around; i < conditions.size(); i++)
            if (isOfLayout(conditions[i]))
                loops.back().ended = conditions[i];

    std::vector<Form> &left = !loops.empty() ? loops.back().left : functions.back().left;
    const Guards around = guards();
    if (around.local || around.block || around.ends || around.edge)
        for (const Form &condition : std::vector<Form>(conditions))
            left.push_back(condition.negated());
    if (!rowLoops.empty())
        for (size_t i = rowLoops.back().around; i < conditions.size(); i++)
            pickRows(rowLoops.back(), conditions[i].negated());
}

void RankLoops::pickRows(RowLoop &rows, const Form &condition)
{
    if (picksRows(condition) && condition.every == 0)
        rows.picks = true;
    else if (picksRows(condition))
        rows.every = std::lcm(rows.every, condition.every);
}

void RankLoops::endEarly(Frame &loop)
{
    for (size_t i = loop.around; loop.adaptive && controls == 0 && i < conditions.size(); i++)
        endAdaptive(conditions[i]); /* (where some processes leave alone, that is worse) */
    for (size_t i = loop.around; loop.rows && i < conditions.size(); i++)
        if (conditions[i].judged() == Form::Kind::Row)
            loop.early = Form::of(Form::Kind::Block, conditions[i].cause, conditions[i].where);
}

std::vector<const Stmt *> RankLoops::restFrom(size_t step, size_t first) const
{
    std::vector<const Stmt *> rest;
    for (step++; step-- > 0; first = 0) {
        const std::vector<const Stmt *> all =
            analysis.structure.following(analysis.path[step].anchor);
        rest.insert(rest.end(), all.begin() + first, all.end());
    }
    return rest;
}

Form RankLoops::formOfVariable(const VarDecl *variable) const
{
    Place place = Place::of(variable);
    return variable->getType()->isPointerType() ? offsetOf(variable) : formOf(place);
}

void RankLoops::setVariable(const VarDecl *variable, const Form &form)
{
    if (variable->getType()->isPointerType())
        state.offsets[variable] = form;
    else
        state.forms[{variable, nullptr}] = form;
}

Form RankLoops::pieceForm(const Pieces &pieces)
{
    Form form;
    form.by[Form::Piece] = "1";
    form.shift = pieces.begin != 0 ? std::to_string(pieces.begin) : "";
    lengths[pieces.set] = pieces.length;
    return form;
}

void RankLoops::noteLength(const Stmt *statement)
{
    auto set = lengths.find(statement);
    if (set == lengths.end())
        return;
    Form form = Form::of(Form::Length, set->second->getNameAsString(), set->second->getLocation());
    setVariable(set->second, form);
}

/* By how much ONE, which is stepped several times, grows: the same for each use of it. */
static std::string unknownStep(const Induced &one)
{
    return Form::some + one.variable->getNameAsString();
}

/* Blocks have as many rows as any number: steps of COUNTING fit in where END is so many elements
 * for each of them. */
bool RankLoops::isWhole(const Form &end, const Counting &counting) const
{
    const std::optional<long long> step =
        counting.step != nullptr ? constantInteger(counting.step, analysis.context) : 1;
    const std::string &each = end.by[Form::Count].empty() ? end.by[Form::Own] : end.by[Form::Count];
    const std::optional<int> many = rowsOfShift(each);
    return step && many && *step != 0 ? !each.empty() && *many % *step == 0
                                      : counting.step != nullptr && textOf(counting.step) == each;
}

/* The place in the block goes along with LOOP, in which processes take rows by turns: these would
 * be dealt out one by one, while blocks follow one another. */
bool RankLoops::dealsOut(const Loop &loop) const
{
    const auto goesAlong = [&](const Expr *index) {
        return anyWithin(index, [&](const Stmt *one) {
            const auto *named = dyn_cast<DeclRefExpr>(one);
            return named != nullptr && llvm::any_of(loop.induced, [&](const Induced &other) {
                       return other.variable == named->getDecl()->getCanonicalDecl();
                   });
        });
    };
    return loop.shared && inLoop && !inStart && anyWithin(loop.statement, [&](const Stmt *one) {
               const auto *element = dyn_cast<ArraySubscriptExpr>(one);
               const std::optional<Place> place = element != nullptr && goesAlong(element->getIdx())
                                                      ? placeOf(element)
                                                      : std::nullopt;
               return place && rowsOf(*place).has_value();
           });
}

/* In how many at a time COUNTING goes up; 0: it does not, or that is not known. */
int RankLoops::stepUp(const Counting &counting) const
{
    const std::optional<long long> step =
        counting.step != nullptr ? constantInteger(counting.step, analysis.context) : 1;
    return step && !counting.falls && *step <= INT_MAX ? static_cast<int>(*step) : 0;
}

Form RankLoops::counted(const Loop &loop)
{
    const Form step = loop.counting.step ? evaluate(loop.counting.step).form : Form();
    const int up = stepUp(loop.counting);
    Form form = countedForm(loop.begin, loop.end, step, loop.counting.single, up);
    form.strided |=
        loop.begin.isPhaseOf(up) && beginsLate(analysis, loop.counting, loop.begin, loop.end);
    return form;
}

/* What goes along with the counter of LOOP, which is FORM. */
void RankLoops::setInduced(const Loop &loop, const Form &form)
{
    for (const Induced &one : loop.induced) {
        Form own = loop.origins.at(one.variable);
        if (!own.isPlain() || own.has(Form::Own))
            continue;
        std::string text = !one.once ? unknownStep(one) : one.step ? textOf(one.step) : "1";
        own.by[Form::Own] = one.negative != loop.counting.falls ? "-" + text : text;
        if (form.isInPiece()) /* it counts from the begin of the piece, too */
            own.by[Form::Piece] = own.has(Form::Piece) ? Form::some : "-" + own.by[Form::Own];
        own.strided = one.sometimes || form.strided;
        own.cause = own.cause.empty() ? one.variable->getNameAsString() : own.cause;
        setVariable(one.variable, own);
        rowLoops.back().induced.insert(one.variable);
        if (one.varied)
            rowLoops.back().varied.insert(one.variable);
    }
}

void RankLoops::setCounters(Loop &loop)
{
    const VarDecl *counter = loop.counting.counter;
    if (counter == nullptr)
        return;
    loop.end = evaluate(loop.counting.bound).form;
    Form form = counted(loop);
    loop.shared = form.kind == Form::Kind::Row && loop.begin.isOfRanks();
    if (dealsOut(loop))
        misuse(Problem::OwnFormula, loop.condition->getExprLoc(),
               analysis.source.spelled(loop.condition), "");
    if (form.strided && isUnrolled(analysis, bodyOf(loop.statement), loop.counting) &&
        (isWhole(loop.end, loop.counting) || hasRest(analysis, loop.statement, counter)))
        form.strided = false;
    if (loop.counting.step != nullptr && textOf(loop.counting.step) == form.by[Form::Own])
        form.strided = false; /* from the begin of one row to that of the next */
    if (loop.pieces && form.strided && form.isOnlyOf(Form::Own))
        form = pieceForm(*loop.pieces);
    form.each = loop.begin.zero && loop.begin.isUniform() && loop.counting.single &&
                loop.end.isOnlyOf(Form::Size) && loop.end.by[Form::Size] == "1";
    if (!form.isUniform()) {
        form.cause = counter->getNameAsString();
        form.where = counter->getLocation();
    }
    setVariable(counter, form);
    loop.rows = loop.shared || (form.has(Form::Own) && !loop.begin.has(Form::Own)) ||
                form.isOnlyOf(Form::Piece);
    if (form.has(Form::Own) && !loop.begin.has(Form::Own))
        setInduced(loop, form);
}

Form RankLoops::steppedForm(const Loop &loop, const Induced &one, const RowLoop &rows)
{
    Form form =
        Form::of(Form::Kind::Block, one.variable->getName().str(), one.variable->getLocation());
    auto origin = loop.origins.find(one.variable);
    form.gathered =
        one.step == nullptr && !one.negative && !one.varied ? Form::Counted : Form::Added;
    if (auto beside = rows.beside.find(one.variable); beside != rows.beside.end())
        form.gathered |= beside->second;
    form.begun = origin == loop.origins.end() || !origin->second.zero;
    form.data = one.sometimes;
    return form;
}

/* FORM, of what a loop over own rows has set for one of them. */
static bool isOfRow(const Form &form)
{
    return form.kind == Form::Kind::Row || (form.isPlain() && form.has(Form::Own));
}

/* FORM, of a number that a loop over own rows has set, behind it: what a message began goes on with
 * the last row. An index is still one into the block, of a row that this has chosen. */
static void endRow(Form &form)
{
    form.kind = form.peer ? Form::Kind::Edge : Form::Kind::Block;
    form.ends = form.peer ? Form::AtLast : form.ends;
}

void RankLoops::endRows(const Loop &loop, const RowLoop &rows)
{
    setVariable(loop.counting.counter, loop.end);
    for (const Induced &one : loop.induced)
        if (rows.induced.count(one.variable))
            setVariable(one.variable, steppedForm(loop, one, rows));
    for (const VarDecl *pointer : rows.led)
        if (const Form form = offsetOf(pointer);
            (form.isUniform() || isOfRow(form)) && !rows.induced.count(pointer))
            state.offsets[pointer] =
                Form::of(Form::Kind::Block, pointer->getNameAsString(), pointer->getLocation());
    for (const VarDecl *variable : rows.assigned) {
        for (auto &[holder, form] : state.forms)
            if (holder.first == variable && isOfRow(form) &&
                !variable->getType()->isPointerType() && !variable->getType()->isArrayType())
                endRow(form);
        if (!rowLoops.empty())
            rowLoops.back().assigned.insert(variable);
    }
}

Form RankLoops::repeats(const Loop &loop, const Form &condition) const
{
    if (loop.rows || loop.shared || loop.statement == analysis.loop)
        return Form();
    if (loop.counting.counter != nullptr && loop.begin.isUniform() && loop.end.isOnlyOf(Form::Size))
        return Form(); /* over all ranks */
    Form form = condition.asTest();
    if (form.kind == Form::Kind::Block && loop.counting.counter != nullptr)
        form.gathered = Form::Repeated;
    return form;
}

void RankLoops::endByCondition(const Expr *condition, const Expr *bound)
{
    const auto *both =
        condition ? dyn_cast<BinaryOperator>(condition->IgnoreParenImpCasts()) : nullptr;
    if (both == nullptr || both->getOpcode() != BO_LAnd)
        return;
    for (const Expr *one : {both->getLHS(), both->getRHS()}) {
        endByCondition(one, bound);
        const auto *compared = dyn_cast<BinaryOperator>(one->IgnoreParenImpCasts());
        const bool head =
            compared != nullptr && (compared->getLHS() == bound || compared->getRHS() == bound);
        const Form form = head ? Form() : evaluate(one).form.asTest();
        if (form.judged() == Form::Kind::Row)
            loops.back().early = Form::of(Form::Kind::Block, form.cause, form.where);
        if (form.isLocal())
            loops.back().early = form;
        if (form.judged() == Form::Kind::Edge) /* some of the first rows */
            rowLoops.back().some = true;
    }
}

RankLoops::Loop RankLoops::enterLoop(const Stmt *statement)
{
    Loop loop;
    loop.statement = statement;
    loop.counted = dyn_cast<ForStmt>(statement);
    loop.until = dyn_cast<DoStmt>(statement);
    loop.condition = conditionIn(statement);
    if (loop.counted != nullptr)
        walk(loop.counted->getInit());
    if (loop.until == nullptr && statement != analysis.loop)
        loop.counting = countingOf(analysis, statement);
    const VarDecl *counter = loop.counting.counter;
    if (counter != nullptr) {
        loop.begin = formOfVariable(counter);
        if ((!analysis.files.empty() || !analysis.shared.empty()) && cause == Cause::Rank)
            loop.pieces = piecesOf(analysis, statement, loop.counting);
        loop.induced = inducedBy(analysis, statement, counter);
        for (const Induced &one : loop.induced)
            loop.origins.emplace(one.variable, formOfVariable(one.variable));
    }
    return loop;
}

void RankLoops::walkBody(Loop &loop, const Followed &goesOn)
{
    const int gone = goings;
    controls += goesOn.ranked;
    conditions.push_back(repeats(loop, loop.until ? loop.again : goesOn.form));
    const bool follows = loop.rows || (conditions.back().isUniform() && !goesOn.form.isUniform());
    following += follows;
    conditions.push_back(loop.early);
    loops.back().around = conditions.size();
    loops.back().rows = loop.rows;
    loops.back().statement = loop.statement;
    loops.back().adaptive = loop.statement == analysis.loop;
    if (loop.rows && loop.until == nullptr)
        endByCondition(loop.condition, loop.counting.bound);
    const Stmt *outer = overRanks;
    if (loop.counting.counter != nullptr && formOfVariable(loop.counting.counter).each)
        overRanks = loop.statement;
    walk(bodyOf(loop.statement));
    overRanks = outer;
    conditions.resize(conditions.size() - 2);
    state.merge(loops.back().continues);
    if (loop.counted != nullptr)
        evaluate(loop.counted->getInc());
    if (loop.until != nullptr) {
        loop.again = decides(loop.condition).form;
        noteEnd(loop, loop.again.asTest());
        endRepeated(loop.again, gone);
        loop.left = state;
    }
    controls -= goesOn.ranked;
    following -= follows;
}

void RankLoops::noteFilling(const Loop &loop)
{
    const VarDecl *counter = loop.counting.counter;
    if (counter == nullptr || formOfVariable(counter).isUniform())
        return;
    for (const VarDecl *array : setAlong(loop.statement, counter, loop.induced)) {
        const std::set<const VarDecl *> all = pointees(array);
        filling.insert(all.begin(), all.end());
    }
}

Frame RankLoops::walkOnce(Loop &loop, const State &entry)
{
    loops.emplace_back();
    loops.back().jumped = loop.jumped;
    if (loop.statement == analysis.loop) {
        state.filled.clear();
        state.whole.clear();
        state.changed.clear();
        state.spoilt.clear();
        beginSweeps();
    }
    rowLoops.emplace_back();
    rowLoops.back().around = conditions.size();
    setCounters(loop);
    rowLoops.back().rows = loop.rows ? loop.statement : nullptr;
    openRows(loop, rowLoops.size() > 1 ? &rowLoops[rowLoops.size() - 2] : nullptr);
    const std::set<const VarDecl *> outer = filling;
    noteFilling(loop);
    const Followed goesOn = loop.until == nullptr ? decides(loop.condition) : Followed();
    noteEnd(loop, goesOn.form.asTest());
    if (loop.rows)
        goOnFromBefore(bodyOf(loop.statement));
    loop.left = state;
    loop.left.dead = loop.until != nullptr;
    walkBody(loop, goesOn);
    if (loop.statement == analysis.loop)
        endAdaptive((loop.until == nullptr ? goesOn.form : loop.again).asTest());
    const Frame frame = loops.back();
    filling = outer;
    noteEnd(loop, frame.ended);
    loops.pop_back();
    if (loop.rows)
        carry(loop.statement, entry);
    return frame;
}

bool RankLoops::walkAgain(Loop &loop, const State &entry, State &head, State &back)
{
    const size_t known = sends.size(), own = ownAmongAll.size();
    settled = loop.statement == analysis.loop ? known : settled;
    const bool freely = loop.again.isUniform(), endless = loop.ended.isUniform();
    state = head;
    goOnByLayout(loop);
    const Frame frame = walkOnce(loop, entry);
    back = state;
    const State before = head;
    head.merge(back);
    const bool more = (endless && !loop.ended.isUniform()) ||
                      (freely && !repeats(loop, loop.again).isUniform()) ||
                      head.ranked.size() > before.ranked.size() || !head.sameForms(before) ||
                      (frame.jumped && !loop.jumped) ||
                      (loop.early.isUniform() && !frame.early.isUniform()) ||
                      sends.size() > known || ownAmongAll.size() > own;
    loop.jumped = loop.jumped || frame.jumped;
    loop.early = frame.early;
    state = loop.left;
    state.merge(frame.exits);
    leaveRows(loop);
    return more;
}

void RankLoops::forgetSetBy(const Stmt *statement)
{
    const auto *nest = dyn_cast<ForStmt>(statement);
    if (nest == nullptr || statement == analysis.loop)
        return;
    for (const VarDecl *array : arraysSetBy(analysis.context, nest)) {
        if (analysis.isData(array) || analysis.members.isShared(array))
            continue;
        clear(array, nullptr);
        state.forms.erase({array, nullptr});
    }
}

/* What LOOP, which is alike on all processes, sets from one element to the next, or receives, is
 * all that is read then. */
void RankLoops::fillWhole(const Loop &loop, const State &back)
{
    if (loop.rows || loop.statement == analysis.loop)
        return;
    state.whole.insert(back.whole.begin(), back.whole.end());
    const VarDecl *counter = loop.counting.counter;
    if (counter != nullptr && loop.begin.isUniform() &&
        (loop.end.isUniform() || loop.end.isOnlyOf(Form::Size)))
        for (const VarDecl *array : setAlong(loop.statement, counter, loop.induced))
            makeWhole(Place::of(array));
}

Ranked RankLoops::walkLoop(const Stmt *statement)
{
    forgetSetBy(statement);
    Loop loop = enterLoop(statement);
    if (statement == analysis.loop && entered != nullptr)
        entered->merge(state);
    if (iterating)
        way.push_back(statement);
    iterating = iterating || statement == analysis.loop;
    const State entry = state;
    State head = state, back;
    while (walkAgain(loop, entry, head, back))
        ;
    fillWhole(loop, back);
    if (statement == analysis.loop) {
        carriedForms = back.forms;
        filled = back.filled;
        for (const auto &[array, changed] : back.changed) {
            changedAtEnd.emplace(array, changed.where);
            state.changed.emplace(array, changed);
        }
        for (const auto &[array, set] : back.spoilt)
            for (const auto &[read, how] : unfilled) /* by the next iteration */
                if (pointees(read).count(array.first) != 0)
                    spoiltRead.emplace(read, set);
        iterating = false;
        ageBlocks({}, restFrom(analysis.lastStep(), 0));
    }
    if (iterating)
        way.pop_back();
    return back.ranked;
}

bool RankLoops::isOfRange(const Expr *bound) const
{
    const Expr *bare = bound->IgnoreParenCasts();
    if (computedAt(analysis, bare) != nullptr)
        return true;
    const auto *sum = dyn_cast<BinaryOperator>(bare);
    if (sum != nullptr)
        return sum->isAdditiveOp() && isOfRange(sum->getLHS()) && isOfRange(sum->getRHS());
    const std::optional<Place> place = placeOf(bare);
    if (isa<ArraySubscriptExpr>(bare) || (place && analysis.rangeAt(*place) != nullptr))
        return true; /* of a table of all ranks */
    const VarDecl *variable = variableIn(bare);
    auto given = variable != nullptr ? names.find(variable) : names.end();
    if (given == names.end())
        return variable != nullptr && variable->getInit() != nullptr &&
               isOfRange(variable->getInit());
    return llvm::any_of(analysis.ranges, [&](const auto &range) {
        return given->second == "(" + range.place.text() + ")";
    });
}

void RankLoops::openRows(const Loop &loop, const RowLoop *outer)
{
    const bool begun = loop.begin.has(Form::Own);
    const bool all = loop.end.isPlain() && loop.end.isOnlyOf(Form::Count);
    const bool pairs = outer != nullptr && loop.counting.counter != nullptr &&
                       (all ? loop.rows || begun
                            : !outer->pieces && (loop.rows || (begun && !loop.end.has(Form::Own))));
    if (!loop.rows && outer == nullptr)
        return rowLoops.pop_back();
    if (!loop.rows)
        rowLoops.back() = *outer;
    RowLoop &rows = rowLoops.back();
    if (loop.rows) {
        rows.single = loop.counting.single;
        rows.falls = loop.counting.falls;
        rows.spaced =
            loop.counting.counter != nullptr && formOfVariable(loop.counting.counter).strided;
        rows.some =
            rows.spaced || xmpi::leavesOut(analysis, loop.counting, loop.end, loop.statement);
        rows.span = spanOf(analysis, loop.counting, loop.begin, loop.end, loop.statement);
        if (rows.span && !isOfRange(loop.counting.bare))
            rows.span.reset();
    } else if (begun) {
        rows.some = rows.spaced = false; /* the rest of a tile */
    }
    rows.pieces = rows.pieces || (loop.rows && loop.counting.counter != nullptr &&
                                  formOfVariable(loop.counting.counter).has(Form::Piece) &&
                                  !formOfVariable(loop.counting.counter).has(Form::Own));
    rows.pairs = rows.pairs || pairs;
    if (pairs)
        rows.fresh.clear();
}

void RankLoops::leaveRows(const Loop &loop)
{
    if (rowLoops.empty())
        return;
    const RowLoop rows = rowLoops.back();
    rowLoops.pop_back();
    if (loop.rows) {
        endSweep(rows, loop.counting.falls);
        endFiled(rows, loop.counting.falls);
        endChanged(rows);
        return endRows(loop, rows);
    }
    if (!rowLoops.empty()) {
        rowLoops.back().set = rows.set;
        rowLoops.back().read = rows.read;
        rowLoops.back().filed = rows.filed;
        rowLoops.back().picks = rows.picks;
        rowLoops.back().changes = rows.changes;
        rowLoops.back().older = rows.older;
        rowLoops.back().setAt = rows.setAt;
        rowLoops.back().every = rows.every;
        rowLoops.back().beside = rows.beside;
        rowLoops.back().assigned.insert(rows.assigned.begin(), rows.assigned.end());
        rowLoops.back().fresh.insert(rows.fresh.begin(), rows.fresh.end());
    }
}

} // namespace xmpi
