/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the variables that hold the local range: those whose values, over all ranks, are the parts
 * of one whole, for any number of processes. */
#include "infer.h"
#include "uses.h"
#include <algorithm>
#include <cstdint>

namespace xmpi
{

using namespace clang;

namespace
{

struct Candidate {
    Place place;
    Values values;
    size_t item; /* the last one that writes it */
};

class RangeFinder
{
  public:
    RangeFinder(Analysis &analysis, const Survey &survey) : analysis(analysis), survey(survey)
    {
    }

    std::optional<Division> find()
    {
        collect();
        for (const Candidate &displ : candidates)
            for (const Candidate &other : candidates)
                for (RangeKind kind : {RangeKind::Count, RangeKind::End, RangeKind::Last}) {
                    std::optional<Division> division = match(displ, other, kind);
                    if (division)
                        return division;
                }
        for (const Candidate &count : candidates)
            if (std::optional<Division> division = matchCount(count))
                return division;
        return std::nullopt;
    }

  private:
    Analysis &analysis;
    const Survey &survey;
    std::vector<Candidate> candidates;

    void collect()
    {
        for (size_t i = 0; i < analysis.prologue.size(); i++)
            for (const Write &write : analysis.prologue[i].effects.writes)
                add(write.place, i);
    }

    void add(const Place &place, size_t item)
    {
        if (place.behind || place.element)
            return;
        if (place.field == nullptr && place.type->isRecordType()) {
            for (const FieldDecl *field : place.type->getAsRecordDecl()->fields())
                if (!field->isBitField())
                    add({place.base, field, false, false, field->getType()}, item);
            return;
        }
        const Step &step = analysis.path[analysis.prologue[item].step];
        if (!isCountable(analysis, place.type) || !canBeWritten(analysis, place.base) ||
            (place.field != nullptr && place.type.isConstQualified()) ||
            analysis.rangeAt(place) != nullptr ||
            !analysis.structure.alive(place.base, step.function, step.anchor) ||
            !analysis.structure.visible(place.base, step.function, step.anchor))
            return;
        for (Candidate &known : candidates)
            if (overlap(known.place, place) && known.place.field == place.field) {
                known.item = item;
                return;
            }
        std::optional<Values> values = survey.valuesOf(place);
        if (values)
            candidates.push_back({place, *values, item});
    }

    /* How many rows OTHER says that sample I has, when it is of KIND. */
    static long long rows(const Values &displ, const Values &other, RangeKind kind, size_t i)
    {
        if (kind == RangeKind::Count)
            return other[i];
        return other[i] - displ[i] + (kind == RangeKind::Last ? 1 : 0);
    }

    std::optional<Division> match(const Candidate &displ, const Candidate &other,
                                  RangeKind kind) const
    {
        Division division;
        long long whole = 0;
        for (size_t i = 0; i < survey.samples.size(); i++) {
            const Survey::Sample &sample = survey.samples[i];
            long long own = rows(displ.values, other.values, kind, i);
            bool last = sample.rank + 1 == sample.size;
            if ((sample.rank == 0 && displ.values[i] != 0) || own < 0 ||
                (!last && displ.values[i + 1] != displ.values[i] + own))
                return std::nullopt;
            if (last && sample.size == 1)
                whole = own;
            if (last && displ.values[i] + own != whole)
                return std::nullopt;
            division.count.push_back(own);
        }
        if (whole == 0 || !varies(division.count))
            return std::nullopt;
        division.first = displ.values;
        division.extent = extent(division);
        return complete(displ, division);
    }

