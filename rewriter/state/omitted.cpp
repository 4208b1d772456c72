/* SPDX-License-Identifier: BSD-3-Clause
 * Compares what a clause names with what iterations hand on. */
#include "state/omitted.h"
#include "analysis.h"
#include "claims/claims.h"
#include "loop/process_grid.h"
#include "source/loops.h"
#include "source/within.h"
#include "state/again.h"
#include "state/own.h"
#include "cells/clause_cells.h"
#include "cells/clause_parts.h"
#include "cells/clause_pointers.h"
#include "cells/one_struct.h"
#include "cells/passing.h"
#include "cells/told_loops.h"
#include "library/constants.h"
#include "library/library.h"
#include "library/numbers.h"
#include "report/words.h"
#include "state/sight.h"
#include "state/unnamed.h"
#include "walk/walk.h"
#include <clang/Lex/Lexer.h>

namespace xmpi
{

using namespace clang;

namespace
{

class Finder
{
  public:
    Finder(ASTContext &context, Cells &cells, const PointsTo &pointsTo, Passing &passing,
           const Told &told)
        : context(context), cells(cells), pointsTo(pointsTo), passing(passing), told(told),
          locals(seenAt(told.function, told.point)), clause(cells, told.point->getCond()),
          handed(passing.over(told.function, told.loop, told.point))
    {
        again(clause.named);
        again(clause.own);
        again(clause.scratch);
    }

    bool repeats()
    {
        CellSet kept;
        for (Cells::Cell cell : clause.named)
            if (clause.scratch.count(cell) == 0)
                kept.insert(cell);
        return canBeMadeAgain(cells, passing, told.loop, told.point, kept);
    }

    bool followsClock(const Expr *place)
    {
        return cells.of(place) != Cells::none && passing.followsClock(cells.of(place));
    }

    /* Empty: nothing is left out. */
    std::string find()
    {
        judgeAll();
        std::string text = wrong;
        if (left.empty())
            return text.empty() ? "" : "state(...): " + text;
        text += std::string(text.empty() ? "" : "; ") + allQuoted(left) +
                (left.size() > 1 ? " are" : " is") +
                " changed by the loop and read again, and no part of the clause: add ";
        std::vector<std::string> clauses;
        if (!values.empty())
            clauses.push_back("same(" + listed(values) + ")");
        for (const auto &[operation, which] : reduced)
            clauses.push_back("own(" + listed(which) + ": " + operation + ")");
        text += listed(clauses);
        if (!arrays.empty())
            text += (clauses.empty() ? "" : ", and ") + listed(arrays) +
                    " to rows(...), same(...) or own(...)";
        if (!values.empty())
            text += ", if all processes have the same there";
        return "state(...): " + text +
               " (scratch(...) says that a value need not be kept; see docs/startover.md)";
    }

    /* Which of the names may stand for another value on each process, as WALK has it. */
    void notice(Walk &walk)
    {
        nameAll();
        for (const auto &[cell, place] : names)
            if (walk.diverges(place))
                divergent.insert(textOf(place));
        for (const auto &[place, member] : members)
            if (walk.diverges(member.variable, member.fields))
                divergent.insert(member.text);
    }

