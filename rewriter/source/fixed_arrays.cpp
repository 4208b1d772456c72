/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the arrays of fixed size that processes divide, and makes pointers of them. */
#include "source/fixed_arrays.h"
#include "facts/effects.h"
#include "source/visitor.h"
#include <algorithm>
#include <clang/Basic/SourceManager.h>

namespace xmpi
{

using namespace clang;

namespace
{

std::vector<const FunctionDecl *> functionsOf(ASTContext &context)
{
    std::vector<const FunctionDecl *> functions;
    for (const Decl *decl : context.getTranslationUnitDecl()->decls()) {
        const auto *function = dyn_cast<FunctionDecl>(decl);
        bool ours = function != nullptr && function->doesThisDeclarationHaveABody() &&
                    !context.getSourceManager().isInSystemHeader(function->getLocation());
        if (ours)
            functions.push_back(function);
    }
    return functions;
}

/* Integers that branches set, with the condition; heads of loops inside do not count. */
class Chosen : public Visitor
{
  public:
    std::vector<std::pair<Place, const Expr *>> all;

    bool TraverseIfStmt(IfStmt *choice) override
    {
        conditions.push_back(choice->getCond());
        bool more = TraverseStmt(choice->getThen()) && TraverseStmt(choice->getElse());
        conditions.pop_back();
        return more;
    }

    bool TraverseForStmt(ForStmt *loop) override
    {
        return TraverseStmt(loop->getBody());
    }

    bool VisitBinaryOperator(BinaryOperator *binary) override
    {
        std::optional<Place> place = binary->isAssignmentOp() && binary->getType()->isIntegerType()
                                         ? placeOf(binary->getLHS())
                                         : std::nullopt;
        for (const Expr *condition : conditions)
            if (place && !place->element)
                all.emplace_back(*place, condition);
        return true;
    }

  private:
    std::vector<const Expr *> conditions;
};

/* Variables that may depend on the rank, whatever the order of the statements. */
class Ranked
{
  public:
    explicit Ranked(const std::vector<const FunctionDecl *> &functions) : functions(functions)
    {
        for (const FunctionDecl *function : functions)
            all.push_back(EffectsFinder().of(function->getBody()));
        while (findAsking())
            ;
        Chosen chosen;
        for (const FunctionDecl *function : functions)
            chosen.TraverseStmt(function->getBody());
        for (bool more = true; more;) {
            more = false;
            for (const Effects &effects : all)
                more = follow(effects) || more;
            for (const auto &[place, condition] : chosen.all)
                if (isIn(condition) && !isAgreed(place))
                    more = insert(place.base, place.field) || more;
        }
    }

    bool isIn(const Stmt *statement) const
    {
        if (statement == nullptr)
            return false;
        const Effects effects = EffectsFinder().of(statement);
        return std::any_of(effects.mentions.begin(), effects.mentions.end(),
                           [&](const Mention &mention) { return isIn(mention.place); }) ||
               std::any_of(effects.calls.begin(), effects.calls.end(),
                           [&](const CallExpr *call) { return isRank(call); });
    }

    const std::vector<Effects> &effects() const
    {
        return all;
    }

  private:
    using Part = std::pair<const VarDecl *, const FieldDecl *>;

    const std::vector<const FunctionDecl *> &functions;
    std::vector<Effects> all; /* of each function */
    std::set<Part> parts;     /* variables, or members of them */
    std::set<const FunctionDecl *> asking;

    bool isIn(const Place &place) const
    {
        const VarDecl *base = place.base->getCanonicalDecl();
        auto first = parts.lower_bound({base, nullptr});
        bool any = first != parts.end() && first->first == base;
        return any && (place.field == nullptr || parts.count({base, nullptr}) != 0 ||
                       parts.count({base, place.field}) != 0);
    }

    bool insert(const VarDecl *variable, const FieldDecl *field)
    {
        return parts.insert({variable->getCanonicalDecl(), field}).second;
    }

    /* All get it from one of them, or reduce it. */
    bool isAgreed(const Place &place) const
    {
        for (const Effects &effects : all)
            for (const Write &write : effects.writes)
                if (write.call != nullptr && overlap(write.place, place) &&
                    (calleeName(write.call) == "MPI_Bcast" ||
                     calleeName(write.call) == "MPI_Allreduce"))
                    return true;
        return false;
    }

    /* MPI_Comm_rank, or a function that calls it. */
    bool isRank(const CallExpr *call) const
    {
        const FunctionDecl *callee = call->getDirectCallee();
        return calleeName(call) == "MPI_Comm_rank" ||
               (callee != nullptr && asking.count(callee->getCanonicalDecl()) != 0);
    }

