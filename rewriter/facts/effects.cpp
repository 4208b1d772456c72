/* SPDX-License-Identifier: BSD-3-Clause
 * Walks statements and collects what they mention, write and call. */
#include "facts/effects.h"
#include "analysis.h"
#include "compat.h"
#include "library/traits.h"
#include "source/loops.h"
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

namespace xmpi
{

using namespace clang;

bool isForeign(const FunctionDecl *callee)
{
    const SourceManager &manager = callee->getASTContext().getSourceManager();
    return callee->getDefinition() == nullptr && callee->getIdentifier() != nullptr &&
           callee->getBuiltinID() == 0 && !manager.isInSystemHeader(callee->getLocation()) &&
           !startsWith(callee->getName(), "MPI_") && !startsWith(callee->getName(), "PMPI_");
}

bool isUnknown(const Expr *expression)
{
    return !isa<CastExpr, CallExpr, DeclRefExpr, MemberExpr, ArraySubscriptExpr, UnaryOperator,
                BinaryOperator, AbstractConditionalOperator, ParenExpr, ParenListExpr, InitListExpr,
                ImplicitValueInitExpr, DesignatedInitExpr, CompoundLiteralExpr, NoInitExpr,
                IntegerLiteral, FloatingLiteral, FixedPointLiteral, ImaginaryLiteral,
                CharacterLiteral, StringLiteral, ConstantExpr, PredefinedExpr, OffsetOfExpr,
                AddrLabelExpr, StmtExpr, VAArgExpr, UnaryExprOrTypeTraitExpr, OpaqueValueExpr,
                GenericSelectionExpr, ChooseExpr, ShuffleVectorExpr, ConvertVectorExpr,
                ExtVectorElementExpr, SourceLocExpr>(expression);
}

bool isUnknownBuiltin(const CallExpr *call)
{
    const FunctionDecl *callee = call->getDirectCallee();
    const unsigned id = callee != nullptr ? callee->getBuiltinID() : 0;
    return id != 0 && !startsWith(calleeName(call), "__builtin_") &&
           !callee->getASTContext().BuiltinInfo.isPredefinedLibFunction(id) &&
           !callee->getASTContext().BuiltinInfo.isLibFunction(id);
}

const FunctionDecl *definitionOf(const CallExpr *call)
{
    const FunctionDecl *callee = call != nullptr ? call->getDirectCallee() : nullptr;
    return callee != nullptr ? callee->getDefinition() : nullptr;
}

const CallExpr *callIn(const Expr *value)
{
    return value != nullptr ? dyn_cast<CallExpr>(value->IgnoreParenCasts()) : nullptr;
}

bool callsOneOf(const Expr *value, std::initializer_list<llvm::StringRef> names)
{
    const CallExpr *call = callIn(value);
    return call != nullptr && llvm::is_contained(names, calleeName(call));
}

const Expr *argumentFor(const CallExpr *call, const ParmVarDecl *parameter)
{
    const FunctionDecl *callee = call->getDirectCallee();
    const auto *function = dyn_cast<FunctionDecl>(parameter->getDeclContext());
    const unsigned index = parameter->getFunctionScopeIndex();
    const bool fits = callee != nullptr && function != nullptr &&
                      callee->getCanonicalDecl() == function->getCanonicalDecl() &&
                      index < call->getNumArgs();
    return fits ? call->getArg(index) : nullptr;
}

std::vector<std::pair<const ParmVarDecl *, const Expr *>> passedBy(const CallExpr *call,
                                                                   const FunctionDecl *function)
{
    std::vector<std::pair<const ParmVarDecl *, const Expr *>> all;
    for (unsigned i = 0; i < call->getNumArgs() && i < function->getNumParams(); i++)
        all.emplace_back(function->getParamDecl(i), call->getArg(i));
    return all;
}

const Expr *returnedBy(const FunctionDecl *function)
{
    const Stmt *whole = function != nullptr ? function->getBody() : nullptr;
    const auto *body = dyn_cast_or_null<CompoundStmt>(whole);
    const bool one = body != nullptr && body->size() == 1;
    const auto *back = one ? dyn_cast<ReturnStmt>(body->body_front()) : nullptr;
    return back != nullptr ? back->getRetValue() : nullptr;
}

llvm::StringRef calleeName(const CallExpr *call)
{
    const FunctionDecl *callee = call->getDirectCallee();
    return callee != nullptr && callee->getIdentifier() != nullptr ? callee->getName()
                                                                   : llvm::StringRef();
}

llvm::StringRef plainName(const CallExpr *call)
{
    llvm::StringRef name = calleeName(call);
    return startsWith(name, "PMPI_") ? name.drop_front() : name;
}

namespace
{

class Walker
{
  public:
    Walker(const EffectsFinder &finder, const Stmt *root, Effects &effects)
        : finder(finder), skipped(finder.skipped), root(root), effects(effects)
    {
    }

