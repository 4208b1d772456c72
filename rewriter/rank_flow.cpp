/* SPDX-License-Identifier: BSD-3-Clause
 * An abstract interpreter with one bit per variable: whether ranks may have different values. */
#include "rank_state.h"
#include "compat.h"
#include "library.h"
#include "mpi_outputs.h"
#include "other_files.h"
#include "safety.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

enum { MaxPasses = 12, MaxDepth = 8 };

/* What a function or a loop that is being walked collects. */
struct Frame {
    State exits;                        /* at break, or at return */
    State continues;                    /* at continue */
    bool jumped = false;                /* some ranks may have left: what follows they do not run */
    bool value = false;                 /* what is returned differs */
    std::set<const FieldDecl *> fields; /* members of a returned struct that differ */

    Frame()
    {
        exits.dead = continues.dead = true;
    }
};

class Follower : RankState
{
  public:
    Follower(Analysis &analysis, const std::set<const VarDecl *> &distributed, Cause cause,
             bool unseen = false)
        : RankState(analysis, distributed, cause), analysis(analysis), unseen(unseen)
    {
    }

    RankFlow follow()
    {
        followPrologue();
        RankFlow flow;
        flow.atEntry = state.ranked;
        inLoop = true;
        flow.carried = walkLoop(analysis.loop);
        flow.drawn = drawn;
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
    Analysis &analysis;
    const bool unseen; /* functions of other files ask clocks */
    std::map<const LabelDecl *, State> labels;
    std::vector<Frame> functions, loops;
    int controls = 0; /* conditions around that differ from rank to rank */
    bool inLoop = false, seeded = false;
    bool sent = false; /* messages take what is followed to other ranks */
    const Stmt *root = nullptr, *steered = nullptr;
    const CallExpr *drawn = nullptr;

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

    bool isApart() const
    {
        return cause != Cause::Handle &&
               (controls > 0 || functions.back().jumped || (!loops.empty() && loops.back().jumped));
    }

    void set(const Place &place, bool ranked, bool whole, SourceLocation where)
    {
        RankState::set(place, ranked || isApart(), whole, where);
    }

    /* -- assignments */

    static const Expr *bare(const Expr *expression)
    {
        return expression->IgnoreParenCasts();
    }

    /* A struct takes over member by member what differs in VALUE. */
    bool copyStruct(const Place &place, const Expr *value, SourceLocation where)
    {
        if (!place.type->isRecordType() || place.field != nullptr || place.element)
            return false;
        std::set<const FieldDecl *> fields;
        if (isa<CallExpr>(bare(value)) && !returned.empty()) {
            fields = returned;
        } else {
            std::optional<Place> from = placeOf(bare(value));
            if (!from || from->field != nullptr || from->element || from->behind)
                return false;
            for (const FieldDecl *field : place.type->getAsRecordDecl()->fields()) {
                Place member = *from;
                member.field = field;
                if (differs(member))
                    fields.insert(field);
            }
        }
        if (!place.behind)
            clear(baseOf(place), nullptr);
        for (const FieldDecl *field : fields) {
            Place member = place;
            member.field = field;
            set(member, true, false, where);
        }
        return true;
    }

    std::set<const FieldDecl *> returned; /* members that differ in the struct returned last */

    bool assign(const BinaryOperator *binary)
    {
        returned.clear();
        bool ranked = evaluate(binary->getRHS());
        std::optional<Place> place = placeOf(binary->getLHS());
        const Expr *target = binary->getLHS()->IgnoreParens();
        if (!place)
            return evaluate(binary->getLHS()) || ranked;
        bool simple = isa<DeclRefExpr>(target) || isa<MemberExpr>(target);
        if (!binary->isCompoundAssignmentOp()) {
            if (copyStruct(*place, binary->getRHS(), target->getExprLoc()))
                return ranked;
            if (isa<DeclRefExpr>(target))
                point(baseOf(*place), binary->getRHS());
        } else {
            ranked = differs(*place) || ranked;
        }
        ranked = indices(target) || ranked;
        set(*place, ranked, simple && !place->behind && !place->element, target->getExprLoc());
        return ranked;
    }

    /* The indices on the left side of an assignment: other elements on other ranks. */
    bool indices(const Expr *target)
    {
        target = target->IgnoreParenImpCasts();
        if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(target)) {
            bool ranked = evaluate(subscript->getIdx());
            return indices(subscript->getBase()) || ranked;
        }
        if (const auto *member = dyn_cast<MemberExpr>(target))
            return indices(member->getBase());
        if (const auto *unary = dyn_cast<UnaryOperator>(target))
            return indices(unary->getSubExpr());
        if (const auto *binary = dyn_cast<BinaryOperator>(target)) {
            bool left = binary->getLHS()->getType()->isPointerType();
            bool ranked = evaluate(left ? binary->getRHS() : binary->getLHS());
            return indices(left ? binary->getLHS() : binary->getRHS()) || ranked;
        }
        return false;
    }

