/* SPDX-License-Identifier: BSD-3-Clause
 * Tries loops over the rows of a process, and looks for what numbers them among all. */
#include "trial/numbering.h"
#include "source/loops.h"
#include <algorithm>
#include <cmath>

namespace xmpi
{

using namespace clang;

namespace
{

/* A trial of the start, which goes on. */
struct Try {
    size_t sample;
    Trial trial;
};
using Tries = std::vector<Try>;

/* What an expression has been in each round of a loop, by the sample. */
using Numbers = std::vector<double>;
using Seen = std::map<const Expr *, Numbers>;

bool areNear(double one, double other)
{
    return std::abs(one - other) <= 1e-9 * (1 + std::abs(one));
}

bool areEach(Numbers numbers, Numbers others)
{
    std::sort(numbers.begin(), numbers.end());
    std::sort(others.begin(), others.end());
    return std::equal(numbers.begin(), numbers.end(), others.begin(), others.end(), areNear);
}

bool areDifferent(Numbers numbers)
{
    std::sort(numbers.begin(), numbers.end());
    return std::adjacent_find(numbers.begin(), numbers.end(), areNear) == numbers.end();
}

/* One time through a loop in one trial. */
class Round
{
  public:
    Round(Analysis &analysis, Trial &trial, Seen &seen, const std::set<const Expr *> *only)
        : analysis(analysis), trial(trial), seen(seen), only(only)
    {
    }

    size_t done = 0; /* rounds before this one */

    /* False: it goes on behind STATEMENT no more. */
    bool go(const Stmt *statement)
    {
        if (statement == nullptr)
            return true;
        if (isa<CompoundStmt>(statement))
            return llvm::all_of(partsIn(statement), [&](const Stmt *part) { return go(part); });
        if (isa<BreakStmt, ContinueStmt, ReturnStmt>(statement)) {
            note(statement);
            return false;
        }
        if (const auto *choice = dyn_cast<IfStmt>(statement))
            return choose(choice);
        if (isLoop(statement)) { /* as it begins */
            const auto *counted = dyn_cast<ForStmt>(statement);
            go(counted != nullptr ? counted->getInit() : nullptr);
            go(bodyOf(statement));
            return true;
        }
        note(statement);
        trial.runAgain(statement);
        return true;
    }

  private:
    enum { MaxDepth = 3 };
    Analysis &analysis;
    Trial &trial;
    Seen &seen;
    const std::set<const Expr *> *only; /* null: any */
    int depth = 0;

    bool choose(const IfStmt *choice)
    {
        note(choice->getCond());
        const std::optional<bool> holds = trial.valueOf(choice->getCond()).truth();
        if (holds)
            return go(*holds ? choice->getThen() : choice->getElse());
        go(choice->getThen());
        go(choice->getElse());
        return true;
    }

    /* A number that is computed, or read. */
    static bool isNumber(const Expr *one)
    {
        const auto *binary = dyn_cast<BinaryOperator>(one);
        const bool computes = binary != nullptr && !binary->isAssignmentOp() &&
                              !binary->isComparisonOp() && !binary->isLogicalOp() &&
                              !binary->isCommaOp();
        return one->getType()->isArithmeticType() &&
               (computes ||
                isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr, ConditionalOperator>(one) ||
                isa<CallExpr>(one));
    }

    /* To evaluate it sets nothing that is there before. */
    bool isPure(const Expr *one) const
    {
        return llvm::all_of(analysis.finder.withCallees(one).writes, [&](const Write &write) {
            return write.call == nullptr && write.place.base->hasLocalStorage() &&
                   !write.place.behind && !write.place.element && !holds(one, write.place.base);
        });
    }

    static bool holds(const Expr *one, const VarDecl *variable)
    {
        return namesOf(one, variable) > 0;
    }

    void note(const Stmt *statement)
    {
        const auto *set = dyn_cast<BinaryOperator>(statement);
        if (set != nullptr && set->getOpcode() == BO_Assign && variableIn(set->getLHS()))
            return note(set->getRHS());
        if (const auto *one = dyn_cast<Expr>(statement)) {
            if (isNumber(one) && (only == nullptr || only->count(one) != 0))
                add(one);
            if (const auto *call = dyn_cast<CallExpr>(one))
                enter(call);
        }
        for (const Stmt *part : partsIn(statement))
            note(part);
    }

    void add(const Expr *one)
    {
        if (done > 0 && seen.count(one) == 0)
            return;
        Numbers &numbers = seen[one];
        if (numbers.size() != done || !isPure(one))
            return;
        const Value value = trial.valueOf(one);
        if (value.isNumber())
            numbers.push_back(value.asReal());
    }