    /* A count whose first row no variable has: it is the sum of the counts before. */
    std::optional<Division> matchCount(const Candidate &count) const
    {
        Division division;
        long long whole = 0, first = 0;
        for (size_t i = 0; i < survey.samples.size(); i++) {
            const Survey::Sample &sample = survey.samples[i];
            if (sample.size == 1)
                whole = count.values[i];
            if (sample.rank == 0)
                first = 0;
            division.first.push_back(first);
            first += count.values[i];
            if (count.values[i] < 0 || whole == 0 ||
                (sample.rank + 1 == sample.size && first != whole))
                return std::nullopt;
        }
        if (!varies(count.values) || analysis.prologue[count.item].kind != Class::Keep ||
            !endsLoop(count.place))
            return std::nullopt;
        division.count = count.values;
        division.extent = extent(division);
        division.counted = true;
        return complete(count, division);
    }

    /* A loop over the own rows ends at PLACE: it is a count, and not a share for comparison. */
    bool endsLoop(const Place &place) const
    {
        LoopUses uses(analysis);
        return std::any_of(uses.bodies.begin(), uses.bodies.end(),
                           [&](const Stmt *body) { return endsLoop(uses, body, place); });
    }

    bool endsLoop(const LoopUses &uses, const Stmt *statement, const Place &place) const
    {
        const auto *loop = dyn_cast<ForStmt>(statement);
        if (loop != nullptr && loop != analysis.loop && loop->getCond() != nullptr)
            for (const Mention &mention : analysis.finder.of(loop->getCond()).mentions)
                if (overlap(mention.place, place) ||
                    (place.field == nullptr && uses.means(mention.place.base, place.base)))
                    return true;
        for (const Stmt *child : statement->children())
            if (child != nullptr && endsLoop(uses, child, place))
                return true;
        return false;
    }

    /* Not all samples have the same: the size plays a part. */
    static bool varies(const Values &values)
    {
        return std::any_of(values.begin(), values.end(),
                           [&](long long value) { return value != values.front(); });
    }

    Values extent(const Division &division) const
    {
        Values extent;
        long long whole = 0;
        for (size_t i = 0; i < survey.samples.size(); i++) {
            if (survey.samples[i].size == 1)
                whole = division.count[i];
            extent.push_back(whole);
        }
        return extent;
    }

    std::optional<Division> complete(const Candidate &displ, Division division) const
    {
        division.displ = {RangeKind::Displ, displ.place};
        division.item = displ.item;
        for (const Candidate &candidate : candidates)
            for (RangeKind kind :
                 {RangeKind::Displ, RangeKind::Count, RangeKind::End, RangeKind::Last})
                if (isKind(candidate.values, division, kind)) {
                    division.variables.push_back({{kind, candidate.place}, candidate.item});
                    if (analysis.prologue[candidate.item].step ==
                        analysis.prologue[displ.item].step)
                        division.item = std::max(division.item, candidate.item);
                    break;
                }
        const Item &item = analysis.prologue[division.item];
        division.step = item.step;
        const Step &step = analysis.path[item.step];
        division.domain = survey.textFor(division.extent, step.function, step.anchor);
        if (division.domain.empty())
            return std::nullopt;
        return division;
    }

