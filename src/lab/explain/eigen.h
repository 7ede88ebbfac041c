/* lab/explain/eigen.h — eigenvalues and eigenvectors of a small symmetric matrix. */
#ifndef LAB_EXPLAIN_EIGEN_H
#define LAB_EXPLAIN_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

/* Finds eigenvalues and eigenvectors of a [n][n], which is symmetric and is destroyed. value [n]
 * has the largest first; vector [n][n]: row r belongs to value r and has length 1. work [3·n]. The
 * method is Householder's reduction to three diagonals, then QL with implicit shifts (Wilkinson and
 * Reinsch, Linear Algebra, 1971, II/2 and II/4). Returns false where it does not converge, which
 * happens only for entries that are not finite. */
bool lab_eigen_symmetric(double *a, size_t n, double *value, double *vector, double *work);

#endif
