/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the arrays of fixed size that processes divide, and makes pointers of them. */
#include "source/fixed_arrays.h"
#include "source/divided.h"
#include "source/variable.h"
#include "source/visitor.h"
#include <algorithm>
#include <clang/Basic/SourceManager.h>

namespace xmpi
{

using namespace clang;

namespace
{

/* Everything that names a variable in the file: whether as a pointer, or otherwise. */
class Uses : public Visitor
{
  public:
    struct Use {
        std::vector<std::pair<DeclRefExpr *, ImplicitCastExpr *>> pointers;
        /* Of those: u[i], of an array of arrays, as a pointer, and its size. */
        std::vector<std::pair<ArraySubscriptExpr *, ImplicitCastExpr *>> elements;
        std::vector<UnaryExprOrTypeTraitExpr *> sizes, elementSizes;
        std::vector<DeclRefExpr *> named; /* in a pragma */
        size_t all = 0;
    };
    std::map<const VarDecl *, Use> uses;

    void VisitDeclRefExpr(DeclRefExpr *reference) override
    {
        if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
            uses[variable->getCanonicalDecl()].all++;
    }

    void VisitCompoundStmt(CompoundStmt *block) override
    {
        for (Stmt *statement : block->body()) {
            auto *expression = dyn_cast<Expr>(statement);
            auto *reference =
                expression ? dyn_cast<DeclRefExpr>(expression->IgnoreParens()) : nullptr;
            const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
            if (variable != nullptr)
                uses[variable->getCanonicalDecl()].named.push_back(reference);
        }
    }

    void VisitImplicitCastExpr(ImplicitCastExpr *decay) override
    {
        Expr *array = decay->getSubExpr()->IgnoreParens();
        if (decay->getCastKind() != CK_ArrayToPointerDecay)
            return;
        if (Use *use = useOf(array))
            use->pointers.emplace_back(cast<DeclRefExpr>(array), decay);
        else if (Use *whole = useOf(arrayIn(array)))
            whole->elements.emplace_back(cast<ArraySubscriptExpr>(array), decay);
    }

    void VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *trait) override
    {
        if (trait->isArgumentType() || trait->getKind() != UETT_SizeOf)
            return;
        const Expr *array = trait->getArgumentExpr()->IgnoreParens();
        if (Use *use = useOf(array))
            use->sizes.push_back(trait);
        else if (Use *whole = useOf(arrayIn(array)))
            whole->elementSizes.push_back(trait);
    }

  private:
    /* Of the variable that ARRAY, which may be null, is the name of; or null. */
    Use *useOf(const Expr *array)
    {
        const VarDecl *variable = variableAt(array);
        return variable != nullptr ? &uses[variable->getCanonicalDecl()] : nullptr;
    }

