/* SPDX-License-Identifier: BSD-3-Clause
 * An abstract interpreter: whether ranks may have different values, and how they follow the
 * layout. */
#include "library/library.h"
#include "flow/failing.h"
#include "flow/other_files.h"
#include "rows/own_loops.h"
#include "rows/pieces.h"
#include "rows/unrolled.h"
#include "ranks/rank_expressions.h"
#include <algorithm>
#include <numeric>

namespace xmpi
{

using namespace clang;

namespace
{

class Follower : RankExpressions
{
  public:
    Follower(Analysis &analysis, const std::set<const VarDecl *> &distributed, Cause cause,
             bool unseen = false)
        : RankExpressions(analysis, distributed, cause, unseen)
    {
    }

    RankFlow follow()
    {
        inStart = true;
        followPrologue();
        inStart = false;
        RankFlow flow;
        flow.made = made;
        const std::map<Holder, Form> started = state.forms;
        beside = !analysis.ownLayoutAfter();
        followAround();
        flow.atEntry = state.ranked;
        const std::map<Holder, Form> before = state.forms;
        for (const auto &[holder, form] : before)
            if (form.isOfLayout() && (!started.count(holder) || !started.at(holder).isOfLayout()))
                flow.forms.emplace(holder, form);
        for (const auto &[holder, form] : before)
            if (form.isLocal() && form.has(Form::Own) &&
                (!started.count(holder) || !started.at(holder).isLocal()))
                flow.numbered.insert(holder.first);
        for (const auto &[holder, form] : started)
            if (form.agreed && form.isLocal())
                flow.agreed.emplace(holder, form);
        for (const auto &[holder, form] : started)
            if (form.isOfLayout())
                flow.ofLayout.insert(holder);
        watched = inLoop = true;
        flow.carried = walkLoop(analysis.loop);
        reportSweeps();
        for (const auto &[holder, form] : carriedForms)
            if (form.isOfLayout() &&
                (analysis.startsOver || !before.count(holder) || !before.at(holder).isOfLayout()))
                flow.forms.emplace(holder, form);
        for (const VarDecl *variable : analysis.own)
            if (auto known = carriedForms.find({variable, nullptr}); known != carriedForms.end())
                flow.sums.insert(*known);
        for (const auto &[array, by] : filled)
            flow.filled.emplace(array, xmpi::rowsOf(by));
        flow.unfilled = unfilled;
        flow.guided = guided;
        flow.leaving = leaving;
        beginSweeps();
        const std::map<Holder, Form> left = state.forms;
        followEnd();
        watched = true;
        for (const auto &[holder, form] : state.forms)
            if (form.isOfLayout() && !analysis.ownLayoutAfter() &&
                (!left.count(holder) || !left.at(holder).isOfLayout()))
                flow.behind.emplace(holder, form);
        reportSweeps();
        reportEdges();
        flow.drawn = drawn;
        flow.drawnApart = drawnApart;
        flow.outside = outside;
        flow.misuses = misuses;
        flow.printed = printed;
        return flow;
    }

    /* What is asked before the loop is there in each iteration: it is followed apart. */
    ClockFlow followClocks()
    {
        followPrologue();
        ClockFlow flow;
        flow.values = state.ranked;
        const State entry = state;
        inLoop = true;
        state.ranked.clear();
        flow.carried = walkLoop(analysis.loop);
        flow.steered = steered;
        state = entry;
        flow.values.merge(walkLoop(analysis.loop));
        return flow;
    }

  private:
    std::map<const LabelDecl *, State> labels;
    std::map<const Stmt *, const VarDecl *> lengths; /* of pieces, known behind a statement */
    std::vector<const Stmt *> deciding; /* conditions around that differ from rank to rank */
    const Stmt *leaving = nullptr;
    std::map<Holder, Form> carriedForms;
    std::map<const VarDecl *, Filled> filled; /* of rows, in each iteration */
    State *entered = nullptr; /* what has been when the adaptive loop was entered, to be noted */
    const Stmt *root = nullptr;

