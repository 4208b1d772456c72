/* SPDX-License-Identifier: BSD-3-Clause
 * Several adaptive loops, one after another. Each is analysed as if it were the only one, where
 * those before it are statements that joining processes skip; then the findings are matched. */
#include "infer/infer.h"
#include "source/loops.h"
#include <algorithm>

namespace xmpi
{

using namespace clang;

namespace
{

/* One adaptive loop, with the pragmas that concern it. */
struct Job {
    const Pragma *pragma;
    std::vector<Step> path;
    Pragmas pragmas;
    std::string name;
};

class Several
{
  public:
    Several(ASTContext &context, const FixedArrays &arrays, const StructMembers &members,
            const Source &source, Pragmas &pragmas, Diagnostics &diagnostics)
        : context(context), arrays(arrays), members(members), source(source), pragmas(pragmas),
          diagnostics(diagnostics)
    {
    }

    bool analyse(std::vector<Program> &programs)
    {
        if (!findPaths() || !findOrder())
            return false;
        for (size_t i = 0; i < jobs.size(); i++)
            choosePragmas(i);
        bool good = true;
        for (bool more = true; more && good;) { /* until no loop has more to skip than the others */
            size_t before = skipped.size() + divides.size();
            std::vector<Program> tried;
            good = runAll(tried, true);
            more = skipped.size() + divides.size() > before;
        }
        return runAll(programs, false);
    }

  private:
    ASTContext &context;
    const FixedArrays &arrays;
    const StructMembers &members;
    const Source &source;
    Pragmas &pragmas;
    Diagnostics &diagnostics;
    std::vector<std::unique_ptr<Job>> jobs;
    std::set<const Stmt *> skipped, divides;

    bool findPaths()
    {
        for (const auto &pragma : pragmas.list) {
            if (pragma->directive != Directive::Loop)
                continue;
            auto job = std::make_unique<Job>();
            job->pragma = pragma.get();
            job->pragmas.whole = &pragmas;
            job->pragmas.list.push_back(std::make_unique<Pragma>(*pragma));
            Program program;
            Analysis analysis(context, arrays, members, source, job->pragmas, diagnostics, program);
            if (!findPath(analysis))
                return false;
            job->path = analysis.path;
            job->name = source.position(analysis.loop->getBeginLoc());
            job->pragmas.list.clear();
            jobs.push_back(std::move(job));
        }
        return true;
    }

    /* The step in which the ways to two loops part. */
    static size_t parting(const Job &one, const Job &other)
    {
        size_t step = 0;
        while (step + 1 < one.path.size() && step + 1 < other.path.size() &&
               one.path[step].call == other.path[step].call &&
               one.path[step].anchor == other.path[step].anchor)
            step++;
        return step;
    }

    bool findOrder()
    {
        Structure structure(context, members);
        for (size_t i = 0; i < jobs.size(); i++)
            for (size_t j = 0; j < i; j++) {
                size_t step = parting(*jobs[i], *jobs[j]);
                const Stmt *one = jobs[i]->path[step].anchor, *other = jobs[j]->path[step].anchor;
                bool nested = structure.encloses(one, other) || structure.encloses(other, one);
                if (!nested)
                    continue;
                diagnostics.report(jobs[i]->pragma->hash,
                                   one == other ? Problem::LoopTwice : Problem::LoopNested);
                diagnostics.note(jobs[j]->pragma->hash, "the other adaptive loop is here");
                return false;
            }
        std::sort(jobs.begin(), jobs.end(), [&](const auto &one, const auto &other) {
            size_t step = parting(*one, *other);
            return source.offset(one->path[step].anchor->getBeginLoc()) <
                   source.offset(other->path[step].anchor->getBeginLoc());
        });
        return true;
    }

    /* Whether PRAGMA stands on the way to the loop of JOB, before it. */
    bool concerns(const Job &job, const Pragma &pragma) const
    {
        for (const Step &step : job.path)
            if (step.function == pragma.function)
                return source.offset(pragma.hash) < source.offset(step.anchor->getBeginLoc());
        return false;
    }

    void choosePragmas(size_t index)
    {
        Job &job = *jobs[index];
        for (const auto &pragma : pragmas.list) {
            bool own = pragma.get() == job.pragma;
            bool stray = index + 1 == jobs.size() && llvm::none_of(jobs, [&](const auto &other) {
                             return concerns(*other, *pragma);
                         });
            if (own || (pragma->directive != Directive::Loop && (stray || concerns(job, *pragma))))
                job.pragmas.list.push_back(copyFor(job, *pragma));
        }
        for (size_t i = 0; i < index; i++)
            job.pragmas.list.push_back(way(job, *jobs[i]));
    }