    /* Of a clause for what is left out, with what a walk through the program has FOUND beside.
     * There is none for what looks like a buffer, and is surely read before it is filled. */
    ClauseParts partsFor(const std::set<Left> &found, const Shapes &shapes)
    {
        judgeAll();
        for (const std::string &one : arrays)
            if (auto shape = shapes.find(one);
                shape != shapes.end() && shape->second.kind == Shape::Kind::Scratch)
                return {};
        std::vector<std::string> all = direct(arrays), same = direct(values);
        ClauseParts parts;
        parts.own = reduced;
        for (const Reliance &one : relianceOf(told.function, told.loop, told.point->getCond()))
            if (one.marked != libraryMark)
                parts.unseen.push_back(one.name);
            else if (deedOf(one.name) == Deed::Random)
                parts.drawing.push_back(one.name);
        std::map<std::string, Left> seen;
        for (const Left &one : found) {
            seen.emplace(one.name, one);
            if (one.diverges)
                divergent.insert(one.name);
            if (one.owner.empty() && !one.leads && !isSaid(one.name))
                (one.value ? same : all).push_back(one.name);
        }
        addExchanged(all, shapes);
        for (const std::string &one : same)
            if (!isIn(one, all) && !isInScratch(one, shapes))
                (seen[one].sum               ? parts.own["+"]
                 : divergent.count(one) == 0 ? parts.same
                                             : parts.apart)
                    .push_back(operand(one));
        for (const std::string &one : all)
            if (isSummedBehind(told.function, told.loop, one, context))
                parts.addSum(one, operand(one), seen[one].fixed || fixed.count(one) != 0, shapes);
            else if (!isIn(one, all))
                parts.add(one, operand(one),
                          {divergent.count(one) != 0, seen[one].fixed || fixed.count(one) != 0,
                           seen[one].sum, seen[one].readFirst},
                          shapes);
        noteDeciding(seen, parts);
        return parts;
    }

    /* What is left out, as a clause calls it; none where a walk through the program has FOUND that
     * an iteration reads some of it before it sets any, or was too long: that is not scratch. */
    std::optional<std::vector<std::string>> namesOf(const Unnamed &found)
    {
        judgeAll();
        std::vector<std::string> all = left;
        for (const Left &one : found.left) {
            if (one.readFirst || one.handle || !one.owner.empty()) /* nor can a clause name it */
                return std::nullopt;
            if (one.owner.empty() && !one.leads && !isSaid(one.name))
                all.push_back(one.name);
        }
        for (std::string &one : all)
            one = operand(one);
        return found.more.empty() || left.empty() ? std::optional(all) : std::nullopt;
    }

  private:
    ASTContext &context;
    Cells &cells;
    const PointsTo &pointsTo;
    Passing &passing;
    const Told told;
    const std::set<const VarDecl *> locals; /* that are seen at the loop */
    Clause clause;
    const Passing::Handed handed;
    std::map<Cells::Cell, const Expr *> names;           /* what a cell is called at the loop */
    std::map<Cells::Cell, std::set<const Type *>> kinds; /* of what pointers lead to there */
    struct Member {
        const VarDecl *variable;
        Cells::Cell cell;
        std::string text; /* what it is called */
        QualType type;
        std::vector<const FieldDecl *> fields; /* of structs, from outside in */
    };
    /* Of structs whose members are one cell, by the places of variables and members. */
    std::map<std::pair<unsigned, Cells::Cell>, Member> members;
    std::vector<std::string> left, values, arrays;
    std::set<std::string> fixed;     /* names of arrays whose types have their lengths */
    std::set<std::string> divergent; /* names of what may be another value on each process */
    std::map<std::string, std::vector<std::string>> reduced; /* by what puts them together */
    std::string wrong;

    void judgeAll()
    {
        nameAll();
        for (const auto &[cell, name] : names)
            judge(cell, name);
        for (const auto &[place, member] : members)
            judgeMember(member);
    }

    /* What iterations go by, of what each process has for itself, as SEEN has it. */
    void noteDeciding(const std::map<std::string, Left> &seen, ClauseParts &parts) const
    {
        llvm::erase_if(parts.unknown, [&](const std::string &one) {
            const std::string name = one.substr(0, one.find('['));
            const bool list = isFilledUp(name, told.loop);
            for (std::vector<std::string> *all : {&parts.apart, &parts.deciding})
                all->insert(all->end(), list ? 1 : 0, name);
            return list;
        });
        for (const std::string &one : parts.apart)
            for (const auto &[name, at] : seen)
                if (operand(name) == one && at.decides)
                    parts.deciding.push_back(one);
    }

