/* The number type of a kernel instance: float for every instruction set, double for the oracle. */
#ifndef TAUT_CONSTRAINTS_REAL_H
#define TAUT_CONSTRAINTS_REAL_H

#if defined(TT_ISA_DOUBLE)
typedef double real;
#else
typedef float real;
#endif

#endif
