/**
 * The value that would be at index `n` if the values were sorted (Hoare 1961, Commun. ACM 4: Find). Reorders the
 * values. They contain no NaN.
 */
export function nthSmallest(values: Float64Array, n: number): number {
  let [from, to] = [0, values.length - 1];
  while (from < to) {
    const pivot = middleOfThree(values[from], values[(from + to) >> 1], values[to]);
    let [i, j] = [from, to];
    while (i <= j) {
      while (values[i] < pivot) i += 1;
      while (values[j] > pivot) j -= 1;
      if (i > j) break;
      const value = values[i];
      values[i++] = values[j];
      values[j--] = value;
    }
    if (n <= j) to = j;
    else if (n >= i) from = i;
    else break;
  }
  return values[n];
}

const middleOfThree = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