    bool findAsking()
    {
        bool more = false;
        for (size_t i = 0; i < functions.size(); i++)
            if (std::any_of(all[i].calls.begin(), all[i].calls.end(),
                            [&](const CallExpr *call) { return isRank(call); }))
                more = asking.insert(functions[i]->getCanonicalDecl()).second || more;
        return more;
    }

    bool follow(const Effects &effects)
    {
        bool more = false;
        for (const CallExpr *call : effects.calls) {
            const FunctionDecl *callee = call->getDirectCallee();
            callee = callee != nullptr ? callee->getDefinition() : nullptr;
            for (unsigned i = 0; callee != nullptr && i < callee->getNumParams(); i++)
                if (i < call->getNumArgs() && isIn(call->getArg(i)))
                    more = insert(callee->getParamDecl(i), nullptr) || more;
        }
        for (const Write &write : effects.writes)
            if (setsRanked(write))
                more = insert(write.place.base, write.place.field) || more;
        return more;
    }

    /* What can be a bound of a loop, or hold one. */
    bool setsRanked(const Write &write) const
    {
        if (!write.place.type->isIntegerType() && !write.place.type->isRecordType() &&
            !write.place.type->isAnyPointerType())
            return false;
        if (isIn(write.value) || (write.call != nullptr && isRank(write.call)))
            return true;
        return write.call != nullptr &&
               std::any_of(write.call->arg_begin(), write.call->arg_end(),
                           [&](const Expr *argument) { return isIn(argument); });
    }
};

/* Everything that names a variable in the file: whether as a pointer, or otherwise. */
class Uses : public Visitor
{
  public:
    struct Use {
        std::vector<std::pair<DeclRefExpr *, ImplicitCastExpr *>> pointers;
        std::vector<UnaryExprOrTypeTraitExpr *> sizes;
        std::vector<DeclRefExpr *> named; /* in a pragma */
        size_t all = 0;
    };
    std::map<const VarDecl *, Use> uses;

    bool VisitDeclRefExpr(DeclRefExpr *reference) override
    {
        if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
            uses[variable->getCanonicalDecl()].all++;
        return true;
    }

    bool VisitCompoundStmt(CompoundStmt *block) override
    {
        for (Stmt *statement : block->body()) {
            auto *expression = dyn_cast<Expr>(statement);
            auto *reference =
                expression ? dyn_cast<DeclRefExpr>(expression->IgnoreParens()) : nullptr;
            const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
            if (variable != nullptr)
                uses[variable->getCanonicalDecl()].named.push_back(reference);
        }
        return true;
    }

    bool VisitImplicitCastExpr(ImplicitCastExpr *cast) override
    {
        auto *reference = dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
        const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (variable != nullptr && cast->getCastKind() == CK_ArrayToPointerDecay)
            uses[variable->getCanonicalDecl()].pointers.emplace_back(reference, cast);
        return true;
    }

    bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *trait) override
    {
        if (trait->isArgumentType() || trait->getKind() != UETT_SizeOf)
            return true;
        const auto *reference = dyn_cast<DeclRefExpr>(trait->getArgumentExpr()->IgnoreParens());
        const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (variable != nullptr)
            uses[variable->getCanonicalDecl()].sizes.push_back(trait);
        return true;
    }
};

/* All that names the variable takes it for a pointer, or asks for its size. */
bool isOnlyPointer(const Uses::Use &use)
{
    return use.all == use.pointers.size() + use.sizes.size() + use.named.size();
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
        return std::all_of(list->begin(), list->end(), [&](const Stmt *element) {
            return isZero(context, cast<Expr>(element));
        });
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

/* What loops set by their counter, where their bounds depend on the rank, or what is asked of the
 * counter in them does: arrays, and pointers that lead to them. */
class Divided : public Visitor
{
  public:
    Divided(const Ranked &ranked, const std::vector<const FunctionDecl *> &functions)
        : ranked(ranked)
    {
        for (const FunctionDecl *function : functions)
            TraverseStmt(function->getBody());
        for (bool more = true; more;) {
            more = false;
            for (const Effects &effects : ranked.effects())
                more = follow(effects) || more;
        }
    }

    bool contains(const VarDecl *variable) const
    {
        return variables.count(variable) != 0;
    }

    bool TraverseForStmt(ForStmt *loop) override
    {
        bool own = ranked.isIn(loop->getCond()) || ranked.isIn(loop->getInit());
        std::vector<const VarDecl *> outside = counters;
        if (loop->getInc() != nullptr)
            for (const Write &write : EffectsFinder().of(loop->getInc()).writes)
                if (own || picks(loop->getBody(), write.place.base))
                    counters.push_back(write.place.base);
        bool more = Visitor::TraverseForStmt(loop);
        counters = outside;
        return more;
    }

    bool VisitBinaryOperator(BinaryOperator *binary) override
    {
        const Expr *target = binary->getLHS()->IgnoreParens(), *index = nullptr;
        if (!binary->isAssignmentOp())
            return true;
        while (const auto *member = dyn_cast<MemberExpr>(target))
            target = member->getBase()->IgnoreParenImpCasts();
        while (const auto *subscript = dyn_cast<ArraySubscriptExpr>(target)) {
            index = subscript->getIdx();
            target = subscript->getBase()->IgnoreParenImpCasts();
        }
        const auto *reference = dyn_cast<DeclRefExpr>(target);
        const auto *variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
        if (index != nullptr && variable != nullptr && isCounted(index))
            variables.insert(variable->getCanonicalDecl());
        return true;
    }

  private:
    const Ranked &ranked;
    std::set<const VarDecl *> variables;
    std::vector<const VarDecl *> counters;

    /* `if (owner[i] != rank) continue;`: some of what COUNTER goes through are the process's. */
    bool picks(const Stmt *body, const VarDecl *counter) const
    {
        const auto *choice = dyn_cast<IfStmt>(body);
        if (choice != nullptr && ranked.isIn(choice->getCond())) {
            const Effects effects = EffectsFinder().of(choice->getCond());
            if (std::any_of(effects.mentions.begin(), effects.mentions.end(),
                            [&](const Mention &one) { return one.place.base == counter; }))
                return true;
        }
        return std::any_of(body->child_begin(), body->child_end(), [&](const Stmt *child) {
            return child != nullptr && picks(child, counter);
        });
    }

    bool isCounted(const Expr *index) const
    {
        const Effects effects = EffectsFinder().of(index);
        return std::any_of(effects.mentions.begin(), effects.mentions.end(),
                           [&](const Mention &mention) {
                               return std::find(counters.begin(), counters.end(),
                                                mention.place.base) != counters.end();
                           });
    }

    bool insert(const Expr *value)
    {
        std::optional<Place> place = value != nullptr ? placeOf(value) : std::nullopt;
        return place && place->field == nullptr &&
               variables.insert(place->base->getCanonicalDecl()).second;
    }

    /* From pointers back to what they point to. */
    bool follow(const Effects &effects)
    {
        bool more = false;
        for (const CallExpr *call : effects.calls) {
            const FunctionDecl *callee = call->getDirectCallee();
            callee = callee != nullptr ? callee->getDefinition() : nullptr;
            for (unsigned i = 0; callee != nullptr && i < callee->getNumParams(); i++)
                if (i < call->getNumArgs() && contains(callee->getParamDecl(i)->getCanonicalDecl()))
                    more = insert(call->getArg(i)) || more;
        }
        for (const Write &write : effects.writes)
            if (write.value != nullptr && write.place.type->isPointerType() &&
                contains(write.place.base->getCanonicalDecl()))
                more = insert(write.value) || more;
        return more;
    }
};

void makePointer(ASTContext &context, VarDecl *variable, const Uses::Use &use)
{
    QualType array = variable->getType();
    QualType pointer = context.getPointerType(QualType(array->getArrayElementTypeNoTypeQual(), 0));
    for (UnaryExprOrTypeTraitExpr *size : use.sizes)
        size->setArgument(context.getTrivialTypeSourceInfo(array));
    variable->setType(pointer);
    variable->setInit(nullptr);
    for (const auto &[reference, cast] : use.pointers) {
        for (Expr *at = cast->getSubExpr(); auto *paren = dyn_cast<ParenExpr>(at);
             at = paren->getSubExpr())
            paren->setType(pointer);
        reference->setType(pointer);
        cast->setCastKind(CK_LValueToRValue);
    }
    for (DeclRefExpr *reference : use.named)
        reference->setType(pointer);
}

/* Variables that are declared in no loop. */
class DeclaredOnce : public Visitor
{
  public:
    std::set<const VarDecl *> all;

    bool VisitVarDecl(VarDecl *variable) override
    {
        all.insert(variable);
        return true;
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
        if (isOnlyPointer(use) && isSuitable(context, variable))
            suitable.push_back(variable);
    if (suitable.empty())
        return;
    const std::vector<const FunctionDecl *> functions = functionsOf(context);
    const Ranked ranked(functions);
    const Divided divided(ranked, functions);
    for (const VarDecl *variable : suitable) {
        const Uses::Use &use = uses.uses[variable];
        if (!divided.contains(variable))
            continue;
        arrays[variable] = context.getTypeSizeInChars(variable->getType()).getQuantity();
        makePointer(context, const_cast<VarDecl *>(variable), use);
    }
}

long long FixedArrays::bytesOf(const void *block) const
{
    for (const auto &entry : arrays)
        if (&entry == block)
            return entry.second;
    return 0;
}

} // namespace xmpi