    /* NAME, or what it is in, is told by what iterations show. */
    bool isSaid(const std::string &name) const
    {
        const std::vector<std::string> said = direct(left);
        return llvm::count(said, name) != 0 || isIn(name, said);
    }

    std::vector<std::string> direct(std::vector<std::string> names) const
    {
        for (std::string &one : names)
            one = namedDirectly(one, told.function);
        return names;
    }

    /* As an array of a clause: a name, or members of one. */
    static std::string operand(const std::string &name)
    {
        return name.find_first_of("[*( ") == std::string::npos ? name : "(" + name + ")";
    }

    /* Classes may have become one since. */
    void again(CellSet &set)
    {
        CellSet now;
        for (Cells::Cell cell : set)
            now.insert(cells.found(cell));
        set = now;
    }

    std::string textOf(const Expr *expression) const
    {
        const CharSourceRange range = CharSourceRange::getTokenRange(expression->getSourceRange());
        return Lexer::getSourceText(range, context.getSourceManager(), context.getLangOpts()).str();
    }

    /* -- names */

    /* The variable that PLACE, a name or a member, begins with; or null. */
    static const VarDecl *baseOf(const Expr *place)
    {
        place = place->IgnoreParenImpCasts();
        if (const auto *member = dyn_cast<MemberExpr>(place))
            return baseOf(member->getBase());
        const auto *name = dyn_cast<DeclRefExpr>(place);
        return name != nullptr ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    }

    /* It is there where the loop begins. */
    bool isVisible(const VarDecl *variable) const
    {
        const SourceManager &manager = context.getSourceManager();
        const SourceLocation at = told.point->getBeginLoc();
        if (variable->isFileVarDecl())
            return isDeclaredFor(manager, variable, at);
        return locals.count(variable) != 0;
    }

    void nameAll()
    {
        for (const FunctionDecl *function : cells.functions)
            for (const Stmt *part : partsOf(function->getBody()))
                if (const auto *place = dyn_cast<Expr>(part))
                    if (place->isLValue() && isa<DeclRefExpr, MemberExpr>(place))
                        name(place);
    }

    /* All numbers of a struct that pointers lead to; helpers may be all that touch them, also where
     * there is no other struct of the kind. */
    void nameMembers(const VarDecl *variable, QualType type, const std::string &text,
                     std::vector<const FieldDecl *> fields)
    {
        const RecordDecl *record = structIn(context, type);
        if (record == nullptr)
            return;
        const unsigned place = variable->getLocation().getRawEncoding();
        for (const FieldDecl *field : record->fields()) {
            const QualType of = field->getType();
            const std::string name = text + field->getNameAsString();
            const QualType element = context.getBaseElementType(of);
            const Cells::Cell cell = cells.of(nullptr, field);
            fields.push_back(field);
            if (element->isArithmeticType())
                members.insert({{place, cell}, {variable, cell, name, of, fields}});
            else if (of->isRecordType())
                nameMembers(variable, of, name + ".", fields);
            fields.pop_back();
        }
    }

    /* Not of a pointer that goes from one to the next. */
    bool isSetInLoop(const VarDecl *variable) const
    {
        return anyWithin(told.loop, [&](const Stmt *part) {
            const auto *binary = dyn_cast<BinaryOperator>(part);
            const auto *unary = dyn_cast<UnaryOperator>(part);
            const Expr *set =
                binary && binary->isAssignmentOp() ? binary->getLHS()
                : unary && (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf)
                    ? unary->getSubExpr()
                    : nullptr;
            const auto *name = set ? dyn_cast<DeclRefExpr>(set->IgnoreParens()) : nullptr;
            return name != nullptr && name->getDecl() == variable;
        });
    }

