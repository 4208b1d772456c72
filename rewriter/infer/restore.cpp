/* SPDX-License-Identifier: BSD-3-Clause
 * The clause restore: the statements that divide the rows, to be run again after the loop. */
#include "analysis.h"
#include "check/safety.h"

namespace xmpi
{

using namespace clang;

namespace
{

class Restorer
{
  public:
    explicit Restorer(Analysis &analysis) : analysis(analysis)
    {
    }

    bool describe()
    {
        if (!findDividing())
            return false;
        addNeeded();
        std::string text;
        for (size_t i = 0; i < analysis.prologue.size(); i++)
            if (chosen.count(i) && !addText(analysis.prologue[i], text))
                return false;
        analysis.program.loop.restore = text + analysis.restoreHidden;
        return true;
    }

  private:
    Analysis &analysis;
    std::set<size_t> chosen; /* items of the prologue */

    bool refuse(SourceLocation where, const std::string &why)
    {
        return analysis.diagnostics.report(where, Problem::Restore, {why});
    }

    bool findDividing()
    {
        for (size_t i = 0; i < analysis.prologue.size(); i++) {
            const Item &item = analysis.prologue[i];
            if (item.kind != Class::Domain && analysis.dividing.count(item.statement) == 0)
                continue;
            if (item.step + 1 != analysis.path.size())
                return refuse(item.statement->getBeginLoc(),
                              "the range is computed in another function");
            chosen.insert(i);
        }
        if (chosen.empty())
            return refuse(analysis.loopPragma->hash, "no statement computes the range");
        return true;
    }

    /* Depends on the rank or size, directly or through other statements. */
    bool isRanked(const Place &place) const
    {
        for (const RangeVariable &range : analysis.ranges)
            if (overlap(range.place, place))
                return true;
        for (size_t i = 0; i < analysis.prologue.size(); i++)
            if (ranked.count(i))
                for (const Write &write : analysis.prologue[i].effects.writes)
                    if (overlap(write.place, place))
                        return true;
        return false;
    }

    std::set<size_t> ranked;

    static bool reads(const Item &item, const Place &place)
    {
        return llvm::any_of(item.effects.mentions, [&](const Mention &mention) {
            return !mention.assigned && overlap(mention.place, place);
        });
    }

    /* The statements before them whose results they need and that follow rank and size. */
    void addNeeded()
    {
        for (size_t i = 0; i < analysis.prologue.size(); i++) {
            const Item &item = analysis.prologue[i];
            bool asks = llvm::any_of(item.effects.calls,
                                     [](const CallExpr *call) { return isMpiCall(call); });
            if (!asks && llvm::any_of(item.effects.mentions, [&](const Mention &mention) {
                    return !mention.assigned && isRanked(mention.place);
                }))
                ranked.insert(i);
        }
        size_t before;
        do {
            before = chosen.size();
            for (size_t i = analysis.prologue.size(); i-- > 0;)
                if (isNeeded(i))
                    chosen.insert(i);
        } while (chosen.size() > before);
    }

    /* A chosen statement reads what the one of INDEX sets: from the rank or size, or as the begin
     * of a sum that the chosen ones go on with. */
    bool isNeeded(size_t index) const
    {
        for (const Write &write : analysis.prologue[index].effects.writes)
            for (size_t later : chosen)
                if (later > index && write.place.type->isArithmeticType() &&
                    reads(analysis.prologue[later], write.place) &&
                    (ranked.count(index) || sets(write.place)))
                    return true;
        return false;
    }

    /* A chosen statement sets PLACE. */
    bool sets(const Place &place) const
    {
        for (size_t i : chosen)
            for (const Write &write : analysis.prologue[i].effects.writes)
                if (overlap(write.place, place))
                    return true;
        return false;
    }

