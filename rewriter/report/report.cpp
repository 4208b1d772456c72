/* SPDX-License-Identifier: BSD-3-Clause
 * One list of findings, printed in two ways. */
#include "report/report.h"
#include "loop/sections.h"
#include "report/words.h"
#include <algorithm>
#include <llvm/Support/JSON.h>

namespace xmpi
{
namespace
{

struct Finding {
    unsigned where;
    std::string kind;
    std::string name;
    std::string text;
};

const char *kindName(RangeKind kind)
{
    static const char *const names[] = {"rank", "size", "count", "displ", "end", "last"};
    return names[static_cast<int>(kind)];
}

std::string shapeText(const Data &data)
{
    std::string text;
    for (const std::string &extent : data.shape)
        text += "[" + extent + "]";
    return text;
}

const std::string &nameOf(const Data &data)
{
    return data.table.empty() ? data.variable : data.table;
}

const char *kindOf(Scheme scheme)
{
    static const char *const names[] = {"distributed by rows", "replicated",
                                        "whole on every process, which owns some of its rows"};
    return names[static_cast<int>(scheme)];
}

void addRegistrations(std::vector<Finding> &findings, const Registrations &what)
{
    for (const Refresh &refresh : what.refreshes)
        findings.push_back({refresh.where, kindName(refresh.kind), refresh.lvalue,
                            "'" + refresh.lvalue + "' holds the " + kindName(refresh.kind)});
    for (const Data &data : what.data)
        findings.push_back({data.where, "data", nameOf(data),
                            "'" + nameOf(data) + shapeText(data) + "' is " +
                                (data.csr != 0 ? "part of a sparse matrix" : kindOf(data.scheme)) +
                                (data.halo.empty() ? "" : ", with a halo of " + data.halo) +
                                (data.outOfCore ? ", on disk where it does not fit" : "") +
                                (data.file.empty() ? "" : ", in a file of the process")});
    for (const Data &data : what.data)
        if (data.constant)
            findings.push_back({data.where, "constant", nameOf(data),
                                "'" + nameOf(data) + "' is not changed by the loop"});
    for (const Alias &alias : what.aliases)
        findings.push_back({alias.where, "alias", alias.variable,
                            "'" + alias.variable + "' holds the pointer of '" + alias.data + "'"});
    for (const Live &live : what.lives)
        findings.push_back({live.where, "live", live.lvalue,
                            "'" + live.lvalue + "' travels to joining processes"});
}

std::string described(const Stage &stage)
{
    std::string text = stage.loop ? "loop" : "statements";
    if (!stage.reads.empty())
        text += ", reads " + listed(stage.reads);
    if (!stage.writes.empty())
        text += ", writes " + listed(stage.writes);
    return text;
}

/* Section 2 with its stages 2.1, 2.2 and the communication that ends it. */
void addSections(std::vector<Finding> &findings, const std::vector<Section> &sections)
{
    for (size_t i = 0; i < sections.size(); i++) {
        const Section &section = sections[i];
        std::string number = std::to_string(i + 1);
        for (size_t j = 0; j < section.stages.size(); j++)
            findings.push_back({section.stages[j].where, "stage",
                                number + "." + std::to_string(j + 1),
                                "stage " + number + "." + std::to_string(j + 1) + ": " +
                                    described(section.stages[j])});
        std::string end = section.calls.empty() ? "" : " ends with " + listed(section.calls);
        std::string kind = section.tiled ? " in tiles" : "";
        findings.push_back({section.calls.empty() ? section.where : section.event, "section",
                            number, "parallel section " + number + kind + end});
    }
}

std::string repeatsText(const Loop &loop)
{
    if (loop.repeats == Repeats::Shown)
        return "an iteration can be repeated";
    const char *what[] = {
        "an iteration cannot be repeated: ", "an iteration is repeated only on request: ",
        "an iteration can be repeated as the linked program shows: "};
    return what[static_cast<int>(loop.repeats)] + loop.repeatsWhy;
}

void addProgram(std::vector<Finding> &findings, const Program &program)
{
    for (const Site &site : program.sites)
        addRegistrations(findings, site.what);
    for (const Remark &remark : program.remarks)
        findings.push_back({remark.where, remark.kind, remark.name, remark.text});
    for (const Guarded &guarded : program.guarded) {
        if (!guarded.enters.empty())
            continue;
        findings.push_back({guarded.statement.begin, guarded.setup ? "setup" : "initial", "",
                            guarded.setup ? "run again after every reconfiguration"
                                          : "run by initial processes only"});
        addRegistrations(findings, guarded.after);
    }
    if (program.hasLoop) {
        findings.push_back({program.loop.where, "loop", "", "adaptive loop"});
        findings.push_back({program.loop.where, "repeats", "", repeatsText(program.loop)});
        if (!program.loop.bound.empty())
            findings.push_back({program.loop.where, "iterations", program.loop.bound,
                                "at most '" + program.loop.bound + "' iterations"});
        if (!program.loop.policy.empty())
            findings.push_back({program.loop.where, "policy", program.loop.policy,
                                "unless the user says otherwise, the policy '" +
                                    program.loop.policy + "' decides"});
        if (!program.loop.weight.empty())
            findings.push_back({program.loop.weighted, "weight", program.loop.weights,
                                "'" + program.loop.weights + "' holds the weights of the rows"});
        addSections(findings, program.loop.sections);
        addRegistrations(findings, program.loop.before);
        addRegistrations(findings, program.loop.inside);
    }
}

std::vector<Finding> findingsOf(const std::vector<Program> &programs)
{
    std::vector<Finding> findings;
    for (const Program &program : programs)
        addProgram(findings, program);
    auto key = [](const Finding &finding) {
        return std::make_tuple(finding.where, finding.kind, finding.name);
    };
    std::stable_sort(findings.begin(), findings.end(),
                     [&](const Finding &one, const Finding &two) { return key(one) < key(two); });
    auto same = [&](const Finding &one, const Finding &two) { return key(one) == key(two); };
    findings.erase(std::unique(findings.begin(), findings.end(), same), findings.end());
    return findings;
}

} // namespace

void reportRemarks(const Source &source, const std::vector<Program> &programs,
                   Diagnostics &diagnostics)
{
    for (const Finding &finding : findingsOf(programs))
        diagnostics.remark(source.location(finding.where), finding.text);
}

static llvm::json::Array findingsJson(const Source &source, const std::vector<Program> &programs)
{
    llvm::json::Array found;
    for (const Finding &finding : findingsOf(programs))
        found.push_back(
            llvm::json::Object{{"file", source.fileName(finding.where)},
                               {"line", static_cast<int64_t>(source.line(finding.where))},
                               {"column", static_cast<int64_t>(source.column(finding.where)) + 1},
                               {"kind", finding.kind},
                               {"name", finding.name},
                               {"text", finding.text}});
    return found;
}

static llvm::json::Object complaintJson(const Complaint &complaint)
{
    llvm::json::Array fixes;
    for (const Correction &fix : complaint.fixes)
        fixes.push_back(llvm::json::Object{{"line", fix.begin.line},
                                           {"column", fix.begin.column},
                                           {"end_line", fix.end.line},
                                           {"end_column", fix.end.column},
                                           {"text", fix.text}});
    return llvm::json::Object{{"severity", complaint.severity}, {"name", complaint.name},
                              {"text", complaint.text},         {"file", complaint.where.file},
                              {"line", complaint.where.line},   {"column", complaint.where.column},
                              {"fixes", std::move(fixes)}};
}

/* One loop's; an array where there are several. */
static llvm::json::Value structureJson(const Source &source, const std::vector<Program> &programs)
{
    llvm::json::Array loops;
    for (const Program &program : programs)
        if (program.hasLoop)
            if (auto parsed = llvm::json::parse(
                    sectionsJson(source, program.loop.name, program.loop.sections)))
                loops.push_back(std::move(*parsed));
    if (loops.empty())
        return nullptr;
    if (loops.size() == 1)
        return std::move(loops.front());
    return loops;
}

std::string reportJson(const Source *source, const std::vector<Program> &programs,
                       const std::vector<Complaint> &complaints)
{
    llvm::json::Array said, found;
    llvm::json::Value structure = nullptr;
    for (const Complaint &complaint : complaints)
        said.push_back(complaintJson(complaint));
    if (source != nullptr) {
        found = findingsJson(*source, programs);
        structure = structureJson(*source, programs);
    }
    llvm::json::Object all{{"version", 1},
                           {"accepted", source != nullptr},
                           {"diagnostics", std::move(said)},
                           {"findings", std::move(found)},
                           {"structure", std::move(structure)}};
    std::string text;
    llvm::raw_string_ostream stream(text);
    stream << llvm::formatv("{0:2}", llvm::json::Value(std::move(all))) << "\n";
    return stream.str();
}

} // namespace xmpi