    void followPrologue()
    {
        functions.emplace_back();
        size_t step = 0;
        for (const Item &item : analysis.prologue) {
            while (step < item.step)
                enter(++step);
            root = item.statement;
            walk(item.statement);
            state.dead = false; /* an exit for errors */
        }
        while (step + 1 < analysis.path.size())
            enter(++step);
    }

    /* Where the adaptive loop is entered again and again: what the loops around it have made of
     * what there was at first. */
    void followAround()
    {
        for (const Step &step : analysis.path)
            if (const Stmt *outer = analysis.structure.loopAround(step.anchor)) {
                State found = state;
                entered = &found;
                walkLoop(outer);
                entered = nullptr;
                state = found;
                state.dead = false;
                return;
            }
    }

    /* The conditions under which a statement does not run as others have left are with those
     * around. */
    void leave()
    {
        std::vector<Form> &left = !loops.empty() ? loops.back().left : functions.back().left;
        const Guards around = guards();
        if (around.local || around.block || around.ends || around.edge)
            for (const Form &condition : std::vector<Form>(conditions))
                left.push_back(condition.negated());
        if (!rowLoops.empty())
            for (size_t i = rowLoops.back().around; i < conditions.size(); i++)
                pickRows(rowLoops.back(), conditions[i].negated());
    }

    /* CONDITION is one under which ROWS goes through a row. */
    static void pickRows(RowLoop &rows, const Form &condition)
    {
        if (picksRows(condition) && condition.every == 0)
            rows.picks = true;
        else if (picksRows(condition))
            rows.every = std::lcm(rows.every, condition.every);
    }

    /* LOOP, over own rows, may end before its last row, by what a row holds: how many rows it goes
     * through is another question for each block. */
    void endEarly(Frame &loop) const
    {
        for (size_t i = loop.around; loop.rows && i < conditions.size(); i++)
            if (conditions[i].judged() == Form::Kind::Row)
                loop.early = Form::of(Form::Kind::Block, conditions[i].cause, conditions[i].where);
    }

    /* What runs behind the adaptive loop, from the statement FIRST on of those that follow the
     * anchor of STEP. */
    std::vector<const Stmt *> restFrom(size_t step, size_t first) const
    {
        std::vector<const Stmt *> rest;
        for (step++; step-- > 0; first = 0) {
            const std::vector<const Stmt *> all =
                analysis.structure.following(analysis.path[step].anchor);
            rest.insert(rest.end(), all.begin() + first, all.end());
        }
        return rest;
    }

    /* What follows the loop, with the layout that is there then: rows are stored as in the loop. */
    void followEnd()
    {
        const SourceManager &sources = analysis.context.getSourceManager();
        watched = inLoop = !analysis.ownLayoutAfter();
        for (size_t step = analysis.path.size(); step-- > 0;) {
            const Stmt *anchor = analysis.path[step].anchor;
            const std::vector<const Stmt *> all = analysis.structure.following(anchor);
            std::optional<std::map<Holder, Form>>
                behind; /* before the loop, the next time around */
            for (size_t i = 0; i < all.size(); i++) {
                const bool ahead =
                    sources.isBeforeInTranslationUnit(all[i]->getBeginLoc(), anchor->getBeginLoc());
                if (ahead && !behind)
                    behind = state.forms;
                if (!ahead && behind) {
                    ageBlocks(*behind, restFrom(step, i));
                    behind.reset();
                }
                state.dead = false;
                if (!analysis.divides.count(all[i]))
                    walk(all[i]);
            }
        }
        inLoop = false;
    }

    /* The call on the way to the loop. */
    void enter(size_t step)
    {
        bindArguments(analysis.path[step - 1].call, analysis.path[step].function);
    }

    /* -- statements */

