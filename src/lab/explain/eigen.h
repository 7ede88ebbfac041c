/* lab/explain/eigen.h — eigenvalues and eigenvectors of a small symmetric matrix. */
#ifndef LAB_EXPLAIN_EIGEN_H
#define LAB_EXPLAIN_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

/* a [n][n], symmetric, is destroyed. value [n], largest first; vector [n][n]: row r belongs to
 * value r and has length 1. work [3·n]. Householder's reduction to three diagonals, then the QL
 * method with implicit shifts (Wilkinson and Reinsch, Linear Algebra, 1971, II/2 and II/4). False:
 * it does not converge, which happens for entries that are not finite only. */
bool lab_eigen_symmetric(double *a, size_t n, double *value, double *vector, double *work);

#endif
