/* SPDX-License-Identifier: BSD-3-Clause
 * Follows each value that a clause has as own or scratch from where an iteration begins, and what
 * tells a process its rank (walk/trail.cpp). */
#include "claims/claims.h"
#include "analysis.h"
#include "cells/clause_cells.h"
#include "check/merged_pointers.h"
#include "joined/places.h"
#include "source/variable.h"
#include "source/within.h"
#include "state/own.h"
#include "walk/walk.h"
#include <clang/AST/ASTContext.h>
#include <clang/AST/ParentMapContext.h>

namespace xmpi
{

using namespace clang;

namespace
{

/* A place of the clause. */
struct Claim {
    enum class Kind { Rows, Same, Root, Own, Scratch } kind;
    std::string name;
    const Expr *pointer = nullptr; /* to it; or null: */
    const Expr *place = nullptr;   /* the place itself */
    std::string operation;         /* of own */
};

std::string textIn(const Expr *argument)
{
    const auto *text = dyn_cast<StringLiteral>(argument->IgnoreParenCasts());
    return text != nullptr ? text->getString().str() : "";
}

std::vector<Claim> claimsOf(const Expr *told)
{
    std::vector<Claim> all;
    bool root = false;
    eachWithin(told, [&](const Stmt *part) {
        const auto *call = dyn_cast<CallExpr>(part);
        root = root || calls(call, "xmpi_gen_state_root");
        if (calls(call, "xmpi_gen_state_same")) {
            all.push_back({root ? Claim::Kind::Root : Claim::Kind::Same, textIn(call->getArg(0)),
                           call->getArg(1), nullptr, ""});
            root = false;
        }
        if (calls(call, "xmpi_gen_state_rows"))
            all.push_back(
                {Claim::Kind::Rows, textIn(call->getArg(0)), call->getArg(1), nullptr, ""});
        if (calls(call, "xmpi_gen_state_own"))
            all.push_back({Claim::Kind::Own, textIn(call->getArg(0)), call->getArg(1), nullptr,
                           textIn(call->getArg(5))});
    });
    eachTold(
        told, [](const CallExpr *, llvm::StringRef) {},
        [&](const Expr *place) {
            const VarDecl *variable = variableIn(place);
            if (place->isLValue())
                all.push_back({Claim::Kind::Scratch, variable ? variable->getNameAsString() : "it",
                               nullptr, place, ""});
        });
    return all;
}

/* The part of a name that is a place: "u" of "u[n]". */
std::string bare(const std::string &name)
{
    return name.substr(0, name.find('['));
}

/* MPI's operations that put together rightly what a clause puts together by OPERATION: the same
 * one, and those that are the same for marks. */
bool fits(const std::string &operation, const std::string &mpi)
{
    static const std::map<std::string, std::set<std::string>> fitting = {
        {"+", {"MPI_SUM", "MPI_LOR"}},
        {"*", {"MPI_PROD", "MPI_LAND"}},
        {"max", {"MPI_MAX", "MPI_LOR", "MPI_BOR"}},
        {"min", {"MPI_MIN", "MPI_LAND", "MPI_BAND"}},
        {"|", {"MPI_BOR", "MPI_LOR", "MPI_MAX"}},
        {"||", {"MPI_BOR", "MPI_LOR", "MPI_MAX"}},
        {"&", {"MPI_BAND", "MPI_LAND", "MPI_MIN"}},
        {"&&", {"MPI_BAND", "MPI_LAND", "MPI_MIN"}},
        {"^", {"MPI_BXOR", "MPI_LXOR"}}};
    const auto known = fitting.find(operation);
    return mpi.empty() || known == fitting.end() || known->second.count(mpi) != 0;
}

class Judge
{
  public:
    Judge(ASTContext &context, const PointsTo &pointsTo, const Told &loop,
          const std::function<bool(const Expr *)> &ignored)
        : context(context), pointsTo(pointsTo), loop(loop), ignored(ignored),
          all(claimsOf(loop.point->getCond()))
    {
        root = loop.function;
        for (const FunctionDecl *one : pointsTo.functions)
            if (one->isMain() && one->getDefinition() != nullptr)
                root = one->getDefinition();
    }