    void walk(const Stmt *statement) override
    {
        if (statement == nullptr || (statement != root && analysis.finder.skipped.count(statement)))
            return;
        if (const auto *label = dyn_cast<LabelStmt>(statement)) {
            auto known = labels.find(label->getDecl());
            if (known != labels.end())
                state.merge(known->second);
            return walk(label->getSubStmt());
        }
        if (isa<ForStmt>(statement) || isa<WhileStmt>(statement) || isa<DoStmt>(statement)) {
            walkLoop(statement);
        } else if (const auto *choice = dyn_cast<IfStmt>(statement)) {
            walkIf(choice);
        } else if (const auto *cases = dyn_cast<SwitchStmt>(statement)) {
            walkSwitch(cases);
        } else if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
            walkDeclaration(declaration);
        } else if (!walkJump(statement)) {
            if (isa<Expr>(statement))
                evaluate(statement);
            else
                for (const Stmt *child : statement->children())
                    walkGuarded(child);
        }
        noteLength(statement);
    }

    /* What stands behind a jump runs where the jump was not made. */
    void walkGuarded(const Stmt *statement)
    {
        const std::vector<Form> &left = !loops.empty() ? loops.back().left : functions.back().left;
        size_t around = conditions.size();
        const std::vector<Form> more = left;
        conditions.insert(conditions.end(), more.begin(), more.end());
        walk(statement);
        conditions.resize(around);
    }

    bool walkJump(const Stmt *statement)
    {
        bool apart = controls > 0;
        if (const auto *back = dyn_cast<ReturnStmt>(statement)) {
            returnFrom(back);
        } else if (const auto *jump = dyn_cast<GotoStmt>(statement)) {
            State &there =
                labels.emplace(jump->getLabel(), State{{}, true, {}, {}, {}}).first->second;
            there.merge(state);
            noteJump(apart);
        } else if (isa<BreakStmt>(statement) && !loops.empty()) {
            loops.back().exits.merge(state);
            endEarly(loops.back());
            noteJump(apart);
        } else if (isa<ContinueStmt>(statement) && !loops.empty()) {
            loops.back().continues.merge(state);
            noteJump(apart);
        } else {
            return false;
        }
        state.dead = true;
        return true;
    }

    /* What follows in the loop or function is not run by all ranks. */
    void noteJump(bool apart)
    {
        leave();
        if (apart && inLoop && leaving == nullptr && !deciding.empty())
            leaving = deciding.back();
        if (!loops.empty())
            loops.back().jumped = loops.back().jumped || apart;
        else if (functions.size() > 1)
            functions.back().jumped = functions.back().jumped || apart;
    }

    void returnFrom(const ReturnStmt *back)
    {
        const Expr *value = back->getRetValue();
        Followed result = evaluate(value);
        bool ranked = result.ranked || controls > 0;
        Frame &frame = functions.back();
        frame.value = frame.value || (value != nullptr && ranked);
        const Form form = returnedForm(result.form);
        frame.form = frame.form ? merge(*frame.form, form) : form;
        if (value != nullptr && value->getType()->isRecordType())
            if (std::optional<Place> from = placeOf(value->IgnoreParenCasts()))
                for (const FieldDecl *field : value->getType()->getAsRecordDecl()->fields()) {
                    Place member = *from;
                    member.field = field;
                    member.type = field->getType();
                    if (differs(member))
                        frame.fields.insert(field);
                    auto [at, fresh] = frame.forms.emplace(field, formOf(member));
                    if (!fresh)
                        at->second = merge(at->second, formOf(member));
                }
        frame.jumped = frame.jumped || (controls > 0 && functions.size() > 1);
        if (functions.size() > 1 || !loops.empty())
            leave();
        for (Frame &loop : loops)
            if (!loops.front().adaptive)
                endEarly(loop);
        if (!endsAtCaller(analysis, frame.call, back))
            frame.exits.merge(state);
    }

    /* VALUE, if the conditions of its function hold under which it is returned: those around the
     * call are there for what the caller makes of it. */
    Form returnedForm(const Form &value) const
    {
        const Guards around = guards(functions.back().around);
        return around.local || around.block ? join(value, around.cause) : value;
    }

