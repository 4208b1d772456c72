/* SPDX-License-Identifier: BSD-3-Clause */
#include "struct_swaps.h"
#include "compat.h"
#include "facts/points_to.h"
#include "source/loops.h"

namespace xmpi
{

using namespace clang;

namespace
{

class Swapper
{
  public:
    explicit Swapper(ASTContext &context) : context(context)
    {
    }

    /* Of a function without a loop, all of it where it calls nothing: it does not lead to the loop.
     */
    void run(FunctionDecl *function)
    {
        const auto leads = [](const Stmt *one) { return isLoop(one) || isa<CallExpr>(one); };
        auto *body = cast<CompoundStmt>(function->getBody());
        if (anyWithin(body, leads))
            return walk(body, false);
        function->setBody(swapped(body));
    }

  private:
    ASTContext &context;

    /* What is in STATEMENT, in a loop perhaps. */
    void walk(Stmt *statement, bool looped)
    {
        looped = looped || isLoop(statement);
        for (Stmt *&child : statement->children()) {
            if (child == nullptr)
                continue;
            if (auto *block = dyn_cast<CompoundStmt>(child); block != nullptr && looped)
                child = swapped(block);
            walk(child, looped);
        }
    }

    /* A struct: a variable, or what a pointer leads to. */
    struct Spot {
        VarDecl *variable = nullptr;
        bool behind = false;

        bool operator==(const Spot &other) const
        {
            return variable == other.variable && behind == other.behind;
        }
    };

    /* TARGET becomes what SOURCE is; both null: it is nothing of the kind. */
    struct Copy {
        Spot target, source;
        SourceLocation where;
    };

    CompoundStmt *swapped(CompoundStmt *block)
    {
        std::vector<Stmt *> all(block->body_begin(), block->body_end()), made;
        bool any = false;
        for (size_t i = 0; i < all.size(); i++) {
            const std::vector<Copy> copies = swapAt(all, i);
            if (copies.empty()) {
                made.push_back(all[i]);
                continue;
            }
            any = true;
            if (isa<DeclStmt>(all[i])) {
                copies.front().target.variable->setInit(nullptr);
                made.push_back(all[i]);
            }
            for (const Copy &copy : copies)
                addMembers(copy, made);
            i += copies.size() - 1;
        }
        return any ? blockOf(context, made, *block) : block;
    }

    /* The three copies from ALL[AT] on; none where these are something else. */
    std::vector<Copy> swapAt(const std::vector<Stmt *> &all, size_t at) const
    {
        enum { Swap = 3 };
        std::vector<Copy> copies;
        for (size_t i = at; i < at + Swap && i < all.size(); i++)
            copies.push_back(copyIn(all[i]));
        const bool swap = copies.size() == Swap && copies[0].target.variable != nullptr &&
                          copies[0].source == copies[1].target &&
                          copies[1].source == copies[2].target &&
                          copies[2].source == copies[0].target && !copies[0].target.behind &&
                          isOfMembers(copies[0].target.variable);
        return swap ? copies : std::vector<Copy>();
    }

    static Spot spotOf(const Expr *place)
    {
        place = place->IgnoreParenImpCasts();
        const auto *behind = dyn_cast<UnaryOperator>(place);
        if (behind != nullptr && behind->getOpcode() == UO_Deref)
            place = behind->getSubExpr()->IgnoreParenImpCasts();
        else
            behind = nullptr;
        const auto *name = dyn_cast<DeclRefExpr>(place);
        auto *variable =
            name ? dyn_cast<VarDecl>(const_cast<ValueDecl *>(name->getDecl())) : nullptr;
        const bool known = variable != nullptr && (behind ? variable->getType()->isPointerType()
                                                          : !isa<ParmVarDecl>(variable));
        return known ? Spot{variable, behind != nullptr} : Spot();
    }

    static Copy copyIn(const Stmt *statement)
    {
        Copy copy;
        if (const auto *declared = dyn_cast<DeclStmt>(statement)) {
            auto *variable = declared->isSingleDecl()
                                 ? dyn_cast<VarDecl>(const_cast<Decl *>(declared->getSingleDecl()))
                                 : nullptr;
            if (variable != nullptr && variable->hasLocalStorage() &&
                variable->getType()->isRecordType() && variable->getInit() != nullptr)
                copy = {{variable}, spotOf(variable->getInit()), variable->getLocation()};
        }
        const auto *assignment = dyn_cast<BinaryOperator>(statement);
        if (assignment != nullptr && assignment->getOpcode() == BO_Assign &&
            assignment->getType()->isRecordType())
            copy = {spotOf(assignment->getLHS()), spotOf(assignment->getRHS()),
                    assignment->getOperatorLoc()};
        return copy.target.variable && copy.source.variable ? copy : Copy();
    }

    /* Of pointers to memory, and numbers. */
    bool isOfMembers(const VarDecl *variable) const
    {
        const RecordDecl *record = structIn(context, variable->getType());
        bool pointers = false;
        for (const FieldDecl *field : record
                                          ? record->fields()
                                          : RecordDecl::field_range(RecordDecl::field_iterator(),
                                                                    RecordDecl::field_iterator())) {
            if (field->isBitField() || field->getDeclName().isEmpty() ||
                field->getType().isConstQualified() || !field->getType()->isScalarType())
                return false;
            pointers = pointers || field->getType()->isPointerType();
        }
        return pointers;
    }

    void addMembers(const Copy &copy, std::vector<Stmt *> &made) const
    {
        for (FieldDecl *field : structIn(context, copy.target.variable->getType())->fields()) {
            const QualType type = field->getType();
            Expr *value = ImplicitCastExpr::Create(
                context, type.getUnqualifiedType(), CK_LValueToRValue,
                memberOf(copy.source, field, copy.where), nullptr, VK_PRValue, FPOptionsOverride());
            made.push_back(BinaryOperator::Create(context, memberOf(copy.target, field, copy.where),
                                                  value, BO_Assign, type.getUnqualifiedType(),
                                                  VK_PRValue, OK_Ordinary, copy.where,
                                                  FPOptionsOverride()));
        }
    }

    Expr *memberOf(const Spot &spot, FieldDecl *field, SourceLocation where) const
    {
        const QualType type = spot.variable->getType();
        Expr *base = DeclRefExpr::Create(context, NestedNameSpecifierLoc(), SourceLocation(),
                                         spot.variable, false, where, type, VK_LValue);
        if (spot.behind)
            base = ImplicitCastExpr::Create(context, type.getUnqualifiedType(), CK_LValueToRValue,
                                            base, nullptr, VK_PRValue, FPOptionsOverride());
        return MemberExpr::Create(context, base, spot.behind, where, NestedNameSpecifierLoc(),
                                  SourceLocation(), field, DeclAccessPair::make(field, AS_public),
                                  DeclarationNameInfo(field->getDeclName(), where), nullptr,
                                  field->getType(), VK_LValue, OK_Ordinary, NOUR_None);
    }
};

} // namespace

void swapByMembers(ASTContext &context)
{
    for (Decl *declared : context.getTranslationUnitDecl()->decls())
        if (auto *function = dyn_cast<FunctionDecl>(declared))
            if (function->doesThisDeclarationHaveABody() &&
                context.getSourceManager().isInMainFile(
                    context.getSourceManager().getExpansionLoc(function->getLocation())))
                Swapper(context).run(function);
}

} // namespace xmpi
