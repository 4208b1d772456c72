/* SPDX-License-Identifier: BSD-3-Clause
 * Collects where pointers to structs come from, and follows them until nothing is new. */
#include "facts/points_to.h"
#include "facts/effects.h"
#include "source/variable.h"
#include "source/visitor.h"
#include <clang/Basic/SourceManager.h>
#include <algorithm>

namespace xmpi
{

using namespace clang;

Object Object::inner(const FieldDecl *field) const
{
    Object object = *this;
    object.path.push_back(field);
    return object;
}

bool Object::within(const Object &other) const
{
    return root == other.root && path.size() >= other.path.size() &&
           std::equal(other.path.begin(), other.path.end(), path.begin());
}

const RecordDecl *structIn(const ASTContext &context, QualType type)
{
    if (type->isPointerType())
        type = type->getPointeeType();
    const RecordDecl *record = type->getAsRecordDecl();
    record = record != nullptr ? record->getDefinition() : nullptr;
    if (record == nullptr || record->isUnion() ||
        context.getSourceManager().isInSystemHeader(record->getLocation()))
        return nullptr;
    return record;
}

/* Each member has a name, an address, and a size of its own. */
static bool isPlainStruct(const RecordDecl *record)
{
    return llvm::none_of(record->fields(), [&](const FieldDecl *field) {
        return field->isBitField() || field->getDeclName().isEmpty() ||
               field->getType()->isIncompleteArrayType();
    });
}

static bool isAllocation(llvm::StringRef name)
{
    return name == "malloc" || name == "calloc";
}

static const Decl *keyOf(const ValueDecl *holder)
{
    return holder->getCanonicalDecl();
}

/* The function of the file whose address VALUE is, or null. */
static const FunctionDecl *functionIn(const Expr *value)
{
    const Expr *target = addressedBy(value);
    const auto *reference =
        dyn_cast<DeclRefExpr>((target != nullptr ? target : value)->IgnoreParenCasts());
    const auto *named = reference ? dyn_cast<FunctionDecl>(reference->getDecl()) : nullptr;
    return named != nullptr ? named->getDefinition() : nullptr;
}

/* -- what the file does with structs */

class PointsTo::Collector : public Visitor
{
  public:
    explicit Collector(PointsTo &all) : all(all)
    {
    }

    bool TraverseFunctionDecl(FunctionDecl *declaration) override
    {
        if (all.context.getSourceManager().isInSystemHeader(declaration->getLocation()))
            return true;
        function = declaration;
        if (declaration->doesThisDeclarationHaveABody())
            all.functions.push_back(declaration);
        return Visitor::TraverseFunctionDecl(declaration);
    }

    void VisitVarDecl(VarDecl *variable) override
    {
        const RecordDecl *record = recordOf(variable->getType());
        if (record == nullptr)
            return;
        bool pointer = variable->getType()->isPointerType();
        (pointer ? all.pointers : all.structs).push_back(variable);
        if (variable->getInit() != nullptr && pointer)
            flow(variable, variable->getInit());
        else if (variable->getInit() != nullptr)
            copy(variable->getType(), variable->getInit());
    }

    void VisitBinaryOperator(BinaryOperator *binary) override
    {
        if (!binary->isAssignmentOp() || recordOf(binary->getLHS()->getType()) == nullptr)
            return;
        if (!binary->getLHS()->getType()->isPointerType()) {
            copy(binary->getLHS()->getType(), binary->getRHS());
            return;
        }
        if (binary->isCompoundAssignmentOp())
            all.refuse(binary->getLHS()->getType());
        else
            assign(binary->getLHS()->IgnoreParenCasts(), binary->getRHS());
    }

    void VisitUnaryOperator(UnaryOperator *unary) override
    {
        if (unary->isIncrementDecrementOp() && recordOf(unary->getType()) != nullptr)
            all.refuse(unary->getType());
    }

