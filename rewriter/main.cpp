/* SPDX-License-Identifier: BSD-3-Clause
 * xmpi-rewrite: turns a C source with `#pragma xmpi` into one that calls the runtime. */
#include "analyse.h"
#include "pragmas/bind.h"
#include "source/declarations.h"
#include "compat.h"
#include "emit/emit.h"
#include "instead.h"
#include "joined/join.h"
#include "joined/open.h"
#include "linked/examine.h"
#include "parser.h"
#include "source/fixed_arrays.h"
#include "source/inner_functions.h"
#include "pragmas/active.h"
#include "pragmas/movable.h"
#include "output.h"
#include "emit/readable.h"
#include "report/printer.h"
#include "report/report.h"
#include "state/checked.h"
#include "state/state.h"
#include "struct_swaps.h"
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

namespace
{

using namespace xmpi;
namespace cl = llvm::cl;

struct Options {
    std::string source;
    std::string text; /* stands for what is in the source, where that is joined with others */
    std::string output;
    std::string name;
    bool remarks = false;
    bool readable = false;
    bool cxx = false;       /* the source is C++: it gets points */
    bool divisible = false; /* what cannot be divided is an error */
    bool accepted = false;  /* the compiler takes the source, whatever the parser says */
    std::string reportFile;
    std::string later; /* where what is said goes that may be otherwise in the linked program */
    std::vector<std::string> flags;
    bool finds = true; /* what no pragma says of files is looked for */
    RowFiles files;    /* with whose clauses the loop was seen to be divided */
};

/* What one run leaves behind: the text to write, when all went well. */
struct Outcome {
    bool good = false;
    bool later = false;  /* what is made of the loop is not the last word */
    bool wanted = false; /* and the loop is to be divisible */
    std::string text;
    std::string report;
    std::string error;
    /* Not good: the source with a pragma that says what was found, and the mark behind it. */
    std::string with, mark;
    RowFiles files;
};

/* Positions are said with the name that the user typed. */
void nameFile(clang::SourceManager &manager, clang::FileID file, const std::string &name)
{
    int line = static_cast<int>(manager.getLineTableFilenameID(name));
    manager.AddLineNote(manager.getLocForStartOfFile(file), 2, line, false, false,
                        clang::SrcMgr::C_User);
}

/* The stages after parsing: bind, analyse, report, emit. */
class Consumer : public clang::ASTConsumer
{
  public:
    Consumer(const Options &options, const InnerFunctions &inner, Pragmas &pragmas,
             Outcome &outcome)
        : options(options), inner(inner), pragmas(pragmas), outcome(outcome)
    {
    }

    void HandleTranslationUnit(clang::ASTContext &context) override
    {
        forgetAliases(context);
        Diagnostics diagnostics(context.getDiagnostics());
        reportComplaints(diagnostics);
        if (diagnostics.failed() || pragmas.broken || !looksInto(context, diagnostics))
            return;
        swapByMembers(context);
        FixedArrays arrays(context);
        StructMembers members(context);
        Source source(context.getSourceManager(), context.getLangOpts(), members);
        Divided divided;
        if (!pragmas.list.empty())
            divided = divideDeclarations(context, source);
        if (!bindPragmas(context, pragmas, diagnostics))
            return;
        markAllNames(pragmas, divided);
        std::vector<Program> programs;
        const bool open = !options.later.empty() && isPartOfProgram(context);
        const bool instead = mayMove(open);
        const bool told = !options.files.clauses.empty();
        if (instead || options.finds || told)
            diagnostics.hold();
        const bool good = analyse(context, arrays, members, source, pragmas, diagnostics, programs,
                                  outcome.files);
        const bool failed =
            !context.getDiagnostics().hasErrorOccurred() && (!good || !isDivided(programs));
        if (failed && options.finds && withRowFiles(context, source))
            return;
        if (failed && told)
            tellFiles(diagnostics);
        if (instead && failed) {
            outcome.later = open;
            return move(context, arrays, members, source, diagnostics);
        }
        diagnostics.release();
        if (!good)
            return;
        for (Program &program : programs)
            program.divisible = divided.divisible;
        write(context, source, programs, diagnostics);
    }

  private:
    const Options &options;
    const InnerFunctions &inner;
    Pragmas &pragmas;
    Outcome &outcome;

    /* What the parser has said of pragmas. */
    void reportComplaints(Diagnostics &diagnostics) const
    {
        for (const auto &complaint : pragmas.complaints)
            diagnostics.report(complaint.where,
                               complaint.undeclared ? Problem::UnknownVariable
                                                    : Problem::ClauseExpression,
                               {complaint.text});
    }

