/* SPDX-License-Identifier: BSD-3-Clause
 * An abstract interpreter: whether ranks may have different values, and how they follow the
 * layout. */
#include "library/library.h"
#include "flow/failing.h"
#include "flow/handed_on.h"
#include "flow/other_files.h"
#include "ranks/rank_loops.h"
#include "source/integer.h"
#include "source/loops.h"

namespace xmpi
{

using namespace clang;

namespace
{

class Follower : RankLoops
{
  public:
    Follower(Analysis &analysis, const std::set<const VarDecl *> &distributed, Cause cause,
             bool unseen = false)
        : RankLoops(analysis, distributed, cause, unseen)
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
        noteEntry(flow, started);
        watched = inLoop = true;
        const std::map<Holder, Form> before = state.forms;
        flow.carried = walkLoop(analysis.loop);
        reportSweeps();
        noteIteration(flow, before);
        beginSweeps();
        const std::map<Holder, Form> left = state.forms;
        followEnd();
        watched = true;
        if (!analysis.ownLayoutAfter())
            addOfLayout(state.forms, left, flow.behind);
        reportSweeps();
        reportEdges();
        flow.drawn = drawn;
        flow.drawnApart = drawnApart;
        flow.outside = outside;
        flow.misuses = misuses;
        flow.misuses.insert(flow.misuses.begin(), kept.begin(), kept.end());
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
    std::vector<const Stmt *> deciding; /* conditions around that differ from rank to rank */
    const Stmt *leaving = nullptr;
    const Stmt *root = nullptr;
    std::vector<Form> choosing;   /* conditions around, before the loop, by which ranks differ */
    const Stmt *anchor = nullptr; /* what leads to the loop, in the function at hand */
    std::vector<Misuse> kept;     /* such ones that keep ranks from the loop */

    /* Those of FORMS that follow the layout, and did not so BEFORE, are FOUND. */
    static void addOfLayout(const std::map<Holder, Form> &forms,
                            const std::map<Holder, Form> &before, std::map<Holder, Form> &found)
    {
        for (const auto &[holder, form] : forms)
            if (form.isOfLayout() && (!before.count(holder) || !before.at(holder).isOfLayout()))
                found.emplace(holder, form);
    }

    /* What is when the loop is entered, where it was STARTED when it was come to at first. */
    void noteEntry(RankFlow &flow, const std::map<Holder, Form> &started) const
    {
        addOfLayout(state.forms, started, flow.forms);
        for (const auto &[holder, form] : state.forms)
            if (form.isLocal() && form.has(Form::Own) &&
                (!started.count(holder) || !started.at(holder).isLocal()))
                flow.numbered.insert(holder.first);
        for (const auto &[holder, form] : started) {
            if (form.agreed && form.isLocal())
                flow.agreed.emplace(holder, form);
            if (form.isOfLayout())
                flow.ofLayout.emplace(holder, form);
        }
    }

    /* What an iteration leaves of what was BEFORE. */
    void noteIteration(RankFlow &flow, const std::map<Holder, Form> &before) const
    {
        addOfLayout(carriedForms, analysis.startsOver ? std::map<Holder, Form>() : before,
                    flow.forms);
        for (const VarDecl *variable : analysis.own)
            if (auto known = carriedForms.find({variable, nullptr}); known != carriedForms.end())
                flow.sums.insert(*known);
        for (const auto &[array, by] : filled)
            flow.filled.emplace(array, xmpi::rowsOf(by));
        flow.unfilled = unfilled;
        flow.changed = changedAtEnd;
        flow.guided = guided;
        flow.leaving = leaving;
    }

    void followPrologue()
    {
        functions.emplace_back();
        size_t step = 0;
        std::vector<const Stmt *> around;
        auto begin = [&] {
            anchor = analysis.path[step].anchor;
            around = analysis.structure.around(anchor);
        };
        auto enterNext = [&] {
            pass(around, nullptr);
            enter(++step);
            begin();
        };
        begin();
        for (const Item &item : analysis.prologue) {
            while (step < item.step)
                enterNext();
            pass(around, item.statement);
            root = item.statement;
            walk(item.statement);
            state.dead = false; /* an exit for errors */
        }
        while (step + 1 < analysis.path.size())
            enterNext();
        pass(around, nullptr);
    }

