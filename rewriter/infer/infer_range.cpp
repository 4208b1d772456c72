/* SPDX-License-Identifier: BSD-3-Clause
 * Finds the division of the rows: that which a pragma names, or one that suits any number of
 * processes. */
#include "infer/infer.h"
#include "infer/infer_tables.h"
#include "flow/other_files.h"
#include <numeric>

namespace xmpi
{

using namespace clang;

/* The values of what PRAGMA names, where they are a division. */
static bool readDivision(const Pragma &pragma, Survey &survey, Division &division)
{
    division.count.clear();
    division.first.clear();
    division.extent.clear();
    for (Survey::Sample &sample : survey.samples) {
        std::optional<long long> count = sample.trial.integerOf(pragma.operands[1].expression);
        std::optional<long long> first = sample.trial.integerOf(pragma.operands[2].expression);
        bool begin = sample.rank == 0;
        if (!count || !first ||
            *first != (begin ? 0 : division.first.back() + division.count.back()))
            return false;
        division.count.push_back(*count);
        division.first.push_back(*first);
    }
    for (size_t i = 0; i < division.count.size(); i++) {
        const Survey::Sample &sample = survey.samples[i];
        size_t last = i + static_cast<size_t>(sample.size - sample.rank) - 1;
        division.extent.push_back(division.first[last] + division.count[last]);
    }
    return llvm::any_of(division.count,
                        [&](long long count) { return count != division.count.front(); });
}

static bool describeWritten(const Analysis &analysis, const Pragma &pragma, Division &division)
{
    division.written = true;
    division.domain = pragma.operands[0].text;
    auto item =
        llvm::find_if(analysis.prologue, [&](const Item &one) { return one.pragma == &pragma; });
    if (item == analysis.prologue.end())
        return false;
    division.item = static_cast<size_t>(item - analysis.prologue.begin());
    division.step = analysis.prologue[division.item].step;
    for (size_t i : {2, 1})
        if (std::optional<Place> place = placeOf(pragma.operands[i].expression))
            division.variables.push_back(
                {{i == 2 ? RangeKind::Displ : RangeKind::Count, *place}, division.item});
    division.displ = division.variables.front().first;
    return true;
}

/* The division that a pragma names. Where the statement that computes it cannot be tried, any
 * division serves to see what follows it. */
static bool divideAsWritten(Analysis &analysis, const Pragma &pragma, Inference &inference)
{
    const std::vector<long long> sizes = {1, 2, 3, 4, 5};
    Division division;
    for (size_t i : {1, 2})
        if (std::optional<Place> place = placeOf(pragma.operands[i].expression);
            !place || place->behind || place->element)
            return true;
    auto survey = std::make_unique<Survey>(analysis, true, sizes);
    if (!readDivision(pragma, *survey, division)) {
        analysis.divideDomains = true;
        survey = std::make_unique<Survey>(analysis, true, sizes);
        if (!readDivision(pragma, *survey, division)) {
            inference.survey = std::move(survey);
            return true;
        }
    }
    if (!describeWritten(analysis, pragma, division))
        return true;
    if (!analysis.divideDomains)
        addEnds(analysis, *survey, division);
    inference.survey = std::move(survey);
    inference.division = division;
    return true;
}

/* A domain that is a constant cannot be varied: a formula that suits it with few processes only is
 * found out by more of them. */
static bool holdsForMore(Analysis &analysis, const Inference &inference, bool divisible)
{
    const Values &extent = inference.division->extent;
    if (llvm::any_of(extent, [&](long long own) { return own != extent[0]; }))
        return true;
    std::vector<long long> sizes = {1};
    for (long long size : {16, 7, 12, 8, 6})
        if (sizes.size() < 3 && size <= extent[0] && (!divisible || extent[0] % size == 0))
            sizes.push_back(size);
    Survey survey(analysis, divisible, sizes);
    std::optional<Division> division = findDivision(analysis, survey);
    return sizes.size() == 1 ||
           (division && division->countText == inference.division->countText &&
            overlap(division->displ.place, inference.division->displ.place) &&
            division->displ.place.field == inference.division->displ.place.field);
}

/* Where every number of processes that was tried divides the domain, a constant, n / size is the
 * same as the count. Others tell them apart. */
static void tryUneven(Analysis &analysis, Inference &inference)
{
    const long long extent = inference.division->extent.front();
    for (size_t i = 0; i < inference.division->extent.size(); i++)
        if (inference.division->extent[i] != extent || extent % inference.survey->samples[i].size)
            return;
    std::vector<long long> sizes = {1, 2};
    for (long long size : {7, 11, 13, 17})
        if (extent % size != 0 && size <= extent && sizes.size() < 4)
            sizes.push_back(size);
    auto survey = std::make_unique<Survey>(analysis, false, sizes);
    std::optional<Division> division = findDivision(analysis, *survey);
    if (sizes.size() == 2 || !division ||
        !overlap(division->displ.place, inference.division->displ.place) ||
        division->displ.place.field != inference.division->displ.place.field)
        return;
    inference.survey = std::move(survey);
    inference.division = division;
}

/* Some formulas are right only where the size divides the domain, which may be a constant. */
static bool tryDivisions(Analysis &analysis, Inference &inference)
{
    static const std::vector<long long> sizes[] = {{1, 2, 3, 4, 5}, {1, 2, 3, 4}, {1, 2, 4},
                                                   {1, 2, 5},       {1, 3, 5},    {1, 2, 3}};
    for (bool divisible : {false, true}) {
        std::unique_ptr<Survey> all; /* of which the others are parts */
        for (const std::vector<long long> &some : sizes) {
            inference.survey = all ? std::make_unique<Survey>(*all, some)
                                   : std::make_unique<Survey>(analysis, divisible, some);
            inference.division = findDivision(analysis, *inference.survey);
            if (inference.division && holdsForMore(analysis, inference, divisible)) {
                tryUneven(analysis, inference);
                return true;
            }
            inference.division.reset();
            if (inference.survey->isSpent())
                return false; /* with larger inputs it would be, too */
            if (!divisible)
                break;
            if (!all)
                all = std::move(inference.survey);
        }
    }
    return false;
}

/* What all first rows and counts are multiples of, for each sample: more than 1 where rows are
 * counted in something smaller (cells, unknowns). Blocks that a size does not divide evenly differ
 * by one row else. */
static Values unitsOf(const Survey &survey, const Division &division)
{
    std::map<size_t, long long> units; /* by round */
    std::set<size_t> uneven;
    for (size_t i = 0; i < survey.samples.size(); i++) {
        long long &unit = units[survey.samples[i].round];
        unit = std::gcd(unit, std::gcd(division.first[i], division.count[i]));
        if (division.extent[i] % survey.samples[i].size != 0)
            uneven.insert(survey.samples[i].round);
    }
    Values found;
    for (const Survey::Sample &sample : survey.samples)
        found.push_back(uneven.count(sample.round) ? units[sample.round] : 1);
    return found;
}

static bool areUnits(const Values &units)
{
    return llvm::all_of(units, [](long long unit) { return unit > 1; });
}

/* With few sizes, blocks of which the last takes the rest may have a divisor in common. */
static bool areUnitsForMore(Analysis &analysis, const Inference &inference, const Values &units)
{
    const Values &extent = inference.division->extent;
    std::vector<long long> sizes = {1};
    for (long long size : {5, 7, 9, 11, 13, 19, 23})
        if (size <= extent.front() / units.front())
            sizes.push_back(size);
    Survey survey(analysis, false, sizes);
    std::optional<Division> division = Division();
    if (!inference.division->written)
        division = findDivision(analysis, survey);
    else if (!readDivision(*analysis.prologue[inference.division->item].pragma, survey, *division))
        return false;
    return division && areUnits(unitsOf(survey, *division));
}

/* The range must count what is divided: a reconfiguration would cut rows in pieces. */
static bool checkUnit(Analysis &analysis, const Inference &inference)
{
    if (!inference.division || analysis.divideDomains ||
        analysis.startsOver) /* it cuts where the program does */
        return true;
    const Values units = unitsOf(*inference.survey, *inference.division);
    if (!areUnits(units) || !areUnitsForMore(analysis, inference, units))
        return true;
    const Step &step = analysis.loopStep();
    std::string unit = inference.survey->textFor(units, step.function, step.anchor);
    const Division &division = *inference.division;
    const Place &place =
        division.variables.empty() ? division.displ.place : division.variables.back().first.place;
    return analysis.diagnostics.report(
        analysis.prologue[inference.division->item].statement->getBeginLoc(), Problem::RangeUnit,
        {place.text(), unit.empty() ? std::to_string(units.front()) : unit});
}

static bool inferDivision(Analysis &analysis, Inference &inference)
{
    const Pragma *last = nullptr;
    for (const auto &pragma : analysis.pragmas.list)
        if (pragma->directive == Directive::Domain)
            last = pragma.get();
    if (last != nullptr)
        return divideAsWritten(analysis, *last, inference);
    if (tryDivisions(analysis, inference))
        return true;
    std::unique_ptr<Survey> found = std::move(inference.survey);
    for (const auto &assumption : rankAssumptions(analysis)) {
        analysis.assumed = assumption;
        if (tryDivisions(analysis, inference))
            return true;
    }
    analysis.assumed.clear();
    inference.survey = std::move(found);
    return true;
}

bool inferRange(Analysis &analysis, Inference &inference)
{
    if (!inferDivision(analysis, inference) || !checkUnit(analysis, inference))
        return false;
    noteComputed(analysis, inference);
    return true;
}

} // namespace xmpi