    void VisitReturnStmt(ReturnStmt *back) override
    {
        const Expr *value = back->getRetValue();
        if (value != nullptr && value->getType()->isPointerType() &&
            recordOf(value->getType()) != nullptr)
            flow(function, value);
    }

    void VisitCallExpr(CallExpr *call) override
    {
        const FunctionDecl *callee = call->getDirectCallee();
        const FunctionDecl *own = callee != nullptr ? callee->getDefinition() : nullptr;
        if (callee != nullptr) {
            direct.insert(call->getCallee()->IgnoreParenImpCasts());
            calls[callee->getCanonicalDecl()].push_back(call);
        }
        if (function != nullptr)
            sites[call] = {function, depth > 0};
        llvm::StringRef name = calleeName(call);
        if (name == "memcpy" || name == "memmove")
            for (const Expr *argument : call->arguments())
                if (recordOf(argument->IgnoreParenCasts()->getType()) != nullptr)
                    all.refuse(argument->IgnoreParenCasts()->getType());
        for (unsigned i = 0; i < call->getNumArgs(); i++)
            pass(own != nullptr && i < own->getNumParams() ? own->getParamDecl(i) : nullptr,
                 call->getArg(i));
    }

    /* Members that point to structs, in a struct that a list initialises. */
    void VisitInitListExpr(InitListExpr *list) override
    {
        const InitListExpr *whole = list->getSemanticForm() ? list->getSemanticForm() : list;
        const RecordDecl *record = recordOf(list->getType());
        if (record == nullptr)
            return;
        unsigned i = 0;
        for (const FieldDecl *field : record->getDefinition()->fields()) {
            if (field->isUnnamedBitField())
                continue;
            if (i < whole->getNumInits() && field->getType()->isPointerType() &&
                recordOf(field->getType()) != nullptr)
                flow(field, whole->getInit(i));
            i++;
        }
    }

    /* Who takes the address of a function may call it with anything. */
    void VisitDeclRefExpr(DeclRefExpr *reference) override
    {
        const auto *named = dyn_cast<FunctionDecl>(reference->getDecl());
        const FunctionDecl *own = named != nullptr ? named->getDefinition() : nullptr;
        if (own == nullptr || direct.count(reference) != 0)
            return;
        all.addressed.insert(own);
        for (const ParmVarDecl *parameter : own->parameters())
            all.refuse(parameter->getType());
    }

    /* The structs that members are reached from must be known, too. */
    void VisitMemberExpr(MemberExpr *member) override
    {
        if (recordOf(member->getBase()->getType()) != nullptr)
            bases.push_back(member);
    }

    bool TraverseForStmt(ForStmt *loop) override
    {
        return inside([&] { return Visitor::TraverseForStmt(loop); });
    }
    /* Only one of the branches runs. */
    bool TraverseIfStmt(IfStmt *choice) override
    {
        if (!TraverseStmt(choice->getCond()))
            return false;
        return inside(
            [&] { return TraverseStmt(choice->getThen()) && TraverseStmt(choice->getElse()); });
    }
    bool TraverseWhileStmt(WhileStmt *loop) override
    {
        return inside([&] { return Visitor::TraverseWhileStmt(loop); });
    }
    bool TraverseDoStmt(DoStmt *loop) override
    {
        return inside([&] { return Visitor::TraverseDoStmt(loop); });
    }

    /* The statement with CALL runs once in the program, unless that ends before. */
    bool isOnce(const CallExpr *call, int depth = 0) const
    {
        enum { MaxDepth = 16 };
        auto site = sites.find(call);
        if (site == sites.end() || site->second.second || depth > MaxDepth)
            return false;
        const FunctionDecl *own = site->second.first;
        if (own->isMain())
            return true;
        auto callers = calls.find(own->getCanonicalDecl());
        return callers != calls.end() && callers->second.size() == 1 &&
               isOnce(callers->second.front(), depth + 1);
    }

    std::vector<const MemberExpr *> bases;

