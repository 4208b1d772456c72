/* SPDX-License-Identifier: BSD-3-Clause
 * Makes classes one that an assignment of pointers connects. */
#include "cells/cells.h"
#include "facts/effects.h"
#include "library/library.h"
#include "library/traits.h"
#include "source/visitor.h"

namespace xmpi
{

using namespace clang;

/* Goes through the file once; structs whose address is taken are known before members are named. */
class Cells::Collector : public Visitor
{
  public:
    Collector(Cells &cells, bool addresses) : cells(cells), addresses(addresses)
    {
    }

    bool TraverseFunctionDecl(FunctionDecl *function) override
    {
        const FunctionDecl *outer = inside;
        inside = function;
        if (addresses && function->isThisDeclarationADefinition())
            cells.functions.push_back(function);
        Visitor::TraverseFunctionDecl(function);
        inside = outer;
        return true;
    }

    void VisitUnaryOperator(UnaryOperator *unary) override
    {
        if (addresses && unary->getOpcode() == UO_AddrOf)
            if (const VarDecl *variable = variableAt(unary->getSubExpr()->IgnoreParens()))
                cells.addressed.insert(variable->getCanonicalDecl());
    }

    void VisitDeclRefExpr(DeclRefExpr *name) override
    {
        const auto *function = dyn_cast<FunctionDecl>(name->getDecl());
        if (addresses && function != nullptr && called.count(name) == 0)
            cells.pointed.push_back(function);
    }

    void VisitVarDecl(VarDecl *variable) override
    {
        const QualType type = cells.context.getBaseElementType(variable->getType());
        if (addresses && !isa<ParmVarDecl>(variable))
            if (const RecordDecl *record = type->getAsRecordDecl())
                cells.counts[record] += type == variable->getType() ? 1 : 2;
        if (!addresses && variable->isExternallyVisible() && variable->hasGlobalStorage())
            cells.open(cells.of(variable), false);
        if (!addresses && variable->getInit() != nullptr)
            initialise(cells.of(variable), variable->getType(), variable->getInit());
    }

    void VisitFieldDecl(FieldDecl *field) override
    {
        const QualType type = cells.context.getBaseElementType(field->getType());
        if (addresses)
            if (const RecordDecl *record = type->getAsRecordDecl())
                cells.counts[record] += type == field->getType() ? 1 : 2;
    }

    /* All members are known before anybody asks which there are of a struct. */
    void VisitMemberExpr(MemberExpr *member) override
    {
        if (!addresses)
            cells.of(member);
    }

    void VisitBinaryOperator(BinaryOperator *binary) override
    {
        if (!addresses && binary->isAssignmentOp() && binary->getType()->isPointerType())
            cells.flow(cells.of(binary->getLHS()), binary->getRHS());
    }

    void VisitReturnStmt(ReturnStmt *statement) override
    {
        const Expr *value = statement->getRetValue();
        if (!addresses && value != nullptr && value->getType()->isPointerType() && inside)
            cells.flow(cells.named(inside->getCanonicalDecl()), value);
    }

    void VisitCallExpr(CallExpr *call) override
    {
        called.insert(dyn_cast<DeclRefExpr>(call->getCallee()->IgnoreParenImpCasts()));
        if (addresses)
            return;
        for (const FunctionDecl *callee : cells.callees(call))
            for (const auto &[parameter, argument] : passedBy(call, callee))
                if (parameter->getType()->isPointerType())
                    cells.flow(cells.of(parameter), argument);
        const FunctionDecl *callee = call->getDirectCallee();
        if (callee == nullptr || isForeign(callee))
            for (const Expr *argument : call->arguments())
                if (argument->getType()->isPointerType())
                    openBehind(argument, argument->getType()->getPointeeType());
    }

    void VisitCStyleCastExpr(CStyleCastExpr *cast) override
    {
        countAllocation(cast);
    }

    void VisitImplicitCastExpr(ImplicitCastExpr *cast) override
    {
        countAllocation(cast);
    }

  private:
    Cells &cells;
    const bool addresses; /* the first time */
    const FunctionDecl *inside = nullptr;
    std::set<const DeclRefExpr *> called;

    void openBehind(const Expr *pointer, QualType type)
    {
        cells.open(cells.behind(pointer), type->isPointerType());
        if (const RecordDecl *record = type->getAsRecordDecl())
            for (const FieldDecl *field : record->fields())
                cells.open(cells.of(nullptr, field), field->getType()->isPointerType());
    }

