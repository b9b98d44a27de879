/** wᵀ·C·w of the packed upper triangle at `from` and the filter at `at`. */
export function power(packed: Float64Array, from: number, filters: Float64Array, at: number, p: number): number {
  let sum = 0;
  for (let i = 0, c = from; i < p; i += 1) {
    const own = filters[at + i];
    sum += own * own * packed[c++];
    let cross = 0;
    for (let j = i + 1; j < p; j += 1) cross += filters[at + j] * packed[c++];
    sum += 2 * own * cross;
  }
  return sum;
}
