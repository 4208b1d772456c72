/* SPDX-License-Identifier: BSD-3-Clause
 * Hears of pragmas, and hands the expressions in them to the parser. */
#include "pragmas/pragma.h"
#include "pragmas/pragma_grammar.h"
#include <algorithm>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Pragma.h>
#include <llvm/ADT/StringExtras.h>
#include <set>

namespace xmpi
{

using clang::Token;
namespace tok = clang::tok;

llvm::StringRef spelling(Directive directive)
{
    static const char *const names[] = {"domain", "data", "initial", "setup", "loop", "loop"};
    return names[static_cast<int>(directive)];
}

std::vector<Operand *> Pragma::allOperands()
{
    std::vector<Operand *> all;
    for (Operand &operand : operands)
        all.push_back(&operand);
    for (Operand &weight : weights)
        all.push_back(&weight);
    for (Operand &bound : iterations)
        all.push_back(&bound);
    for (ArrayOperand &array : arrays) {
        all.push_back(&array.variable);
        for (Operand &extent : array.shape)
            all.push_back(&extent);
        for (Operand &rows : array.halo)
            all.push_back(&rows);
        for (Operand &element : array.element)
            all.push_back(&element);
    }
    return all;
}

const Pragma *Pragmas::at(clang::SourceLocation hash) const
{
    if (whole != nullptr)
        return whole->at(hash);
    for (const auto &pragma : list)
        if (pragma->hash == hash)
            return pragma.get();
    return nullptr;
}

const Pragma *Pragmas::covering(unsigned offset) const
{
    for (const auto &pragma : list)
        if (offset >= pragma->line.begin && offset <= pragma->line.end)
            return pragma.get();
    return nullptr;
}

/* Two neighbouring letters in the other order. */
static bool isExchanged(llvm::StringRef word)
{
    for (size_t i = 0; word.size() == 4 && i < 3; i++) {
        std::string other = word.lower();
        std::swap(other[i], other[i + 1]);
        if (other == "xmpi")
            return true;
    }
    return false;
}

/* A misspelt name would go by unnoticed, and the program would not be adaptive. Words of three
 * letters are left alone: they are names of others. */
bool resemblesXmpi(llvm::StringRef word)
{
    return word.size() > 3 && word != "xmpi" && word.lower().size() < 6 &&
           (llvm::StringRef(word.lower()).edit_distance("xmpi") <= 1 || isExchanged(word));
}

namespace
{

/* Where the parser stands: a statement may follow only after one of ; { } of a block. */
class ParserPosition
{
  public:
    void see(const Token &token)
    {
        tok::TokenKind kind = token.getKind();
        if (kind == tok::l_brace) {
            blocks.push_back({opensBlock(), expected && parentheses == 0});
            expected = expected && parentheses != 0;
        } else if (kind == tok::r_brace && !blocks.empty())
            blocks.pop_back();
        else if (kind == tok::semi && parentheses == 0)
            expected = false; /* it was one statement */
        else if (kind == tok::l_paren)
            parentheses++;
        else if (kind == tok::r_paren)
            parentheses--;
        last = kind;
    }

    bool takesStatement() const
    {
        return !blocks.empty() && blocks.back().takesStatements && parentheses == 0 &&
               (last == tok::semi || last == tok::l_brace || last == tok::r_brace);
    }

    /* What comes next has several threads. */
    void expectRegion()
    {
        expected = true;
    }

    bool isInRegion() const
    {
        return expected ||
               llvm::any_of(blocks, [](const Brace &brace) { return brace.hasThreads; });
    }

  private:
    /* An open brace: of a block, or of a struct, enum, initialiser. */
    struct Brace {
        bool takesStatements, hasThreads;
    };
    std::vector<Brace> blocks;
    bool expected = false;
    int parentheses = 0;
    tok::TokenKind last = tok::semi;

    bool opensBlock() const
    {
        switch (last) {
        case tok::r_paren:
        case tok::semi:
        case tok::r_brace:
        case tok::colon:
        case tok::kw_else:
        case tok::kw_do:
            return true;
        case tok::l_brace:
            return !blocks.empty() && blocks.back().takesStatements;
        default:
            return false;
        }
    }
};

/* The first line of TEXT, with those that continue it. */
std::string logicalLine(llvm::StringRef text)
{
    std::string line;
    while (true) {
        auto [one, rest] = text.split('\n');
        one = one.rtrim(" \t\r\f\v"); /* compilers let blanks follow the backslash */
        if (!one.consume_back("\\"))
            return line + one.str();
        line += one.str();
        text = rest;
    }
}

class Handler : public clang::PragmaHandler
{
  public:
    Handler(Pragmas &pragmas, std::shared_ptr<ParserPosition> position)
        : PragmaHandler("xmpi"), pragmas(pragmas), position(std::move(position))
    {
    }

    void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer,
                      Token &) override
    {
        auto pragma = std::make_unique<Pragma>();
        pragma->hash = introducer.Loc;
        pragma->line.begin = preprocessor.getSourceManager().getFileOffset(introducer.Loc);
        bool good = readPragma(preprocessor, *pragma, allowed(preprocessor, introducer));
        if (good && !position->takesStatement()) {
            Diagnostics(preprocessor.getDiagnostics())
                .report(pragma->hash, Problem::PragmaPlace, {spelling(pragma->directive)});
            good = false;
        }
        if (good && pragma->directive == Directive::Loop && position->isInRegion()) {
            Diagnostics(preprocessor.getDiagnostics())
                .report(pragma->hash, Problem::StatementKind,
                        {"loop", "a loop inside a region of OpenMP, which each thread goes through",
                         "put it before a loop around the region, or let the region begin and end "
                         "inside the loop"});
            good = false;
        }
        if (!good) {
            pragmas.broken = true;
            return;
        }
        inject(preprocessor, *pragma);
        pragmas.list.push_back(std::move(pragma));
    }