    void walkDeclaration(const DeclStmt *declaration)
    {
        for (const Decl *declared : declaration->decls()) {
            const auto *variable = dyn_cast<VarDecl>(declared);
            if (variable == nullptr || variable->isStaticLocal())
                continue;
            variable = variable->getCanonicalDecl();
            Place place{variable, nullptr, false, false, variable->getType()};
            clear(variable, nullptr);
            forget(variable);
            freshen(variable);
            if (variable->getInit() == nullptr)
                continue;
            returned.clear();
            returnedForms.clear();
            Followed value = evaluate(variable->getInit());
            point(variable, variable->getInit());
            if (copyStruct(place, variable->getInit(), variable->getLocation()))
                continue;
            set(place, value.ranked, true, variable->getLocation());
            declare(place, value.form);
        }
    }

    void declare(const Place &place, const Form &form)
    {
        const VarDecl *variable = baseOf(place);
        const Expr *init = variable->getInit()->IgnoreParenCasts();
        if (variable->getType()->isPointerType() && !isa<CompoundLiteralExpr>(init))
            state.offsets[variable] = form;
        else if (!analysis.equal.count(variable)) /* also what is in an array without a name */
            setForm(place, form, true);
    }

    void walkIf(const IfStmt *choice)
    {
        Followed condition = decides(choice->getCond());
        controls += condition.ranked;
        deciding.push_back(choice->getCond());
        deciding.resize(deciding.size() - !condition.ranked);
        conditions.push_back(condition.form.asTest());
        State before = state;
        const unsigned around = picking;
        if (unsigned picked = pickedBy(analysis.context, choice))
            picking = picked;
        walk(choice->getThen());
        picking = around;
        State after = state;
        state = before;
        conditions.back() = conditions.back().negated();
        walk(choice->getElse());
        mergeWays(after, choosesIterations(choice->getCond()));
        conditions.pop_back();
        controls -= condition.ranked;
        deciding.resize(deciding.size() - condition.ranked);
    }

    /* OTHER is how it is where the other way was taken; SOMETIMES: in other iterations. */
    void mergeWays(const State &other, bool sometimes)
    {
        std::map<const VarDecl *, Filled> both;
        for (const auto &[array, by] : other.filled)
            if (auto known = state.filled.find(array); known != state.filled.end())
                both[array] = xmpi::rowsOf(by) < xmpi::rowsOf(known->second) ? by : known->second;
        const bool meet = !state.dead && !other.dead;
        state.merge(other);
        if (sometimes && meet)
            state.filled = both;
    }

    void walkSwitch(const SwitchStmt *choice)
    {
        Followed condition = decides(choice->getCond());
        controls += condition.ranked;
        conditions.push_back(condition.form.asTest());
        State before = state;
        loops.emplace_back();
        std::vector<const Stmt *> open = {choice->getBody()};
        if (const auto *block = dyn_cast<CompoundStmt>(choice->getBody()))
            open.assign(block->body_begin(), block->body_end());
        for (const Stmt *part : open) {
            while (const auto *label = dyn_cast<SwitchCase>(part)) {
                state.merge(before);
                part = label->getSubStmt();
            }
            walk(part);
        }
        Frame frame = loops.back();
        loops.pop_back();
        state.merge(before);
        state.merge(frame.exits);
        if (choosesIterations(choice->getCond()))
            state.filled = before.filled;
        if (!loops.empty())
            loops.back().continues.merge(frame.continues);
        conditions.pop_back();
        controls -= condition.ranked;
    }

    /* -- loops */

    Form formOfVariable(const VarDecl *variable) const
    {
        Place place{variable, nullptr, false, false, variable->getType()};
        return variable->getType()->isPointerType() ? offsetOf(variable) : formOf(place);
    }

    void setVariable(const VarDecl *variable, const Form &form)
    {
        if (variable->getType()->isPointerType())
            state.offsets[variable] = form;
        else
            state.forms[{variable, nullptr}] = form;
    }