    /* The loop is not divided: its processes move, or its program starts over. */
    void move(clang::ASTContext &context, const FixedArrays &arrays, const StructMembers &members,
              const Source &source, Diagnostics &diagnostics)
    {
        const FoundStates states = findStates(context, arrays, members, source, pragmas);
        auto clauseForText = [&](const std::string &text, const Shapes *shapes) {
            return clauseFor(parserCommand(options.source, options.flags),
                             filesWith(options.source, text).get(), shapes);
        };
        outcome.wanted = !mayMove(false);
        outcome.good = moveInstead(context, members, pragmas, states, options.name,
                                   options.readable, clauseForText, diagnostics, outcome.text);
    }

    void write(clang::ASTContext &context, const Source &source,
               const std::vector<Program> &programs, Diagnostics &diagnostics)
    {
        if (options.remarks)
            reportRemarks(source, programs, diagnostics);
        if (!options.reportFile.empty())
            outcome.report = reportJson(&source, programs, {});
        outcome.good = emitProgram(source, programs, options.name, outcome.text, outcome.error);
        if (outcome.good && options.readable)
            outcome.text = readableProgram(source, context.getLangOpts(), programs, options.name);
    }

    /* There is a loop, and nobody wants it to be divisible or nothing; or it is OPEN what it is in
     * the linked program. */
    bool mayMove(bool open) const
    {
        bool any = false, wanted = options.divisible;
        for (const auto &pragma : pragmas.list) {
            any = any || pragma->directive == Directive::Loop;
            wanted = wanted || pragma->divisible;
        }
        return any && (open || !wanted);
    }

    /* The pragma of the loop, where there is one loop; else null. */
    const Pragma *onlyLoop() const
    {
        const Pragma *found = nullptr;
        for (const auto &pragma : pragmas.list) {
            if (pragma->directive == Directive::Loop && found != nullptr)
                return nullptr;
            found = pragma->directive == Directive::Loop ? pragma.get() : found;
        }
        return found;
    }

    /* There is one loop, and it may be divided when a pragma says what its files hold. */
    bool withRowFiles(const clang::ASTContext &context, const Source &source)
    {
        const Pragma *loop = onlyLoop();
        if (loop == nullptr || outcome.files.clauses.empty())
            return false;
        const clang::SourceManager &manager = context.getSourceManager();
        const unsigned begin = loop->line.begin;
        const llvm::StringRef text = manager.getBufferData(manager.getMainFileID());
        outcome.mark =
            "#line " + std::to_string(source.line(begin)) + " " + quoted(options.name) + "\n";
        outcome.with = text.take_front(begin).str() + "#pragma xmpi data file(" +
                       outcome.files.clauses + ")\n" + outcome.mark + text.drop_front(begin).str();
        return true;
    }

    /* With the clauses it was divided: nothing else is in the way. */
    void tellFiles(Diagnostics &diagnostics) const
    {
        diagnostics.drop();
        diagnostics.report(onlyLoop()->hash, Problem::FilePointer,
                           {options.files.first, clausesAdvice(options.files.clauses)});
    }

    static bool isDivided(const std::vector<Program> &programs)
    {
        return llvm::any_of(programs, [](const Program &program) { return program.loop.divided; });
    }

    /* Of functions within functions it is known what they do. */
    bool looksInto(clang::ASTContext &context, Diagnostics &diagnostics) const
    {
        size_t offset = inner.unknown(context);
        clang::SourceManager &manager = context.getSourceManager();
        if (offset == SIZE_MAX)
            return true;
        std::string text = manager.getBufferData(manager.getMainFileID()).str();
        inner.restore(text);
        clang::FileID original =
            manager.createFileID(llvm::MemoryBuffer::getMemBufferCopy(text, options.name));
        nameFile(manager, original, options.name);
        return diagnostics.report(
            manager.getLocForStartOfFile(original).getLocWithOffset(static_cast<int>(offset)),
            Problem::InnerFunction);
    }
};

class Action : public clang::ASTFrontendAction
{
  public:
    Action(const Options &options, const InnerFunctions &inner, Pragmas &pragmas, Outcome &outcome)
        : options(options), inner(inner), pragmas(pragmas), outcome(outcome)
    {
    }

    std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                          llvm::StringRef) override
    {
        clang::SourceManager &manager = compiler.getSourceManager();
        nameFile(manager, manager.getMainFileID(), options.name);
        installPragmaHandler(compiler.getPreprocessor(), pragmas);
        return std::make_unique<Consumer>(options, inner, pragmas, outcome);
    }