  private:
    PointsTo &all;
    const FunctionDecl *function = nullptr;
    int depth = 0;                 /* of loops, and of branches */
    std::set<const Expr *> direct; /* names of functions in calls */
    std::map<const CallExpr *, std::pair<const FunctionDecl *, bool>>
        sites; /* and in a loop or branch */
    std::map<const FunctionDecl *, std::vector<const CallExpr *>> calls;

    template <class Walk> bool inside(const Walk &walk)
    {
        depth++;
        bool good = walk();
        depth--;
        return good;
    }

    const RecordDecl *recordOf(QualType type) const
    {
        return structIn(all.context, type);
    }

    void flow(const ValueDecl *holder, const Expr *value)
    {
        all.flows.emplace_back(keyOf(holder), value);
    }

    /* What calls and lists yield is a struct in the making; from a place it would be a second. */
    void copy(QualType type, const Expr *value)
    {
        const Expr *bare = value->IgnoreParenImpCasts();
        if (!isa<CallExpr, InitListExpr, CompoundLiteralExpr>(bare))
            all.refuse(type);
    }

    void assign(const Expr *target, const Expr *value)
    {
        if (const auto *reference = dyn_cast<DeclRefExpr>(target))
            return flow(reference->getDecl(), value);
        if (const auto *member = dyn_cast<MemberExpr>(target))
            return flow(member->getMemberDecl(), value);
        const auto *unary = dyn_cast<UnaryOperator>(target); /* *out = value */
        const auto *pointer = unary != nullptr && unary->getOpcode() == UO_Deref
                                  ? dyn_cast<DeclRefExpr>(unary->getSubExpr()->IgnoreParenCasts())
                                  : nullptr;
        if (pointer == nullptr)
            return all.refuse(target->getType());
        flow(pointer->getDecl(), value);
    }