    /* A loop, and what it means for the rows. */
    struct Loop {
        Counting counting;
        Form begin, end;
        std::vector<Induced> induced;
        std::map<const VarDecl *, Form> origins; /* of the induced variables */
        std::optional<Pieces> pieces;            /* it goes through the rows so */
        bool rows = false, shared = false;
    };

    /* The counter of a loop over pieces. */
    Form pieceForm(const Pieces &pieces)
    {
        Form form;
        form.by[Form::Piece] = "1";
        form.shift = pieces.begin != 0 ? std::to_string(pieces.begin) : "";
        lengths[pieces.set] = pieces.length;
        return form;
    }

    /* Behind STATEMENT it is known how many rows a piece has. */
    void noteLength(const Stmt *statement)
    {
        auto set = lengths.find(statement);
        if (set == lengths.end())
            return;
        Form form =
            Form::of(Form::Length, set->second->getNameAsString(), set->second->getLocation());
        setVariable(set->second, form);
    }

    /* Sets the counter, and what follows it, as they are in an iteration. */
    void setCounters(Loop &loop, const Stmt *statement)
    {
        const VarDecl *counter = loop.counting.counter;
        if (counter == nullptr)
            return;
        loop.end = evaluate(loop.counting.bound).form;
        Form step = loop.counting.step ? evaluate(loop.counting.step).form : Form();
        Form form = countedForm(loop.begin, loop.end, step, loop.counting.single);
        loop.shared = form.kind == Form::Kind::Row && loop.begin.isOfRanks();
        if (form.strided && isUnrolled(analysis, bodyOf(statement), loop.counting))
            form.strided = false;
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
        if (!form.has(Form::Own) || loop.begin.has(Form::Own))
            return;
        for (const Induced &one : loop.induced) {
            Form own = loop.origins.at(one.variable);
            if (!own.isPlain() || own.has(Form::Own))
                continue;
            std::string text = !one.once ? "?" : one.step ? textOf(one.step) : "1";
            own.by[Form::Own] = one.negative != loop.counting.falls ? "-" + text : text;
            if (form.isInPiece()) /* it counts from the begin of the piece, too */
                own.by[Form::Piece] = own.has(Form::Piece) ? Form::some : "-" + own.by[Form::Own];
            own.strided = one.sometimes;
            own.cause = own.cause.empty() ? one.variable->getNameAsString() : own.cause;
            setVariable(one.variable, own);
            rowLoops.back().induced.insert(one.variable);
        }
    }

    /* What a variable that ONE steps is after a loop over rows. */
    static Form steppedForm(const Loop &loop, const Induced &one, const RowLoop &rows)
    {
        Form form =
            Form::of(Form::Kind::Block, one.variable->getName().str(), one.variable->getLocation());
        auto origin = loop.origins.find(one.variable);
        form.gathered = one.step == nullptr && !one.negative ? Form::Counted : Form::Added;
        if (auto beside = rows.beside.find(one.variable); beside != rows.beside.end())
            form.gathered |= beside->second;
        form.begun = origin == loop.origins.end() || !origin->second.zero;
        form.data = one.sometimes;
        return form;
    }

    /* After a loop over rows: what it has left is of all of them. */
    void endRows(const Loop &loop, const RowLoop &rows)
    {
        setVariable(loop.counting.counter, loop.end);
        for (const Induced &one : loop.induced)
            if (rows.induced.count(one.variable))
                setVariable(one.variable, steppedForm(loop, one, rows));
        for (const VarDecl *pointer : rows.led)
            if (offsetOf(pointer).isUniform() && !rows.induced.count(pointer))
                state.offsets[pointer] =
                    Form::of(Form::Kind::Block, pointer->getNameAsString(), pointer->getLocation());
        for (const VarDecl *variable : rows.assigned) {
            for (auto &[holder, form] : state.forms)
                if (holder.first == variable && form.kind == Form::Kind::Row && !form.peer &&
                    !variable->getType()->isPointerType() && !variable->getType()->isArrayType())
                    form.kind = Form::Kind::Block;
            if (!rowLoops.empty())
                rowLoops.back().assigned.insert(variable);
        }
    }

