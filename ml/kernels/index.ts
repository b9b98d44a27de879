/**
 * WebAssembly kernels (AssemblyScript, SIMD) and their memory. Only ml/linalg, ml/signal, ml/geometry and ml/features
 * use them.
 */
export { kernels } from './instance.ts';
export {
  allocate,
  allocateDoubles,
  freeMemory,
  place,
  placeFloats,
  placeIntegers,
  read,
  scope,
  viewDoubles,
  viewBytes,
  viewFloats,
  viewIntegers,
} from './memory.ts';
export { gramOfGroups, groupColumns, groupList, groupRows, groupsOf, paddedSide, productOfGroups } from './products.ts';