    void nameStruct(const VarDecl *variable)
    {
        const QualType type = variable->getType();
        const std::string text = variable->getNameAsString();
        if (type->isRecordType() && cells.isAddressed(variable))
            nameMembers(variable, type, text + ".", {});
        else if (type->isPointerType() && !isSetInLoop(variable))
            nameMembers(variable, type->getPointeeType(), text + "->", {});
    }

    void name(const Expr *place)
    {
        const VarDecl *base = baseOf(place);
        if (base == nullptr || !isVisible(base) || place->getBeginLoc().isMacroID())
            return;
        nameStruct(base);
        const QualType type = place->getType();
        const Cells::Cell cell =
            type->isPointerType() ? cells.behind(cells.of(place)) : cells.of(place);
        if (cell == Cells::none)
            return;
        if (type->isPointerType())
            kinds[cell].insert(type->getPointeeType().getCanonicalType().getTypePtr());
        const Expr *&known = names[cell];
        if (known == nullptr || textOf(place).size() < textOf(known).size())
            known = place;
    }

    /* -- judgement */

    /* The only one that CELL stands for. */
    bool isOne(const Expr *place) const
    {
        const auto *member = dyn_cast<MemberExpr>(place);
        const auto *field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
        const VarDecl *base = baseOf(place);
        const bool own = member != nullptr && !member->isArrow() && base != nullptr &&
                         cells.of(base, field) == cells.of(place) &&
                         cells.of(nullptr, field) != cells.of(place);
        return field == nullptr || own || !cells.isSeveral(field);
    }

    void judge(Cells::Cell cell, const Expr *place)
    {
        if (handed.live.count(cell) == 0 || handed.changed.count(cell) == 0 ||
            !cells.isKnown(cell) || passing.followsClock(cell) || !isOne(place) ||
            kinds[cell].size() > 1) /* all that one function allocates */
            return;
        const QualType type = place->getType();
        const std::string text = textOf(place);
        if (clause.named.count(cell) != 0)
            return judgeKind(cell, place, text);
        left.push_back(text);
        advise(cell, type, text);
    }

    /* Those of the members of CELL that are variables. */
    std::set<const VarDecl *> structsOf(Cells::Cell cell)
    {
        std::set<const VarDecl *> all;
        for (const auto &[place, member] : members)
            if (cells.found(member.cell) == cell && member.variable->getType()->isRecordType())
                all.insert(member.variable);
        return all;
    }

    /* The clause names CELL, as a member of the struct of REACH or with the struct. */
    bool isNamed(Cells::Cell cell, StructReach &reach)
    {
        const auto parts = partsOf(told.point->getCond());
        std::set<const Stmt *> bases;
        for (const Stmt *part : parts)
            if (const auto *member = dyn_cast<MemberExpr>(part))
                bases.insert(member->getBase()->IgnoreParenImpCasts());
        return clause.named.count(cell) != 0 && llvm::any_of(parts, [&](const Stmt *part) {
                   const auto *place = dyn_cast<Expr>(part);
                   return place != nullptr && place->isLValue() && bases.count(place) == 0 &&
                          (structIn(context, place->getType()) != nullptr ||
                           cells.of(place) == cell) &&
                          reach.mentions(place);
               });
    }

    /* A pointer that may lead to several structs changes each, and reads each. */
    void judgeMember(const Member &member)
    {
        const VarDecl *variable = member.variable;
        const Cells::Cell cell = cells.found(member.cell);
        const bool local = variable->hasLocalStorage() && variable->getType()->isRecordType();
        StructReach reach(cells, pointsTo, variable);
        const auto place = names.find(cell);
        if ((place != names.end() && isOne(place->second)) || /* it has been judged by that */
            handed.live.count(cell) == 0 || handed.changed.count(cell) == 0 ||
            llvm::count(left, variable->getNameAsString()) != 0 || !cells.isKnown(cell) ||
            passing.followsClock(cell) || reach.leadsTo(structsOf(cell)) || isNamed(cell, reach) ||
            !passing.handsOn(told.function, cell, local, handed,
                             [&](const Stmt *by) { return reach.mayTouch(by); }))
            return;
        left.push_back(isArray(variable) ? variable->getNameAsString() : member.text);
        if (isArray(variable))
            arrays.push_back(left.back());
        else
            advise(cell, member.type, member.text);
    }