    /* What a function does that is called in a round. */
    void enter(const CallExpr *call)
    {
        const FunctionDecl *function = definitionOf(call);
        if (function == nullptr || depth >= MaxDepth)
            return;
        depth++;
        for (unsigned i = 0; i < call->getNumArgs() && i < function->getNumParams(); i++)
            trial.bind(function->getParamDecl(i), call->getArg(i));
        go(function->getBody());
        depth--;
    }
};

class Numbering
{
  public:
    Numbering(Analysis &analysis, const Inference &inference)
        : analysis(analysis), survey(*inference.survey), division(*inference.division)
    {
        for (size_t i = 0; i < survey.samples.size(); i++)
            if (survey.samples[i].round < Rounds && survey.samples[i].size <= MostSize)
                start.push_back({i, survey.samples[i].trial});
        for (Try &one : start)
            one.trial.over = true;
    }

    std::string find()
    {
        if (const Place *place = beginsOtherwise())
            return place->text();
        std::vector<const Stmt *> before;
        for (const Item &item : analysis.prologue)
            before.push_back(item.statement);
        before.push_back(analysis.loop);
        look(before, start, false, 0);
        for (const Step &step : analysis.path)
            look(analysis.structure.following(step.anchor), start, false, 0);
        return found != nullptr ? analysis.source.written(found) : "";
    }

  private:
    enum { Rounds = 2, MostSize = 4, MostTrips = 1000, MaxDepth = 4, MostLoops = 200 };
    Analysis &analysis;
    const Survey &survey;
    const Division &division;
    Tries start;
    const Expr *found = nullptr;
    std::set<const FunctionDecl *> within;
    int loops = 0;

    /* -- where blocks begin */

    /* Blocks of as many rows as processes have, one behind another, but not in the order of ranks,
     * begin where a variable says, and no other one says where those in that order do (how many
     * rows there are behind the own ones would be such a number). */
    const Place *beginsOtherwise() const
    {
        if (!division.counted)
            return nullptr;
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes) {
                const std::optional<Values> values = survey.valuesOf(write.place);
                if (values && *values != division.first && areBegins(*values))
                    return &write.place;
            }
        return nullptr;
    }

    bool areBegins(const Values &values) const
    {
        for (size_t i = 0; i < values.size(); i += static_cast<size_t>(survey.samples[i].size)) {
            std::map<long long, long long> blocks;
            const auto size = static_cast<size_t>(survey.samples[i].size);
            for (size_t rank = i; rank < i + size; rank++)
                if (division.count[rank] > 0 &&
                    !blocks.emplace(values[rank], division.count[rank]).second)
                    return false;
            long long next = 0;
            for (const auto &[begin, count] : blocks) {
                if (begin != next)
                    return false;
                next += count;
            }
        }
        return true;
    }

    /* -- loops */

    /* It sets an integer that it does not go by, and nothing else. */
    static bool isPlain(const Stmt *statement)
    {
        const auto calls = [](const Stmt *one) { return isa<CallExpr>(one); };
        if (anyWithin(statement, calls))
            return false;
        const auto *set = dyn_cast<BinaryOperator>(statement);
        if (set != nullptr)
            return set->getOpcode() == BO_Assign && set->getType()->isIntegerType() &&
                   variableIn(set->getLHS()) != nullptr &&
                   namesOf(set->getRHS(), variableIn(set->getLHS())) == 0;
        const auto declared = declaredBy(statement);
        return !declared.empty() && llvm::all_of(declared, [](const VarDecl *one) {
            return one->getType()->isIntegerType();
        });
    }

    static void run(const Stmt *statement, Tries &tries)
    {
        for (Try &one : tries)
            one.trial.runAgain(statement);
    }

    /* STATEMENTS follow one another. RUN: else TRIES have run them. */
    void look(const std::vector<const Stmt *> &statements, const Tries &before, bool runs,
              int depth)
    {
        const auto goesOn = [](const Stmt *one) {
            const auto *call = dyn_cast<CallExpr>(one);
            return isLoop(one) || definitionOf(call) != nullptr;
        };
        std::vector<const Stmt *> pending;
        for (const Stmt *statement : statements) {
            if (found != nullptr)
                return;
            if (statement == nullptr)
                continue;
            if (anyWithin(statement, goesOn)) {
                Tries tries = before;
                for (const Stmt *one : pending)
                    run(one, tries);
                lookAt(statement, tries, runs, depth);
                if (!runs)
                    pending.clear();
            }
            if (runs || isPlain(statement))
                pending.push_back(statement);
        }
    }

    void lookAt(const Stmt *statement, Tries &tries, bool runs, int depth)
    {
        if (isa<CompoundStmt>(statement)) {
            const auto parts = partsIn(statement);
            return look({parts.begin(), parts.end()}, tries, runs, depth);
        }
        if (isLoop(statement)) {
            if (const auto *counted = dyn_cast<ForStmt>(statement); counted && counted->getInit())
                run(counted->getInit(), tries);
            tryLoop(statement, tries);
            return look({bodyOf(statement)}, tries, true, depth);
        }
        if (!isa<Expr>(statement)) {
            for (const Stmt *part : partsIn(statement))
                look({part}, tries, runs, depth);
            return;
        }
        eachWithin(statement, [&](const Stmt *one) {
            const auto *call = dyn_cast<CallExpr>(one);
            const FunctionDecl *function = definitionOf(call);
            if (function == nullptr || depth >= MaxDepth || !within.insert(function).second)
                return;
            Tries inner = tries;
            for (Try &each : inner)
                for (unsigned i = 0; i < call->getNumArgs() && i < function->getNumParams(); i++)
                    each.trial.bind(function->getParamDecl(i), call->getArg(i));
            look({function->getBody()}, inner, true, depth + 1);
            within.erase(function);
        });
    }