    void walk(const Stmt *statement)
    {
        if (statement == nullptr || (statement != root && skipped.count(statement)))
            return;
        if (const auto *binary = dyn_cast<BinaryOperator>(statement))
            return walkBinary(binary);
        if (const auto *unary = dyn_cast<UnaryOperator>(statement))
            return walkUnary(unary);
        if (const auto *call = dyn_cast<CallExpr>(statement))
            return walkCall(call);
        if (const auto *declaration = dyn_cast<DeclStmt>(statement))
            return walkDeclaration(declaration);
        if (isa<MemberExpr, DeclRefExpr>(statement))
            return walkName(cast<Expr>(statement));
        if (isa<UnaryExprOrTypeTraitExpr>(statement))
            return;
        const auto *expression = dyn_cast<Expr>(statement);
        if (expression != nullptr && isUnknown(expression))
            walkUnknown(expression);
        if (const auto *code = dyn_cast<GCCAsmStmt>(statement))
            for (unsigned i = 0; i < code->getNumOutputs(); i++)
                write(Write::How::Assigned, code->getOutputExpr(i), nullptr, nullptr);
        walkControl(statement);
    }

  private:
    const EffectsFinder &finder;
    const std::set<const Stmt *> &skipped;
    const Stmt *root;
    Effects &effects;
    std::vector<const Expr *> conditions;

    /* stdout and stderr: what is printed there is no state of the program. */
    static bool isStream(const Place &place)
    {
        const SourceManager &manager = place.base->getASTContext().getSourceManager();
        return place.base->hasExternalStorage() &&
               manager.isInSystemHeader(place.base->getLocation());
    }

    void write(Write::How how, const Expr *target, const Expr *value, const CallExpr *call)
    {
        for (const Place &place : placesOf(target))
            effects.writes.push_back({how, place, value, call, conditions, target->getExprLoc()});
        if (target->getType()->isRecordType() && how == Write::How::Assigned)
            writeMembers(how, target, value, call);
    }

    /* Of a struct that is set as a whole. */
    void writeMembers(Write::How how, const Expr *target, const Expr *value, const CallExpr *call)
    {
        if (finder.members == nullptr)
            return;
        for (const VarDecl *member : finder.members->inside(target))
            effects.writes.push_back(
                {how, Place::of(member), value, call, conditions, target->getExprLoc()});
    }

    /* A function of another file reads all, and may change all, of a struct that it is given; what
     * is said of it here says what happens to its arrays. */
    void passStructOut(const CallExpr *call, const Expr *argument, bool changes)
    {
        if (finder.members == nullptr)
            return;
        bool clears = calleeName(call) == "memset" || calleeName(call) == "free";
        for (const VarDecl *member : finder.members->inside(argument)) {
            Place place = Place::of(member);
            if (!clears)
                effects.mentions.push_back({place, false, argument->getExprLoc()});
            if (!changes)
                continue;
            effects.writes.push_back(
                {Write::How::Passed, place, nullptr, call, conditions, argument->getExprLoc()});
            if (!member->getType()->isPointerType() || clears)
                continue;
            place.behind = place.element = true;
            place.type = member->getType()->getPointeeType();
            effects.writes.push_back(
                {Write::How::Passed, place, nullptr, call, conditions, argument->getExprLoc()});
        }
    }

    void walkBinary(const BinaryOperator *binary)
    {
        if (!binary->isAssignmentOp()) {
            walk(binary->getLHS());
            return walk(binary->getRHS());
        }
        walk(binary->getRHS());
        size_t first = effects.mentions.size();
        walk(binary->getLHS());
        const Expr *target = binary->getLHS()->IgnoreParens();
        if (!binary->isCompoundAssignmentOp() && isa<DeclRefExpr>(target))
            effects.mentions[first].assigned = true;
        size_t outside = conditions.size();
        addIndices(target);
        write(Write::How::Assigned, binary->getLHS(), binary->getRHS(), nullptr);
        conditions.resize(outside);
        if (binary->isCompoundAssignmentOp())
            write(Write::How::Assigned, binary->getLHS(), binary->getLHS(), nullptr);
    }