  private:
    const Options &options;
    const InnerFunctions &inner;
    Pragmas &pragmas;
    Outcome &outcome;
};

/* An exit status: the parser has an objection, and the compiler may have none. */
enum { Unparsed = 4 };

/* What is rewritten: the source, or the text that stands for it. */
std::string contentOf(const Options &options)
{
    if (!options.text.empty())
        return options.text;
    auto content = llvm::MemoryBuffer::getFile(options.source);
    return content ? (*content)->getBuffer().str() : "";
}

/* Of C, which the parser can read, where there is a question: some are among conditions. */
Active activeIn(const Options &options, llvm::StringRef text)
{
    if (options.cxx || !text.contains("xmpi"))
        return std::nullopt;
    return activePragmas(parserCommand(options.source, options.flags),
                         filesWith(options.source, options.text).get());
}

/* What is WRONG with a state(...) may not be so with the files that the loop calls: it is judged
 * when the program is linked, and until then the loop is movable. */
int waitForOthers(const Options &options, llvm::StringRef text, Pointing as,
                  const std::string &wrong)
{
    as.bare = true;
    return writeFile(options.later, "!" + options.name + ":" + wrong + " [xmpi-state]\n") &&
                   writeFile(options.output, insertPoints(text, options.name, as).text)
               ? 0
               : 1;
}

/* What is said of the loops of FILE. */
void remarkOn(const Options &options, const MovableFile &file, const Checked &checked)
{
    for (const Omission &one : checked.unseen)
        llvm::errs() << options.name << ":" << one.line << ": warning: " << one.text
                     << " [xmpi-state]\n";
    for (unsigned line : file.lines)
        if (options.remarks)
            llvm::errs() << options.name << ":" << line
                         << (file.resizable
                                 ? ": remark: resizable: with another number of processes the "
                                   "program starts over and gets its state [xmpi-state]\n"
                                 : ": remark: movable: its processes go to other processing "
                                   "elements as they are [xmpi-movable]\n");
}

/* A file with movable loops gets their points, and no more. -1: it has none; else the exit status.
 */
int makeMovable(const Options &options)
{
    const std::string content = contentOf(options);
    if (content.empty())
        return -1; /* clang says so */
    llvm::StringRef text = content;
    Pointing as(options.readable);
    as.cxx = options.cxx;
    as.divisible = options.cxx && options.divisible;
    as.active = activeIn(options, text);
    MovableFile file = insertPoints(text, options.name, as);
    if (!options.cxx && file.lines.empty() && file.error.empty())
        return -1;
    const bool sound = file.error.empty() && !file.lines.empty();
    const Checked checked = sound && file.resizable
                                ? checkState(parserCommand(options.source, options.flags),
                                             filesWith(options.source, file.text).get())
                                : Checked();
    const std::string &wrong = checked.wrong;
    const bool waits = checked.open && !options.later.empty();
    if (waits && !wrong.empty())
        return waitForOthers(options, text, as, wrong);
    if (const size_t colon = wrong.find(':'); colon != std::string::npos)
        file.error = wrong.substr(0, colon) + ": error" + wrong.substr(colon) + " [xmpi-state]";
    if (file.resizable && file.error.empty()) {
        as.repeats = checked.repeats;
        as.entries = entriesIn(parserCommand(options.source, options.flags),
                               filesWith(options.source, "").get(), file.loops);
        as.reliance = checked.reliance;
        file = insertPoints(text, options.name, as);
    }
    if (!file.error.empty()) {
        llvm::errs() << options.name << ":" << file.error << "\n";
        return 1;
    }
    remarkOn(options, file, checked);
    if (waits && !writeFile(options.later, "")) /* what others do it is compared with as well */
        return 1;
    if (!options.reportFile.empty() && !writeFile(options.reportFile, reportJson(nullptr, {}, {})))
        return 1;
    return writeFile(options.output, file.text) ? 0 : 1;
}

/* Takes up what the parser has met; false where that is nothing, or cannot be hidden. */
bool addInner(const std::string &content, const std::vector<size_t> &met, InnerFunctions &inner)
{
    for (size_t offset : met)
        if (!inner.add(content, offset))
            return false;
    return !met.empty();
}

/* The source with bodies hidden; empty where the file can be read as it is. */
std::string textToParse(const Options &options, const std::string &content,
                        const InnerFunctions &inner)
{
    return inner.empty() ? options.text : inner.hide(content);
}