    Claims judge()
    {
        look();
        const auto said = [](const std::string &text) {
            return text.empty() ? "" : "state(...): " + text;
        };
        claims.wrong = said(claims.wrong);
        for (std::string &doubt : claims.doubts)
            doubt = said(doubt);
        return claims;
    }

  private:
    static constexpr unsigned most = 8; /* walks */

    ASTContext &context;
    const PointsTo &pointsTo;
    const Told &loop;
    const std::function<bool(const Expr *)> &ignored;
    const std::vector<Claim> all;
    const FunctionDecl *root;
    Claims claims;
    std::set<std::pair<Walk::Id, const Claim *>> named; /* in the walk at hand */
    bool number = false;                                /* what is followed in it is one */

    void look()
    {
        unsigned walks = 0;
        followPointers();
        for (const Claim &claim : all)
            if ((claim.kind == Claim::Kind::Own || claim.kind == Claim::Kind::Scratch) &&
                !isTime(claim) && claims.wrong.empty() && walks++ < most)
                follow(claim);
        if (claims.wrong.empty())
            followRank();
    }

    /* Each pointer to rows gets memory of its own where the program starts over. */
    void followPointers()
    {
        const auto parent = [&](const Stmt *one) -> const Stmt * {
            auto around = context.getParents(*one);
            if (!around.empty() && around[0].get<VarDecl>() != nullptr) /* whose value it is */
                around = context.getParents(*around[0].get<VarDecl>());
            return around.empty() ? nullptr : around[0].get<Stmt>();
        };
        const auto isRows = [&](const Place &place) {
            return llvm::any_of(all, [&](const Claim &claim) {
                return claim.kind == Claim::Kind::Rows && bare(claim.name) == place.text();
            });
        };
        const auto found = mergedBy(EffectsFinder().of(loop.loop), parent, isRows);
        if (found)
            claims.wrong = "line " + lineOf(found->where) + " lets '" + found->one +
                           "' lead where '" + found->other +
                           "' leads, and each of rows(...) gets memory of its own: exchange the "
                           "pointers, or copy the rows";
    }

    bool isTime(const Claim &claim) const
    {
        const Expr *place = claim.place ? claim.place : addressedBy(claim.pointer);
        return place != nullptr && place->isLValue() && ignored(place);
    }

    /* Of scratch(b) what b leads to, if that is a pointer. */
    static Walk::Ids objectsOf(Walk &walk, const Claim &claim)
    {
        if (claim.pointer != nullptr)
            return walk.behind(claim.pointer);
        const Walk::Ids found = walk.placeAt(claim.place);
        if (!claim.place->getType()->isPointerType())
            return found;
        Walk::Ids led;
        for (Walk::Id one : found)
            led.merge(walk.led(one));
        return led;
    }

    static bool isNumber(const Claim &claim)
    {
        const Expr *place =
            claim.place ? claim.place : addressedBy(claim.pointer->IgnoreParenCasts());
        return place != nullptr && place->getType()->isArithmeticType();
    }

    void nameAll(Walk &walk)
    {
        for (const Claim &one : all)
            for (Walk::Id object : objectsOf(walk, one)) {
                named.insert({object, &one});
                if (one.kind == Claim::Kind::Scratch)
                    walk.trail.scratch.insert(object);
            }
    }

    std::string lineOf(SourceLocation where) const
    {
        return xmpi::lineOf(context.getSourceManager(), where, loop.point->getBeginLoc());
    }