    static bool isKind(const Values &values, const Division &division, RangeKind kind)
    {
        for (size_t i = 0; i < values.size(); i++) {
            long long wanted = kind == RangeKind::Count ? division.count[i] : division.first[i];
            if (kind == RangeKind::End || kind == RangeKind::Last)
                wanted += division.count[i] - (kind == RangeKind::Last ? 1 : 0);
            if (values[i] != wanted)
                return false;
        }
        return true;
    }
};

} // namespace

/* The division that a pragma names, as far as its values are known. */
static bool divideAsWritten(Analysis &analysis, const Pragma &pragma, Inference &inference)
{
    auto survey = std::make_unique<Survey>(analysis, true, std::vector<long long>{1, 2, 3, 4, 5});
    std::optional<Place> count = placeOf(pragma.operands[1].expression);
    std::optional<Place> displ = placeOf(pragma.operands[2].expression);
    std::optional<Values> counts = count ? survey->valuesOf(*count) : std::nullopt;
    std::optional<Values> first = displ ? survey->valuesOf(*displ) : std::nullopt;
    if (!counts || !first)
        return true;
    Division division;
    division.displ = {RangeKind::Displ, *displ};
    division.count = *counts;
    division.first = *first;
    division.domain = pragma.operands[0].text;
    for (size_t i = 0; i < counts->size(); i++) {
        size_t last =
            i + static_cast<size_t>(survey->samples[i].size - survey->samples[i].rank) - 1;
        division.extent.push_back((*first)[last] + (*counts)[last]);
    }
    division.item = SIZE_MAX;
    while (analysis.path[division.step].function != pragma.function)
        division.step++;
    inference.survey = std::move(survey);
    inference.division = division;
    return true;
}

/* A domain that is a constant cannot be varied: a formula that suits it with few processes only is
 * found out by more of them. */
static bool holdsForMore(Analysis &analysis, const Inference &inference, bool divisible)
{
    const Values &extent = inference.division->extent;
    if (std::any_of(extent.begin(), extent.end(), [&](long long own) { return own != extent[0]; }))
        return true;
    std::vector<long long> sizes = {1};
    for (long long size : {16, 7, 12, 8, 6})
        if (sizes.size() < 3 && size <= extent[0] && (!divisible || extent[0] % size == 0))
            sizes.push_back(size);
    Survey survey(analysis, divisible, sizes);
    std::optional<Division> division = RangeFinder(analysis, survey).find();
    return sizes.size() == 1 ||
           (division && overlap(division->displ.place, inference.division->displ.place) &&
            division->displ.place.field == inference.division->displ.place.field);
}

bool inferRange(Analysis &analysis, Inference &inference)
{
    const Pragma *last = nullptr;
    for (const auto &pragma : analysis.pragmas.list)
        if (pragma->directive == Directive::Domain)
            last = pragma.get();
    if (last != nullptr)
        return divideAsWritten(analysis, *last, inference);
    /* Some formulas are right only where the size divides the domain, which may be a constant. */
    static const std::vector<long long> sizes[] = {{1, 2, 3, 4, 5}, {1, 2, 3, 4}, {1, 2, 4},
                                                   {1, 2, 5},       {1, 3, 5},    {1, 2, 3}};
    for (bool divisible : {false, true})
        for (const std::vector<long long> &some : sizes) {
            inference.survey = std::make_unique<Survey>(analysis, divisible, some);
            inference.division = RangeFinder(analysis, *inference.survey).find();
            if (inference.division && holdsForMore(analysis, inference, divisible))
                return true;
            inference.division.reset();
            if (!divisible)
                break;
        }
    return true;
}

static std::string castTo(const Place &place, const std::string &value)
{
    return place.text() + " = (" + place.type.getUnqualifiedType().getAsString() + ")(" + value +
           ");";
}

/* Count and displ of our own, where the program has only a begin and an end, or computes its own
 * again. */
static void addHidden(Analysis &analysis, const Division &division, Registrations &registrations)
{
    const RangeVariable *other = nullptr;
    for (const auto &[variable, item] : division.variables)
        if (other == nullptr && variable.kind != RangeKind::Displ)
            other = &variable;
    if (other == nullptr || analysis.program.hiddenRange)
        return;
    analysis.program.hiddenRange = true;
    std::string name = other->place.text(), first = division.displ.place.text();
    std::string scan = "MPI_Scan(&xmpi_count, &xmpi_displ, 1, MPI_LONG_LONG, MPI_SUM, "
                       "MPI_COMM_WORLD); xmpi_displ -= xmpi_count;";
    std::string counted = "xmpi_count = (long long)" + first + "; ";
    if (division.counted)
        registrations.prepare = counted + "if (xmpi_gen_initial()) { " + scan + " }";
    else if (other->kind == RangeKind::Count)
        registrations.prepare =
            "xmpi_displ = (long long)" + first + "; xmpi_count = (long long)" + name + ";";
    else
        registrations.prepare = "xmpi_displ = (long long)" + first + "; xmpi_count = (long long)" +
                                name + " - (long long)" + first +
                                (other->kind == RangeKind::Last ? " + 1;" : ";");
    analysis.restoreHidden = "\n" + (division.counted ? counted + scan : registrations.prepare);
    SourceLocation where = analysis.prologue[division.item].statement->getBeginLoc();
    analysis.addRefresh(registrations, RangeKind::Count, "xmpi_count", where);
    analysis.addRefresh(registrations, RangeKind::Displ, "xmpi_displ", where);
}

static bool needsHidden(const Division &division)
{
    return division.counted ||
           std::any_of(division.variables.begin(), division.variables.end(), [](const auto &known) {
               return known.first.kind == RangeKind::End || known.first.kind == RangeKind::Last;
           });
}

void hideRange(Analysis &analysis, const Division &division)
{
    const Stmt *statement = analysis.prologue[division.item].statement;
    addHidden(analysis, division,
              analysis.site(Site::Kind::After, analysis.source.statement(statement).end));
}

std::string rangeAgain(const RangeVariable &variable)
{
    static const char *const values[] = {"",
                                         "",
                                         "xmpi_count",
                                         "xmpi_displ",
                                         "xmpi_displ + xmpi_count",
                                         "xmpi_displ + xmpi_count - 1"};
    return castTo(variable.place, values[static_cast<int>(variable.kind)]);
}

/* Where a loop has changed the layout before, the ends follow the layout that is there. */
static std::string endsAnew(const Analysis &analysis, const Division &division)
{
    std::string text;
    for (const auto &[variable, item] : division.variables)
        if ((variable.kind == RangeKind::End || variable.kind == RangeKind::Last) &&
            analysis.prologue[item].step == division.step && item <= division.item)
            text += (text.empty() ? "" : " ") +
                    castTo(variable.place, variable.kind == RangeKind::End
                                               ? "xmpi_displ + xmpi_count"
                                               : "xmpi_displ + xmpi_count - 1");
    return text;
}

void addAgain(Analysis &analysis, const RangeVariable &variable)
{
    const Step &step = analysis.loopStep();
    if (!analysis.structure.visible(variable.place.base, step.function, step.anchor))
        return; /* what stands for it there follows */
    bool end = variable.kind == RangeKind::End;
    analysis.program.loop.again.push_back(rangeAgain(variable));
    std::string name = variable.place.text();
    analysis.program.remarks.push_back(
        {analysis.source.offset(variable.place.base->getLocation()), end ? "end" : "last", name,
         "'" + name + "' holds the " + (end ? "row after the last own one" : "last own row")});
}

void registerDivision(Analysis &analysis, const Inference &inference, size_t step)
{
    if (!inference.division)
        return;
    const Division &division = *inference.division;
    auto after = [&](size_t item) -> Registrations & {
        return analysis.site(Site::Kind::After,
                             analysis.source.statement(analysis.prologue[item].statement).end);
    };
    if (division.item == SIZE_MAX)
        return; /* a pragma says it */
    bool here = analysis.prologue[division.item].step == step;
    for (const auto &known : division.variables)
        analysis.dividing.insert(analysis.prologue[known.second].statement);
    if (here) {
        after(division.item).domain = division.domain;
        if (needsHidden(division))
            addHidden(analysis, division, after(division.item));
        if (analysis.framed)
            after(division.item).finish = endsAnew(analysis, division);
        analysis.program.remarks.push_back(
            {analysis.source.offset(analysis.prologue[division.item].statement->getBeginLoc()),
             "domain", division.domain, "'" + division.domain + "' rows are divided"});
    }
    for (const auto &[variable, item] : division.variables) {
        if (analysis.prologue[item].step != step)
            continue;
        analysis.ranges.push_back(variable);
        makeWritable(analysis, variable.place.base);
        if (variable.kind == RangeKind::End || variable.kind == RangeKind::Last)
            addAgain(analysis, variable);
        else
            analysis.addRefresh(after(division.item > item && here ? division.item : item),
                                variable.kind, variable.place.text(),
                                analysis.prologue[item].statement->getBeginLoc());
    }
}

} // namespace xmpi
