/* SPDX-License-Identifier: BSD-3-Clause
 * Looks at everything that an iteration does, in the loop and in the functions of the file that it
 * calls, and remembers the first thing that speaks against repeating it. */
#include "check/repeat.h"
#include "facts/first_use.h"
#include "handles/lasting_requests.h"
#include "loop/unsteady.h"
#include "library/library.h"
#include "flow/other_files.h"
#include "facts/pointer_targets.h"
#include "ranks/rank_flow.h"
#include "handles/streams.h"
#include "facts/uses.h"
#include "source/within.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

class RepeatFinder
{
  public:
    RepeatFinder(Analysis &analysis, bool divided)
        : analysis(analysis), divided(divided), kept(!spokenOf(analysis).empty()), uses(analysis),
          targets(analysis)
    {
    }

    void find()
    {
        for (const FunctionDecl *function :
             analysis.finder.reachable(analysis.finder.of(analysis.loop)))
            called.insert(function->getCanonicalDecl());
        for (const Stmt *body : uses.bodies)
            inspect(body);
        inspectClocks();
        if (analysis.startsOver && analysis.framed)
            inspectAround();
        Loop &loop = analysis.program.loop;
        loop.repeats = verdict;
        loop.repeatsWhy = why;
    }

  private:
    Analysis &analysis;
    bool divided;
    bool around = false; /* what is around the loop is looked at */
    bool unseen = false; /* arguments of a function of another file are looked at */
    bool kept;           /* by functions of other files, as the user lets them */
    LoopUses uses;
    PointerTargets targets;
    Repeats verdict = Repeats::Shown;
    std::string why;
    std::set<const FunctionDecl *> called; /* in an iteration */
    std::map<std::tuple<const VarDecl *, const FieldDecl *, bool>, bool> judged;

    /* The first reason of those that weigh most. */
    void object(Repeats how, const std::string &reason, SourceLocation where)
    {
        if (how >= verdict)
            return;
        verdict = how;
        why = reason + (where.isValid() ? " at " + analysis.source.position(where) : "");
    }

    void inspect(const Stmt *statement)
    {
        if (statement != analysis.loop && analysis.finder.skipped.count(statement))
            return; /* it ends the program */
        if (isa<UnaryExprOrTypeTraitExpr>(statement))
            return;
        if (isa<AsmStmt>(statement))
            object(Repeats::Perhaps, "it has instructions of the machine",
                   statement->getBeginLoc());
        if (const auto *call = dyn_cast<CallExpr>(statement))
            inspectCall(call);
        if (const auto *binary = dyn_cast<BinaryOperator>(statement))
            if (binary->isAssignmentOp())
                inspectTarget(binary->getLHS());
        if (const auto *unary = dyn_cast<UnaryOperator>(statement))
            if (unary->isIncrementDecrementOp())
                inspectTarget(unary->getSubExpr());
        if (const auto *atomic = dyn_cast<AtomicExpr>(statement))
            inspectPointer(atomic->getPtr());
        for (const Stmt *child : partsIn(statement))
            inspect(child);
    }

    /* -- calls */