    /* What of the clause OBJECT is, or is in; null: nothing, or something else in other iterations,
     * as pointers change places. */
    const Claim *claimOf(Walk &walk, Walk::Id object) const
    {
        const Claim *found = nullptr;
        for (const auto &[one, claim] : named)
            if (walk.memory.isWithin(object, one) || walk.memory.isWithin(one, object)) {
                if (found != nullptr && found->kind != claim->kind)
                    return nullptr;
                found = claim;
            }
        return found;
    }

    /* It may be read again before it is set anew. */
    static bool isNeeded(Walk &walk)
    {
        const std::vector<Walk::Change> needed = walk.needed();
        return llvm::any_of(needed, [&](const Walk::Change &change) {
            return llvm::any_of(walk.trail.followed, [&](Walk::Id one) {
                return walk.memory.isWithin(change.object, one) ||
                       walk.memory.isWithin(one, change.object);
            });
        });
    }

    /* "'u' (line 12)", what is kept of MADE; STAYS: where it is so when an iteration ends. Empty:
     * nothing is. */
    std::string madeOf(Walk &walk, const std::map<Walk::Id, SourceLocation> &made, bool stays) const
    {
        for (const auto &[object, where] : made) {
            const Claim *claim = claimOf(walk, object);
            if (claim != nullptr && claim->kind != Claim::Kind::Scratch &&
                claim->kind != Claim::Kind::Own && (!stays || walk.isOnTrail(object)))
                return "'" + bare(claim->name) + "' (line " + lineOf(where) + ")";
        }
        return "";
    }

    void follow(const Claim &claim)
    {
        Walk walk(context, pointsTo, loop.loop, loop.point, 0, ignored, Walk::Other::ByTrail);
        walk.trail.begins = [&](Walk &at) {
            nameAll(at);
            return objectsOf(at, claim);
        };
        number = isNumber(claim);
        named.clear();
        if (!walk.from(root) || !isNeeded(walk))
            return;
        if (claim.kind == Claim::Kind::Scratch)
            judgeScratch(claim, walk);
        else
            judgeOwn(claim, walk);
    }

    void judgeScratch(const Claim &claim, Walk &walk)
    {
        const Walk::Trail &trail = walk.trail;
        const std::string made = madeOf(walk, trail.made, true);
        if (trail.anew)
            return;
        const std::string begin = "an iteration reads '" + claim.name + "' before it sets it";
        if (!made.empty() && number)
            claims.wrong = begin + ", and makes " + made + " of that: same(" + claim.name +
                           ") instead of scratch, or another part of the clause that keeps it";
        else if (!made.empty())
            claims.doubts.push_back(begin + ", and makes " + made +
                                    " of that: what is in scratch(...) begins anew");
        else if (number && trail.shownBehind.isValid())
            claims.doubts.push_back("line " + lineOf(trail.shownBehind) +
                                    " puts out what is made of '" + claim.name +
                                    "' as the iterations since the last change have "
                                    "left it: same(" +
                                    claim.name + ") instead of scratch keeps it");
    }

    /* -- own */

    /* A constant, or what tells a process its rank or how many there are. */
    bool isOfProcesses(const Expr *value) const
    {
        Expr::EvalResult result;
        const auto *name = dyn_cast<DeclRefExpr>(value->IgnoreParenCasts());
        if (name == nullptr)
            return value->EvaluateAsRValue(result, context);
        return llvm::any_of(pointsTo.functions, [&](const FunctionDecl *function) {
            return function->getBody() != nullptr &&
                   anyWithin(function->getBody(), [&](const Stmt *part) {
                       if (!calls(part, "MPI_Comm_size") && !calls(part, "MPI_Comm_rank"))
                           return false;
                       const Expr *told = addressedBy(cast<CallExpr>(part)->getArg(1));
                       return told != nullptr && variableIn(told) == name->getDecl();
                   });
        });
    }

