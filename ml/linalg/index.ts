/**
 * Dense linear algebra in float64 on `Matrix` and `Matrices` (`ml/matrix.ts`). Shapes that do not fit each other are
 * not checked; a function that can fail returns null.
 */
export { matmul, matmulByRows, matmulTransposed, gram, transpose, matvec } from './matmul.ts';
export { withByteRows } from './byte-rows.ts';
export type { ByteRows, SomeRows } from './byte-rows.ts';
export { columnMoments, rootsOrOne, scaledColumns, squaresAbout, standardisedRows } from './columns.ts';
export { cholesky, solveLower, solveLowerTransposed, solveSpd, inverseLower, inverseSpd } from './cholesky.ts';
export { quadraticReadings } from './quadratic-readings.ts';
export type { BandReading, ReadingShape } from './quadratic-readings.ts';
export { withOperator } from './operator.ts';
export type { Operator } from './operator.ts';
export { solve } from './solve.ts';
export { eigenvalues, eigh, eighRows, eighFactored, eighGeneral } from './eigh.ts';
export type { Eigen, EigenRows } from './eigh.ts';
export { withStepMemory } from './step-memory.ts';
export type { StepMemory } from './step-memory.ts';