int finish(const Options &options, const InnerFunctions &inner, Outcome &outcome, Printer &printer)
{
    if (!outcome.good || !outcome.later)
        llvm::errs() << printer.summary();
    else if (!writeFile(options.later, (outcome.wanted ? "!" : "") + printer.summary()))
        return 1;
    if (outcome.good && !inner.restore(outcome.text)) {
        outcome.good = false;
        outcome.error =
            "functions within functions cannot be put back into the text: move them out";
    }
    if (!outcome.good) {
        if (!outcome.error.empty())
            llvm::errs() << options.name << ": error: " << outcome.error << "\n";
        if (!options.reportFile.empty())
            writeFile(options.reportFile, reportJson(nullptr, {}, printer.complaints));
        return 1;
    }
    if (outcome.report.empty())
        outcome.report = reportJson(nullptr, {}, printer.complaints);
    if (!options.reportFile.empty() && !writeFile(options.reportFile, outcome.report))
        return 1;
    return writeFile(options.output, outcome.text) ? 0 : 1;
}

/* Of TEXT, or the source where that is empty. */
void runOnce(const Options &options, const InnerFunctions &inner, const std::string &text,
             Pragmas &pragmas, Outcome &outcome, Printer &printer)
{
    auto files = filesWith(options.source, text);
    clang::tooling::ToolInvocation invocation(
        parserCommand(options.source, options.flags),
        std::make_unique<Action>(options, inner, pragmas, outcome), files.get());
    invocation.setDiagnosticConsumer(&printer);
    outcome.good = invocation.run() && outcome.good;
}

/* The same with the pragma that says what was FOUND. Nothing where the loop is not divided even so:
 * then it was of no use; or where it HELPS, but is not certain. */
std::optional<int> rewriteWith(Options options, const InnerFunctions &inner, const Outcome &found,
                               bool &helps)
{
    Pragmas pragmas;
    Outcome outcome;
    Printer printer(pragmas);
    options.divisible = true;
    options.later.clear();
    runOnce(options, inner, found.with, pragmas, outcome, printer);
    helps = outcome.good;
    if (!outcome.good || !found.files.certain)
        return std::nullopt;
    const size_t mark = options.readable ? outcome.text.find(found.mark) : std::string::npos;
    if (mark != std::string::npos)
        outcome.text.erase(mark, found.mark.size());
    return finish(options, inner, outcome, printer);
}

/* The parser has an OBJECTION to a source that the compiler takes: its loops get points, as those
 * of C++, of which nobody knows more. Nothing where they are to be more than that. */
std::optional<int> moveUnparsed(const Options &options, const Complaint &objection)
{
    const std::string content = contentOf(options);
    Pointing as(options.readable);
    as.all = true;
    const MovableFile file = insertPoints(content, options.name, as);
    if (options.divisible || file.resizable || !file.error.empty() || file.lines.empty())
        return std::nullopt;
    for (unsigned line : file.lines)
        llvm::errs() << options.name << ":" << line
                     << ": remark: movable, not divisible: the compiler takes this file, but the "
                        "parser that looks at loops does not: "
                     << objection.where.file << ":" << objection.where.line << ": "
                     << objection.text << " [xmpi-movable]\n";
    if (!options.reportFile.empty() &&
        !writeFile(options.reportFile, reportJson(nullptr, {}, {objection})))
        return 1;
    return writeFile(options.output, file.text) ? 0 : 1;
}

/* Again and again, while the parser meets functions within functions that it has not met before. */
int rewrite(Options options)
{
    const std::string content = contentOf(options);
    InnerFunctions inner;
    for (;;) {
        Pragmas pragmas;
        Outcome outcome;
        Printer printer(pragmas);
        runOnce(options, inner, textToParse(options, content, inner), pragmas, outcome, printer);
        if (addInner(content, printer.inner, inner))
            continue;
        const Complaint *objection = outcome.good ? nullptr : printer.objection();
        if (objection != nullptr && options.accepted)
            if (const std::optional<int> status = moveUnparsed(options, *objection))
                return *status;
        if (objection != nullptr && !options.accepted && !options.divisible) {
            finish(options, inner, outcome, printer);
            return Unparsed;
        }
        if (outcome.with.empty())
            return finish(options, inner, outcome, printer);
        bool helps = false;
        if (const std::optional<int> status = rewriteWith(options, inner, outcome, helps))
            return *status;
        options.finds = false;
        options.files = helps ? outcome.files : RowFiles();
    }
}

/* Joins the sources of the list in the file LIST, says on standard output which ones, and rewrites
 * what has become of them in place of OPTIONS.source. 3: nothing is joined. */