    /* The trial of ONE goes through LOOP: how often. Nothing: that is not known. */
    std::optional<size_t> goThrough(const Stmt *loop, Try &one, Seen &seen,
                                    const std::set<const Expr *> *only)
    {
        const auto *counted = dyn_cast<ForStmt>(loop);
        const Expr *condition = conditionIn(loop);
        Round round(analysis, one.trial, seen, only);
        for (bool first = isa<DoStmt>(loop); condition != nullptr; first = false) {
            const std::optional<bool> more = first ? true : one.trial.valueOf(condition).truth();
            if (!more || round.done > MostTrips)
                return std::nullopt;
            if (!*more)
                return round.done;
            round.go(bodyOf(loop));
            if (counted != nullptr && counted->getInc() != nullptr)
                one.trial.valueOf(counted->getInc());
            round.done++;
        }
        return std::nullopt;
    }

    /* As what people take for the number: an integer, the first one in the text. */
    static bool isBefore(const Expr *one, const Expr *other)
    {
        const bool counts = one->getType()->isIntegerType();
        return counts != other->getType()->isIntegerType()
                   ? counts
                   : one->getBeginLoc() < other->getBeginLoc();
    }

    /* LOOP goes over the own rows, perhaps over several elements of each, and something in it has
     * numbers of them that go another way. */
    void tryLoop(const Stmt *loop, const Tries &before)
    {
        if (++loops > MostLoops)
            return;
        Tries tries = before;
        Seen whole; /* with one process */
        std::set<const Expr *> numbers, otherwise;
        bool any = false;
        for (size_t i = 0; i < tries.size();) {
            const auto size = static_cast<size_t>(survey.samples[tries[i].sample].size);
            Seen all;
            if (!goTogether(loop, tries, i, size == 1 ? whole : all,
                            any || size > 1 ? &numbers : nullptr))
                return;
            if (size == 1)
                keep(whole, any, numbers);
            else
                compare(whole, all, numbers, otherwise);
            any = true;
            if (numbers.empty())
                return;
            i += size;
        }
        for (const Expr *one : otherwise)
            if (numbers.count(one) != 0 && (found == nullptr || isBefore(one, found)))
                found = one;
    }

    /* All ranks go through LOOP from the try FROM on, and as often as they have rows, or elements
     * of them: what is seen is put one behind another. */
    bool goTogether(const Stmt *loop, Tries &tries, size_t from, Seen &all,
                    const std::set<const Expr *> *only)
    {
        const auto size = static_cast<size_t>(survey.samples[tries[from].sample].size);
        all.clear();
        size_t before = 0;
        std::optional<size_t> unit;
        for (size_t i = from; i < from + size && i < tries.size(); i++) {
            Seen seen;
            const std::optional<size_t> trips = goThrough(loop, tries[i], seen, only);
            const auto count = static_cast<size_t>(division.count[tries[i].sample]);
            if (!trips || (count == 0) != (*trips == 0) ||
                (count > 0 && (*trips % count != 0 || (unit && *unit != *trips / count))))
                return false;
            unit = count > 0 ? *trips / count : unit;
            for (auto &[one, numbers] : seen)
                if (numbers.size() == *trips && (before == 0 || all[one].size() == before))
                    all[one].insert(all[one].end(), numbers.begin(), numbers.end());
            before += *trips;
        }
        for (auto one = all.begin(); one != all.end();)
            one = one->second.size() == before && before > 0 ? std::next(one) : all.erase(one);
        return true;
    }

    /* What tells all rows apart with one process. */
    static void keep(const Seen &whole, bool any, std::set<const Expr *> &numbers)
    {
        std::set<const Expr *> kept;
        for (const auto &[one, values] : whole)
            if ((!any || numbers.count(one) != 0) && areDifferent(values))
                kept.insert(one);
        numbers = kept;
    }

    /* Of NUMBERS those stay that are the same with several processes, one for each row. */
    static void compare(const Seen &whole, const Seen &all, std::set<const Expr *> &numbers,
                        std::set<const Expr *> &otherwise)
    {
        for (auto one = numbers.begin(); one != numbers.end();) {
            const auto values = all.find(*one), first = whole.find(*one);
            if (values == all.end() || first == whole.end() ||
                !areEach(values->second, first->second)) {
                one = numbers.erase(one);
                continue;
            }
            if (!std::equal(values->second.begin(), values->second.end(), first->second.begin(),
                            areNear))
                otherwise.insert(*one);
            ++one;
        }
    }
};

} // namespace

std::string numberedOtherwise(Analysis &analysis, const Inference &inference)
{
    return inference.survey != nullptr && inference.division ? Numbering(analysis, inference).find()
                                                             : "";
}

} // namespace xmpi