    /* What the clause may say of CELL. */
    void advise(Cells::Cell cell, QualType type, const std::string &text)
    {
        const bool numbers = context.getBaseElementType(type)->isArithmeticType();
        const std::string operation = numbers ? operationOf(cell) : "";
        (!operation.empty()                             ? reduced[operation]
         : type->isPointerType() || type->isArrayType() ? arrays
                                                        : values)
            .push_back(text);
        if (type->isConstantArrayType())
            fixed.insert(text);
    }

    /* It leads to several structs, one behind another. */
    bool isArray(const VarDecl *variable) const
    {
        if (!variable->getType()->isPointerType())
            return false;
        return llvm::any_of(cells.functions, [&](const FunctionDecl *function) {
            return leadsToSeveral(variable, function->getBody());
        });
    }

    /* What decides how long the loop goes on is the same everywhere. */
    void judgeKind(Cells::Cell cell, const Expr *place, const std::string &text)
    {
        const bool own = clause.own.count(cell) != 0, scratch = clause.scratch.count(cell) != 0;
        const Expr *condition = conditionBefore(told.loop);
        if ((!own && !scratch) || condition == nullptr || !wrong.empty() ||
            !place->getType()->isArithmeticType())
            return;
        for (const Stmt *part : partsOf(condition))
            if (const auto *name = dyn_cast<Expr>(part))
                if (name->isLValue() && cells.of(name) == cell)
                    wrong = "'" + text +
                            "' decides how long the loop goes on, so that it is the same " +
                            "on all processes" + (own ? "" : " and kept") + ": same(" + text +
                            ") instead of " + (own ? "own" : "scratch");
    }

    /* Iterations do nothing but add to it. */
    bool isAddedTo(Cells::Cell cell)
    {
        return llvm::all_of(handed.touches, [&](const Touch &touch) {
            return touch.sums || touch.cell == Cells::none || cells.found(touch.cell) != cell;
        });
    }

    /* Iterations do nothing but put what is larger there, or smaller. */
    bool isPicked(Cells::Cell cell, bool larger)
    {
        return llvm::all_of(handed.touches, [&](const Touch &touch) {
            const bool sets = touch.kind != Touch::Kind::Read && touch.cell != Cells::none &&
                              cells.found(touch.cell) == cell;
            return !sets || picksOne(told.loop, touch.by, larger, context);
        });
    }

    /* Iterations do nothing but put the sum of all into it, on one process. */
    bool isOfOneProcess(Cells::Cell cell)
    {
        bool any = false;
        for (const Stmt *part : partsOf(told.loop)) {
            const auto *call = dyn_cast<CallExpr>(part);
            const auto *binary = dyn_cast<BinaryOperator>(part);
            any = any || (calls(call, "MPI_Reduce") && cells.behind(call->getArg(1)) == cell);
            if (binary != nullptr && binary->isAssignmentOp() && cells.of(binary->getLHS()) == cell)
                return false;
        }
        return any;
    }