int rewriteJoined(Options options, const std::string &list)
{
    std::vector<Part> parts;
    if (!readParts(list, parts)) {
        llvm::errs() << "xmpi-rewrite: cannot read the sources of " << list << "\n";
        return 2;
    }
    const Joined joined = join(parts);
    for (const auto &[part, why] : joined.apart)
        llvm::outs() << "apart " << part << " " << why << "\n";
    for (size_t part : joined.together)
        llvm::outs() << "joined " << part << "\n";
    llvm::outs().flush();
    if (joined.text.empty())
        return 3;
    options.text = joined.text;
    options.source = parts[joined.main].path;
    options.name = parts[joined.main].name;
    options.flags = parts[joined.main].flags;
    const int status = makeMovable(options);
    return status >= 0 ? status : rewrite(options);
}

cl::OptionCategory category("xmpi-rewrite");
cl::opt<std::string> output("output", cl::desc("the rewritten source"), cl::value_desc("file"),
                            cl::cat(category));
cl::opt<std::string> name("name", cl::desc("the source as it was typed"), cl::value_desc("file"),
                          cl::cat(category));
cl::opt<std::string> report("report", cl::ValueOptional,
                            cl::desc("say what was found; with =file as JSON"),
                            cl::value_desc("file"), cl::cat(category));
cl::opt<bool> readable("readable", cl::desc("write the source for people, without #line"),
                       cl::cat(category));
cl::opt<bool> divisible("divisible", cl::desc("a loop that cannot be divided is an error"),
                        cl::cat(category));
cl::opt<bool> cxx("cxx", cl::desc("a source in C++, whose loops get points"), cl::cat(category));
cl::opt<bool> accepted("accepted",
                       cl::desc("the compiler takes the source: loops get points where "
                                "the parser does not"),
                       cl::cat(category));
cl::opt<std::string> later("later",
                           cl::desc("where to put what may be otherwise in the linked program"),
                           cl::value_desc("file"), cl::cat(category));
cl::opt<std::string> joined("join", cl::desc("rewrite the sources of a list as one"),
                            cl::value_desc("list"), cl::cat(category));
cl::opt<std::string> examine("examine",
                             cl::desc("look into what the loops of a linked program rely on"),
                             cl::value_desc("program"), cl::cat(category));
cl::list<std::string>
    replaced("replaced", cl::CommaSeparated, cl::value_desc("function,..."),
             cl::desc("of these what the linker puts in their place keeps nothing"),
             cl::cat(category));
cl::opt<std::string> source(cl::Positional, cl::desc("SOURCE"), cl::cat(category));
cl::list<std::string> flags(cl::Positional, cl::desc("-- FLAGS OF CLANG..."), cl::cat(category),
                            cl::ZeroOrMore);

bool readCommandLine(int argc, char **argv)
{
    cl::HideUnrelatedOptions(category);
    cl::SetVersionPrinter([](llvm::raw_ostream &out) {
        out << "xmpi-rewrite " XMPI_VERSION " (clang " CLANG_VERSION_STRING ")\n";
    });
    std::string problem;
    llvm::raw_string_ostream problems(problem);
    const bool good = cl::ParseCommandLineOptions(argc, argv, "XMPI source rewriter\n", &problems);
    if (!good)
        llvm::errs() << problems.str();
    return good;
}

Options optionsOf()
{
    Options options;
    options.source = source;
    options.output = output;
    options.name = name.empty() ? source : name;
    options.remarks = report.getNumOccurrences() > 0 && report.empty();
    options.reportFile = report;
    options.readable = readable;
    options.divisible = divisible;
    options.cxx = cxx;
    options.accepted = accepted;
    options.later = later;
    options.flags.assign(flags.begin(), flags.end());
    return options;
}

} // namespace

int main(int argc, char **argv)
{
    if (!readCommandLine(argc, argv))
        return 2;
    if (!examine.empty())
        return examineProgram(examine, Replaced(replaced.begin(), replaced.end()));
    if (output.empty() || (source.empty() && joined.empty())) {
        llvm::errs() << "xmpi-rewrite: usage: xmpi-rewrite --output=OUT.c --name=NAME "
                        "[--report[=FILE]] [--readable] [--divisible] [--cxx] [--later=FILE] "
                        "SOURCE -- [flags "
                        "for clang], or xmpi-rewrite --join=LIST --output=OUT.c, "
                        "or xmpi-rewrite --examine=PROGRAM [--replaced=FUNCTION,...]\n";
        return 2;
    }
    const Options options = optionsOf();
    if (!joined.empty())
        return rewriteJoined(options, joined);
    int status = makeMovable(options);
    return status >= 0 ? status : rewrite(options);
}
