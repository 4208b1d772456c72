/* SPDX-License-Identifier: BSD-3-Clause
 * Which elements beside its counter a loop names. */
#include "rows/unrolled.h"
#include "source/integer.h"
#include "source/loops.h"
#include "source/variable.h"
#include <map>

namespace xmpi
{

using namespace clang;

namespace
{

/* How far from the counter the elements of an array are that are named. */
struct Named {
    std::set<long long> at;
    bool tile = false;  /* all of a tile */
    bool loose = false; /* others, nobody knows which */
};

/* A loop in BODY goes from 0 on, while VARIABLE is less than STEP. */
bool goesThroughTile(const Analysis &analysis, const Stmt *body, const VarDecl *variable,
                     const Expr *step)
{
    const std::optional<long long> length = constantInteger(step, analysis.context);
    const auto ends = [&](const Stmt *one) {
        const auto *compared = dyn_cast<BinaryOperator>(one);
        return compared != nullptr && compared->getOpcode() == BO_LT &&
               variableIn(compared->getLHS()) == variable &&
               (length
                    ? constantInteger(compared->getRHS(), analysis.context) == length
                    : analysis.source.spelled(compared->getRHS()) == analysis.source.spelled(step));
    };
    return anyWithin(body, [&](const Stmt *one) {
        const auto *loop = dyn_cast<ForStmt>(one);
        const auto [counter, begin] =
            loop ? firstSetBy(loop) : std::pair<const VarDecl *, const Expr *>();
        const auto *counts = loop ? dyn_cast_or_null<UnaryOperator>(loop->getInc()) : nullptr;
        return counter != nullptr && counter == variable && begin != nullptr &&
               constantInteger(begin, analysis.context) == 0 && counts != nullptr &&
               counts->isIncrementOp() && variableIn(counts->getSubExpr()) == variable &&
               anyWithin(loop->getCond(), ends);
    });
}

class Namer
{
  public:
    /* OF: the loop's body, and its step; or null. */
    Namer(const Analysis &analysis, const VarDecl *counter,
          const std::set<const VarDecl *> &changing, const Stmt *of, const Expr *step)
        : analysis(analysis), counter(counter), changing(changing), of(of), step(step)
    {
    }

    std::map<std::string, Named> set, read; /* by the text of the array */
    /* What the elements that are set are made of, by how far they are from the counter: by the text
     * of the array, and how far from the one that is set. */
    std::map<std::string, std::map<long long, std::set<std::pair<std::string, long long>>>> made;

    bool mixed = false; /* what is read beside one another comes into one value, and not by a sum */

    void find(const Stmt *statement, bool assigned = false)
    {
        if (statement == nullptr)
            return;
        for (const VarDecl *variable : declaredBy(statement))
            if (variable->getInit())
                noteSummed(variable->getInit());
        if (const auto *choice = dyn_cast<IfStmt>(statement))
            noteSummed(choice->getCond());
        if (const auto *call = dyn_cast<CallExpr>(statement))
            noteSummed(call);
        if (const auto *binary = dyn_cast<BinaryOperator>(statement);
            binary != nullptr && binary->isAssignmentOp()) {
            find(binary->getLHS(), true);
            find(binary->getRHS());
            noteMade(binary);
            noteSummed(binary->getRHS());
            return;
        }
        if (const auto *unary = dyn_cast<UnaryOperator>(statement))
            assigned = assigned || unary->isIncrementDecrementOp();
        const auto *subscript = dyn_cast<ArraySubscriptExpr>(statement);
        if (subscript == nullptr) {
            for (const Stmt *child : statement->children())
                find(child, assigned && isa<Expr>(statement));
            return;
        }
        note(subscript, assigned ? set : read);
        find(subscript->getBase(), assigned);
        find(subscript->getIdx());
    }

  private:
    const Analysis &analysis;
    const VarDecl *counter;
    const std::set<const VarDecl *> &changing; /* in the loop */
    const Stmt *of;
    const Expr *step;

    /* The terms of an index beside the counter. */
    struct Terms {
        long long number = 0;
        std::string fixed; /* those that the loop leaves as they are, a first row say */
        bool counter = false, others = false, unlike = false, tile = false;
    };

    /* Elements that VALUE adds up may be as many as it likes. */
    void noteSummed(const Expr *value)
    {
        value = value->IgnoreParenCasts();
        if (const auto *sum = dyn_cast<BinaryOperator>(value); sum && sum->getOpcode() == BO_Add) {
            noteSummed(sum->getLHS());
            return noteSummed(sum->getRHS());
        }
        std::set<long long> at;
        collect(value, at);
        mixed = mixed || at.size() > 1;
    }

    void collect(const Stmt *part, std::set<long long> &at) const
    {
        if (const auto *subscript = dyn_cast_or_null<ArraySubscriptExpr>(part)) {
            Terms terms;
            split(subscript->getIdx(), false, terms);
            if (terms.counter && !terms.unlike && !terms.others)
                at.insert(terms.number);
        }
        for (const Stmt *child : partsIn(part))
            collect(child, at);
    }

    void noteMade(const BinaryOperator *assignment)
    {
        Namer left(analysis, counter, changing, of, step),
            right(analysis, counter, changing, of, step);
        left.find(assignment->getLHS(), true);
        right.find(assignment->getRHS());
        for (const auto &[array, elements] : left.set)
            for (const long long at : elements.at) {
                auto &of = made[array][at];
                for (const auto &[other, named] : right.read)
                    for (const long long from : named.at)
                        of.insert({other, from - at});
            }
    }