    /* Of an array of fixed size: which element is set decides what the array is. */
    void addIndices(const Expr *target)
    {
        for (const auto *subscript = dyn_cast<ArraySubscriptExpr>(target); subscript != nullptr;
             subscript = dyn_cast<ArraySubscriptExpr>(target)) {
            target = subscript->getBase()->IgnoreParenImpCasts();
            if (target->getType()->isArrayType() &&
                !isa<IntegerLiteral>(subscript->getIdx()->IgnoreParenImpCasts()))
                conditions.push_back(subscript->getIdx());
        }
    }

    void walkUnary(const UnaryOperator *unary)
    {
        walk(unary->getSubExpr());
        if (unary->isIncrementDecrementOp())
            write(Write::How::Assigned, unary->getSubExpr(), unary->getSubExpr(), nullptr);
    }

    static bool isPrinting(llvm::StringRef name)
    {
        return name == "printf" || name == "fprintf" || name == "dprintf" || name == "snprintf" ||
               name == "sprintf" || name == "syslog";
    }

    void walkCall(const CallExpr *call)
    {
        effects.calls.push_back(call);
        walk(call->getCallee());
        const FunctionDecl *callee = call->getDirectCallee();
        for (const FunctionDecl *possible : finder.callees(call))
            effects.functions.push_back(possible);
        for (unsigned i = 0; i < call->getNumArgs(); i++) {
            walk(call->getArg(i));
            const ParmVarDecl *parameter =
                callee && i < callee->getNumParams() ? callee->getParamDecl(i) : nullptr;
            QualType pointed = parameter ? parameter->getType()->getPointeeType() : QualType();
            if (callee == nullptr || callee->getDefinition() == nullptr)
                passStructOut(call, call->getArg(i),
                              pointed.isNull() ? false : !pointed.isConstQualified());
            if (parameter == nullptr && isPrinting(calleeName(call)))
                continue; /* its further arguments are read */
            if (finder.requests != nullptr && finder.requests->keeps(call, i))
                continue;
            if ((pointed.isNull() ? parameter == nullptr : !pointed.isConstQualified()) &&
                !passMembers(call, i) && !passStruct(call, i))
                passArgument(call, call->getArg(i));
        }
        if (finder.requests != nullptr)
            startRequests(call);
    }

    /* Their buffers are read and filled here, not where the requests were made. */
    void startRequests(const CallExpr *call)
    {
        size_t mentions = effects.mentions.size(), writes = effects.writes.size();
        for (const RequestBuffer &buffer : finder.requests->startedBy(call)) {
            walk(buffer.expression);
            if (buffer.received)
                passArgument(call, buffer.expression);
        }
        for (size_t i = mentions; i < effects.mentions.size(); i++)
            effects.mentions[i].where = call->getExprLoc();
        for (size_t i = writes; i < effects.writes.size(); i++)
            effects.writes[i].where = call->getExprLoc();
    }

    /* A struct whose members are variables, handed to a function of this file: what that does with
     * them is seen there. */
    bool passMembers(const CallExpr *call, unsigned index)
    {
        const FunctionDecl *callee = call->getDirectCallee();
        return finder.members != nullptr && callee != nullptr &&
               callee->getDefinition() != nullptr &&
               index < callee->getDefinition()->getNumParams() &&
               structIn(callee->getASTContext(),
                        callee->getDefinition()->getParamDecl(index)->getType()) != nullptr &&
               !finder.members->inside(call->getArg(index)).empty();
    }

    /* The address of a struct handed to a function of this file: it may set some members only. */
    bool passStruct(const CallExpr *call, unsigned index)
    {
        const auto *unary = dyn_cast<UnaryOperator>(call->getArg(index)->IgnoreParenCasts());
        const FunctionDecl *callee = definitionOf(call);
        if (unary == nullptr || unary->getOpcode() != UO_AddrOf || callee == nullptr ||
            index >= callee->getNumParams() || !unary->getSubExpr()->getType()->isRecordType())
            return false;
        std::optional<Place> place = placeOf(unary->getSubExpr());
        const EffectsFinder::Members &set = finder.membersSet(callee->getParamDecl(index));
        if (!place || place->field != nullptr || place->behind || place->element || !set)
            return false;
        for (const FieldDecl *field : *set)
            effects.writes.push_back({Write::How::Passed,
                                      {place->base, field, false, false, field->getType()},
                                      nullptr,
                                      call,
                                      conditions,
                                      unary->getSubExpr()->getExprLoc()});
        return true;
    }