    /* How CONDITION, which is FOLLOWED, chooses among ranks as the layout says; uniform: it does
     * not. (What is in rows may keep a process from the loop in any layout.) */
    static Form choiceOf(const Expr *condition, const Followed &followed)
    {
        Form form = followed.form;
        if (!followed.ranked || form.data || form.agreed)
            return Form();
        if (form.where.isInvalid())
            form.where = condition->getExprLoc();
        return form;
    }

    /* Those of the statements AROUND that begin in front of NEXT, null: all, let ranks in. */
    void pass(std::vector<const Stmt *> &around, const Stmt *next)
    {
        const SourceManager &sources = analysis.context.getSourceManager();
        while (!around.empty() &&
               (next == nullptr || sources.isBeforeInTranslationUnit(around.front()->getBeginLoc(),
                                                                     next->getBeginLoc()))) {
            const auto *choice = dyn_cast<IfStmt>(around.front());
            const Expr *condition = choice ? choice->getCond() : conditionBefore(around.front());
            keepOut(choiceOf(condition, decides(condition)));
            around.erase(around.begin());
        }
    }

    /* Who comes here does not come to the loop, where the function at hand leads to it. */
    void leaveStart()
    {
        if (functions.size() == 1)
            for (const Form &by : choosing)
                keepOut(by);
    }