    void split(const Expr *index, bool negative, Terms &terms) const
    {
        index = index->IgnoreParenCasts();
        const auto *sum = dyn_cast<BinaryOperator>(index);
        const std::optional<long long> number = constantInteger(index, analysis.context);
        if (number) {
            terms.number += negative ? -*number : *number;
        } else if (sum != nullptr && sum->isAdditiveOp()) {
            split(sum->getLHS(), negative, terms);
            split(sum->getRHS(), negative != (sum->getOpcode() == BO_Sub), terms);
        } else if (variableIn(index) == counter) {
            terms.unlike = terms.unlike || negative || terms.counter;
            terms.counter = true;
        } else if (isFixed(index)) {
            terms.fixed += (negative ? "-" : "+") + analysis.source.spelled(index);
        } else {
            const VarDecl *other = negative || step == nullptr ? nullptr : variableIn(index);
            terms.unlike = terms.unlike || mentionsCounter(index);
            terms.tile = !terms.others && other && goesThroughTile(analysis, of, other, step);
            terms.others = true;
        }
    }

    bool mentionsCounter(const Stmt *part) const
    {
        const auto *one = dyn_cast_or_null<Expr>(part);
        return one != nullptr &&
               (variableIn(one) == counter || llvm::any_of(one->children(), [&](const Stmt *child) {
                    return mentionsCounter(child);
                }));
    }

    bool isFixed(const Expr *term) const
    {
        const std::vector<Mention> mentions = analysis.finder.of(term).mentions;
        return llvm::none_of(mentions, [&](const Mention &mention) {
            return changing.count(mention.place.base->getCanonicalDecl()) != 0 ||
                   mention.place.base->getCanonicalDecl() == counter->getCanonicalDecl();
        });
    }

    void note(const ArraySubscriptExpr *subscript, std::map<std::string, Named> &known)
    {
        Terms terms;
        split(subscript->getIdx(), false, terms);
        if (!terms.counter && !terms.unlike)
            return;
        Named &named = known[analysis.source.spelled(subscript->getBase()) + terms.fixed];
        const bool plain = terms.counter && !terms.unlike;
        if (plain && !terms.others)
            named.at.insert(terms.number);
        else if (plain && terms.tile)
            named.tile = true;
        else
            named.loose = true;
    }
};

/* STEP of them one beside the other. */
bool areAll(const Named &named, long long step)
{
    return llvm::any_of(named.at, [&](long long first) {
        for (long long i = 1; i < step; i++)
            if (named.at.count(first + i) == 0)
                return false;
        return true;
    });
}

/* Each of the elements of one array is made of what is beside it in the same way. */
bool areMadeAlike(const Namer &namer)
{
    return llvm::all_of(namer.made, [](const auto &array) {
        return llvm::all_of(array.second, [&](const auto &element) {
            return element.second == array.second.begin()->second;
        });
    });
}

} // namespace

bool isUnrolled(const Analysis &analysis, const Stmt *body, const Counting &counting)
{
    std::set<const VarDecl *> changing;
    for (const Write &write : analysis.finder.of(body).writes)
        changing.insert(write.place.base->getCanonicalDecl());
    Namer namer(analysis, counting.counter, changing, body, counting.step);
    namer.find(body);
    const std::map<std::string, Named> &treated = namer.set.empty() ? namer.read : namer.set;
    const std::optional<long long> step =
        counting.step != nullptr ? constantInteger(counting.step, analysis.context) : 1;
    return !treated.empty() && areMadeAlike(namer) && !(namer.set.empty() && namer.mixed) &&
           llvm::all_of(treated, [&](const auto &array) {
               return !array.second.loose &&
                      (array.second.tile || (step && areAll(array.second, std::abs(*step))));
           });
}

/* LOOP begins with COUNTER, or by a remainder. */
static bool goesOn(const Stmt *loop, const VarDecl *counter)
{
    const auto *counted = dyn_cast<ForStmt>(loop);
    const Stmt *begin = counted != nullptr ? counted->getInit() : nullptr;
    const Expr *condition = conditionIn(loop);
    const bool named = condition != nullptr && namesOf(condition, counter) > 0;
    if (begin == nullptr)
        return named;
    return anyWithin(begin, [&](const Stmt *one) {
        const auto *binary = dyn_cast<BinaryOperator>(one);
        return (isa<DeclRefExpr>(one) && cast<DeclRefExpr>(one)->getDecl() == counter &&
                firstSetBy(counted).first != counter) ||
               (binary != nullptr &&
                (binary->getOpcode() == BO_Rem || binary->getOpcode() == BO_Div ||
                 binary->getOpcode() == BO_And));
    });
}

bool hasRest(const Analysis &analysis, const Stmt *loop, const VarDecl *counter)
{
    const auto *block = dyn_cast_or_null<CompoundStmt>(analysis.structure.parent(loop));
    bool behind = false, found = false;
    if (block != nullptr)
        for (const Stmt *one : block->body()) {
            found = found || (behind && isLoop(one) && goesOn(one, counter));
            behind = behind || one == loop;
        }
    return found;
}

} // namespace xmpi
