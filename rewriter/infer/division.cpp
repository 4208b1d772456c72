/* SPDX-License-Identifier: BSD-3-Clause
 * Registers the division of the rows: the domain, the program's own variables, and a count and
 * first row of ours where the program has other ones. */
#include "infer/infer.h"

namespace xmpi
{

using namespace clang;

bool Division::isWithin(const std::set<long long> &limits) const
{
    return llvm::all_of(limits, [&](long long limit) {
        return llvm::all_of(
            extent, [&](long long whole) { return limit >= whole - 1 && limit <= whole + 1; });
    });
}

bool Division::isKind(const Values &values, RangeKind kind) const
{
    for (size_t i = 0; i < values.size(); i++) {
        long long wanted = kind == RangeKind::Count ? count[i] : first[i];
        if (kind == RangeKind::End || kind == RangeKind::Last)
            wanted += count[i] - (kind == RangeKind::Last ? 1 : 0);
        wanted += kind == RangeKind::Begin ? 1 : 0;
        if (values[i] != wanted)
            return false;
    }
    return true;
}

std::string domainOf(const Division &division, const Survey &survey, const Step &step)
{
    Picked picked = survey.pickedFor(nullptr);
    for (const auto &[variable, last] : division.variables)
        picked.want(variable.place);
    picked.want(division.displ.place);
    const std::string text =
        survey.textFor(division.extent, step.function, step.anchor, division.item, &picked);
    return !text.empty() /* (what others hand out is not seen: blocks are added up) */
               ? text
               : survey.textFor(division.extent, step.function, step.anchor, division.item);
}

/* A pointer to const may lead to a variable that is not const: the caller's. */
static std::string castTo(const Analysis &analysis, const Place &place, size_t step,
                          const std::string &value)
{
    std::string type = place.type.getUnqualifiedType().getAsString();
    std::string name = analysis.textOf(place, step);
    QualType base = place.base->getType();
    bool constant =
        place.behind && base->isPointerType() && base->getPointeeType().isConstQualified();
    std::string lvalue = constant ? "*(" + type + " *)(__UINTPTR_TYPE__)&" + name : name;
    return lvalue + " = (" + type + ")(" + value + ");";
}

/* Takes the first row over from FIRST, and the count from OTHER, which is of KIND. */
static std::string takeOver(RangeKind begin, const std::string &first, RangeKind kind,
                            const std::string &other)
{
    const std::string last = kind == RangeKind::Last ? " + 1;" : ";";
    if (begin == RangeKind::Begin)
        return "xmpi_displ = (long long)" + first + " - 1; xmpi_count = (long long)" + other +
               (kind == RangeKind::Count ? "" : " - xmpi_displ") + last;
    return "xmpi_displ = (long long)" + first + "; xmpi_count = (long long)" + other +
           (kind == RangeKind::Count ? "" : " - (long long)" + first) + last;
}

/* Count and displ of our own, where the program has only a begin and an end, or computes its own
 * again. */
static void addHidden(Analysis &analysis, const Division &division, Registrations &registrations)
{
    const RangeVariable *other = nullptr;
    for (const auto &[variable, item] : division.variables)
        if (other == nullptr && variable.kind != RangeKind::Displ &&
            variable.kind != RangeKind::Begin)
            other = &variable;
    bool tables = !division.tables.empty();
    if ((other == nullptr && !tables) || analysis.program.hiddenRange)
        return;
    analysis.program.hiddenRange = true;
    size_t step = analysis.prologue[division.item].step;
    std::string name = tables ? "" : analysis.textOf(other->place, step);
    std::string first = analysis.textOf(division.displ.place, step);
    std::string scan = "MPI_Scan(&xmpi_count, &xmpi_displ, 1, MPI_LONG_LONG, MPI_SUM, "
                       "MPI_COMM_WORLD); xmpi_displ -= xmpi_count;";
    std::string counted =
        "xmpi_count = " + (tables ? division.countText : "(long long)" + first) + "; ";
    if (tables)
        registrations.prepare = /* joining processes do not have the tables yet */
            "if (xmpi_gen_initial()) { " +
            (division.counted ? counted + scan
                              : "xmpi_displ = " + division.firstText +
                                    "; xmpi_count = " + division.countText + ";") +
            " }";
    else if (division.counted)
        registrations.prepare = counted + "if (xmpi_gen_initial()) { " + scan + " }";
    else
        registrations.prepare = takeOver(division.displ.kind, first, other->kind, name);
    analysis.restoreHidden = "\n" + (division.counted ? counted + scan : registrations.prepare);
    SourceLocation where = analysis.prologue[division.item].statement->getBeginLoc();
    analysis.addRefresh(registrations, RangeKind::Count, "xmpi_count", where);
    analysis.addRefresh(registrations, RangeKind::Displ, "xmpi_displ", where);
}

static bool needsHidden(const Division &division)
{
    return division.counted || !division.tables.empty() ||
           llvm::any_of(division.variables,
                        [](const auto &known) { return followsRange(known.first.kind); });
}

void hideRange(Analysis &analysis, const Division &division)
{
    const Stmt *statement = analysis.prologue[division.item].statement;
    addHidden(analysis, division,
              analysis.site(Site::Kind::After, analysis.source.statement(statement).end));
}

/* What sets VARIABLE again, in the function of STEP. */
static std::string rangeAgainIn(const Analysis &analysis, const RangeVariable &variable,
                                size_t step)
{
    if (variable.kind == RangeKind::Neighbour)
        return "{ int xmpi_rank, xmpi_size; MPI_Comm_rank(MPI_COMM_WORLD, &xmpi_rank); "
               "MPI_Comm_size(MPI_COMM_WORLD, &xmpi_size); " +
               castTo(analysis, variable.place, step, variable.formula) + " }";
    static const char *const values[] = {"",
                                         "",
                                         "xmpi_count",
                                         "xmpi_displ",
                                         "xmpi_displ + xmpi_count",
                                         "xmpi_displ + xmpi_count - 1",
                                         "xmpi_displ + 1"};
    return castTo(analysis, variable.place, step, values[static_cast<int>(variable.kind)]);
}

std::string rangeAgain(const Analysis &analysis, const RangeVariable &variable)
{
    return rangeAgainIn(analysis, variable, analysis.lastStep());
}

/* Where a loop has changed the layout before, the ends follow the layout that is there. */
static std::string endsAnew(const Analysis &analysis, const Division &division)
{
    std::string text;
    for (const auto &[variable, item] : division.variables)
        if (followsRange(variable.kind) && analysis.prologue[item].step == division.step &&
            item <= division.item)
            text += (text.empty() ? "" : " ") + rangeAgainIn(analysis, variable, division.step);
    return text;
}

/* The kind, and what is said about it, of what follows the range. */
static std::pair<std::string, std::string> meaningOf(RangeKind kind)
{
    if (kind == RangeKind::End)
        return {"end", "holds the row after the last own one"};
    if (kind == RangeKind::Begin)
        return {"begin", "holds the first own row, counted from 1"};
    if (kind == RangeKind::Neighbour)
        return {"neighbour", "follows from the rank and size alone"};
    return {"last", "holds the last own row"};
}

void addAgain(Analysis &analysis, const RangeVariable &variable)
{
    const Step &step = analysis.loopStep();
    if (!analysis.structure.visible(variable.place.base, step.function, step.anchor))
        return; /* what stands for it there follows */
    analysis.program.loop.again.push_back(rangeAgain(analysis, variable));
    std::string name = variable.place.text();
    const auto [kind, meaning] = meaningOf(variable.kind);
    analysis.program.remarks.push_back({analysis.source.offset(variable.place.base->getLocation()),
                                        kind, name, "'" + name + "' " + meaning});
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
    bool here = analysis.prologue[division.item].step == step;
    for (const auto &known : division.variables)
        analysis.dividing.insert(analysis.prologue[known.second].statement);
    if (here) {
        if (!division.written) /* else it has been registered */
            after(division.item).domain = division.domain;
        if (needsHidden(division))
            addHidden(analysis, division, after(division.item));
        if (analysis.framed)
            after(division.item).finish = endsAnew(analysis, division);
        if (!division.written)
            analysis.program.remarks.push_back(
                {analysis.source.offset(analysis.prologue[division.item].statement->getBeginLoc()),
                 "domain", division.domain, "'" + division.domain + "' rows are divided"});
    }
    for (const auto &[variable, item] : division.variables) {
        if (analysis.prologue[item].step != step || analysis.rangeAt(variable.place) != nullptr)
            continue;
        analysis.ranges.push_back(variable);
        makeWritable(analysis, variable.place.base);
        if (followsRange(variable.kind))
            addAgain(analysis, variable);
        else
            analysis.addRefresh(after(division.item > item && here ? division.item : item),
                                variable.kind, analysis.textOf(variable.place, step),
                                analysis.prologue[item].statement->getBeginLoc());
    }
}

} // namespace xmpi
