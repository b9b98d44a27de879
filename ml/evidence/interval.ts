/**
 * 95 % interval of a balanced accuracy, from the recall and the number of trials of each class. The balanced accuracy
 * is the mean of the recalls, so its variance is the sum of their variances over the square of the number of classes.
 * Each recall is estimated with two successes and two failures added (Agresti & Coull 1998, Am. Stat. 52(2)), so that
 * 100 % of few trials is not taken as certain.
 */
export function accuracyInterval(recalls: readonly number[], counts: readonly number[]): [number, number] {
  let centre = 0;
  let variance = 0;
  recalls.forEach((recall, k) => {
    const size = counts[k] + 4;
    const share = (recall * counts[k] + 2) / size;
    centre += share / recalls.length;
    variance += (share * (1 - share)) / size / recalls.length ** 2;
  });
  const half = 1.96 * Math.sqrt(variance);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