    /* (struct s *)malloc(...) */
    void countAllocation(const CastExpr *cast)
    {
        const auto *call = dyn_cast<CallExpr>(cast->getSubExpr()->IgnoreParenImpCasts());
        if (addresses && call != nullptr && cast->getType()->isPointerType() &&
            call->getType()->isVoidPointerType())
            if (const RecordDecl *record = cast->getType()->getPointeeType()->getAsRecordDecl())
                cells.counts[record]++;
    }

    void initialise(Cell cell, QualType type, const Expr *value)
    {
        const auto *list = dyn_cast<InitListExpr>(value);
        if (list == nullptr)
            return type->isPointerType() ? cells.flow(cell, value) : void();
        const RecordDecl *record = type->getAsRecordDecl();
        if (record == nullptr || record->isUnion()) {
            const ArrayType *array = cells.context.getAsArrayType(type);
            for (const Expr *one : list->inits())
                initialise(cell, array ? array->getElementType() : one->getType(), one);
            return;
        }
        auto field = record->field_begin();
        for (unsigned i = 0; i < list->getNumInits() && field != record->field_end(); i++, ++field)
            initialise(cells.of(nullptr, *field), field->getType(), list->getInit(i));
    }
};

Cells::Cells(ASTContext &context) : context(context)
{
    Collector(*this, true).TraverseDecl(context.getTranslationUnitDecl());
    Collector(*this, false).TraverseDecl(context.getTranslationUnitDecl());
}

Cells::Cell Cells::fresh()
{
    classes.push_back({static_cast<Cell>(classes.size())});
    return classes.back().parent;
}

Cells::Cell Cells::named(const void *what)
{
    auto at = cells.find(what);
    return at != cells.end() ? at->second : cells[what] = fresh();
}

Cells::Cell Cells::found(Cell cell)
{
    while (cell != none && classes[static_cast<size_t>(cell)].parent != cell)
        cell = classes[static_cast<size_t>(cell)].parent;
    return cell;
}

Cells::Cell Cells::behind(Cell pointer)
{
    return pointer == none ? none : found(classes[static_cast<size_t>(found(pointer))].pointee);
}

Cells::Cell Cells::led(Cell pointer)
{
    Cell there = behind(pointer);
    if (pointer != none && there == none) {
        there = fresh();
        classes[static_cast<size_t>(found(pointer))].pointee = there;
    }
    return there;
}

void Cells::unify(Cell one, Cell other)
{
    for (one = found(one), other = found(other); one != none && other != none && one != other;) {
        Class &into = classes[static_cast<size_t>(one)],
              &from = classes[static_cast<size_t>(other)];
        from.parent = one;
        into.known = into.known && from.known;
        into.open = into.open || from.open;
        const Cell next = found(from.pointee), here = found(into.pointee);
        if (here == none)
            into.pointee = next;
        one = here;
        other = next;
    }
}

void Cells::open(Cell cell, bool further)
{
    std::set<Cell> seen;
    for (cell = found(cell); cell != none && seen.insert(cell).second; cell = behind(cell)) {
        classes[static_cast<size_t>(cell)].open = true;
        if (seen.size() > 1 || !further)
            continue;
        const Cell there = led(cell);
        classes[static_cast<size_t>(there)].known = false;
    }
}

void Cells::flow(Cell pointer, const Expr *value)
{
    if (pointer == none || value->isNullPointerConstant(context, Expr::NPC_ValueDependentIsNull))
        return;
    const Cell there = behind(value);
    if (there == none)
        classes[static_cast<size_t>(led(pointer))].known = false;
    else
        unify(led(pointer), there);
}

Cells::Cell Cells::of(const VarDecl *variable)
{
    return found(named(variable->getCanonicalDecl()));
}

Cells::Cell Cells::of(const VarDecl *variable, const FieldDecl *field)
{
    const void *holder = field->getParent()->isUnion() ? nullptr : variable;
    const void *what = field->getParent()->isUnion()
                           ? static_cast<const void *>(field->getParent())
                           : static_cast<const void *>(field->getCanonicalDecl());
    auto at = members.find({holder, what});
    return found(at != members.end() ? at->second : members[{holder, what}] = fresh());
}

Cells::Cell Cells::of(const Expr *place)
{
    place = place->IgnoreParens();
    if (const auto *name = dyn_cast<DeclRefExpr>(place)) {
        const auto *variable = dyn_cast<VarDecl>(name->getDecl());
        return variable != nullptr ? of(variable) : none;
    }
    if (const auto *member = dyn_cast<MemberExpr>(place)) {
        const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
        if (field == nullptr)
            return none;
        const auto *base = dyn_cast<DeclRefExpr>(member->getBase()->IgnoreParens());
        const auto *variable = base ? dyn_cast<VarDecl>(base->getDecl()) : nullptr;
        const bool own = !member->isArrow() && variable != nullptr &&
                         !field->getType()->isPointerType() &&
                         addressed.count(variable->getCanonicalDecl()) == 0;
        return of(own ? variable->getCanonicalDecl() : nullptr, field);
    }
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(place))
        return behind(subscript->getBase());
    if (const auto *unary = dyn_cast<UnaryOperator>(place))
        return unary->getOpcode() == UO_Deref ? behind(unary->getSubExpr()) : none;
    return none;
}

