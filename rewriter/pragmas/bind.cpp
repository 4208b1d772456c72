/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the marker blocks in the AST, and checks the types of what the clauses name. */
#include "pragmas/bind.h"
#include "analysis.h"
#include "handles/streams.h"
#include "pragmas/weight.h"
#include "source/visitor.h"
#include <llvm/ADT/StringExtras.h>
#include <set>

namespace xmpi
{
namespace
{

using namespace clang;

class MarkerFinder : public Visitor
{
  public:
    explicit MarkerFinder(Pragmas &pragmas)
    {
        for (auto &pragma : pragmas.list)
            unbound[pragma->hash.getRawEncoding()] = pragma.get();
    }

    bool TraverseFunctionDecl(FunctionDecl *declaration) override
    {
        function = declaration;
        return Visitor::TraverseFunctionDecl(declaration);
    }

    void VisitCompoundStmt(CompoundStmt *block) override
    {
        for (auto it = block->body_begin(); it != block->body_end(); ++it) {
            const auto *marker = dyn_cast<CompoundStmt>(*it);
            Pragma *pragma = marker ? find(marker->getLBracLoc()) : nullptr;
            if (pragma == nullptr)
                continue;
            pragma->marker = marker;
            pragma->function = function;
            pragma->target = it + 1 == block->body_end() ? nullptr : it[1];
            connect(*pragma);
        }
    }

  private:
    std::map<unsigned, Pragma *> unbound;
    const FunctionDecl *function = nullptr;

    Pragma *find(SourceLocation brace)
    {
        auto found = unbound.find(brace.getRawEncoding());
        return found == unbound.end() ? nullptr : found->second;
    }

    static void connect(Pragma &pragma)
    {
        std::vector<Operand *> operands = pragma.allOperands();
        if (operands.size() != pragma.marker->size())
            return;
        auto statement = pragma.marker->body_begin();
        for (Operand *operand : operands)
            if (const auto *expression = dyn_cast<Expr>(*statement++))
                operand->expression = expression->IgnoreParenImpCasts();
    }
};

class Checker
{
  public:
    Checker(ASTContext &context, Pragmas &pragmas, Diagnostics &diagnostics)
        : context(context), pragmas(pragmas), diagnostics(diagnostics)
    {
    }

    bool check()
    {
        for (auto &pragma : pragmas.list)
            checkPragma(*pragma);
        return good;
    }

  private:
    ASTContext &context;
    Pragmas &pragmas;
    Diagnostics &diagnostics;
    std::set<const Decl *> registered;
    bool good = true;

    void complain(SourceLocation where, Problem problem,
                  std::initializer_list<llvm::StringRef> arguments)
    {
        diagnostics.report(where, problem, arguments);
        good = false;
    }

    void checkPragma(Pragma &pragma)
    {
        if (pragma.marker == nullptr)
            return complain(pragma.hash, Problem::PragmaPlace, {spelling(pragma.directive)});
        for (Operand *operand : pragma.allOperands())
            if (operand->expression == nullptr)
                return complain(operand->where, Problem::ClauseExpression,
                                {"'" + operand->text + "' is not an expression"});
        checkTarget(pragma);
        if (pragma.directive == Directive::Domain) {
            checkInteger(pragma.operands[0], Problem::DomainType);
            checkRange(pragma.operands[1]);
            checkRange(pragma.operands[2]);
        }
        if (pragma.directive == Directive::Loop)
            for (Operand &interval : pragma.operands)
                checkInterval(pragma, interval);
        for (const Operand &bound : pragma.iterations)
            checkInteger(bound, Problem::IterationsType);
        for (const Operand &weight : pragma.weights)
            checkWeight(weight);
        for (ArrayOperand &array : pragma.arrays)
            checkArray(array);
    }

    void checkTarget(const Pragma &pragma)
    {
        if (pragma.directive == Directive::Data)
            return;
        const auto *block = dyn_cast_or_null<CompoundStmt>(pragma.target);
        if (const Pragma *next = block ? pragmas.at(block->getLBracLoc()) : nullptr)
            return complain(pragma.hash, Problem::PragmaTwice,
                            {spelling(pragma.directive), spelling(next->directive)});
        if (pragma.target == nullptr)
            return complain(pragma.hash, Problem::NoStatement, {spelling(pragma.directive)});
        const char *what = isa<LabelStmt>(pragma.target)    ? "a label"
                           : isa<SwitchCase>(pragma.target) ? "a case label"
                                                            : nullptr;
        if (what != nullptr)
            complain(pragma.hash, Problem::StatementKind,
                     {spelling(pragma.directive), what,
                      "put the statement into a block { ... } with the pragma before the block"});
    }

    void checkInteger(const Operand &operand, Problem problem)
    {
        QualType type = operand.expression->getType();
        if (!type->isIntegerType() || type->isBooleanType())
            complain(operand.where, problem, {operand.text, type.getAsString()});
    }

    void checkInterval(Pragma &pragma, const Operand &interval)
    {
        checkInteger(interval, Problem::IntervalType);
        Expr::EvalResult value;
        pragma.computed = !good || !interval.expression->EvaluateAsInt(value, context);
        if (!pragma.computed && value.Val.getInt() <= 0)
            complain(interval.where, Problem::IntervalValue,
                     {interval.text, llvm::toString(value.Val.getInt(), 10)});
    }