    /* u, where ELEMENT is u[i]; or null. */
    static const Expr *arrayIn(const Expr *element)
    {
        const auto *subscript = dyn_cast<ArraySubscriptExpr>(element);
        const Expr *base = subscript ? subscript->getBase()->IgnoreParenImpCasts() : nullptr;
        return base != nullptr && base->getType()->isArrayType() ? base : nullptr;
    }
};

/* All that names the variable takes it for a pointer, or asks for its size. */
bool isOnlyPointer(const Uses::Use &use)
{
    return use.all == use.pointers.size() + use.sizes.size() + use.named.size();
}

/* It is an array of a few arrays, each of which is taken for a pointer. */
bool isOnlyPointers(const VarDecl *variable, const Uses::Use &use)
{
    return isFewArrays(variable->getType()) && use.named.empty() &&
           use.pointers.size() == use.elements.size() + use.elementSizes.size() &&
           use.all == use.pointers.size() + use.sizes.size();
}

bool isPlain(QualType type)
{
    while (const auto *array = dyn_cast<ConstantArrayType>(type.getCanonicalType().getTypePtr()))
        type = array->getElementType();
    const RecordDecl *record = type->getAsRecordDecl();
    if (record == nullptr)
        return type->isArithmeticType();
    return record->getDefinition() != nullptr && !record->isUnion() &&
           std::all_of(record->field_begin(), record->field_end(),
                       [](const FieldDecl *field) { return isPlain(field->getType()); });
}

bool isZero(const ASTContext &context, const Expr *value)
{
    if (const auto *list = dyn_cast<InitListExpr>(value))
        return llvm::all_of(
            *list, [&](const Stmt *element) { return isZero(context, cast<Expr>(element)); });
    Expr::EvalResult result;
    return isa<ImplicitValueInitExpr>(value) ||
           (value->EvaluateAsRValue(result, context) && !result.HasSideEffects &&
            ((result.Val.isInt() && result.Val.getInt() == 0) ||
             (result.Val.isFloat() && result.Val.getFloat().isZero())));
}

/* Of a type for which it can be done, declared once, with nothing or zeros in it at first. */
bool isSuitable(const ASTContext &context, const VarDecl *variable)
{
    bool zero = variable->getInit() == nullptr || isZero(context, variable->getInit());
    return variable->getType()->isConstantArrayType() && isPlain(variable->getType()) &&
           !context.getBaseElementType(variable->getType()).isConstQualified() && zero &&
           variable->isFirstDecl() && variable == variable->getMostRecentDecl() &&
           !variable->hasExternalStorage() && !isa<ParmVarDecl>(variable);
}

void setType(Expr *expression, QualType type)
{
    for (; auto *paren = dyn_cast<ParenExpr>(expression); expression = paren->getSubExpr())
        paren->setType(type);
    expression->setType(type);
}

/* To the elements of ARRAY. */
QualType pointerInto(ASTContext &context, QualType array)
{
    return context.getPointerType(QualType(array->getArrayElementTypeNoTypeQual(), 0));
}

void setSizes(ASTContext &context, const std::vector<UnaryExprOrTypeTraitExpr *> &sizes,
              QualType array)
{
    for (UnaryExprOrTypeTraitExpr *size : sizes)
        size->setArgument(context.getTrivialTypeSourceInfo(array));
}

void makePointer(ASTContext &context, VarDecl *variable, const Uses::Use &use)
{
    QualType array = variable->getType();
    QualType pointer = pointerInto(context, array);
    setSizes(context, use.sizes, array);
    variable->setType(pointer);
    variable->setInit(nullptr);
    for (const auto &[reference, cast] : use.pointers) {
        setType(cast->getSubExpr(), pointer);
        cast->setCastKind(CK_LValueToRValue);
    }
    for (DeclRefExpr *reference : use.named)
        reference->setType(pointer);
}

/* VARIABLE, an array of arrays, becomes one of pointers. */
void makePointers(ASTContext &context, VarDecl *variable, const Uses::Use &use)
{
    const auto *outer = context.getAsConstantArrayType(variable->getType());
    const QualType array = variable->getType(), inner = outer->getElementType();
    const QualType pointer = pointerInto(context, inner);
    const QualType pointers = context.getConstantArrayType(pointer, outer->getSize(), nullptr,
                                                           outer->getSizeModifier(), 0);
    setSizes(context, use.sizes, array);
    setSizes(context, use.elementSizes, inner);
    variable->setType(pointers);
    variable->setInit(nullptr);
    for (const auto &[reference, cast] : use.pointers) {
        setType(cast->getSubExpr(), pointers);
        cast->setType(context.getPointerType(pointer));
    }
    for (const auto &[element, cast] : use.elements) {
        setType(cast->getSubExpr(), pointer);
        cast->setCastKind(CK_LValueToRValue);
    }
}

/* Variables that are declared in no loop. */
class DeclaredOnce : public Visitor
{
  public:
    std::set<const VarDecl *> all;

    void VisitVarDecl(VarDecl *variable) override
    {
        all.insert(variable);
    }

    bool TraverseForStmt(ForStmt *) override
    {
        return true;
    }

    bool TraverseWhileStmt(WhileStmt *) override
    {
        return true;
    }

