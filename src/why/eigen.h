/* why/eigen.h — how large the eigenvalues of a small matrix are. */
#ifndef WHY_EIGEN_H
#define WHY_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

/* Σ |λ| over the eigenvalues of a real matrix [n][n], by QR steps on its Hessenberg form (Golub and
 * Van Loan, Matrix Computations, 7.4 and 7.5), into *sum. False: no memory, or a matrix on which
 * the steps do not end (as one that has numbers which are none). */
bool why_eigen_sizes(const double *matrix, size_t n, double *sum);

#endif
