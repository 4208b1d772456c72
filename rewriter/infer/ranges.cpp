/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the variables with rank, size, count and displ, and follows them into the loop's function.
 */
#include "library/constants.h"
#include "library/communicators.h"
#include "infer/infer_copies.h"
#include "flow/other_files.h"

namespace xmpi
{

using namespace clang;

static bool isWorldName(llvm::StringRef name)
{
    return name == "MPI_COMM_WORLD" || name == "XMPI_COMM_WORLD";
}

/* The argument that the call on the path passes for PARAMETER. */
static const Expr *argumentFor(const Analysis &analysis, const ParmVarDecl *parameter)
{
    for (size_t step = 1; step < analysis.path.size(); step++) {
        const CallExpr *call = analysis.path[step - 1].call;
        unsigned index = parameter->getFunctionScopeIndex();
        if (parameter->getDeclContext() == analysis.path[step].function &&
            index < call->getNumArgs())
            return call->getArg(index);
    }
    return nullptr;
}

bool duplicatesWorld(Analysis &analysis, const CallExpr *call)
{
    return call != nullptr && calleeName(call) == "MPI_Comm_dup" && call->getNumArgs() == 2 &&
           isWorld(analysis, call->getArg(0));
}

/* VALUE is the name of a communicator that the prologue makes as a duplicate of the world, or of a
 * copy of it. */
static bool isDuplicate(Analysis &analysis, const Expr *value, int depth = 0)
{
    enum { MostCopies = 8 };
    const std::optional<Place> from = placeOf(value->IgnoreParenCasts());
    return from && llvm::any_of(analysis.prologue, [&](const Item &item) {
               return llvm::any_of(item.effects.writes, [&](const Write &write) {
                   return overlap(write.place, *from) &&
                          (duplicatesWorld(analysis, write.call) ||
                           (write.value != nullptr &&
                            (depth == MostCopies ||
                             isDuplicate(analysis, write.value, depth + 1))));
               });
           });
}

bool copiesDuplicate(Analysis &analysis, const Write &write)
{
    return write.value != nullptr && write.call == nullptr && isHandle(write.place.type) &&
           isDuplicate(analysis, write.value) && isWorld(analysis, write.value);
}

/* PARAMETER, of a function that is not on the way to the loop, is the world itself in all calls
 * that the function may have: a duplicate is another one after a reconfiguration, which what the
 * function keeps of it would not be. */
static bool isGivenWorld(Analysis &analysis, const ParmVarDecl *parameter)
{
    const unsigned index = parameter->getFunctionScopeIndex();
    bool any = false;
    for (const FunctionDecl *caller : analysis.structure.functions)
        for (const CallExpr *call : EffectsFinder().of(caller->getBody()).calls)
            for (const FunctionDecl *callee : analysis.finder.callees(call)) {
                if (callee != parameter->getDeclContext())
                    continue;
                if (call->getDirectCallee() == nullptr ||
                    call->getDirectCallee()->getDefinition() != callee ||
                    index >= call->getNumArgs() || !isWorld(analysis, call->getArg(index)) ||
                    isDuplicate(analysis, call->getArg(index)))
                    return false;
                any = true;
            }
    return any;
}

/* What VARIABLE, a member of a struct, has by the initialiser of that; or null. */
static const Expr *initialOf(const Analysis &analysis, const VarDecl *variable)
{
    if (!analysis.members.contains(variable))
        return nullptr;
    const VarDecl *owner = analysis.members.owner(variable);
    const auto &path = analysis.members.placeOf(variable).path;
    const auto *list =
        owner != nullptr ? dyn_cast_or_null<InitListExpr>(owner->getInit()) : nullptr;
    return list != nullptr && path.size() == 1 && path.back()->getFieldIndex() < list->getNumInits()
               ? list->getInit(path.back()->getFieldIndex())
               : nullptr;
}

/* A variable that the file only ever sets to the world is as good as the world. */
static bool alwaysWorld(Analysis &analysis, const VarDecl *variable)
{
    if (isWorldName(variable->getName()))
        return true;
    bool world = false;
    if (const auto *parameter = dyn_cast<ParmVarDecl>(variable)) {
        const Expr *argument = argumentFor(analysis, parameter);
        if (argument != nullptr ? !isWorld(analysis, argument) : !isGivenWorld(analysis, parameter))
            return false;
        world = true;
    }
    if (const Expr *initial = initialOf(analysis, variable)) {
        if (!isWorld(analysis, initial) || isDuplicate(analysis, initial))
            return false;
        world = true;
    }
    for (const FunctionDecl *function : analysis.structure.functions) {
        for (const Write &write : EffectsFinder().of(function->getBody()).writes) {
            if (write.place.base->getCanonicalDecl() != variable->getCanonicalDecl() &&
                analysis.members.meaning(write.place.base).count(variable) == 0)
                continue;
            if (write.call != nullptr && calleeName(write.call) == "MPI_Comm_free")
                continue;
            if (!duplicatesWorld(analysis, write.call) &&
                (write.value == nullptr || !isWorld(analysis, write.value)))
                return false;
            world = true;
        }
    }
    return world || (variable->hasGlobalStorage() && variable->getInit() != nullptr &&
                     isWorld(analysis, variable->getInit()));
}

/* Where initialisers of structs in FUNCTION set FIELD: they set it to the world. */
static bool beginsWithWorld(Analysis &analysis, const FunctionDecl *function,
                            const FieldDecl *field, bool &any)
{
    for (const VarDecl *variable : EffectsFinder().of(function->getBody()).declared) {
        const auto *list = dyn_cast_or_null<InitListExpr>(variable->getInit());
        const RecordDecl *record = variable->getType()->getAsRecordDecl();
        if (list == nullptr || record == nullptr ||
            record->getCanonicalDecl() != field->getParent()->getCanonicalDecl())
            continue;
        if (field->getFieldIndex() >= list->getNumInits() ||
            !isWorld(analysis, list->getInit(field->getFieldIndex())) ||
            isDuplicate(analysis, list->getInit(field->getFieldIndex())))
            return false;
        any = true;
    }
    return true;
}

/* A member that the file only ever sets to the world, in whatever struct. */
static bool alwaysWorldMember(Analysis &analysis, const FieldDecl *field)
{
    bool world = false;
    for (const FunctionDecl *function : analysis.structure.functions)
        if (!beginsWithWorld(analysis, function, field, world))
            return false;
    for (const FunctionDecl *function : analysis.structure.functions)
        for (const Write &write : EffectsFinder().of(function->getBody()).writes) {
            const FunctionDecl *callee = write.call ? write.call->getDirectCallee() : nullptr;
            if (write.place.field != field || write.place.element ||
                (callee != nullptr && callee->getDefinition() != nullptr))
                continue; /* what functions of the file do is seen there */
            if (write.value == nullptr || isa<MemberExpr>(write.value->IgnoreParenCasts()) ||
                !isWorld(analysis, write.value))
                return false;
            world = true;
        }
    return world;
}

bool isWorld(Analysis &analysis, const Expr *communicator)
{
    if (isWorldName(constantOfMpi(communicator, analysis.context)))
        return true;
    if (const auto *member = dyn_cast<MemberExpr>(communicator->IgnoreParenCasts())) {
        const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
        return field != nullptr && field->getType()->isScalarType() &&
               alwaysWorldMember(analysis, field);
    }
    const VarDecl *variable = variableAt(communicator->IgnoreParenCasts());
    if (variable == nullptr || !variable->getType()->isScalarType() ||
        !analysis.asked.insert(variable).second)
        return false;
    bool world = alwaysWorld(analysis, variable);
    analysis.asked.erase(variable);
    return world;
}

static bool isRankCall(const CallExpr *call)
{
    llvm::StringRef name = calleeName(call);
    return (name == "MPI_Comm_rank" || name == "MPI_Comm_size") && call->getNumArgs() == 2;
}

static RangeKind kindOf(const CallExpr *call)
{
    return calleeName(call) == "MPI_Comm_rank" ? RangeKind::Rank : RangeKind::Size;
}

/* What the call stores into, as an expression: v of &v, or *p of p. */
static std::string storeText(const Analysis &analysis, const Expr *argument, const Place &place)
{
    const Expr *target = addressedBy(argument);
    std::string text = analysis.source.written(target ? target : argument->IgnoreParenCasts());
    return text.empty() ? place.text() : (target ? "" : "*") + text;
}

static std::optional<Place> storePlace(const Expr *argument)
{
    const Expr *bare = argument->IgnoreParenCasts();
    if (const Expr *target = addressedBy(bare))
        return placeOf(target);
    std::optional<Place> place = placeOf(bare);
    if (place && place->field == nullptr) {
        place->behind = true;
        place->type = bare->getType()->getPointeeType();
    }
    return place;
}

static llvm::StringRef rankOrSize(const CallExpr *call)
{
    return kindOf(call) == RangeKind::Rank ? "rank" : "size";
}

static bool addRank(Analysis &analysis, const Item &item, const CallExpr *call)
{
    const Step &step = analysis.path[item.step];
    std::optional<Place> place = storePlace(call->getArg(1));
    if (!place)
        return true;
    if (!isWorld(analysis, call->getArg(0))) {
        analysis.sources.push_back({*place, calleeName(call).str(), call->getExprLoc()});
        return true;
    }
    if (!analysis.structure.alive(place->base, step.function, step.anchor))
        return true; /* it dies before the loop: nothing to keep up to date */
    const auto &own = item.effects.declared;
    if (llvm::is_contained(own, place->base) && item.kind != Class::Keep)
        return true;
    if (item.kind == Class::Initial && item.pragma->directive == Directive::Enter)
        return true; /* its own */
    if (item.kind == Class::Initial)
        return analysis.diagnostics.report(call->getExprLoc(), Problem::RankInitial,
                                           {rankOrSize(call)});
    analysis.ranges.push_back({kindOf(call), *place});
    const Stmt *statement =
        item.kind == Class::Keep ? analysis.structure.inBlock(call) : item.statement;
    Registrations &registrations =
        analysis.site(Site::Kind::After, analysis.source.statement(statement).end);
    analysis.addRefresh(registrations, kindOf(call), storeText(analysis, call->getArg(1), *place),
                        call->getExprLoc());
    return true;
}

/* The only call of FUNCTION in the file, or null. */
static const CallExpr *onlyCallOf(const Analysis &analysis, const FunctionDecl *function)
{
    const CallExpr *only = nullptr;
    for (const FunctionDecl *caller : analysis.structure.functions)
        for (const CallExpr *call : EffectsFinder().of(caller->getBody()).calls) {
            const FunctionDecl *callee = call->getDirectCallee();
            if (callee == nullptr || callee->getDefinition() != function)
                continue;
            if (only != nullptr)
                return nullptr;
            only = call;
        }
    return only;
}

/* What STORED, reached through a parameter of HELPER, is in the statement of ITEM that calls it:
 * the variable, or the member of one, whose address it passes. */
static std::optional<Place> passedFor(const Analysis &analysis, const Item &item,
                                      const FunctionDecl *helper, const Place &stored)
{
    const Step &step = analysis.path[item.step];
    const auto *parameter = cast<ParmVarDecl>(stored.base);
    const CallExpr *call = onlyCallOf(analysis, helper);
    unsigned index = parameter->getFunctionScopeIndex();
    if (call == nullptr || index >= call->getNumArgs() || stored.element ||
        !analysis.structure.encloses(item.statement, call))
        return std::nullopt;
    const auto *address = dyn_cast<UnaryOperator>(call->getArg(index)->IgnoreParenCasts());
    if (address == nullptr || address->getOpcode() != UO_AddrOf)
        return std::nullopt;
    std::optional<Place> place = placeOf(address->getSubExpr());
    if (!place || place->behind || place->element ||
        (place->field != nullptr && stored.field != nullptr) ||
        !analysis.structure.visible(place->base, step.function, step.anchor))
        return std::nullopt;
    if (stored.field != nullptr) {
        place->field = stored.field;
        place->type = stored.type;
    }
    return place;
}

/* What EXPRESSION, a member or an element, is a part of, as it was written; null: of nothing that
 * has a name, as it is behind a pointer. */
static const Expr *wholeOf(const Analysis &analysis, const Expr *expression)
{
    const auto *member = dyn_cast<MemberExpr>(expression);
    if (const auto *reference = dyn_cast<DeclRefExpr>(expression))
        member = analysis.members.written(reference);
    if (member != nullptr)
        return member->isArrow() ? nullptr : member->getBase()->IgnoreParenCasts();
    const auto *element = dyn_cast<ArraySubscriptExpr>(expression);
    const Expr *array = element != nullptr ? element->getBase()->IgnoreParenCasts() : nullptr;
    return array != nullptr && array->getType()->isArrayType() ? array : nullptr;
}

/* ADDRESS is of a variable, or of a part of one, that is gone when its function returns. */
static bool diesWithItsFunction(const Analysis &analysis, const Expr *address)
{
    const auto *unary = dyn_cast<UnaryOperator>(address->IgnoreParenCasts());
    if (unary == nullptr || unary->getOpcode() != UO_AddrOf)
        return false;
    const Expr *part = unary->getSubExpr()->IgnoreParenCasts();
    for (const Expr *whole = wholeOf(analysis, part); whole != nullptr;
         whole = wholeOf(analysis, part))
        part = whole;
    const VarDecl *variable = variableAt(part);
    return variable != nullptr && variable->hasLocalStorage();
}

/* A struct that a function fills and hands back is known by its members, here and where it comes
 * to: only there they live on. */
static void addHandedBack(Analysis &analysis, const Item &item, RangeKind kind, const Place &place)
{
    const Step &step = analysis.path[item.step];
    if (!analysis.structure.visible(place.base, step.function, step.anchor))
        return;
    analysis.ranges.push_back({kind, place});
    analysis.addRefresh(
        analysis.site(Site::Kind::After, analysis.source.statement(item.statement).end), kind,
        analysis.textOf(place, item.step), item.statement->getBeginLoc());
}

/* Rank and size taken in a function that the prologue calls: globals live on, and what ITEM passes
 * the address of. */
static bool addHelperRank(Analysis &analysis, const Item &item, const FunctionDecl *helper,
                          const CallExpr *call)
{
    std::optional<Place> place = storePlace(call->getArg(1));
    if (!place || !isWorld(analysis, call->getArg(0)))
        return true;
    if (isa<ParmVarDecl>(place->base)) {
        std::optional<Place> passed = passedFor(analysis, item, helper, *place);
        if (passed && (item.kind == Class::Keep || item.kind == Class::Domain)) {
            analysis.ranges.push_back({kindOf(call), *passed});
            analysis.addRefresh(
                analysis.site(Site::Kind::After, analysis.source.statement(item.statement).end),
                kindOf(call), analysis.textOf(*passed, item.step), item.statement->getBeginLoc());
            return true;
        }
        return analysis.diagnostics.report(call->getExprLoc(), Problem::RankHelper,
                                           {helper->getName(), rankOrSize(call)});
    }
    if (!place->base->hasGlobalStorage() && !place->behind)
        return true;
    if (!place->base->hasGlobalStorage()) { /* in memory that lives on */
        return analysis.diagnostics.report(call->getExprLoc(), Problem::RankHelper,
                                           {helper->getName(), rankOrSize(call)});
    }
    if (diesWithItsFunction(analysis, call->getArg(1))) {
        addHandedBack(analysis, item, kindOf(call), *place);
        return true;
    }
    if (item.kind == Class::Initial && item.pragma->directive != Directive::Enter)
        return analysis.diagnostics.report(call->getExprLoc(), Problem::RankInitial,
                                           {rankOrSize(call)});
    analysis.ranges.push_back({kindOf(call), *place});
    bool header = !analysis.source.inMain(helper->getLocation()); /* its text stays as it is */
    const Stmt *statement = header ? item.statement : analysis.structure.inBlock(call);
    std::string text = header ? place->text() : storeText(analysis, call->getArg(1), *place);
    analysis.addRefresh(analysis.site(Site::Kind::After, analysis.source.statement(statement).end),
                        kindOf(call), text,
                        header ? item.statement->getBeginLoc() : call->getExprLoc());
    return true;
}

static bool findHelperRanks(Analysis &analysis)
{
    bool good = true;
    std::set<const FunctionDecl *> seen;
    for (const Item &item : analysis.prologue) {
        for (const FunctionDecl *helper :
             analysis.finder.reachable(analysis.finder.of(item.statement))) {
            if (!seen.insert(helper).second ||
                analysis.context.getSourceManager().isInSystemHeader(helper->getLocation()))
                continue;
            for (const CallExpr *call : analysis.finder.of(helper->getBody()).calls)
                if (isRankCall(call))
                    good = addHelperRank(analysis, item, helper, call) && good;
        }
    }
    return good;
}

static bool addDomain(Analysis &analysis, const Item &item)
{
    const Step &step = analysis.path[item.step];
    Registrations &registrations =
        analysis.site(Site::Kind::After, analysis.source.statement(item.statement).end);
    registrations.domain = item.pragma->operands[0].text;
    for (int i = 1; i <= 2; i++) {
        const Operand &operand = item.pragma->operands[static_cast<size_t>(i)];
        RangeKind kind = i == 1 ? RangeKind::Count : RangeKind::Displ;
        analysis.addRefresh(registrations, kind, operand.text, operand.where);
        std::optional<Place> place = placeOf(operand.expression);
        if (!place)
            continue;
        if (!analysis.structure.alive(place->base, step.function, step.anchor))
            return analysis.diagnostics.report(operand.where, Problem::VariableScope,
                                               {place->base->getName()});
        analysis.ranges.push_back({kind, *place});
    }
    return true;
}

/* The parameters of the next function that receive range variables are range variables too. */
static void followArgument(Analysis &analysis, size_t step, const ParmVarDecl *parameter,
                           const Expr *argument)
{
    const Expr *bare = argument->IgnoreParenCasts();
    const bool address = addressedBy(bare) != nullptr;
    std::optional<Place> passed = placeGiven(bare);
    bool pointer = parameter->getType()->isPointerType();
    if (!passed || (!address && !isa<DeclRefExpr, MemberExpr>(bare)))
        return;
    std::vector<RangeVariable> found;
    for (const RangeVariable &range : analysis.ranges) {
        if (!overlap(range.place, *passed) ||
            (passed->field != nullptr && range.place.field != passed->field))
            continue;
        found.push_back(range);
        Place &place = found.back().place;
        place.base = parameter;
        place.field = passed->field != nullptr ? nullptr : range.place.field;
        place.behind = pointer;
    }
    for (const RangeVariable &range : found) {
        if (!pointer && !canBeWritten(analysis, parameter))
            continue;
        makeWritable(analysis, parameter);
        analysis.ranges.push_back(range);
        if (followsRange(range.kind))
            addAgain(analysis, range);
        else if (!pointer)
            analysis.addRefresh(analysis.entry(step), range.kind,
                                analysis.textOf(range.place, step), parameter->getLocation());
    }
}

static void followCall(Analysis &analysis, size_t step)
{
    const CallExpr *call = analysis.path[step - 1].call;
    const FunctionDecl *function = analysis.path[step].function;
    for (const auto &[parameter, argument] : passedBy(call, function))
        followArgument(analysis, step, parameter, argument);
}

bool findRanges(Analysis &analysis, Inference &inference)
{
    bool good = findHelperRanks(analysis) && inferRange(analysis, inference);
    for (size_t step = 0; step < analysis.path.size(); step++) {
        if (step > 0)
            followCall(analysis, step);
        for (const Item &item : analysis.prologue) {
            if (item.step != step)
                continue;
            for (const CallExpr *call : analysis.finder.of(item.statement).calls)
                if (isRankCall(call))
                    good = addRank(analysis, item, call) && good;
            if (item.kind == Class::Domain)
                good = addDomain(analysis, item) && good;
        }
        good = registerAssumed(analysis, step) && good;
        registerDivision(analysis, inference, step);
        findCopies(analysis, inference, step);
    }
    return good;
}

} // namespace xmpi
