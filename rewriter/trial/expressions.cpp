/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the expressions of integers by which loops and calls go. */
#include "trial/expressions.h"
#include "facts/uses.h"
#include "source/within.h"
#include <clang/AST/PrettyPrinter.h>

namespace xmpi
{

using namespace clang;

namespace
{

/* Writes variables by the names that they have at the loop. */
class Namer : public PrinterHelper
{
  public:
    Namer(const Analysis &analysis) : analysis(analysis)
    {
    }

    bool handledStmt(Stmt *statement, raw_ostream &to) override
    {
        const auto *expression = dyn_cast<Expr>(statement);
        if (!expression || !isa<DeclRefExpr, MemberExpr>(expression))
            return false;
        const std::optional<Place> place = placeOf(expression);
        if (place)
            to << analysis.textOf(*place, analysis.lastStep());
        return place.has_value();
    }

  private:
    const Analysis &analysis;
};

class Finder
{
  public:
    Finder(Analysis &analysis, const Survey &survey) : analysis(analysis), survey(survey)
    {
        for (const Survey::Sample &sample : survey.samples) {
            tries.push_back(sample.trial);
            tries.back().over = true;
        }
    }

    std::vector<Computed> found;

    bool isKeptAs(const Expr *expression, const Values &values, Picked picked)
    {
        std::vector<Place> operands;
        if (!expression->getType()->isIntegerType() || !isOfVariables(expression, operands) ||
            valuesOf(expression) != values || !picked.mayName(expression))
            return false;
        picked.name(expression);
        return picked.areAllUsed();
    }

    /* STATEMENT is of the item AT of the prologue, or behind all. */
    void look(const Stmt *statement, size_t at)
    {
        eachWithin(statement, [&](const Stmt *one) {
            if (const auto *expression = dyn_cast<Expr>(one))
                add(expression, at);
        });
    }

    std::string textOf(const Expr *expression) const
    {
        std::string text;
        llvm::raw_string_ostream to(text);
        Namer namer(analysis);
        expression->printPretty(to, &namer, analysis.context.getPrintingPolicy());
        return text;
    }

  private:
    enum { Most = 64, MaxOperands = 12 };
    Analysis &analysis;
    const Survey &survey;
    std::vector<Trial> tries;
    std::map<std::string, size_t> known; /* by text: which of those found; or none */

    void add(const Expr *expression, size_t at)
    {
        std::vector<Place> operands;
        if (!expression->getType()->isIntegerType() ||
            !isa<BinaryOperator, ConditionalOperator>(expression) ||
            !isOfVariables(expression, operands) || operands.empty() ||
            operands.size() > MaxOperands)
            return;
        const std::string text = textOf(expression);
        if (known.size() < Most && known.emplace(text, SIZE_MAX).second)
            if (std::optional<Values> values = valuesOf(expression); values && varies(*values)) {
                known[text] = found.size();
                found.push_back({text,
                                 *values,
                                 operands.front(),
                                 lastToSet(operands),
                                 {},
                                 survey.limitsOf(expression)});
            }
        auto one = known.find(text);
        if (one != known.end() && one->second != SIZE_MAX && found[one->second].item < at)
            found[one->second].where.push_back(expression);
    }

    /* EXPRESSION is computed with variables and constants alone, which OPERANDS get. */
    bool isOfVariables(const Expr *expression, std::vector<Place> &operands) const
    {
        expression = expression->IgnoreParenCasts();
        if (isa<IntegerLiteral>(expression))
            return true;
        if (isa<DeclRefExpr, MemberExpr>(expression)) {
            const std::optional<Place> place = placeOf(expression);
            if (!place || !isKept(*place))
                return expression->isIntegerConstantExpr(analysis.context);
            operands.push_back(*place);
            return true;
        }
        const auto *binary = dyn_cast<BinaryOperator>(expression);
        if (!(binary && !binary->isAssignmentOp() && !binary->isCommaOp()) &&
            !isa<ConditionalOperator>(expression))
            return false;
        return llvm::all_of(expression->children(), [&](const Stmt *child) {
            return isOfVariables(cast<Expr>(child), operands);
        });
    }

    /* PLACE has, at the loop and in all iterations, the value that it has where it is read. */
    bool isKept(const Place &place) const
    {
        const Step &step = analysis.loopStep();
        return !place.behind && !place.element && place.type->isIntegerType() &&
               analysis.structure.visible(place.base, step.function, step.anchor) &&
               !analysis.inLoop.changes(place);
    }

    std::optional<Values> valuesOf(const Expr *expression)
    {
        Values values;
        for (Trial &trial : tries) {
            const std::optional<long long> value = trial.integerOf(expression);
            if (!value)
                return std::nullopt;
            values.push_back(*value);
        }
        return values;
    }

    static bool varies(const Values &values)
    {
        return llvm::any_of(values, [&](long long one) { return one != values[0]; });
    }

    size_t lastToSet(const std::vector<Place> &operands) const
    {
        size_t last = 0;
        for (size_t i = 0; i < analysis.prologue.size(); i++)
            for (const Place &operand : operands)
                if (analysis.prologue[i].effects.changes(operand))
                    last = i;
        return last;
    }
};

} // namespace

std::vector<Computed> computedNumbers(Analysis &analysis, const Survey &survey)
{
    Finder finder(analysis, survey);
    for (const Stmt *body : LoopUses(analysis).bodies)
        finder.look(body, SIZE_MAX);
    for (size_t i = 0; i < analysis.prologue.size(); i++)
        finder.look(analysis.prologue[i].statement, i);
    return finder.found;
}

std::string keptText(Analysis &analysis, const Survey &survey,
                     const std::vector<const Expr *> &parts, const Values &values,
                     const Picked &picked)
{
    Finder finder(analysis, survey);
    const auto kept = llvm::find_if(
        parts, [&](const Expr *part) { return finder.isKeptAs(part, values, picked); });
    return kept != parts.end() ? finder.textOf(*kept) : "";
}

} // namespace xmpi
