import { kernels } from './instance.ts';
import { allocate, allocateDoubles, place, placeIntegers, scope, viewDoubles } from './memory.ts';

/** Groups of eight lanes that hold `rows` rows. */
export const groupsOf = (rows: number): number => (rows + 7) >> 3;

/** Row length that whole vectors need: n rounded up to a multiple of 4. */
export const paddedSide = (n: number): number => (n + 3) & ~3;

/** Address of the list of group addresses of runs of `count` groups of `steps` steps that begin at `starts`. */
export function groupList(starts: readonly number[], count: number, steps: number): number {
  const addresses = new Int32Array(starts.length * count);
  for (let s = 0, i = 0; s < starts.length; s++)
    for (let g = 0; g < count; g++, i++) addresses[i] = starts[s] + g * steps * 64;
  return placeIntegers(addresses);
}

/** Rows [rows × steps] of float64 brought into groups; the address. */
export function groupRows(a: Float64Array, rows: number, steps: number): number {
  const groups = allocate(groupsOf(rows) * steps * 64);
  scope(() => kernels().toGroups(place(a.subarray(0, rows * steps)), 1, rows, steps, groups));
  return groups;
}

/** Columns of a table [steps × columns] of float64 brought into groups; the address. */
export function groupColumns(a: Float64Array, steps: number, columns: number): number {
  const groups = allocate(groupsOf(columns) * steps * 64);
  scope(() => kernels().columnsToGroups(place(a.subarray(0, steps * columns)), steps, columns, groups));
  return groups;
}

/** Rows in groups of eight lanes, at an address of the kernels' memory. */
export interface GroupedRows {
  readonly at: number;
  readonly rows: number;
}

/** Inner products [a.rows × b.rows] of rows of `steps` values each; written to `out` where it is given. */
export function productOfGroups(
  a: GroupedRows,
  b: GroupedRows,
  steps: number,
  out: Float64Array = new Float64Array(a.rows * b.rows),
): Float64Array {
  const [m, n] = [a.rows, b.rows];
  return scope(() => {
    const [ga, gb] = [groupsOf(m), groupsOf(n)];
    const c = allocateDoubles(ga * gb * 64);
    if (steps === 0) return out.fill(0);
    kernels().groupProducts(groupList([a.at], ga, steps), ga, groupList([b.at], gb, steps), gb, steps, c, 0);
    return takeColumns(viewDoubles(c, ga * gb * 64), gb * 8, m, n, out);
  });
}

/** The first n columns of m rows of a table whose rows have `width` values. */
function takeColumns(table: Float64Array, width: number, m: number, n: number, out: Float64Array): Float64Array {
  for (let i = 0, to = 0; i < m; i++) for (let j = 0, at = i * width; j < n; j++, at++, to++) out[to] = table[at];
  return out;
}

/** Inner products [m × m] of the lanes of a run of groups with themselves. */
export function gramOfGroups(a: number, m: number, steps: number): Float64Array {
  return scope(() => {
    const groups = groupsOf(m);
    const c = allocateDoubles(groups * groups * 64);
    const list = groupList([a], groups, steps);
    const square = allocateDoubles(m * m);
    kernels().groupProducts(list, groups, list, groups, steps, c, 1);
    kernels().mirror(c, groups * 8, square, m);
    return viewDoubles(square, m * m).slice();
  });
}