    /* What only another loop's function repeats is for joiners to this one initial. */
    static std::unique_ptr<Pragma> copyFor(const Job &job, const Pragma &pragma)
    {
        auto copy = std::make_unique<Pragma>(pragma);
        if (pragma.directive == Directive::Setup && pragma.function != job.path.back().function)
            copy->directive = Directive::Initial;
        return copy;
    }

    /* The statement that leads to the loop of EARLIER, as something to be skipped. */
    std::unique_ptr<Pragma> way(const Job &job, const Job &earlier) const
    {
        auto pragma = std::make_unique<Pragma>();
        const Step &step = earlier.path[parting(job, earlier)];
        bool loop = step.call == nullptr;
        pragma->directive = Directive::Enter;
        pragma->inferred = !loop;
        pragma->enters = earlier.name;
        pragma->hash = loop ? earlier.pragma->hash : step.anchor->getBeginLoc();
        pragma->line.begin = pragma->line.end = source.offset(pragma->hash);
        if (loop)
            pragma->line = earlier.pragma->line;
        pragma->function = step.function;
        pragma->target = step.anchor;
        return pragma;
    }

    bool runAll(std::vector<Program> &programs, bool quiet)
    {
        programs.clear();
        diagnostics.quiet = quiet;
        bool good = true;
        for (size_t i = 0; i < jobs.size() && good; i++) {
            programs.emplace_back();
            good = run(i, programs.back());
        }
        diagnostics.quiet = false;
        if (good) {
            dropArrays(programs);
            dropValues(programs);
            shareReliance(programs);
        }
        return good;
    }

    bool run(size_t index, Program &program)
    {
        Job &job = *jobs[index];
        for (const auto &pragma : pragmas.list)
            if (!pragma->further)
                program.pragmas.push_back(pragma->line);
        Analysis analysis(context, arrays, members, source, job.pragmas, diagnostics, program);
        analysis.several = true;
        analysis.skippedElsewhere = skipped;
        if (index + 1 < jobs.size())
            analysis.divides = divides;
        if (!analyseLoop(analysis))
            return false;
        for (const Item &item : analysis.prologue) {
            bool own = item.pragma != nullptr && item.pragma->inferred &&
                       item.pragma->directive != Directive::Enter;
            if (own)
                skipped.insert(item.statement);
            bool later =
                index > 0 && item.step < job.path.size() && !concernsAll(item.statement, index);
            if (later && (item.kind == Class::Setup || item.kind == Class::Domain ||
                          analysis.dividing.count(item.statement)))
                divides.insert(item.statement);
        }
        leaveEarly(index, program);
        return true;
    }

    /* Whether all loops before that of INDEX have STATEMENT in front of them. */
    bool concernsAll(const Stmt *statement, size_t index) const
    {
        unsigned offset = source.offset(statement->getBeginLoc());
        for (size_t i = 0; i < index; i++) {
            const Step &step = jobs[i]->path[parting(*jobs[i], *jobs[index])];
            if (offset > source.offset(step.anchor->getBeginLoc()))
                return false;
        }
        return true;
    }

    /* A process that parked in this loop and is called to a later one goes there from here. */
    void leaveEarly(size_t index, Program &program) const
    {
        if (index + 1 == jobs.size())
            return goBack(index, program);
        const Job &job = *jobs[index];
        size_t least = job.path.size();
        for (size_t i = index + 1; i < jobs.size(); i++)
            least = std::min(least, parting(job, *jobs[i]));
        program.loop.elsewhere = job.path.size() == least + 1 ? "break;" : back(job.path.back());
        if (job.path.size() == least + 1)
            goBack(index, program);
        for (Call &call : program.calls)
            if (static_cast<size_t>(call.depth) > least) {
                call.loop = job.name;
                call.elsewhere = back(job.path[static_cast<size_t>(call.depth)]);
            }
    }

    /* The same, called to an earlier loop that a loop around both leads to again. */
    void goBack(size_t index, Program &program) const
    {
        const Job &job = *jobs[index];
        for (size_t i = 0; i < index; i++) {
            const Stmt *around = loopAround(*jobs[i], job);
            if (around == nullptr || parting(*jobs[i], job) + 1 != job.path.size() ||
                around != nextLoop(job.path.back().anchor))
                continue;
            program.loop.earlier.push_back(jobs[i]->name);
            program.loop.elsewhere = "break;";
        }
    }

    static std::string back(const Step &step)
    {
        QualType type = step.function->getReturnType();
        if (type->isVoidType())
            return "return;";
        if (type->isRecordType())
            return "return (" + type.getUnqualifiedType().getAsString() + "){0};";
        return "return 0;";
    }

    static void addNames(const Registrations &what, std::set<std::string> &names)
    {
        for (const Data &data : what.data)
            names.insert(data.name);
    }

