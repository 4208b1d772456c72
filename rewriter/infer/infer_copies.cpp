/* SPDX-License-Identifier: BSD-3-Clause
 * What the survey tells about values that come from functions of the file: copies of rank and size,
 * and structs that hold the range. */
#include "infer/infer_copies.h"

namespace xmpi
{

using namespace clang;

static bool isLayoutFree(const Survey &survey, const Place &place)
{
    std::optional<Values> values = survey.valuesOf(place);
    for (size_t i = 1; values && i < values->size(); i++)
        if (survey.samples[i].round == survey.samples[i - 1].round &&
            (*values)[i] != (*values)[i - 1])
            return false;
    return values.has_value();
}

bool variesWithLayout(const Inference &inference, const Place &place)
{
    if (inference.survey == nullptr || place.element || place.behind)
        return false;
    if (place.type->isRecordType() && place.field == nullptr) {
        for (const FieldDecl *field : place.type->getAsRecordDecl()->fields())
            if (variesWithLayout(inference, {place.base, field, false, false, field->getType()}))
                return true;
        return false;
    }
    return inference.survey->valuesOf(place) && !isLayoutFree(*inference.survey, place);
}

namespace
{

class Copies
{
  public:
    Copies(Analysis &analysis, const Survey &survey) : analysis(analysis), survey(survey)
    {
    }

    /* Integers that hold the rank or the size, wherever they have it from: a struct that a function
     * of the file returns. */
    void addCopies(size_t step)
    {
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes) {
                const Place &place = write.place;
                if (item.step != step || place.behind || place.element ||
                    (item.kind != Class::Keep && item.kind != Class::Domain))
                    continue;
                if (place.type->isRecordType() && place.field == nullptr)
                    for (const FieldDecl *field : place.type->getAsRecordDecl()->fields())
                        addCopy(item, {place.base, field, false, false, field->getType()});
                else if (isSetElsewhere(item))
                    addCopy(item, place);
            }
    }

    /* Outside the loop's function, or by a function of the file: no setup can set it anew. */
    bool isSetElsewhere(const Item &item) const
    {
        return item.step + 1 < analysis.path.size() ||
               !analysis.finder.reachable(analysis.finder.of(item.statement)).empty();
    }

    void addCopy(const Item &item, const Place &member)
    {
        const Step &step = analysis.path[item.step];
        if (analysis.members.replaces(member.base, member.field) ||
            analysis.rangeAt(member) != nullptr || !isCountable(analysis, member.type) ||
            !canBeWritten(analysis, member.base) ||
            (member.field != nullptr &&
             (member.type.isConstQualified() || member.field->isBitField())) ||
            !analysis.structure.alive(member.base, step.function, step.anchor) ||
            !analysis.structure.visible(member.base, step.function, step.anchor) ||
            changesLater(member))
            return;
        for (RangeKind kind : {RangeKind::Rank, RangeKind::Size})
            if (holds(member, kind)) {
                analysis.ranges.push_back({kind, member});
                analysis.addRefresh(
                    analysis.site(Site::Kind::After, analysis.source.statement(item.statement).end),
                    kind, analysis.textOf(member, item.step), item.statement->getBeginLoc());
                makeWritable(analysis, member.base);
                return;
            }
        if (std::string formula = neighbourFormula(member); !formula.empty()) {
            analysis.ranges.push_back({RangeKind::Neighbour, member, formula});
            makeWritable(analysis, member.base);
            addAgain(analysis, analysis.ranges.back());
        }
    }

    /* How PLACE follows from the rank and size alone: what the first (or last) rank has, and what
     * all others have, a rank next to theirs or the same number. Empty: not at all, or not seen
     * with processes enough. */
    std::string neighbourFormula(const Place &place) const
    {
        std::optional<Values> values = survey.valuesOf(place);
        if (!values || llvm::none_of(survey.samples,
                                     [](const Survey::Sample &some) { return some.size >= 4; }))
            return "";
        for (bool first : {true, false}) {
            std::string edge = valueAt(true, *values, first),
                        others = valueAt(false, *values, first);
            if (edge.empty() || others.empty() || edge == others)
                continue;
            return (first ? "xmpi_rank > 0 ? " : "xmpi_rank + 1 < xmpi_size ? ") + others + " : " +
                   edge;
        }
        return "";
    }

    static bool isEdge(const Survey::Sample &sample, bool first)
    {
        return sample.rank == (first ? 0 : sample.size - 1);
    }

    /* What VALUES are at the first edge of the ranks or the last one, or for all others: the rank
     * beside, around the edge, or a constant. */
    std::string valueAt(bool edge, const Values &values, bool first) const
    {
        bool beside = true, same = true;
        std::optional<long long> known;
        for (size_t i = 0; i < values.size(); i++) {
            const Survey::Sample &sample = survey.samples[i];
            if (isEdge(sample, first) != edge)
                continue;
            const int next = first ? sample.rank - 1 : sample.rank + 1;
            beside = beside && values[i] == (!edge ? next : first ? sample.size - 1 : 0);
            same = same && (!known || *known == values[i]);
            known = values[i];
        }
        if (beside)
            return edge ? (first ? "xmpi_size - 1" : "0")
                        : (first ? "xmpi_rank - 1" : "xmpi_rank + 1");
        return same && known ? std::to_string(*known) : "";
    }

    bool changesLater(const Place &place) const
    {
        return analysis.inLoop.changes(place);
    }

    bool holds(const Place &place, RangeKind kind) const
    {
        std::optional<Values> values = survey.valuesOf(place);
        for (size_t i = 0; values && i < values->size(); i++) {
            const Survey::Sample &sample = survey.samples[i];
            if ((*values)[i] != (kind == RangeKind::Rank ? sample.rank : sample.size))
                return false;
        }
        return values.has_value();
    }

    /* Structs assigned as a whole: their members are the range, or the same for all processes. */
    void findDivided()
    {
        for (const Item &item : analysis.prologue)
            for (const Write &write : item.effects.writes) {
                const Place &place = write.place;
                if (place.field == nullptr && !place.behind && !place.element &&
                    place.type->isRecordType() && isDivided(place))
                    analysis.divided.insert(place.base->getCanonicalDecl());
                if (analysis.members.contains(place.base) && write.value != nullptr &&
                    write.value->getType()->isRecordType() && isLayoutFree(survey, place))
                    analysis.divided.insert(place.base);
            }
    }

    bool isDivided(const Place &place) const
    {
        bool ranges = false;
        for (const FieldDecl *field : place.type->getAsRecordDecl()->fields()) {
            Place member{place.base, field, false, false, field->getType()};
            SourceLocation where;
            if (analysis.rangeAt(member) != nullptr)
                ranges = true;
            else if ((!analysis.laterUse(member, where).empty() || isNamed(member)) &&
                     !isLayoutFree(survey, member))
                return false;
        }
        return ranges;
    }

    bool isNamed(const Place &member) const
    {
        for (const Item &item : analysis.prologue)
            for (const Mention &mention : item.effects.mentions)
                if (mention.place.field != nullptr && !mention.assigned &&
                    overlap(mention.place, member))
                    return true;
        return false;
    }

  private:
    Analysis &analysis;
    const Survey &survey;
};

} // namespace

void findCopies(Analysis &analysis, const Inference &inference, size_t step)
{
    if (inference.survey != nullptr)
        Copies(analysis, *inference.survey).addCopies(step);
}

void findDivided(Analysis &analysis, const Inference &inference)
{
    if (inference.survey != nullptr)
        Copies(analysis, *inference.survey).findDivided();
}

} // namespace xmpi