    void checkRange(const Operand &operand)
    {
        const Expr *lvalue = operand.expression;
        QualType type = lvalue->getType();
        if (lvalue->refersToBitField())
            return complain(operand.where, Problem::BitField, {operand.text});
        if (const auto *element = dyn_cast<ArraySubscriptExpr>(lvalue->IgnoreParens()))
            if (!element->getIdx()->isEvaluatable(context)) {
                complain(operand.where, Problem::RangeType,
                         {operand.text, quoted(type) + ", an element that its index chooses,"});
                diagnostics.note(operand.where,
                                 "where this file fills the table, leave the pragma out: tables of "
                                 "all ranks' parts are found");
                return;
            }
        bool integer = type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType();
        uint64_t bits = integer ? context.getTypeSize(type) : 0;
        if (!lvalue->isLValue() || type.isConstQualified() || (bits != 32 && bits != 64))
            complain(operand.where, Problem::RangeType, {operand.text, quoted(type)});
    }

    static std::string quoted(QualType type)
    {
        return "'" + type.getAsString() + "'";
    }

    void checkWeight(const Operand &weight)
    {
        const auto *reference = dyn_cast<DeclRefExpr>(weight.expression);
        QualType type = weight.expression->getType();
        QualType element = type->isPointerType() ? type->getPointeeType() : QualType();
        if (!reference || !isa<VarDecl>(reference->getDecl()) || element.isNull() ||
            weightType(context, element) == nullptr)
            complain(weight.where, Problem::WeightType, {weight.text, type.getAsString()});
    }

    /* replicated(v) without extents: a value that is the same on all ranks. */
    void checkValue(const ArrayOperand &array)
    {
        const auto *reference = dyn_cast<DeclRefExpr>(array.variable.expression);
        QualType type = array.variable.expression->getType();
        if (type->isPointerType())
            return complain(array.variable.where, Problem::ClauseSyntax,
                            {"the extents of '" + array.variable.text + "', as in " +
                             array.variable.text + "[n]"});
        if (reference == nullptr || !isa<VarDecl>(reference->getDecl()) || !isPlainValue(type))
            complain(array.variable.where, Problem::DataType,
                     {array.variable.text, type.getAsString()});
    }

    /* A descriptor or stream, and the type of what is in the file. */
    void checkFile(const ArrayOperand &array)
    {
        const Operand &variable = array.variable, &element = array.element.front();
        const auto *reference = dyn_cast<DeclRefExpr>(variable.expression);
        QualType type = variable.expression->getType();
        bool holds = type->isSpecificBuiltinType(BuiltinType::Int) || isStream(type);
        if (isa<MemberExpr>(variable.expression))
            return complain(variable.where, Problem::MemberArray, {variable.text});
        if (reference == nullptr || !isa<VarDecl>(reference->getDecl()) || !holds ||
            type.isConstQualified())
            return complain(variable.where, Problem::FileType, {variable.text, type.getAsString()});
        const auto *size = dyn_cast<UnaryExprOrTypeTraitExpr>(element.expression->IgnoreParens());
        if (size == nullptr ||
            context.getBaseElementType(size->getTypeOfArgument())->isPointerType())
            return complain(element.where, Problem::FileElement, {element.text});
        if (!registered.insert(reference->getDecl()->getCanonicalDecl()).second)
            complain(variable.where, Problem::DataTwice, {variable.text});
        for (const Operand &extent : array.shape)
            checkInteger(extent, Problem::ShapeType);
        for (const Operand &rows : array.halo)
            checkInteger(rows, Problem::ShapeType);
    }

    void checkArray(const ArrayOperand &array)
    {
        if (!array.element.empty())
            return checkFile(array);
        if (array.shape.empty() && array.csr == 0)
            return checkValue(array);
        const auto *reference = dyn_cast<DeclRefExpr>(array.variable.expression);
        QualType type = array.variable.expression->getType();
        QualType element = type->isPointerType() ? type->getPointeeType() : QualType();
        bool fits = reference && isa<VarDecl>(reference->getDecl()) && !element.isNull() &&
                    element->isObjectType() && !element->isIncompleteType() &&
                    !context.getBaseElementType(element)->isPointerType() &&
                    !type.isConstQualified();
        if (isa<MemberExpr>(array.variable.expression))
            return complain(array.variable.where, Problem::MemberArray, {array.variable.text});
        if (!fits)
            return complain(array.variable.where, Problem::DataType,
                            {array.variable.text, type.getAsString()});
        if (!registered.insert(reference->getDecl()->getCanonicalDecl()).second)
            complain(array.variable.where, Problem::DataTwice, {array.variable.text});
        for (const Operand &extent : array.shape)
            checkInteger(extent, Problem::ShapeType);
        bool integer = element->isIntegerType() && !element->isBooleanType();
        uint64_t bits = integer ? context.getTypeSize(element) : 0;
        if (array.csr == 1 && bits != 32 && bits != 64)
            complain(array.variable.where, Problem::CsrType,
                     {array.variable.text, type.getAsString()});
        for (const Operand &rows : array.halo)
            checkInteger(rows, Problem::ShapeType);
    }
};

} // namespace

bool bindPragmas(ASTContext &context, Pragmas &pragmas, Diagnostics &diagnostics)
{
    MarkerFinder(pragmas).TraverseDecl(context.getTranslationUnitDecl());
    return Checker(context, pragmas, diagnostics).check();
}

} // namespace xmpi
