/* SPDX-License-Identifier: BSD-3-Clause
 * Registers arrays where their extents can be written. */
#ifndef XMPI_REWRITER_ARRAY_REGISTRY_H
#define XMPI_REWRITER_ARRAY_REGISTRY_H

#include "arrays/array_facts.h"

namespace xmpi
{

class ArrayRegistry
{
  public:
    ArrayRegistry(Analysis &analysis, const Inference &inference, const ArrayFacts &facts)
        : analysis(analysis), inference(inference), survey(*inference.survey), facts(facts)
    {
    }

    /* Reports why an array cannot be registered; false. */
    bool refuse(clang::SourceLocation where, Problem problem,
                std::initializer_list<llvm::StringRef> arguments);
    bool refuseShape(clang::SourceLocation where, const clang::VarDecl *variable);

    /* The extents as the function of STEP can write them; empty where it cannot. PICKED: what they
     * are to hang on, as far as it is known. */
    std::vector<std::string> texts(const std::vector<Values> &shape, size_t step,
                                   std::optional<Picked> picked = std::nullopt) const;

    /* The same of the memory that VARIABLE leads to. */
    std::vector<std::string> textsOf(const clang::VarDecl *variable,
                                     const std::vector<Values> &shape, size_t step) const;

    /* What the places hang on at which the loop uses VARIABLE. */
    Picked pickedByUse(const clang::VarDecl *variable) const;

    /* Registered where its extents can be written: before the loop, or before a call on the way. */
    bool add(const clang::VarDecl *variable, Scheme scheme, const std::vector<Values> &extents,
             clang::SourceLocation where, const std::string &halo = "");

    /* The same, in the function of STEP with the extents SHAPE. */
    bool addAt(size_t step, const clang::VarDecl *variable, Scheme scheme,
               const std::vector<std::string> &shape, const std::string &halo);

  private:
    Analysis &analysis;
    const Inference &inference;
    const Survey &survey;
    const ArrayFacts &facts;

    std::string asMade(const clang::VarDecl *variable, const Values &elements) const;
    void nameRows(Picked &picked, const Step &place) const;
    const clang::VarDecl *inCaller(const clang::VarDecl *variable, size_t step) const;
    void addCopies(size_t step, const clang::VarDecl *variable, const Data &data);
};

/* What to write where VARIABLE has MORE rows than the process, which the loop does not show to be
 * ghost rows (0: perhaps): where it is one piece of memory; where pointers lead to its rows. */
std::string ghostRows(const clang::VarDecl *variable, int more);
std::string stateOfRows(const clang::VarDecl *variable);

} // namespace xmpi
#endif
