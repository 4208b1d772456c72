/* SPDX-License-Identifier: BSD-3-Clause
 * Lets the preprocessor go through a file. */
#include "pragmas/active.h"
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Tooling/Tooling.h>

namespace xmpi
{
namespace
{

using namespace clang;

class Watcher : public PPCallbacks
{
  public:
    Watcher(const SourceManager &manager, std::set<unsigned> &pragmas)
        : manager(manager), pragmas(pragmas)
    {
    }

    void PragmaDirective(SourceLocation hash, PragmaIntroducerKind kind) override
    {
        if (kind == PIK_HashPragma && manager.isInMainFile(hash))
            pragmas.insert(manager.getFileOffset(hash));
    }

  private:
    const SourceManager &manager;
    std::set<unsigned> &pragmas;
};

class Action : public PreprocessOnlyAction
{
  public:
    explicit Action(std::set<unsigned> &pragmas) : pragmas(pragmas)
    {
    }

  protected:
    bool BeginSourceFileAction(CompilerInstance &compiler) override
    {
        compiler.getPreprocessor().addPPCallbacks(
            std::make_unique<Watcher>(compiler.getSourceManager(), pragmas));
        return true;
    }

  private:
    std::set<unsigned> &pragmas;
};

} // namespace

std::optional<std::set<unsigned>> activePragmas(const std::vector<std::string> &command,
                                                clang::FileManager *files)
{
    std::set<unsigned> pragmas;
    IgnoringDiagConsumer ignoring;
    tooling::ToolInvocation invocation(command, std::make_unique<Action>(pragmas), files);
    invocation.setDiagnosticConsumer(&ignoring);
    return invocation.run() ? std::optional(pragmas) : std::nullopt;
}

} // namespace xmpi
