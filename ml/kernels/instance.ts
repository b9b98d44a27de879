import { binary } from './binary.ts';

/**
 * Exports of the WebAssembly module. Pointers are byte offsets into its memory; `./assembly` documents shapes and
 * layouts. The arguments are flat because WebAssembly passes numbers only. The rooms that call these functions take
 * `Matrix` values instead.
 */
export interface Kernels {
  readonly memory: WebAssembly.Memory;
  heapBase(): number;
  toGroups(from: number, wide: number, rows: number, steps: number, to: number): void;
  fromGroups(from: number, rows: number, steps: number, stride: number, to: number): void;
  columnsToGroups(from: number, steps: number, columns: number, to: number): void;
  detrendGroups(at: number, groups: number, steps: number, line: number): void;
  groupMeans(list: number, count: number, steps: number, to: number): void;
  groupProducts(
    listA: number,
    countA: number,
    listB: number,
    countB: number,
    steps: number,
    c: number,
    symmetric: number,
  ): void;
  laggedProducts(x: number, groups: number, run: number, lag: number, copies: number, terms: number, c: number): void;
  filterGroups(
    src: number,
    dst: number,
    groups: number,
    steps: number,
    pad: number,
    sections: number,
    count: number,
    gain: number,
    work: number,
  ): void;
  spread(from: number, rows: number, n: number, to: number, ld: number): void;
  mirror(from: number, ld: number, to: number, n: number): void;
  eigenBatch(
    c: number,
    count: number,
    n: number,
    z: number,
    ld: number,
    values: number,
    work: number,
    vectors: number,
  ): void;
  eigenWork(n: number): number;
  logarithmWork(n: number, nodes: number): number;
  reduceBounded(c: number, n: number, z: number, ld: number, least: number, work: number, bounds: number): void;
  logarithmOf(
    z: number,
    n: number,
    ld: number,
    work: number,
    nodes: number,
    t: number,
    scale: number,
    logScale: number,
    out: number,
  ): void;
  congruenceBatch(
    c: number,
    count: number,
    n: number,
    wt: number,
    q: number,
    ldq: number,
    out: number,
    scratch: number,
  ): void;
  composeBatch(
    z: number,
    values: number,
    count: number,
    n: number,
    ld: number,
    out: number,
    sum: number,
    scratch: number,
  ): void;
  choleskyFactor(a: number, n: number, ld: number): number;
  solveTriangular(l: number, ldl: number, b: number, ldb: number, n: number, transposed: number): void;
  timesVector(a: number, rows: number, ld: number, x: number, y: number): void;
  transposedTimesVector(a: number, rows: number, ld: number, s: number, y: number): void;
  dot(a: number, b: number, n: number): number;
  addThenDot(q: number, by: number, a: number, b: number, n: number): number;
  spreadScaled(from: number, rows: number, n: number, scale: number, last: number, to: number, ld: number): void;
  addSquares(from: number, rows: number, n: number, mean: number, by: number, over: number, sum: number): void;
  addRows(from: number, rows: number, n: number, by: number, sum: number): void;
  standardise(at: number, rows: number, n: number, mean: number, scale: number): void;
  scaleColumns(at: number, rows: number, n: number, by: number, scale: number): void;
  resampleRows(
    x: number,
    rows: number,
    length: number,
    taps: number,
    width: number,
    starts: number,
    phases: number,
    count: number,
    out: number,
  ): void;
  quadraticReadings(
    covariances: number,
    trials: number,
    windows: number,
    side: number,
    filters: number,
    groups: number,
    eps: number,
    dense: number,
    each: number,
    hidden: number,
    out: number,
    squares: number,
    logs: number,
  ): void;
  cellsOfTrial(
    signal: number,
    channels: number,
    samples: number,
    factor: number,
    before: number,
    length: number,
    mixing: number,
    waves: number,
    bins: number,
    segment: number,
    starts: number,
    segments: number,
    rows: number,
    low: number,
    read: number,
    out: number,
  ): void;
  whitenCells(
    cells: number,
    segments: number,
    bins: number,
    rows: number,
    shrinkage: number,
    covariances: number,
    factor: number,
  ): void;
  sketchCells(
    cells: number,
    segments: number,
    bins: number,
    rows: number,
    places: number,
    values: number,
    slots: number,
    sums: number,
    size: number,
    deviation: number,
    out: number,
  ): void;
  byteProducts(
    first: number,
    rowStride: number,
    rows: number,
    other: number,
    stride: number,
    count: number,
    columns: number,
    out: number,
  ): void;
  windowMeans(at: number, rows: number, steps: number, edges: number, count: number, out: number): void;
  stackedProducts(
    x: number,
    channels: number,
    samples: number,
    wt: number,
    ldw: number,
    filters: number,
    stack: number,
    fixed: number,
    ld: number,
    products: number,
    means: number,
  ): void;
  shrunkCovariance(
    products: number,
    width: number,
    means: number,
    lane: number,
    q: number,
    scale: number,
    samples: number,
    epsilon: number,
    out: number,
  ): void;
  powerOfSegments(
    src: number,
    groups: number,
    steps: number,
    size: number,
    hop: number,
    segments: number,
    window: number,
    centre: number,
    twiddles: number,
    order: number,
    work: number,
    out: number,
  ): void;
}

/** One instance for each thread, made at first use. */
let instance: Kernels | undefined;
let compiled: WebAssembly.Module | undefined;

/** The kernels of this thread. */
export function kernels(): Kernels {
  instance ??= instantiate();
  return instance;
}

/** The next call of `kernels` makes a new instance, with new memory. */
export function replaceKernels(): void {
  instance = undefined;
}

function instantiate(): Kernels {
  compiled ??= compile();
  return new WebAssembly.Instance(compiled, {}).exports as unknown as Kernels;
}

function compile(): WebAssembly.Module {
  const text = atob(binary.join(''));
  return new WebAssembly.Module(Uint8Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)));
}