    /* How the number of iterations of a loop, which goes on while CONDITION holds, follows the
     * layout: a loop over rows is run for each of them. */
    Form repeats(const Loop &loop, const Stmt *statement, const Form &condition) const
    {
        if (loop.rows || loop.shared || statement == analysis.loop)
            return Form();
        if (loop.counting.counter != nullptr && loop.begin.isUniform() &&
            loop.end.isOnlyOf(Form::Size))
            return Form(); /* over all ranks */
        Form form = condition.asTest();
        if (form.kind == Form::Kind::Block && loop.counting.counter != nullptr)
            form.gathered = Form::Repeated;
        return form;
    }

    /* The head of a loop over rows asks more than whether there is another one. */
    void endByCondition(const Expr *condition, const Expr *bound)
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
        }
    }

    /* Until nothing changes; the result is what differs when an iteration ends. */
    Ranked walkLoop(const Stmt *loop)
    {
        const auto *counted = dyn_cast<ForStmt>(loop);
        const auto *until = dyn_cast<DoStmt>(loop);
        const Expr *condition = until ? until->getCond() : conditionOf(loop);
        if (counted != nullptr)
            walk(counted->getInit());
        Loop own;
        if (until == nullptr && loop != analysis.loop)
            own.counting = countingOf(analysis, loop);
        if (own.counting.counter != nullptr) {
            own.begin = formOfVariable(own.counting.counter);
            if ((!analysis.files.empty() || !analysis.shared.empty()) && cause == Cause::Rank)
                own.pieces = piecesOf(analysis, loop, own.counting);
            own.induced = inducedBy(analysis, loop, own.counting.counter);
            for (const Induced &one : own.induced)
                own.origins.emplace(one.variable, formOfVariable(one.variable));
        }
        if (loop == analysis.loop && entered != nullptr)
            entered->merge(state);
        bool jumped = false;
        Form early, again; /* again: by what a do loop has gone on to the iteration at hand */
        if (iterating)
            way.push_back(loop);
        iterating = iterating || loop == analysis.loop;
        const State entry = state;
        State head = state, back;
        back.dead = true;
        for (bool more = true; more;) {
            const size_t known = sends.size();
            loops.emplace_back();
            loops.back().jumped = jumped;
            state = head;
            if (loop == analysis.loop) {
                state.filled.clear();
                beginSweeps();
            }
            rowLoops.emplace_back();
            rowLoops.back().around = conditions.size();
            setCounters(own, loop);
            RowLoop *outer = rowLoops.size() > 1 ? &rowLoops[rowLoops.size() - 2] : nullptr;
            openRows(own, loop, outer);
            Followed goesOn = until == nullptr ? decides(condition) : Followed();
            bool ranked = goesOn.ranked;
            if (own.rows)
                goOnFromBefore(bodyOf(loop));
            State left = state;
            left.dead = until != nullptr;
            controls += ranked;
            const bool freely = again.isUniform();
            conditions.push_back(repeats(own, loop, until ? again : goesOn.form));
            const bool follows =
                own.rows || (conditions.back().isUniform() && !goesOn.form.isUniform());
            const int gone = goings;
            following += follows;
            conditions.push_back(early);
            loops.back().around = conditions.size();
            loops.back().rows = own.rows;
            loops.back().adaptive = loop == analysis.loop;
            if (own.rows && until == nullptr)
                endByCondition(condition, own.counting.bound);
            walk(bodyOf(loop));
            conditions.resize(conditions.size() - 2);
            state.merge(loops.back().continues);
            if (counted != nullptr)
                evaluate(counted->getInc());
            if (until != nullptr) {
                again = decides(condition).form;
                endRepeated(again, gone);
                left = state;
            }
            controls -= ranked;
            following -= follows;
            Frame frame = loops.back();
            loops.pop_back();
            if (own.rows)
                carry(bodyOf(loop), entry);
            back = state;
            const State before = head;
            head.merge(back);
            more = (freely && !repeats(own, loop, again).isUniform()) ||
                   head.ranked.size() > before.ranked.size() || !head.sameForms(before) ||
                   (frame.jumped && !jumped) || (early.isUniform() && !frame.early.isUniform()) ||
                   sends.size() > known;
            jumped = jumped || frame.jumped;
            early = frame.early;
            state = left;
            state.merge(frame.exits);
            leaveRows(own);
        }
        if (loop == analysis.loop) {
            carriedForms = back.forms;
            filled = back.filled;
            iterating = false;
            ageBlocks({}, restFrom(analysis.lastStep(), 0));
        }
        if (iterating)
            way.pop_back();
        return back.ranked;
    }

    /* STATEMENT goes over own rows, or is run for one of those that OUTER goes over. */
    void openRows(const Loop &loop, const Stmt *statement, const RowLoop *outer)
    {
        const bool begun = loop.begin.has(Form::Own);
        const bool pairs = outer != nullptr && loop.counting.counter != nullptr &&
                           loop.end.isPlain() && loop.end.isOnlyOf(Form::Count) &&
                           (loop.rows || begun);
        if (!loop.rows && outer == nullptr)
            return rowLoops.pop_back();
        if (!loop.rows)
            rowLoops.back() = *outer;
        RowLoop &rows = rowLoops.back();
        if (loop.rows)
            rows.some =
                leavesOut(analysis, loop.counting, loop.end, statement) ||
                (loop.counting.counter != nullptr && formOfVariable(loop.counting.counter).strided);
        else if (begun)
            rows.some = false; /* the rest of a tile */
        rows.pieces = rows.pieces || (loop.rows && loop.counting.counter != nullptr &&
                                      formOfVariable(loop.counting.counter).has(Form::Piece) &&
                                      !formOfVariable(loop.counting.counter).has(Form::Own));
        rows.pairs = rows.pairs || pairs;
        if (pairs)
            rows.fresh.clear();
    }

    void leaveRows(const Loop &loop)
    {
        if (rowLoops.empty())
            return;
        const RowLoop rows = rowLoops.back();
        rowLoops.pop_back();
        if (loop.rows) {
            endSweep(rows, loop.counting.falls);
            endFiled(rows, loop.counting.falls);
            return endRows(loop, rows);
        }
        if (!rowLoops.empty()) {
            rowLoops.back().set = rows.set;
            rowLoops.back().read = rows.read;
            rowLoops.back().filed = rows.filed;
            rowLoops.back().picks = rows.picks;
            rowLoops.back().every = rows.every;
            rowLoops.back().beside = rows.beside;
            rowLoops.back().assigned.insert(rows.assigned.begin(), rows.assigned.end());
            rowLoops.back().fresh.insert(rows.fresh.begin(), rows.fresh.end());
        }
    }
};

} // namespace

RankFlow followRanks(Analysis &analysis, const std::set<const VarDecl *> &distributed)
{
    return Follower(analysis, distributed, Cause::Rank).follow();
}

static bool asksClocks(const Analysis &analysis, bool unseen)
{
    for (const FunctionDecl *function : analysis.structure.functions)
        for (const CallExpr *call : analysis.finder.of(function->getBody()).calls) {
            const Deed deed = deedOf(call);
            if (deed == Deed::Clock || deed == Deed::Place || (unseen && isUnseen(analysis, call)))
                return true;
        }
    return false;
}

HandleFlow followHandles(Analysis &analysis)
{
    RankFlow flow = Follower(analysis, {}, Cause::Handle).follow();
    return {flow.atEntry, flow.carried};
}

ClockFlow followClocks(Analysis &analysis, bool unseen)
{
    if (!asksClocks(analysis, unseen))
        return {};
    return Follower(analysis, {}, Cause::Clock, unseen).followClocks();
}

} // namespace xmpi
