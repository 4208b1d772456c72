/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of GLPK that configurations are found with. What is here has no library of its own:
 * who calls the leader hands them in. */
#ifndef XMPI_DECIDE_CONFIGURATIONS_GLPK_H
#define XMPI_DECIDE_CONFIGURATIONS_GLPK_H

#if !defined XMPI_WITHOUT_GLPK && __has_include(<glpk.h>)
#define XMPI_HAS_GLPK
#include <glpk.h>

/* clang-format off */
#define XMPI_GLPK_CALLS(X)                                                                         \
    X(glp_add_cols) X(glp_add_rows) X(glp_create_prob) X(glp_delete_prob) X(glp_error_hook)        \
    X(glp_free_env) X(glp_get_status) X(glp_init_env) X(glp_init_iocp) X(glp_init_smcp)            \
    X(glp_intopt) X(glp_mip_col_val) X(glp_mip_status) X(glp_set_col_bnds) X(glp_set_col_kind)     \
    X(glp_set_mat_col) X(glp_set_obj_coef) X(glp_set_obj_dir) X(glp_set_row_bnds) X(glp_simplex)   \
    X(glp_term_out)
/* clang-format on */

#define XMPI_GLPK_ADDRESS(call) __typeof__(&call) call;
struct xmpi_glpk {
    XMPI_GLPK_CALLS(XMPI_GLPK_ADDRESS)
};
#undef XMPI_GLPK_ADDRESS
#endif

#endif