  private:
    Pragmas &pragmas;
    std::shared_ptr<ParserPosition> position;

    static bool allowed(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer)
    {
        const clang::SourceManager &manager = preprocessor.getSourceManager();
        Diagnostics diagnostics(preprocessor.getDiagnostics());
        if (introducer.Kind != clang::PIK_HashPragma)
            return diagnostics.report(introducer.Loc, Problem::PragmaOperator);
        if (manager.getFileID(introducer.Loc) != manager.getMainFileID())
            return diagnostics.report(introducer.Loc, Problem::PragmaHeader);
        /* One inside would be run while the clauses are read, and may take the end of the line. */
        llvm::StringRef rest = manager.getBufferData(manager.getFileID(introducer.Loc))
                                   .drop_front(manager.getFileOffset(introducer.Loc));
        if (logicalLine(rest).find("_Pragma") != std::string::npos)
            return diagnostics.report(introducer.Loc, Problem::PragmaOperator);
        return true;
    }

    /* The parser goes on with { (operand); ... } at the position of the pragma. */
    static void inject(clang::Preprocessor &preprocessor, Pragma &pragma)
    {
        std::vector<Token> tokens;
        auto punctuation = [&](tok::TokenKind kind, clang::SourceLocation where) {
            Token token;
            token.startToken();
            token.setKind(kind);
            token.setLocation(where);
            tokens.push_back(token);
        };
        punctuation(tok::l_brace, pragma.hash);
        for (Operand *operand : pragma.allOperands()) {
            clang::SourceLocation last = operand->tokens.back().getLocation();
            punctuation(tok::l_paren, operand->where);
            tokens.insert(tokens.end(), operand->tokens.begin(), operand->tokens.end());
            punctuation(tok::r_paren, last);
            punctuation(tok::semi, last);
        }
        punctuation(tok::r_brace, pragma.hash);
        auto owned = std::make_unique<Token[]>(tokens.size());
        std::copy(tokens.begin(), tokens.end(), owned.get());
        preprocessor.EnterTokenStream(std::move(owned), static_cast<unsigned>(tokens.size()), true,
                                      true);
    }
};

/* Called for pragmas that nobody else knows. */
class MisspeltHandler : public clang::PragmaHandler
{
  public:
    explicit MisspeltHandler(Pragmas &pragmas) : PragmaHandler(llvm::StringRef()), pragmas(pragmas)
    {
    }

    void HandlePragma(clang::Preprocessor &preprocessor, clang::PragmaIntroducer,
                      Token &token) override
    {
        if (token.getIdentifierInfo() == nullptr ||
            !resemblesXmpi(token.getIdentifierInfo()->getName()) ||
            preprocessor.getSourceManager().isInSystemHeader(token.getLocation()))
            return;
        pragmas.broken = true;
        Diagnostics(preprocessor.getDiagnostics())
            .report(token.getLocation(), Problem::PragmaName,
                    {token.getIdentifierInfo()->getName()},
                    Fix::CreateReplacement(token.getLocation(), "xmpi"));
    }

  private:
    Pragmas &pragmas;
};

/* Hears of regions of OpenMP. */
class Regions : public clang::PPCallbacks
{
  public:
    Regions(clang::Preprocessor &preprocessor, std::shared_ptr<ParserPosition> position)
        : preprocessor(preprocessor), position(std::move(position))
    {
    }

    void PragmaDirective(clang::SourceLocation where, clang::PragmaIntroducerKind kind) override
    {
        if (kind == clang::PIK_HashPragma && preprocessor.isMacroDefined("_OPENMP") &&
            hasThreads(lineAt(where)))
            position->expectRegion();
    }

  private:
    clang::Preprocessor &preprocessor;
    std::shared_ptr<ParserPosition> position;

    std::string lineAt(clang::SourceLocation where) const
    {
        const clang::SourceManager &manager = preprocessor.getSourceManager();
        return logicalLine(manager.getBufferData(manager.getFileID(where))
                               .drop_front(manager.getFileOffset(where)));
    }

    /* `# pragma omp parallel for num_threads(4)`: words before the clauses count. */
    static bool hasThreads(llvm::StringRef line)
    {
        static const std::set<llvm::StringRef> threads = {"parallel", "teams", "target", "task",
                                                          "taskloop"};
        line.consume_front("#");
        llvm::SmallVector<llvm::StringRef, 8> words;
        llvm::SplitString(line.take_until([](char c) { return c == '('; }), words);
        return words.size() > 2 && words[0] == "pragma" && words[1] == "omp" &&
               std::any_of(words.begin() + 2, words.end(),
                           [](llvm::StringRef word) { return threads.count(word) != 0; });
    }
};

} // namespace

void installPragmaHandler(clang::Preprocessor &preprocessor, Pragmas &pragmas)
{
    auto position = std::make_shared<ParserPosition>();
    preprocessor.setTokenWatcher([position](const Token &token) { position->see(token); });
    preprocessor.addPPCallbacks(std::make_unique<Regions>(preprocessor, position));
    preprocessor.AddPragmaHandler(new Handler(pragmas, position));
    preprocessor.AddPragmaHandler(new MisspeltHandler(pragmas));
}

} // namespace xmpi