    /* -- expressions: whether the value differs */

    bool evaluate(const Stmt *expression)
    {
        if (expression == nullptr || isa<UnaryExprOrTypeTraitExpr>(expression))
            return false;
        if (cause == Cause::Handle && (isAddress(expression) || isVerdict(expression))) {
            for (const Stmt *child : expression->children())
                evaluate(child);
            return isAddress(expression);
        }
        if (const auto *inner = dyn_cast<Expr>(expression))
            expression = inner->IgnoreParenCasts();
        if (const auto *binary = dyn_cast<BinaryOperator>(expression))
            if (binary->isAssignmentOp())
                return assign(binary);
        if (const auto *unary = dyn_cast<UnaryOperator>(expression))
            if (unary->isIncrementDecrementOp())
                return step(unary);
        if (const auto *call = dyn_cast<CallExpr>(expression))
            return evaluateCall(call);
        if (const auto *block = dyn_cast<StmtExpr>(expression)) {
            walk(block->getSubStmt());
            return !block->getSubStmt()->body_empty() &&
                   isa<Expr>(block->getSubStmt()->body_back()) &&
                   evaluate(block->getSubStmt()->body_back());
        }
        if (const auto *choice = dyn_cast<ConditionalOperator>(expression))
            return evaluateChoice(choice);
        return evaluateName(expression);
    }

    /* A pointer as an integer. */
    static bool isAddress(const Stmt *expression)
    {
        const auto *cast = dyn_cast<CastExpr>(expression);
        return cast != nullptr && cast->getCastKind() == CK_PointerToIntegral;
    }

    /* True or false says nothing of what has been looked at. */
    static bool isVerdict(const Stmt *expression)
    {
        const auto *binary = dyn_cast<BinaryOperator>(expression);
        const auto *unary = dyn_cast<UnaryOperator>(expression);
        return (binary != nullptr && (binary->isComparisonOp() || binary->isLogicalOp())) ||
               (unary != nullptr && unary->getOpcode() == UO_LNot);
    }

    bool evaluateName(const Stmt *expression)
    {
        bool ranked = false;
        std::optional<Place> place;
        if (isa<DeclRefExpr>(expression) || isa<MemberExpr>(expression) ||
            isa<ArraySubscriptExpr>(expression) || isa<UnaryOperator>(expression))
            place = placeOf(cast<Expr>(expression));
        if (place) {
            ranked = differs(*place);
            return indices(cast<Expr>(expression)) || ranked;
        }
        for (const Stmt *child : expression->children())
            ranked = evaluate(child) || ranked;
        return ranked;
    }

    bool step(const UnaryOperator *unary)
    {
        std::optional<Place> place = placeOf(unary->getSubExpr());
        if (!place)
            return evaluate(unary->getSubExpr());
        bool ranked = indices(unary->getSubExpr());
        ranked = differs(*place) || ranked;
        set(*place, ranked, false, unary->getExprLoc());
        return ranked;
    }

    bool evaluateChoice(const ConditionalOperator *choice)
    {
        bool ranked = decides(choice->getCond());
        controls += ranked;
        bool one = evaluate(choice->getTrueExpr()), other = evaluate(choice->getFalseExpr());
        controls -= ranked;
        return ranked || one || other;
    }

    /* Whether CONDITION, which decides what runs, differs. */
    bool decides(const Stmt *condition)
    {
        bool ranked = evaluate(condition);
        if (ranked && inLoop && steered == nullptr)
            steered = condition;
        return ranked;
    }

    /* -- calls */