    /* &p for T **out: what *out becomes, p becomes. Elsewhere, p may become anything. */
    void pass(const ParmVarDecl *parameter, const Expr *argument)
    {
        const Expr *given = addressedBy(argument);
        if (given != nullptr && given->getType()->isPointerType() &&
            recordOf(given->getType()) != nullptr) {
            const Expr *target = given->IgnoreParens();
            const ValueDecl *held = nullptr;
            if (const auto *reference = dyn_cast<DeclRefExpr>(target))
                held = reference->getDecl();
            else if (const auto *member = dyn_cast<MemberExpr>(target))
                held = member->getMemberDecl();
            if (held == nullptr || parameter == nullptr)
                return all.refuse(given->getType());
            all.references[keyOf(parameter)].insert(keyOf(held));
            return;
        }
        if (parameter != nullptr && recordOf(parameter->getType()) != nullptr)
            flow(parameter, argument);
    }
};

/* -- calls through pointers */

/* FUNCTION can be called with the arguments of CALL. */
static bool fits(const CallExpr *call, const FunctionDecl *function)
{
    if (call->getNumArgs() < function->getNumParams() ||
        (call->getNumArgs() > function->getNumParams() && !function->isVariadic()))
        return false;
    for (unsigned i = 0; i < function->getNumParams(); i++) {
        QualType given = call->getArg(i)->getType().getCanonicalType();
        QualType wanted = function->getParamDecl(i)->getType().getCanonicalType();
        if (given->isPointerType() != wanted->isPointerType() ||
            given->isRecordType() != wanted->isRecordType())
            return false;
    }
    return true;
}

std::vector<const FunctionDecl *> PointsTo::callees(const CallExpr *call) const
{
    std::vector<const FunctionDecl *> found;
    const FunctionDecl *named = call->getDirectCallee();
    if (named != nullptr && named->getDefinition() != nullptr)
        return {named->getDefinition()};
    if (named != nullptr)
        return calleesBehind(call);
    for (const FunctionDecl *function : functions)
        if (addressed.count(function) != 0 && fits(call, function))
            found.push_back(function);
    return found;
}

/* It is a struct or union with pointers to functions, as what sigaction takes. */
static bool holdsFunctions(QualType type)
{
    const RecordDecl *record = type->getAsRecordDecl();
    record = record != nullptr ? record->getDefinition() : nullptr;
    return record != nullptr &&
           std::any_of(record->field_begin(), record->field_end(), [](const FieldDecl *field) {
               return field->getType()->isFunctionPointerType() || holdsFunctions(field->getType());
           });
}

/* Of a function that is not in the file. */
std::vector<const FunctionDecl *> PointsTo::calleesBehind(const CallExpr *call) const
{
    std::set<const FunctionDecl *> possible;
    for (const Expr *argument : call->arguments()) {
        if (const FunctionDecl *handed = functionIn(argument))
            possible.insert(handed);
        else if (argument->IgnoreParenCasts()->getType()->isFunctionPointerType())
            possible.insert(addressed.begin(), addressed.end());
    }
    for (const ParmVarDecl *parameter : call->getDirectCallee()->parameters())
        if (holdsFunctions(parameter->getType()->isPointerType()
                               ? parameter->getType()->getPointeeType()
                               : parameter->getType()))
            possible.insert(addressed.begin(), addressed.end());
    std::vector<const FunctionDecl *> found; /* in their order in the file */
    for (const FunctionDecl *function : functions)
        if (possible.count(function) != 0)
            found.push_back(function);
    return found;
}

/* -- the sets */

const Objects &PointsTo::of(const ValueDecl *holder) const
{
    static const Objects none;
    auto found = sets.find(keyOf(holder));
    return found == sets.end() ? none : found->second;
}

std::optional<Objects> PointsTo::at(const Expr *pointer, const Bindings *bindings) const
{
    const Expr *bare = pointer->IgnoreParenCasts();
    if (bare->isNullPointerConstant(context, Expr::NPC_ValueDependentIsNotNull))
        return Objects();
    if (const auto *unary = dyn_cast<UnaryOperator>(bare)) {
        if (unary->getOpcode() == UO_AddrOf)
            return of(unary->getSubExpr(), bindings);
        const auto *held = unary->getOpcode() == UO_Deref
                               ? dyn_cast<DeclRefExpr>(unary->getSubExpr()->IgnoreParenCasts())
                               : nullptr;
        if (held == nullptr) /* *out */
            return std::nullopt;
        return of(held->getDecl());
    }
    if (structIn(context, bare->getType()) == nullptr && !isa<CallExpr>(bare))
        return std::nullopt;
    if (const auto *reference = dyn_cast<DeclRefExpr>(bare)) {
        const auto *parameter = dyn_cast<ParmVarDecl>(reference->getDecl());
        if (bindings != nullptr && parameter != nullptr && bindings->count(parameter) != 0)
            return bindings->at(parameter);
        return bare->getType()->isPointerType() ? of(reference->getDecl())
                                                : std::optional<Objects>();
    }
    if (const auto *member = dyn_cast<MemberExpr>(bare))
        return of(member->getMemberDecl());
    if (const auto *choice = dyn_cast<ConditionalOperator>(bare)) {
        std::optional<Objects> one = at(choice->getTrueExpr(), bindings);
        std::optional<Objects> other = at(choice->getFalseExpr(), bindings);
        if (one && other)
            one->insert(other->begin(), other->end());
        return other ? one : std::nullopt;
    }
    if (const auto *call = dyn_cast<CallExpr>(bare)) {
        if (isAllocation(calleeName(call)))
            return Objects{Object{call, {}}};
        if (definitionOf(call) != nullptr)
            return of(call->getDirectCallee());
    }
    return std::nullopt;
}

std::optional<Objects> PointsTo::of(const Expr *place, const Bindings *bindings) const
{
    const Expr *bare = place->IgnoreParens();
    if (const auto *cast = dyn_cast<ImplicitCastExpr>(bare))
        return of(cast->getSubExpr(), bindings);
    if (const auto *reference = dyn_cast<DeclRefExpr>(bare)) {
        const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
        if (variable == nullptr || !variable->getType()->isRecordType())
            return std::nullopt;
        const auto *parameter = dyn_cast<ParmVarDecl>(variable);
        if (parameter == nullptr)
            return Objects{Object{keyOf(variable), {}}};
        if (bindings != nullptr && bindings->count(parameter) != 0)
            return bindings->at(parameter);
        return of(parameter);
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(bare))
        return unary->getOpcode() == UO_Deref ? at(unary->getSubExpr(), bindings)
                                              : std::optional<Objects>();
    const auto *member = dyn_cast<MemberExpr>(bare);
    const auto *field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
    if (field == nullptr || !member->getType()->isRecordType())
        return std::nullopt;
    std::optional<Objects> outer =
        member->isArrow() ? at(member->getBase(), bindings) : of(member->getBase(), bindings);
    if (!outer)
        return std::nullopt;
    Objects inner;
    for (const Object &object : *outer)
        inner.insert(object.inner(field));
    return inner;
}

/* Whether something was new. */
bool PointsTo::propagate()
{
    bool more = false;
    for (const auto &[holder, value] : flows) {
        std::optional<Objects> objects =
            value->getType()->isPointerType() || !value->getType()->isRecordType() ? at(value)
                                                                                   : of(value);
        if (!objects)
            continue;
        std::set<const Decl *> receivers = {holder};
        auto held = references.find(holder);
        if (held != references.end())
            receivers.insert(held->second.begin(), held->second.end());
        for (const Decl *receiver : receivers) {
            Objects &set = sets[receiver];
            size_t before = set.size();
            set.insert(objects->begin(), objects->end());
            more = more || set.size() != before;
        }
    }
    return more;
}

void PointsTo::refuse(QualType type)
{
    while (type->isPointerType() || type->isArrayType())
        type = QualType(type->getPointeeOrArrayElementType(), 0);
    const RecordDecl *record = structIn(context, type);
    if (record == nullptr || !opaque.insert(record).second)
        return;
    for (const FieldDecl *field : record->fields())
        if (field->getType()->isRecordType())
            refuse(field->getType());
}

void PointsTo::refuse(const Decl *holder)
{
    const auto *function = dyn_cast<FunctionDecl>(holder);
    refuse(function ? function->getReturnType() : cast<ValueDecl>(holder)->getType());
}

/* Where one pointer is not known, any struct of its type may be meant. */
void PointsTo::refuseUnknown()
{
    for (const auto &[holder, value] : flows) {
        bool known =
            value->getType()->isRecordType() ? of(value).has_value() : at(value).has_value();
        if (!known)
            refuse(holder);
    }
}

bool PointsTo::follows(const RecordDecl *record) const
{
    return record != nullptr && opaque.count(record) == 0 && isPlainStruct(record);
}

PointsTo::PointsTo(ASTContext &context) : context(context)
{
    Collector collector(*this);
    collector.TraverseDecl(context.getTranslationUnitDecl());
    while (propagate())
        ;
    refuseUnknown();
    for (const auto &[holder, objects] : sets)
        for (const Object &object : objects) {
            bool variable = llvm::find(structs, object.root) != structs.end();
            if (!variable && !collector.isOnce(static_cast<const CallExpr *>(object.root)))
                refuse(holder); /* several structs under one name */
        }
    for (const MemberExpr *member : collector.bases) {
        std::optional<Objects> objects =
            member->isArrow() ? at(member->getBase()) : of(member->getBase());
        if (!objects)
            refuse(member->getBase()->getType());
    }
    for (const FunctionDecl *function : functions)
        for (const Write &write : EffectsFinder().of(function->getBody()).writes) {
            const auto *parameter = dyn_cast<ParmVarDecl>(write.place.base);
            if (parameter != nullptr && parameter->getType()->isRecordType() &&
                !write.place.element)
                refuse(parameter->getType());
        }
}

} // namespace xmpi