Cells::Cell Cells::resultOf(const CallExpr *call)
{
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee == nullptr)
        return none;
    if (callee->getDefinition() != nullptr)
        return led(named(callee->getCanonicalDecl()));
    if (calleeName(call) == "realloc")
        return behind(call->getArg(0));
    return has(calleeName(call), Trait::GivesMemory) ? found(named(call)) : none;
}

Cells::Cell Cells::behind(const Expr *pointer)
{
    pointer = pointer->IgnoreParens();
    if (const auto *cast = dyn_cast<CastExpr>(pointer)) {
        if (cast->getCastKind() == CK_LValueToRValue)
            return cast->getType()->isPointerType() ? led(of(cast->getSubExpr())) : none;
        if (cast->getCastKind() == CK_ArrayToPointerDecay)
            return of(cast->getSubExpr());
        return behind(cast->getSubExpr());
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(pointer)) {
        if (unary->getOpcode() == UO_AddrOf)
            return of(unary->getSubExpr());
        return unary->isIncrementDecrementOp() ? led(of(unary->getSubExpr())) : none;
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(pointer)) {
        if (binary->isAssignmentOp())
            return led(of(binary->getLHS()));
        if (binary->getOpcode() == BO_Comma)
            return behind(binary->getRHS());
        return behind(sidesOf(binary).first);
    }
    if (const auto *choice = dyn_cast<ConditionalOperator>(pointer)) {
        const Cell one = behind(choice->getTrueExpr()), other = behind(choice->getFalseExpr());
        unify(one, other);
        return found(one != none ? one : other);
    }
    if (const auto *call = dyn_cast<CallExpr>(pointer))
        return resultOf(call);
    if (const auto *choice = dyn_cast<ChooseExpr>(pointer))
        return behind(choice->getChosenSubExpr());
    return none;
}

bool Cells::isKnown(Cell cell)
{
    return classes[static_cast<size_t>(found(cell))].known;
}

bool Cells::isOpen(Cell cell)
{
    return classes[static_cast<size_t>(found(cell))].open;
}

bool Cells::isAddressed(const VarDecl *variable) const
{
    return addressed.count(variable->getCanonicalDecl()) != 0;
}

bool Cells::isSeveral(const FieldDecl *field) const
{
    auto count = counts.find(field->getParent());
    return count != counts.end() && count->second > 1;
}

std::set<Cells::Cell> Cells::membersOf(QualType type)
{
    std::set<Cell> all;
    const RecordDecl *record = context.getBaseElementType(type)->getAsRecordDecl();
    if (record == nullptr)
        return all;
    for (const FieldDecl *field : record->fields()) {
        for (const auto &[key, cell] : members)
            if (key.second == field->getCanonicalDecl() || key.second == record)
                all.insert(found(cell));
        all.merge(membersOf(field->getType()));
    }
    return all;
}

std::vector<const FunctionDecl *> Cells::callees(const CallExpr *call) const
{
    const FunctionDecl *callee = call->getDirectCallee();
    if (callee != nullptr && callee->getDefinition() != nullptr)
        return {callee->getDefinition()};
    std::vector<const FunctionDecl *> found;
    if (callee == nullptr || isForeign(callee))
        for (const FunctionDecl *possible : pointed)
            if (possible->getDefinition() != nullptr)
                found.push_back(possible->getDefinition());
    return found;
}

} // namespace xmpi