    bool evaluateCall(const CallExpr *call)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        callee = callee != nullptr ? callee->getDefinition() : nullptr;
        if (callee != nullptr && functions.size() < MaxDepth)
            return evaluateOwn(call, callee);
        if (cause != Cause::Rank)
            return cause == Cause::Clock ? evaluateClock(call) : evaluateHandle(call);
        bool ranked = false;
        for (const Expr *argument : call->arguments())
            ranked = (argument != outputOf(call) && evaluate(argument)) || ranked;
        llvm::StringRef name = calleeName(call);
        if (name == "srand" || name == "srandom" || name == "srand48")
            seeded = seeded || ranked;
        if (drawsRandom(call)) {
            if (inLoop && !seeded && !isApart() && drawn == nullptr)
                drawn = call;
            return inLoop || seeded;
        }
        bool written = isMpiCall(call) ? differsAfter(call, name, ranked) : ranked;
        int around = controls;
        if (leavesEqual(analysis, call))
            meet();
        for (const Write &write : analysis.finder.of(call).writes)
            if (write.call == call)
                setPassed(call, write, written);
        if (functions.size() < MaxDepth)
            for (const FunctionDecl *possible : analysis.finder.callees(call))
                ranked = evaluateOwn(call, possible) || ranked;
        controls = around;
        return isMpiCall(call) ? false : ranked;
    }

    /* A call that is not looked into: what it hands back and stores follows what it is given. */
    bool evaluateClock(const CallExpr *call)
    {
        const Deed deed = deedOf(call);
        bool asks = deed == Deed::Clock || deed == Deed::Place ||
                    (unseen && isUnseen(analysis, call)) || functions.size() >= MaxDepth;
        bool given = false;
        for (const Expr *argument : call->arguments())
            given = (argument != outputOf(call) && evaluate(argument)) || given;
        seeded = seeded || (deed == Deed::Seeds && given);
        sent = sent || (deed == Deed::Communicates && given);
        bool ranked = asks || given || (deed == Deed::Random && seeded) ||
                      (deed == Deed::Communicates && sent);
        for (const Write &write : analysis.finder.of(call).writes)
            if (write.call == call)
                setPassed(call, write, ranked);
        if (functions.size() < MaxDepth)
            for (const FunctionDecl *possible : analysis.finder.callees(call))
                ranked = evaluateOwn(call, possible) || ranked;
        return ranked;
    }

    bool evaluateHandle(const CallExpr *call)
    {
        bool made = namesOfProcess(call);
        for (const Expr *argument : call->arguments())
            evaluate(argument);
        for (const Write &write : analysis.finder.of(call).writes)
            if (write.call == call)
                setPassed(call, write, made);
        return made;
    }

    /* Whether what an MPI call stores differs from rank to rank. */
    bool differsAfter(const CallExpr *call, llvm::StringRef name, bool ranked)
    {
        if (leavesEqual(analysis, call))
            return false;
        if (name == "MPI_Comm_size")
            return !spansWorld(analysis, call->getArg(0));
        static const char *const others[] = {"MPI_Init",        "MPI_Init_thread",
                                             "MPI_Initialized", "MPI_Finalized",
                                             "MPI_Comm_dup",    "MPI_Query_thread"};
        if (std::any_of(std::begin(others), std::end(others),
                        [&](const char *known) { return name == known; }))
            return false;
        if (startsWith(name, "MPI_Type_") || startsWith(name, "MPI_Info_") ||
            name == "MPI_Op_create" || name == "MPI_Dims_create")
            return ranked;
        return true;
    }

    void setPassed(const CallExpr *call, const Write &write, bool ranked)
    {
        if (isUnseen(analysis, call) && analysis.equal.count(baseOf(write.place)))
            return clear(baseOf(write.place), write.place.field); /* the user says what it does */
        const Expr *output = outputOf(call) ? outputOf(call) : broadcastOf(call);
        if (isMpiCall(call) && output != nullptr && isHandle(write.place.type))
            return; /* the request of the call */
        const Expr *buffer = output ? bufferOf(analysis.context, output) : nullptr;
        std::optional<Place> place = buffer ? placeOf(buffer) : std::nullopt;
        bool whole = place && overlap(*place, write.place) && !fillsPart(analysis.context, call);
        set(write.place, ranked, whole, write.where);
        std::set<const VarDecl *> meant = pointees(baseOf(write.place));
        if (whole && !ranked && !isApart() && meant.size() <= 2)
            for (const VarDecl *variable : meant)
                clear(variable, write.place.field);
    }

    /* All ranks of a correct program come here: what seemed to part them was the same on all. */
    void meet()
    {
        controls = 0;
        if (!loops.empty())
            loops.back().jumped = false;
        functions.back().jumped = false;
    }

    bool evaluateOwn(const CallExpr *call, const FunctionDecl *callee)
    {
        bindArguments(call, callee);
        functions.emplace_back();
        std::vector<Frame> outer;
        std::swap(outer, loops);
        bool jumped = !outer.empty() && outer.back().jumped;
        controls += jumped;
        walk(callee->getBody());
        controls -= jumped;
        std::swap(outer, loops);
        Frame frame = functions.back();
        functions.pop_back();
        state.merge(frame.exits);
        state.dead = false;
        returned = frame.fields;
        return frame.value;
    }

    void bindArguments(const CallExpr *call, const FunctionDecl *callee)
    {
        std::vector<bool> ranked;
        for (const Expr *argument : call->arguments())
            ranked.push_back(evaluate(argument));
        for (unsigned i = 0; i < call->getNumArgs() && i < callee->getNumParams(); i++) {
            const ParmVarDecl *parameter = callee->getParamDecl(i);
            bindParameter(parameter->getCanonicalDecl(), call->getArg(i), ranked[i]);
        }
    }

    void bindParameter(const VarDecl *parameter, const Expr *argument, bool ranked)
    {
        Place place{parameter, nullptr, false, false, parameter->getType()};
        unpoint(parameter);
        clear(parameter, nullptr);
        point(parameter, argument);
        if (!points(parameter) && !copyStruct(place, argument, argument->getExprLoc()) && ranked)
            state.ranked.insert({{parameter, nullptr}, argument->getExprLoc()});
    }

    /* The call on the way to the loop. */
    void enter(size_t step)
    {
        bindArguments(analysis.path[step - 1].call, analysis.path[step].function);
    }

    /* -- statements */

    void walk(const Stmt *statement)
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
                    walk(child);
        }
    }

    bool walkJump(const Stmt *statement)
    {
        bool apart = controls > 0;
        if (const auto *back = dyn_cast<ReturnStmt>(statement)) {
            returnFrom(back);
        } else if (const auto *jump = dyn_cast<GotoStmt>(statement)) {
            State &there = labels.emplace(jump->getLabel(), State{{}, true}).first->second;
            there.merge(state);
            noteJump(apart);
        } else if (isa<BreakStmt>(statement) && !loops.empty()) {
            loops.back().exits.merge(state);
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
        if (!loops.empty())
            loops.back().jumped = loops.back().jumped || apart;
        else if (functions.size() > 1)
            functions.back().jumped = functions.back().jumped || apart;
    }

    void returnFrom(const ReturnStmt *back)
    {
        const Expr *value = back->getRetValue();
        bool ranked = evaluate(value) || controls > 0;
        Frame &frame = functions.back();
        frame.value = frame.value || (value != nullptr && ranked);
        if (value != nullptr && value->getType()->isRecordType())
            if (std::optional<Place> from = placeOf(bare(value)))
                for (const FieldDecl *field : value->getType()->getAsRecordDecl()->fields()) {
                    Place member = *from;
                    member.field = field;
                    if (differs(member))
                        frame.fields.insert(field);
                }
        frame.jumped = frame.jumped || (controls > 0 && functions.size() > 1);
        frame.exits.merge(state);
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
            if (variable->getInit() == nullptr)
                continue;
            returned.clear();
            bool ranked = evaluate(variable->getInit());
            point(variable, variable->getInit());
            if (!copyStruct(place, variable->getInit(), variable->getLocation()))
                set(place, ranked, true, variable->getLocation());
        }
    }

    void walkIf(const IfStmt *choice)
    {
        bool ranked = decides(choice->getCond());
        controls += ranked;
        State before = state;
        walk(choice->getThen());
        State after = state;
        state = before;
        walk(choice->getElse());
        state.merge(after);
        controls -= ranked;
    }

    void walkSwitch(const SwitchStmt *choice)
    {
        bool ranked = decides(choice->getCond());
        controls += ranked;
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
        if (!loops.empty())
            loops.back().continues.merge(frame.continues);
        controls -= ranked;
    }

    /* Until nothing changes; the result is what differs when an iteration ends. */
    Ranked walkLoop(const Stmt *loop)
    {
        const auto *counted = dyn_cast<ForStmt>(loop);
        const auto *until = dyn_cast<DoStmt>(loop);
        const Expr *condition = until ? until->getCond() : conditionOf(loop);
        if (counted != nullptr)
            walk(counted->getInit());
        bool jumped = false;
        State head = state, back;
        back.dead = true;
        for (int pass = 0; pass < MaxPasses; pass++) {
            loops.emplace_back();
            loops.back().jumped = jumped;
            state = head;
            bool ranked = until == nullptr && decides(condition);
            State left = state;
            left.dead = until != nullptr;
            controls += ranked;
            walk(bodyOf(loop));
            state.merge(loops.back().continues);
            if (counted != nullptr)
                evaluate(counted->getInc());
            if (until != nullptr) {
                decides(condition);
                left = state;
            }
            controls -= ranked;
            Frame frame = loops.back();
            loops.pop_back();
            back = state;
            size_t before = head.ranked.size();
            head.merge(back);
            bool more = head.ranked.size() > before || frame.jumped != jumped;
            jumped = frame.jumped;
            state = left;
            state.merge(frame.exits);
            if (!more)
                break;
        }
        return back.ranked;
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

ClockFlow followClocks(Analysis &analysis, bool unseen)
{
    if (!asksClocks(analysis, unseen))
        return {};
    return Follower(analysis, {}, Cause::Clock, unseen).followClocks();
}

Ranked followHandles(Analysis &analysis)
{
    return Follower(analysis, {}, Cause::Handle).follow().atEntry;
}

} // namespace xmpi