    void keepOut(const Form &by)
    {
        if (inStart && kept.empty() && !by.isUniform())
            kept.push_back({Problem::LoopRanks, by.where, by.cause, ""});
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

    /* What receives may stand in front of what sends. */
    void walkEnd(const Stmt *statement)
    {
        const State before = state;
        const size_t known = sends.size();
        walk(statement);
        if (sends.size() == known)
            return;
        state = before;
        settled = sends.size();
        walk(statement);
    }

    /* What follows the loop, with the layout that is there then: rows are stored as in the loop. */
    void followEnd()
    {
        ending = true;
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
                    walkEnd(all[i]);
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
            arriveAt(label);
            return walk(label->getSubStmt());
        }
        if (const auto *block = dyn_cast<CompoundStmt>(statement))
            findSplitRows(block);
        if (isLoop(statement)) {
            walkLoop(statement);
        } else if (const auto *choice = dyn_cast<IfStmt>(statement)) {
            walkIf(choice);
        } else if (const auto *cases = dyn_cast<SwitchStmt>(statement)) {
            walkSwitch(cases);
        } else if (const auto *declaration = dyn_cast<DeclStmt>(statement)) {
            walkDeclaration(declaration);
        } else if (const auto *code = dyn_cast<GCCAsmStmt>(statement)) {
            runAssembler(code);
        } else if (!walkJump(statement)) {
            passUnknown(statement);
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
            goTo(jump);
            noteJump(apart);
            if (analysis.context.getSourceManager().isBeforeInTranslationUnit(
                    anchor->getEndLoc(), jump->getLabel()->getStmt()->getBeginLoc()))
                leaveStart();
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

    /* A status that is not 0 ends a program that has failed. */
    bool fails(const Expr *status) const
    {
        return status != nullptr && constantInteger(status, analysis.context).value_or(0) != 0;
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
        if (functions.size() == 1)
            noteStatus(back, returnedForm(result.form));
        if (!fails(value))
            leaveStart();
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
                    const Form one = from->element || from->behind ? result.form : formOf(member);
                    auto [at, fresh] = frame.forms.emplace(field, one);
                    if (!fresh)
                        at->second = merge(at->second, one);
                }
        frame.jumped = frame.jumped || (controls > 0 && functions.size() > 1);
        if (functions.size() > 1 || !loops.empty())
            leave();
        const bool failed = fails(value) && analysis.path.back().function->isMain();
        for (Frame &loop : loops)
            if (loop.adaptive ? !failed : !loops.front().adaptive)
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
        for (const VarDecl *variable : declaredBy(declaration)) {
            if (variable->isStaticLocal())
                continue;
            variable = variable->getCanonicalDecl();
            Place place = Place::of(variable);
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
            if (variable->getType()->isArrayType())
                notePacked(place);
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

    /* The branch of CHOICE, where one process alone, the root of broadcasts behind it, sets what
     * all have then: that it is alone tells nothing of that. Of own rows it has those of one block.
     */
    bool walkHandedOn(const IfStmt *choice, const State &before)
    {
        const std::set<const VarDecl *> filled =
            analysis.startsOver ? handedOnBehind(analysis, choice) : std::set<const VarDecl *>();
        if (filled.empty())
            return false; /* with other blocks than the program's own it may be no owner */
        const std::vector<const Expr *> sides = sidesOf(choice);
        const bool alone = llvm::any_of(sides, [&](const Expr *side) {
            const Form form = evaluate(side).form;
            return form.isOnlyOf(Form::Rank) && form.by[Form::Rank] == "1";
        });
        if (!alone)
            return false;
        const Form guard = conditions.back();
        conditions.back() = Form();
        walk(choice->getThen());
        conditions.back() = guard;
        const bool single = llvm::all_of(filled, [&](const VarDecl *buffer) {
            const Form form = formOf(Place::of(buffer));
            return !form.isAffine() && (form.placed & (Form::InBlock | Form::Varied)) == 0;
        });
        if (!single)
            state = before;
        for (auto &[holder, form] : state.forms)
            if (auto known = before.forms.find(holder);
                single && filled.count(holder.first) == 0 &&
                (known == before.forms.end() || !(known->second == form)))
                form = join(form, guard);
        return single;
    }

    void walkIf(const IfStmt *choice)
    {
        Followed condition = decides(choice->getCond());
        if (!rowLoops.empty() && condition.form.judged() == Form::Kind::Edge)
            noteBetween(analysis.finder.of(choice));
        controls += condition.ranked;
        deciding.push_back(choice->getCond());
        deciding.resize(deciding.size() - !condition.ranked);
        choosing.push_back(choiceOf(choice->getCond(), condition));
        conditions.push_back(condition.form.asTest());
        State before = state;
        const unsigned around = picking;
        if (unsigned picked = pickedBy(analysis.context, choice))
            picking = picked;
        if (!walkHandedOn(choice, before))
            walk(choice->getThen());
        picking = around;
        State after = state;
        state = before;
        conditions.back() = conditions.back().negated();
        walk(choice->getElse());
        const std::map<const VarDecl *, Changed> here = state.changed;
        const auto other = state.spoilt;
        mergeWays(after, choosesIterations(choice->getCond()));
        if (condition.ranked || !condition.form.isUniform()) {
            keepSent(before.changed, after.changed, here);
            keepFilled(before.spoilt, after.spoilt, other);
        }
        conditions.pop_back();
        controls -= condition.ranked;
        deciding.resize(deciding.size() - condition.ranked);
        choosing.pop_back();
    }

    /* Who has a neighbour sends it what has been set BEFORE, ONE way or the OTHER: who has none has
     * nobody who needs it. */
    void keepSent(const std::map<const VarDecl *, Changed> &before,
                  const std::map<const VarDecl *, Changed> &one,
                  const std::map<const VarDecl *, Changed> &other)
    {
        for (const auto &[array, changed] : before)
            if (one.count(array) == 0 || other.count(array) == 0)
                if (auto now = state.changed.find(array);
                    now != state.changed.end() && now->second.at == changed.at)
                    state.changed.erase(now);
    }

    /* The same of who gets what fills ghost rows. */
    template <typename Spoilt>
    void keepFilled(const Spoilt &before, const Spoilt &one, const Spoilt &other)
    {
        for (const auto &[array, where] : before)
            if (one.count(array) == 0 || other.count(array) == 0)
                state.spoilt.erase(array);
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
};

} // namespace

const Form *RankFlow::layoutAt(const Place &place) const
{
    const VarDecl *base = place.base->getCanonicalDecl();
    for (const FieldDecl *field : {static_cast<const FieldDecl *>(nullptr), place.field})
        if (auto known = ofLayout.find({base, field}); known != ofLayout.end())
            return &known->second;
    return nullptr;
}

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