    /* Run again, ITEM must do nothing but compute numbers, from what the loop has not changed. */
    bool checkAgain(const Item &item)
    {
        SourceLocation begin = item.statement->getBeginLoc();
        for (const CallExpr *call : item.effects.calls) {
            llvm::StringRef name = calleeName(call);
            if (!communication(analysis, call).empty() || !inputOutput(analysis, call).empty() ||
                name == "MPI_Init" || name == "MPI_Init_thread")
                return refuse(begin, "this communicates, reads or prints");
            if (name == "malloc" || name == "calloc" || name == "free")
                return refuse(begin, "this allocates memory");
        }
        for (const Write &write : item.effects.writes)
            if (write.place.type->isPointerType() || analysis.isData(write.place.base))
                return refuse(write.where, "this sets more than numbers");
        return checkChanges(item);
    }

    /* The loop changes neither what ITEM reads nor what it would set again, but for the range. */
    bool checkChanges(const Item &item)
    {
        for (const Write &write : analysis.inLoop.writes)
            for (const Write &again : item.effects.writes)
                if (overlap(write.place, again.place) && analysis.rangeAt(again.place) == nullptr &&
                    (isa<DeclStmt>(item.statement) ? isPartOfIt(item, again.place.base)
                                                   : !isOwn(item, again.place)))
                    return refuse(write.where, "the loop changes '" + again.place.text() + "'");
        for (const Mention &mention : item.effects.mentions)
            for (const Write &write : analysis.inLoop.writes)
                if (overlap(write.place, mention.place) && !mention.assigned &&
                    !sets(mention.place) && analysis.rangeAt(mention.place) == nullptr &&
                    !isOwn(item, mention.place))
                    return refuse(write.where, "the loop changes '" + mention.place.text() + "'");
        return true;
    }

    static bool isOwn(const Item &item, const Place &place)
    {
        return llvm::find(item.effects.declared, place.base) != item.effects.declared.end();
    }

    /* Of a declaration of several variables: one that holds the range, or follows rank and size, or
     * begins a sum. What has been set otherwise since must keep its value. */
    bool isPartOfIt(const Item &item, const VarDecl *variable) const
    {
        Place place = Place::of(variable);
        if (analysis.rangeAt(place) != nullptr)
            return true;
        if (variable->getInit() == nullptr)
            return false;
        for (const Mention &mention : analysis.finder.of(variable->getInit()).mentions)
            if (isRanked(mention.place))
                return true;
        for (size_t i : chosen)
            if (analysis.prologue[i].statement != item.statement)
                for (const Write &write : analysis.prologue[i].effects.writes)
                    if (overlap(write.place, place))
                        return true;
        return false;
    }

    bool addText(const Item &item, std::string &text)
    {
        const Step &step = analysis.loopStep();
        if (!checkAgain(item))
            return false;
        for (const Write &write : item.effects.writes) {
            bool own = !isa<DeclStmt>(item.statement) && isOwn(item, write.place);
            if (!own && !analysis.structure.visible(write.place.base, step.function, step.anchor))
                return refuse(write.where, "what it sets is not visible after the loop");
        }
        const auto *declaration = dyn_cast<DeclStmt>(item.statement);
        if (declaration == nullptr) {
            text += "\n" + analysis.source.text(analysis.source.statement(item.statement)).str();
            return true;
        }
        for (const VarDecl *variable : declaredBy(declaration)) {
            if (variable->getInit() == nullptr || !isPartOfIt(item, variable))
                continue;
            if (!variable->getType()->isArithmeticType() || variable->getType().isConstQualified())
                return refuse(variable->getLocation(), "its variable cannot be assigned");
            text += "\n" + variable->getNameAsString() + " = " +
                    analysis.source.text(analysis.source.expression(variable->getInit())).str() +
                    ";";
        }
        return true;
    }
};

} // namespace

bool describeRestore(Analysis &analysis)
{
    return !analysis.loopPragma->restore || Restorer(analysis).describe();
}

} // namespace xmpi
