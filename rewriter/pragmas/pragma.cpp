/* SPDX-License-Identifier: BSD-3-Clause
 * Hears of pragmas, and hands the expressions in them to the parser. */
#include "pragmas/pragma.h"
#include "pragmas/pragma_grammar.h"
#include <algorithm>
#include <clang/Lex/Pragma.h>
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
        if (kind == tok::l_brace)
            blocks.push_back(opensBlock());
        else if (kind == tok::r_brace && !blocks.empty())
            blocks.pop_back();
        else if (kind == tok::l_paren)
            parentheses++;
        else if (kind == tok::r_paren)
            parentheses--;
        last = kind;
    }

    bool takesStatement() const
    {
        return !blocks.empty() && blocks.back() && parentheses == 0 &&
               (last == tok::semi || last == tok::l_brace || last == tok::r_brace);
    }

  private:
    std::vector<bool> blocks; /* the open braces: of a block, or of a struct, enum, initialiser */
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
            return !blocks.empty() && blocks.back();
        default:
            return false;
        }
    }
};

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

    /* The first line of TEXT, with those that continue it. */
    static std::string logicalLine(llvm::StringRef text)
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

    static bool allowed(clang::Preprocessor &preprocessor, clang::PragmaIntroducer introducer)
    {
        const clang::SourceManager &manager = preprocessor.getSourceManager();
        Diagnostics diagnostics(preprocessor.getDiagnostics());
        if (introducer.Kind != clang::PIK_HashPragma) {
            diagnostics.report(introducer.Loc, Problem::PragmaOperator);
            return false;
        }
        if (manager.getFileID(introducer.Loc) != manager.getMainFileID()) {
            diagnostics.report(introducer.Loc, Problem::PragmaHeader);
            return false;
        }
        /* One inside would be run while the clauses are read, and may take the end of the line. */
        llvm::StringRef rest = manager.getBufferData(manager.getFileID(introducer.Loc))
                                   .drop_front(manager.getFileOffset(introducer.Loc));
        if (logicalLine(rest).find("_Pragma") != std::string::npos) {
            diagnostics.report(introducer.Loc, Problem::PragmaOperator);
            return false;
        }
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

} // namespace

void installPragmaHandler(clang::Preprocessor &preprocessor, Pragmas &pragmas)
{
    auto position = std::make_shared<ParserPosition>();
    preprocessor.setTokenWatcher([position](const Token &token) { position->see(token); });
    preprocessor.AddPragmaHandler(new Handler(pragmas, position));
    preprocessor.AddPragmaHandler(new MisspeltHandler(pragmas));
}

} // namespace xmpi
