/* SPDX-License-Identifier: BSD-3-Clause
 * The clause stands in the file as calls: what the parser says of them, it says of the clause. */
#include "state/checked.h"
#include "joined/open.h"
#include "library/numbers.h"
#include "source/declarations.h"
#include "state/omitted.h"
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Tooling/Tooling.h>
#include <functional>

namespace xmpi
{

using namespace clang;

namespace
{

/* Keeps the first error that is in a clause, and whether there is another one. */
class Listener : public DiagnosticConsumer
{
  public:
    std::string said;
    bool failed = false;

    void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) override
    {
        if (level < DiagnosticsEngine::Error)
            return;
        failed = true;
        if (said.empty() && info.hasSourceManager() && info.getLocation().isValid() &&
            isInClause(info.getSourceManager(), info.getLocation())) {
            llvm::SmallString<128> text;
            info.FormatDiagnostic(text);
            said =
                std::to_string(info.getSourceManager().getPresumedLineNumber(info.getLocation())) +
                ": state(...): " + meaning(text.str().str());
        }
    }

  private:
    /* Behind the call that begins it, in the same line. */
    static bool isInClause(const SourceManager &manager, SourceLocation where)
    {
        const auto [file, offset] = manager.getDecomposedExpansionLoc(where);
        const llvm::StringRef text = manager.getBufferData(file).take_front(offset);
        return file == manager.getMainFileID() &&
               text.substr(text.rfind('\n') + 1).contains("(xmpi_gen_due(");
    }

    static std::string meaning(const std::string &text)
    {
        if (text.find("xmpi_a_pointer_means") == std::string::npos)
            return text;
        return "a pointer means nothing in another process: say how many elements it leads to, as "
               "in "
               "same(p[n])";
    }
};

/* Hands the tree of a file that is understood to LOOK. */
using Look = std::function<void(ASTContext &)>;

class Reader : public ASTConsumer
{
  public:
    explicit Reader(const Look &look) : look(look)
    {
    }

    void HandleTranslationUnit(ASTContext &context) override
    {
        forgetAliases(context);
        if (!context.getDiagnostics().hasErrorOccurred())
            look(context);
    }

  private:
    const Look look;
};

class Reading : public ASTFrontendAction
{
  public:
    explicit Reading(const Look &look) : look(look)
    {
    }

    std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &, llvm::StringRef) override
    {
        return std::make_unique<Reader>(look);
    }

  private:
    const Look look;
};

/* Hands what COMMAND names to LOOK; it is understood. */
bool read(const std::vector<std::string> &command, FileManager *files, Listener &listener,
          const Look &look)
{
    tooling::ToolInvocation invocation(command, std::make_unique<Reading>(look), files);
    invocation.setDiagnosticConsumer(&listener);
    return invocation.run();
}

} // namespace

/* Functions that other files of the program may have, too, which change what they may. */
static bool reliesOnFiles(const std::vector<std::vector<Reliance>> &loops)
{
    return llvm::any_of(loops, [](const std::vector<Reliance> &loop) {
        return llvm::any_of(loop, [](const Reliance &one) { return one.marked != libraryMark; });
    });
}

Checked checkState(const std::vector<std::string> &command, FileManager *files)
{
    Listener listener;
    Named found;
    bool open = false;
    const bool understood = read(command, files, listener, [&](ASTContext &context) {
        found = lookAtClauses(context);
        open = isPartOfProgram(context);
    });
    if (!listener.said.empty())
        return {listener.said, false, {}, {}, false};
    if (found.omissions.empty())
        return {"", understood && found.repeats, found.unseen, found.reliance,
                open && reliesOnFiles(found.reliance)};
    const Omission &first = found.omissions.front();
    return {std::to_string(first.line) + ": " + first.text, false, {}, {}, open};
}

std::optional<std::string> clauseFor(const std::vector<std::string> &command, FileManager *files,
                                     const Shapes *shapes)
{
    Listener listener;
    std::optional<std::string> found;
    const bool understood = read(command, files, listener, [&](ASTContext &context) {
        found = clauseToWrite(context, shapes);
    });
    return understood ? found : std::optional<std::string>("");
}

Entries entriesIn(const std::vector<std::string> &command, FileManager *files,
                  const std::vector<unsigned> &loops)
{
    Listener listener;
    Entries found;
    read(command, files, listener, [&](ASTContext &context) { found = entriesOf(context, loops); });
    return found;
}

} // namespace xmpi