    /* By which MPI makes one value of those of all, as own(...) calls it; empty: it does not. */
    std::string operationOf(Cells::Cell cell)
    {
        if (isOfOneProcess(cell))
            return "+";
        for (const Stmt *part : partsOf(told.function->getBody())) {
            const auto *call = dyn_cast<CallExpr>(part);
            if ((!calls(call, "MPI_Reduce") && !calls(call, "MPI_Allreduce")) ||
                cells.behind(call->getArg(0)) != cell)
                continue;
            const std::string operation = constantOfMpi(call->getArg(4), context);
            if (operation == "MPI_MIN" && isPicked(cell, false))
                return "min";
            if (operation == "MPI_MAX" && isPicked(cell, true))
                return "max";
            if (operation == "MPI_SUM" && isAddedTo(cell))
                return "+";
        }
        return "";
    }
};

} // namespace

std::optional<std::string> clauseToWrite(ASTContext &context, const Shapes *shapes)
{
    Cells cells(context);
    Passing passing(context, cells);
    const std::vector<Told> loops = toldLoops(cells.functions);
    if (loops.size() != 1)
        return "";
    const PointsTo pointsTo(context);
    const Told &told = loops.front();
    Finder finder(context, cells, pointsTo, passing, told);
    const auto byClock = [&](const Expr *place) { return finder.followsClock(place); };
    const Unnamed found = unnamed(context, pointsTo, told.function, told.loop, told.point,
                                  {told.loop}, byClock, [&](Walk &walk) { finder.notice(walk); });
    if (shapes == nullptr) {
        const std::optional<std::vector<std::string>> names = finder.namesOf(found);
        return names ? std::optional(listed(*names)) : std::nullopt;
    }
    const ClauseParts parts = finder.partsFor(found.left, *shapes);
    if (!parts.isWhole() && processGridIn(context))
        return partsOfGrid;
    if (const std::string told = withoutClause(found.left); !told.empty())
        return told;
    const std::string led = ledElsewhere(found.left);
    const std::string made = hiddenIn(found.left, true),
                      unseen = unseenIn(context, parts.text(), told.function, told.loop);
    return parts.isEmpty() ? ""
           : !led.empty()  ? led
           : made.empty()  ? parts.advice(hiddenIn(found.left, false), unseen)
                           : "so its processes move as they are, and their number stays; for that "
                             "to change, let " +
                                made + " lead to memory that is made before the loop";
}

static std::set<const Stmt *> adaptiveOf(const std::vector<Told> &loops)
{
    std::set<const Stmt *> all;
    for (const Told &told : loops)
        all.insert(told.loop);
    return all;
}

Named lookAtClauses(ASTContext &context)
{
    Named named;
    Cells cells(context);
    Passing passing(context, cells);
    const std::vector<Told> loops = toldLoops(cells.functions);
    if (loops.empty())
        return named;
    const PointsTo pointsTo(context);
    const std::set<const Stmt *> adaptive = adaptiveOf(loops);
    for (const Told &told : loops) {
        Finder finder(context, cells, pointsTo, passing, told);
        const auto followsClock = [&](const Expr *place) { return finder.followsClock(place); };
        std::string text = pointerInState(context, told.point->getCond());
        text = text.empty() ? finder.find() : text;
        if (const std::string others = givenOthers(cells.functions, told.function, told.loop);
            text.empty() && !others.empty())
            text = "state(...): " + others;
        const Unnamed also = text.empty() ? unnamed(context, pointsTo, told.function, told.loop,
                                                    told.point, adaptive, followsClock)
                                          : Unnamed();
        text = text.empty() ? also.text : text;
        const Claims claims = text.empty() && also.more.empty()
                                  ? judgeClaims(context, pointsTo, told, followsClock)
                                  : Claims();
        text = claims.wrong.empty() ? text : claims.wrong;
        const PresumedLoc place =
            context.getSourceManager().getPresumedLoc(told.loop->getBeginLoc());
        if (!text.empty() && place.isValid())
            named.omissions.push_back({place.getLine(), text});
        std::vector<std::string> unsure = claims.doubts;
        unsure.insert(unsure.begin(), {also.more, endedBySize(context, cells, told)});
        for (const std::string &more : unsure)
            if (!more.empty() && place.isValid())
                named.unseen.push_back({place.getLine(), more});
        named.repeats = named.repeats && finder.repeats();
    }
    for (const Told &told : inOrder(context, loops))
        named.reliance.push_back(relianceOf(told.function, told.loop, told.point->getCond()));
    return named;
}

} // namespace xmpi