    /* An address handed to a function that may write through it. */
    void passArgument(const CallExpr *call, const Expr *argument)
    {
        const Expr *bare = argument->IgnoreParenCasts();
        if (const Expr *target = addressedBy(bare))
            return write(Write::How::Passed, target, nullptr, call);
        if (bare->getType()->isArrayType())
            return write(Write::How::Passed, bare, nullptr, call);
        if (!bare->getType()->isPointerType() ||
            bare->getType()->getPointeeType().isConstQualified() ||
            bare->getType()->isFunctionPointerType())
            return;
        if (isHandle(bare->getType()) && !isa<DeclRefExpr>(bare) &&
            has(calleeName(call), Trait::AtTold))
            return; /* a file at a place that is told: what is kept of it stays as it is */
        for (const Place &place : placesBehind(bare))
            if (!isStream(place))
                effects.writes.push_back(
                    {Write::How::Passed, place, nullptr, call, conditions, argument->getExprLoc()});
    }

    /* It may write all that it has the address of. */
    void walkUnknown(const Expr *expression)
    {
        for (const Stmt *child : expression->children()) {
            const auto *operand = dyn_cast_or_null<Expr>(child);
            const Expr *bare = operand != nullptr ? operand->IgnoreParenCasts() : nullptr;
            if (bare == nullptr)
                continue;
            if (const Expr *target = addressedBy(bare))
                write(Write::How::Assigned, target, expression, nullptr);
            else if (bare->getType()->isPointerType() || bare->getType()->isArrayType())
                for (const Place &place : placesBehind(bare))
                    effects.writes.push_back({Write::How::Assigned, place, expression, nullptr,
                                              conditions, expression->getExprLoc()});
        }
    }

    void walkDeclaration(const DeclStmt *declaration)
    {
        for (const VarDecl *variable : declaredBy(declaration)) {
            effects.declared.push_back(variable);
            walk(variable->getInit());
            Place place = Place::of(variable);
            const Expr *value = variable->getInit();
            if (const auto *array = dyn_cast<VariableArrayType>(variable->getType().getTypePtr())) {
                walk(array->getSizeExpr());
                value = array->getSizeExpr();
            }
            if (value != nullptr && !variable->isStaticLocal())
                effects.writes.push_back({Write::How::Declared, place, value, nullptr, conditions,
                                          variable->getLocation()});
            if (value != nullptr && variable->getType()->isRecordType())
                declareMembers(variable, value);
        }
    }

    void declareMembers(const VarDecl *variable, const Expr *value)
    {
        if (finder.members == nullptr)
            return;
        const auto *list = dyn_cast<InitListExpr>(value->IgnoreParenImpCasts());
        for (const VarDecl *member : finder.members->inside(variable)) {
            const auto &path = finder.members->placeOf(member).path;
            unsigned index = path.front()->getFieldIndex();
            const Expr *own = list && path.size() == 1 && index < list->getNumInits()
                                  ? list->getInit(index)
                                  : value;
            effects.writes.push_back({Write::How::Declared, Place::of(member), own, nullptr,
                                      conditions, variable->getLocation()});
        }
    }

    void walkName(const Expr *name)
    {
        for (const Place &place : placesOf(name))
            effects.mentions.push_back({place, false, name->getExprLoc()});
        if (const auto *member = dyn_cast<MemberExpr>(name)) {
            const Expr *base = member->getBase()->IgnoreParenImpCasts();
            if (!isa<DeclRefExpr, MemberExpr>(base))
                walk(base); /* an index, a call: p[i].n, f(x)->n */
        }
    }

    void walkControl(const Stmt *statement)
    {
        const Expr *condition = conditionIn(statement);
        const auto *loop = dyn_cast<ForStmt>(statement);
        if (loop != nullptr)
            walk(loop->getInit()); /* runs in any case */
        if (condition != nullptr)
            conditions.push_back(condition);
        for (const Stmt *child : statement->children())
            if (loop == nullptr || child != loop->getInit())
                walk(child);
        if (condition != nullptr)
            conditions.pop_back();
    }
};

} // namespace

bool Effects::changes(const Place &place) const
{
    return llvm::any_of(writes, [&](const Write &write) { return overlap(write.place, place); });
}

bool Effects::names(const Place &place) const
{
    return llvm::any_of(mentions,
                        [&](const Mention &mention) { return overlap(mention.place, place); });
}

bool Effects::setsAnew(const Write &write) const
{
    const Place &place = write.place;
    if (write.how != Write::How::Assigned || place.field != nullptr || place.behind ||
        !write.conditions.empty())
        return false;
    auto first = llvm::find_if(
        mentions, [&](const Mention &mention) { return overlap(mention.place, place); });
    return first != mentions.end() && first->assigned && first->where == write.where;
}

Effects EffectsFinder::of(const Stmt *statement) const
{
    Effects effects;
    Walker(*this, statement, effects).walk(statement);
    return effects;
}

} // namespace xmpi
