/**
 * 95 % interval of a balanced accuracy, from the recall and the number of trials of each class. The balanced accuracy
 * is the mean of the recalls, so its variance is the sum of their variances over the square of the number of classes.
 * Two successes and two failures are shared out between the classes (Price & Bonett 2004, Comput. Stat. Data Anal.
 * 45(3); with one class Agresti & Coull 1998, with two Agresti & Caffo 2000), so that 100 % of few trials is not taken
 * as certain, and many classes of few trials are not drawn to one half.
 */
export function accuracyInterval(recalls: readonly number[], counts: readonly number[]): [number, number] {
  const added = 2 / recalls.length;
  let centre = 0;
  let variance = 0;
  recalls.forEach((recall, k) => {
    const size = counts[k] + 2 * added;
    const share = (recall * counts[k] + added) / size;
    centre += share / recalls.length;
    variance += (share * (1 - share)) / size / recalls.length ** 2;
  });
  const half = 1.96 * Math.sqrt(variance);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