    static std::set<std::string> arraysOf(const Program &program)
    {
        std::set<std::string> names;
        for (const Site &site : program.sites)
            addNames(site.what, names);
        addNames(program.loop.before, names);
        return names;
    }

    /* Arrays of another loop that has been before, of an earlier one or in a loop around both:
     * those that this one has nothing to do with may be freed, and the others it has by its own
     * names. */
    void dropArrays(std::vector<Program> &programs) const
    {
        for (size_t i = 0; i < programs.size(); i++) {
            std::set<std::string> own = arraysOf(programs[i]);
            for (size_t j = 0; j < programs.size(); j++)
                if (j < i || (j > i && loopAround(*jobs[i], *jobs[j]) != nullptr))
                    for (const std::string &name : arraysOf(programs[j]))
                        if (own.insert(name).second)
                            entryOf(i, programs[i], j < i ? i - 1 : j).drops.push_back(name);
        }
    }

    static void addValues(const Registrations &what, std::set<std::string> &names)
    {
        for (const Live &live : what.lives)
            names.insert(live.name);
    }

    static std::set<std::string> valuesOf(const Program &program)
    {
        std::set<std::string> names;
        for (const Site &site : program.sites)
            addValues(site.what, names);
        for (const Guarded &guarded : program.guarded)
            addValues(guarded.after, names);
        addValues(program.loop.before, names);
        return names;
    }

    /* Who comes to a loop has not been in front of another one, and knows none of the values that
     * are registered there: those that this one does not need are dropped. (In a function that has
     * returned they are gone.) */
    void dropValues(std::vector<Program> &programs) const
    {
        for (size_t i = 0; i < programs.size(); i++) {
            std::set<std::string> own = valuesOf(programs[i]);
            for (size_t j = 0; j < programs.size(); j++)
                if (j != i && isOnWay(*jobs[i], jobs[j]->path.back().function) &&
                    (j < i || loopAround(*jobs[i], *jobs[j]) != nullptr))
                    for (const Live &live : programs[j].loop.before.lives)
                        if (own.insert(live.name).second)
                            entryOf(i, programs[i], j).drops.push_back(live.name);
        }
    }

    /* What a loop relies on has to be so in any layout where another one may have left it one: that
     * changes nothing either, where nobody knows. */
    void shareReliance(std::vector<Program> &programs) const
    {
        std::vector<decltype(Registrations::relies)> own;
        for (const Program &program : programs)
            own.push_back(program.loop.before.relies);
        for (size_t i = 0; i < programs.size(); i++) {
            auto &all = programs[i].loop.before.relies;
            for (size_t j = 0; j < programs.size() && programs[i].loop.restore.empty(); j++)
                if (j > i || (j < i && loopAround(*jobs[j], *jobs[i]) != nullptr))
                    for (const auto &one : own[j])
                        if (llvm::find(all, one) == all.end())
                            all.push_back(one);
        }
    }

    const Stmt *nextLoop(const Stmt *inside) const
    {
        Structure structure(context, members);
        const Stmt *around = structure.parent(inside);
        while (around != nullptr && !isLoop(around))
            around = structure.parent(around);
        return around;
    }

    /* The loop around both, which leads from the later one to the other; null: there is none. */
    const Stmt *loopAround(const Job &job, const Job &later) const
    {
        Structure structure(context, members);
        const size_t step = parting(job, later);
        const Stmt *around = nextLoop(job.path[step].anchor);
        while (around != nullptr && !structure.encloses(around, later.path[step].anchor))
            around = nextLoop(around);
        return around;
    }

    static bool isOnWay(const Job &job, const FunctionDecl *function)
    {
        return llvm::any_of(job.path, [&](const Step &step) { return step.function == function; });
    }

    /* In front of what leads from the loop of FROM to that of INDEX. */
    Registrations &entryOf(size_t index, Program &program, size_t from) const
    {
        const Job &job = *jobs[index];
        size_t step = parting(job, *jobs[from]);
        if (step + 1 == job.path.size())
            return program.loop.before;
        unsigned offset = source.statement(job.path[step].anchor).begin;
        for (Site &site : program.sites)
            if (site.kind == Site::Kind::Before && site.offset == offset)
                return site.what;
        program.sites.push_back({Site::Kind::Before, offset, {}});
        return program.sites.back().what;
    }
};

} // namespace

bool analyseSeveral(ASTContext &context, const FixedArrays &arrays, const StructMembers &members,
                    const Source &source, Pragmas &pragmas, Diagnostics &diagnostics,
                    std::vector<Program> &programs)
{
    return Several(context, arrays, members, source, pragmas, diagnostics).analyse(programs);
}

} // namespace xmpi