    void inspectCall(const CallExpr *call)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        analysis.changed.merge(filledBy(analysis, call));
        if (callee == nullptr)
            return inspectIndirect(call);
        const Deed deed = deedOf(call);
        if (deed == Deed::Unknown && callee->getDefinition() != nullptr)
            return; /* its body is looked at */
        if (isUnseen(analysis, call)) {
            /* Without what the linked program shows of it (noteReliance) the loop is pinned; but
             * what functions keep that the user has spoken of is not put back. */
            object(kept ? Repeats::Perhaps : Repeats::Relied,
                   "it calls " + calleeName(call).str() + ", of another file,", call->getExprLoc());
            unseen = true; /* whether it writes there is not known */
            inspectArguments(call);
            unseen = false;
            return inspectFurther(call);
        }
        inspectDeed(call, deed);
        inspectArguments(call);
    }

    /* All functions whose address somebody takes are of the file, and fit. */
    void inspectIndirect(const CallExpr *call)
    {
        if (analysis.finder.callees(call).empty() ||
            !isOwnFunction(analysis.structure.functions, call->getCallee()))
            object(Repeats::Perhaps, "it calls a function by a pointer that leads nowhere known,",
                   call->getExprLoc());
    }

    void never(const CallExpr *call, const char *what)
    {
        object(Repeats::Never, std::string(what) + ": " + calleeName(call).str(),
               call->getExprLoc());
    }

    void perhaps(const CallExpr *call, const char *what)
    {
        object(Repeats::Perhaps, "it calls " + calleeName(call).str() + ", " + what + ",",
               call->getExprLoc());
    }

    /* What calls of DEED do that cannot be done once more. */
    static const char *neverRepeated(Deed deed)
    {
        switch (deed) {
        case Deed::Seeds:
            return "it seeds random numbers";
        case Deed::Reads:
            return "it reads its input";
        case Deed::Random:
            return "it draws random numbers from a state that does not travel";
        case Deed::Signals:
            return "it deals with signals";
        case Deed::Jumps:
            return "it jumps";
        case Deed::Processes:
            return "it starts or waits for processes";
        case Deed::Socket:
            return "it talks with other programs";
        case Deed::Window:
            return "it has a window for one-sided communication";
        default:
            return "it reads or writes files";
        }
    }

    void inspectDeed(const CallExpr *call, Deed deed)
    {
        switch (deed) {
        case Deed::Computes:
        case Deed::Prints:
        case Deed::Clock: /* what follows from it is looked at */
        case Deed::Exits:
        case Deed::Communicates:
        case Deed::Place:
            return;
        case Deed::Stream:
            return inspectStream(call);
        case Deed::Descriptor:
            return inspectDescriptor(call);
        case Deed::File:
            if (!(startsOverHere() && opensForRoot(analysis, call)))
                never(call, neverRepeated(deed));
            return;
        case Deed::Keeps:
            return perhaps(call, "which keeps state");
        case Deed::Unknown:
            return perhaps(call, "of which nothing is known");
        default:
            return never(call, neverRepeated(deed));
        }
    }

    /* A start drops what it writes before it comes to the loop, and what an iteration that is made
     * once more does; files go on where they were. */
    bool startsOverHere() const
    {
        return analysis.startsOver && !around;
    }

    /* Output that the program sees once: what is repeated is dropped. */
    void inspectStream(const CallExpr *call)
    {
        for (const Expr *argument : call->arguments())
            if (isStream(argument->getType())) {
                if (!isStandardStream(analysis, argument) &&
                    !(startsOverHere() && writesForRoot(analysis, call, argument)))
                    never(call, "it reads or writes a file");
                return;
            }
    }

    void inspectDescriptor(const CallExpr *call)
    {
        Expr::EvalResult number;
        bool known = call->getNumArgs() > 0 && !call->getArg(0)->isValueDependent() &&
                     call->getArg(0)->EvaluateAsInt(number, analysis.context);
        bool standard = known && (number.Val.getInt() == 1 || number.Val.getInt() == 2);
        if (!standard)
            never(call, "it reads or writes a file");
    }

    /* Whether what TYPE points to leads on, so that more can be reached there than is registered.
     */
    static bool leadsOn(QualType type, int depth = 0)
    {
        enum { MaxDepth = 8 };
        type = type.getCanonicalType();
        if (const auto *array = dyn_cast<ArrayType>(type))
            return leadsOn(array->getElementType(), depth);
        if (const RecordDecl *record = type->getAsRecordDecl()) {
            record = record->getDefinition();
            if (record == nullptr || record->isUnion() || depth > MaxDepth)
                return true;
            return std::any_of(
                record->field_begin(), record->field_end(),
                [&](const FieldDecl *field) { return leadsOn(field->getType(), depth + 1); });
        }
        return type->isPointerType() || type->isVoidType() || type->isFunctionType();
    }

    /* A function of another file may change all that it gets at, of which only what is registered
     * is put back; and what the iteration itself has made is made anew. */
    void inspectFurther(const CallExpr *call)
    {
        for (const Expr *argument : call->arguments()) {
            const Expr *bare = argument->IgnoreParenImpCasts();
            QualType type = bare->getType();
            const bool pointer = type->isPointerType() || type->isArrayType();
            if (!pointer ? !leadsOn(type)
                         : !leadsOn(type->isPointerType() ? type->getPointeeType() : type))
                continue;
            std::optional<PointerTargets::Targets> found =
                pointer ? targets.of(argument) : std::nullopt;
            if (!found || !llvm::all_of(*found, [&](const VarDecl *one) { return isInside(one); }))
                return object(Repeats::Perhaps,
                              "what " + calleeName(call).str() +
                                  ", of another file, can change is not all known,",
                              call->getExprLoc());
        }
    }

    /* -- what is written */

    /* What the library writes through its arguments. */
    void inspectArguments(const CallExpr *call)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        const Deed deed = deedOf(call);
        const bool reads = deed == Deed::Prints || deed == Deed::Stream;
        for (unsigned i = 0; i < call->getNumArgs(); i++) {
            const Expr *argument = call->getArg(i);
            QualType type = i < callee->getNumParams() ? callee->getParamDecl(i)->getType()
                                                       : argument->IgnoreParenCasts()->getType();
            bool further = i >= callee->getNumParams();
            bool pointer = type->isPointerType() || (further && type->isArrayType());
            if (!pointer || isStream(type) || type->isFunctionPointerType() ||
                (type->isPointerType() && type->getPointeeType().isConstQualified()) ||
                (further && (reads || isPrinter(calleeName(call)))))
                continue;
            if (!isScratchArgument(argument))
                inspectPointer(argument);
            else if (PersistentRequests::isInit(call) && i + 1 == call->getNumArgs())
                inspectRequest(call, argument);
        }
    }

    /* A change frees it, and no later iteration makes it again. */
    void inspectRequest(const CallExpr *init, const Expr *place)
    {
        const auto found = targets.of(place, !around);
        for (const VarDecl *target : found.value_or(PointerTargets::Targets()))
            if (!isInside(target) && isMadeInSome(analysis, init))
                refuse(nameOf(target), place->getExprLoc());
    }

    /* Its further arguments are read. */
    static bool isPrinter(llvm::StringRef name)
    {
        return name.contains("printf");
    }

    void inspectPointer(const Expr *pointer, const FieldDecl *field = nullptr)
    {
        std::optional<PointerTargets::Targets> found = targets.of(pointer, !around);
        if (!found) {
            object(Repeats::Perhaps,
                   "it writes through a pointer that leads nowhere known, '" +
                       analysis.source.spelled(pointer) + "',",
                   pointer->getExprLoc());
            found = targets.ofListed(pointer, !around);
        }
        if (!found)
            return isHandle(pointer->IgnoreParenCasts()->getType())
                       ? void()
                       : refuse(analysis.source.spelled(pointer), pointer->getExprLoc());
        for (const VarDecl *target : *found)
            inspectVariable(target, pointer->getExprLoc(), false, field);
    }

    /* FIELD is the member of TARGET that is written, or null: all of it. */
    void inspectTarget(const Expr *target, const FieldDecl *field = nullptr)
    {
        const Expr *bare = target->IgnoreParenCasts();
        if (const auto *member = dyn_cast<MemberExpr>(bare))
            return inspectMember(member);
        if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(bare)) {
            const Expr *base = subscript->getBase()->IgnoreParenImpCasts();
            const bool within = base->getType()->isArrayType() || base->getType()->isVectorType();
            return within ? inspectTarget(base, field)
                          : inspectPointer(subscript->getBase(), field);
        }
        if (const auto *unary = dyn_cast<UnaryOperator>(bare))
            if (unary->getOpcode() == UO_Deref)
                return isErrno(unary->getSubExpr()) ? void()
                                                    : inspectPointer(unary->getSubExpr(), field);
        const VarDecl *variable = variableAt(bare);
        if (variable == nullptr)
            return object(Repeats::Perhaps,
                          "it writes to what is not known, '" + analysis.source.spelled(target) +
                              "',",
                          target->getExprLoc());
        inspectVariable(variable, target->getExprLoc(), true, field);
    }

    void inspectMember(const MemberExpr *member)
    {
        const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
        return member->isArrow() ? inspectPointer(member->getBase(), field)
                                 : inspectTarget(member->getBase(), field);
    }

    static bool isErrno(const Expr *pointer)
    {
        return callsOneOf(pointer, {"__errno_location"});
    }

    /* NAMED: it is not reached by a pointer. */
    void inspectVariable(const VarDecl *variable, SourceLocation where, bool named,
                         const FieldDecl *field = nullptr)
    {
        variable = variable->getCanonicalDecl();
        analysis.changed.insert(variable);
        const std::set<const VarDecl *> all = analysis.members.meaning(variable);
        if (!all.empty() && all.count(variable) == 0) {
            for (const VarDecl *member : all)
                inspectVariable(member, where, named, field);
            return;
        }
        auto known = judged.find({variable, field, named});
        if (known == judged.end())
            known =
                judged.insert({{variable, field, named}, isRestored(variable, field, named)}).first;
        if (known->second)
            return;
        object(Repeats::Perhaps, "it changes '" + nameOf(variable) + "', which is not registered,",
               where);
        if (analysis.rootOnly.count(variable) == 0)
            refuse(nameOf(variable), where);
    }

    /* What is not registered joining processes do not have. */
    void refuse(llvm::StringRef name, SourceLocation where)
    {
        if (divided && !unseen && !analysis.diagnostics.failed())
            analysis.diagnostics.report(where, Problem::Unregistered, {name});
    }

    static std::string nameOf(const VarDecl *variable)
    {
        return variable->getNameAsString();
    }

    bool isOfSystem(const VarDecl *variable) const
    {
        return analysis.context.getSourceManager().isInSystemHeader(variable->getLocation());
    }

    /* VARIABLE, and the memory that is its own, has its value from before again when the iteration
     * is repeated; or nobody can see the difference. */
    bool isRestored(const VarDecl *variable, const FieldDecl *field, bool named)
    {
        Place place = Place::of(variable);
        const bool taken = !staysBehind(field != nullptr ? field->getType() : variable->getType());
        if (isOfSystem(variable) || analysis.isData(variable) || (taken && isLive(variable)) ||
            analysis.rangeAt(place) != nullptr || isScratchHandle(variable->getType()))
            return true;
        const Step &step = analysis.loopStep();
        if (isInside(variable))
            return true;
        if (analysis.rootOnly.count(variable))
            return analysis.startsOver && isPlainValue(variable->getType()); /* of the state */
        bool local = variable->getDeclContext() == step.function && variable->hasLocalStorage();
        if (local && !analysis.structure.alive(variable, step.function, step.anchor))
            return true; /* of a block beside the loop, whose address is handed over there */
        bool simple = variable->getType()->isScalarType();
        if (named && local && simple && !analysis.liveAtLoop(variable))
            return true;
        return !isReadAfter(variable) &&
               (setsBeforeReading(analysis, variable, taken ? nullptr : field, false) ||
                receivesBeforeReading(analysis, variable));
    }

    /* Declared in the iteration, so that it begins anew; memory that it points to was made there.
     */
    bool isInside(const VarDecl *variable) const
    {
        if (!variable->hasLocalStorage())
            return false;
        const auto *function = cast<FunctionDecl>(variable->getDeclContext());
        return called.count(function->getCanonicalDecl()) != 0 ||
               analysis.structure.encloses(analysis.loop, declaration(variable));
    }

    const Stmt *declaration(const VarDecl *variable) const;

    bool isLive(const VarDecl *variable) const
    {
        return llvm::any_of(analysis.livePlaces, [&](const auto &known) {
            return known.second.base->getCanonicalDecl() == variable;
        });
    }

    /* To free it is not to read it; nor is to read what has been set behind the loop. */
    bool isReadAfter(const VarDecl *variable) const
    {
        for (size_t i = 0; i < analysis.after.size(); i++)
            if (llvm::any_of(analysis.after[i].mentions,
                             [&](const Mention &mention) {
                                 return mention.place.base->getCanonicalDecl() == variable &&
                                        !mention.assigned && !isFreedBehind(analysis, mention);
                             }) &&
                readsBeforeSetting(analysis, analysis.structure.following(analysis.path[i].anchor),
                                   variable, nullptr))
                return true;
        return false;
    }

    /* -- what is around the loop, and before it, of a program that starts over */

    void inspectAround()
    {
        const Unsteady unsteady(analysis, targets, analysis.changed);
        if (unsteady.otherArray != nullptr)
            object(Repeats::Perhaps, "it is given other arrays each time,",
                   unsteady.otherArray->getExprLoc());
        analysis.changed.insert(unsteady.parameters.begin(), unsteady.parameters.end());
        around = true;
        for (const Unsteady::Part &part : unsteady.parts)
            inspectPart(part);
        around = false;
    }

    /* All that it changes is of the state, or nobody goes by it. */
    void inspectPart(const Unsteady::Part &part)
    {
        for (const CallExpr *call : part.effects.calls)
            inspectPartCall(call, part);
        for (const Mention &mention : part.effects.mentions)
            inspectInto(mention);
        for (const Write &write : part.effects.writes) {
            const VarDecl *variable = write.place.base->getCanonicalDecl();
            const bool led =
                (write.place.element || write.place.behind) && variable->getType()->isPointerType();
            const bool ended = analysis.hasEnded(variable); /* not what it has led to */
            if (!ended)
                inspectPointed(write);
            if (!ended && !led)
                inspectVariable(variable, write.where, true);
            if (!led)
                continue;
            const std::optional<PointerTargets::Targets> found = targets.of(variable);
            if (!found)
                object(Repeats::Perhaps,
                       "what is around it writes through '" + nameOf(variable) + "',", write.where);
            else
                for (const VarDecl *target : *found)
                    inspectVariable(target, write.where, false);
        }
    }

    /* A pointer that was set before leads to a row of the block: to another one in another block.
     */
    void inspectInto(const Mention &mention)
    {
        const VarDecl *pointer = mention.place.base->getCanonicalDecl();
        if (!pointer->getType()->isPointerType() || analysis.isData(pointer) ||
            isa<ParmVarDecl>(pointer) || analysis.hasEnded(pointer))
            return;
        const std::optional<PointerTargets::Targets> found = targets.of(pointer);
        if (found && llvm::any_of(*found, [&](const VarDecl *target) {
                return target != pointer && analysis.isData(target);
            }))
            object(Repeats::Perhaps,
                   "what is around it goes by '" + nameOf(pointer) + "', which leads into rows,",
                   mention.where);
    }

    /* A pointer that lives on leads to memory of its own: the start's leads to what it does there.
     */
    void inspectPointed(const Write &write)
    {
        const VarDecl *pointer = write.place.base->getCanonicalDecl();
        const bool fresh = callsOneOf(write.value, {"malloc", "calloc"});
        const bool local =
            pointer->hasLocalStorage() && pointer->getDeclContext() == analysis.loopStep().function;
        if (!write.place.element && !write.place.behind && write.place.type->isPointerType() &&
            !fresh && !(local && !analysis.liveAtLoop(pointer)))
            object(Repeats::Perhaps, "what is around it sets '" + nameOf(pointer) + "',",
                   write.where);
    }

    void inspectPartCall(const CallExpr *call, const Unsteady::Part &part)
    {
        const Deed deed = deedOf(call);
        if (call->getDirectCallee() == nullptr || isUnseen(analysis, call))
            object(Repeats::Perhaps, "what is around it is not all seen,", call->getExprLoc());
        if (deed == Deed::Clock && llvm::any_of(part.effects.writes, [&](const Write &write) {
                return isLive(write.place.base);
            }))
            object(Repeats::Perhaps, "what is around it goes by the clock,", call->getExprLoc());
        if (deed != Deed::Unknown)
            inspectDeed(call, deed);
    }

    /* -- clocks */

    void inspectClocks()
    {
        const ClockFlow clocks = followClocks(analysis, false);
        if (clocks.steered != nullptr)
            return object(Repeats::Never,
                          "it goes by the clock: '" +
                              analysis.source.spelled(cast<Expr>(clocks.steered)) + "'",
                          clocks.steered->getBeginLoc());
        for (const auto &[holder, where] : clocks.carried)
            if (analysis.isData(holder.first))
                return object(Repeats::Never,
                              "it goes by the clock: '" + holder.first->getNameAsString() + "'",
                              where);
    }
};

/* The statement that declares VARIABLE is found by where it is. */
const Stmt *RepeatFinder::declaration(const VarDecl *variable) const
{
    const Stmt *found = nullptr;
    eachWithin(analysis.loop, [&](const Stmt *one) {
        for (const VarDecl *declared : declaredBy(one))
            if (declared->getCanonicalDecl() == variable)
                found = one;
    });
    return found;
}

} // namespace

void findRepeat(Analysis &analysis, bool divided)
{
    RepeatFinder(analysis, divided).find();
}

} // namespace xmpi