    bool TraverseDoStmt(DoStmt *) override
    {
        return true;
    }
};

/* The function of the C library that takes memory; null: the file does not declare it. */
FunctionDecl *findMalloc(ASTContext &context)
{
    for (Decl *decl : context.getTranslationUnitDecl()->decls())
        if (auto *function = dyn_cast<FunctionDecl>(decl);
            function != nullptr && function->getIdentifier() != nullptr &&
            function->getName() == "malloc" && function->getBuiltinID() != 0)
            return function;
    return nullptr;
}

/* malloc(sizeof(ARRAY)), as a pointer of TYPE. */
Expr *takenMemory(ASTContext &context, FunctionDecl *function, QualType array, QualType type,
                  SourceLocation where)
{
    const QualType pointer = context.getPointerType(function->getType());
    Expr *named = DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(), function,
                                      false, where, function->getType(), VK_LValue);
    Expr *callee = ImplicitCastExpr::Create(context, pointer, CK_FunctionToPointerDecay, named,
                                            nullptr, VK_PRValue, FPOptionsOverride());
    Expr *size = new (context)
        UnaryExprOrTypeTraitExpr(UETT_SizeOf, context.getTrivialTypeSourceInfo(array, where),
                                 context.getSizeType(), where, where);
    Expr *call = CallExpr::Create(context, callee, {size}, function->getReturnType(), VK_PRValue,
                                  where, FPOptionsOverride());
    return ImplicitCastExpr::Create(context, type, CK_BitCast, call, nullptr, VK_PRValue,
                                    FPOptionsOverride());
}

/* An array of variable length that stays while loops run is memory that is taken where it is
 * declared. */
void makeTaken(ASTContext &context, const std::map<const VarDecl *, Uses::Use> &uses)
{
    FunctionDecl *function = findMalloc(context);
    DeclaredOnce once;
    for (const FunctionDecl *one : functionsOf(context))
        once.TraverseStmt(one->getBody());
    for (const VarDecl *known : once.all) {
        auto use = uses.find(known);
        const QualType array = known->getType();
        if (function == nullptr || use == uses.end() ||
            !isa<VariableArrayType>(array.getTypePtr()) || !isOnlyPointer(use->second) ||
            !isPlain(context.getBaseElementType(array)))
            continue;
        auto *variable = const_cast<VarDecl *>(known);
        makePointer(context, variable, use->second);
        variable->setInit(takenMemory(context, function, array, variable->getType(),
                                      known->getTypeSourceInfo()->getTypeLoc().getEndLoc()));
    }
}

} // namespace

FixedArrays::FixedArrays(ASTContext &context)
{
    Uses uses;
    std::vector<const VarDecl *> suitable;
    for (Decl *decl : context.getTranslationUnitDecl()->decls())
        if (!context.getSourceManager().isInSystemHeader(decl->getLocation()))
            uses.TraverseDecl(decl);
    makeTaken(context, uses.uses);
    for (const auto &[variable, use] : uses.uses)
        if ((isOnlyPointer(use) || isOnlyPointers(variable, use)) && isSuitable(context, variable))
            suitable.push_back(variable);
    if (suitable.empty())
        return;
    const DividedArrays divided(context);
    for (const VarDecl *variable : suitable) {
        const Uses::Use &use = uses.uses[variable];
        if (divided.contains(variable) && isOnlyPointer(use)) {
            arrays[variable] = context.getTypeSizeInChars(variable->getType()).getQuantity();
            makePointer(context, const_cast<VarDecl *>(variable), use);
        } else if (divided.dividesEach(variable) && isOnlyPointers(variable, use)) {
            addSeveral(context, variable);
            makePointers(context, const_cast<VarDecl *>(variable), use);
        }
    }
}

void FixedArrays::addSeveral(const ASTContext &context, const VarDecl *variable)
{
    const auto *array = context.getAsConstantArrayType(variable->getType());
    const auto many = static_cast<long long>(array->getSize().getLimitedValue());
    for (long long i = 0; i < many; i++)
        levels[{variable, i}] = context.getTypeSizeInChars(array->getElementType()).getQuantity();
}

bool FixedArrays::contains(const VarDecl *variable) const
{
    return arrays.count(variable) != 0 || levels.count({variable, 0}) != 0;
}

long long FixedArrays::bytesOf(const void *block) const
{
    for (const auto &entry : arrays)
        if (&entry == block)
            return entry.second;
    for (const auto &entry : levels)
        if (&entry == block)
            return entry.second;
    return 0;
}

} // namespace xmpi