    /* Iterations do nothing but add to it, or but choose. */
    bool isSteady(const Walk::Trail &trail) const
    {
        bool adds = true, picks = true;
        for (const Walk::Trail::Step &step : trail.steps) {
            const auto *binary = dyn_cast<BinaryOperator>(step.by);
            const BinaryOperatorKind kind = binary ? binary->getOpcode() : BO_AddAssign;
            adds = adds && (kind == BO_AddAssign || kind == BO_SubAssign);
            picks = picks && binary != nullptr &&
                    (picksOne(loop.loop, binary, true, context) ||
                     picksOne(loop.loop, binary, false, context));
        }
        return !trail.filled && !trail.steps.empty() && (adds || picks);
    }

    /* The step by which each process adds, in each iteration, what is not of its rows; or null. */
    const Expr *addingAlike(const Walk::Trail &trail) const
    {
        for (const Walk::Trail::Step &step : trail.steps) {
            const auto *binary = dyn_cast<BinaryOperator>(step.by);
            const bool adds = binary == nullptr || binary->getOpcode() == BO_AddAssign;
            if (step.always && adds && (binary == nullptr || isOfProcesses(binary->getRHS())))
                return step.by;
        }
        return nullptr;
    }

    void judgeOwn(const Claim &claim, Walk &walk)
    {
        const Walk::Trail &trail = walk.trail;
        const auto fitting = [&](const Walk::Trail::Together &one) {
            return fits(claim.operation, one.operation);
        };
        if (!trail.together.empty() && llvm::none_of(trail.together, fitting) &&
            (claim.operation != "+" || isSteady(trail)))
            claims.wrong = "line " + lineOf(trail.together.front().where) +
                           " puts together what processes have as '" + claim.name + "' by " +
                           trail.together.front().operation + ", and " + clauseOf(claim) +
                           " what one has that leaves and another one by '" + claim.operation + "'";
        else if (number)
            doubtOwn(claim, walk);
    }

    static std::string clauseOf(const Claim &claim)
    {
        return "own(" + claim.name + ": " + claim.operation + ")";
    }

    void doubtOwn(const Claim &claim, Walk &walk)
    {
        const Walk::Trail &trail = walk.trail;
        const Expr *alike = claim.operation == "+" ? addingAlike(trail) : nullptr;
        if (alike != nullptr)
            claims.doubts.push_back("line " + lineOf(alike->getExprLoc()) + " adds to '" +
                                    claim.name + "' on each process, whatever rows it has: what " +
                                    "all have together follows how many there are");
        const std::string made = madeOf(walk, trail.made, true),
                          governed = madeOf(walk, trail.governed, false);
        const std::string what = !made.empty()       ? "iterations make " + made + " of"
                                 : !governed.empty() ? "iterations set " + governed + " by"
                                 : trail.shown.isValid()
                                     ? "line " + lineOf(trail.shown) + " puts out"
                                     : "";
        if (!what.empty())
            claims.doubts.push_back(what + " what '" + claim.name + "' is on each process, and " +
                                    clauseOf(claim) +
                                    " keeps what all have together: put it together first");
    }

    /* -- the same */

    void followRank()
    {
        Walk walk(context, pointsTo, loop.loop, loop.point, 0, ignored, Walk::Other::ByTrail);
        walk.trail.ofRank = true;
        walk.trail.begins = [&](Walk &at) {
            nameAll(at);
            return Walk::Ids();
        };
        named.clear();
        if (!walk.from(root))
            return;
        for (const auto &[object, where] : walk.trail.made) {
            const Claim *claim = claimOf(walk, object);
            if (claim == nullptr || claim->kind != Claim::Kind::Same || !walk.isOnTrail(object))
                continue;
            claims.doubts.push_back("line " + lineOf(where) + " sets '" + bare(claim->name) +
                                    "' to what follows the rank, and same(" + claim->name +
                                    ") says that all processes have the same there");
            return;
        }
    }
};

} // namespace

Claims judgeClaims(ASTContext &context, const PointsTo &pointsTo, const Told &loop,
                   const std::function<bool(const Expr *)> &ignored)
{
    return Judge(context, pointsTo, loop, ignored).judge();
}

} // namespace xmpi
