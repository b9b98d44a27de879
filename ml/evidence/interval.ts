/**
 * 95 % interval of a balanced accuracy, from the recall and the number of trials of each class. The balanced accuracy
 * is the mean of the recalls, so its variance is the sum of their variances over the square of the number of classes.
 * Two successes and two failures are divided between the classes (Price & Bonett 2004, Comput. Stat. Data Anal. 45(3);
 * with one class Agresti & Coull 1998, with two Agresti & Caffo 2000). So 100 % of few trials does not count as
 * certain, and many classes of few trials are not shrunk to one half.
 */
export function accuracyInterval(recalls: readonly number[], counts: readonly number[]): [number, number] {
  const added = 2 / recalls.length;
  let centre = 0;
  let variance = 0;
  recalls.forEach((recall, k) => {
    const size = counts[k] + 2 * added;
    const adjusted = (recall * counts[k] + added) / size;
    centre += adjusted / recalls.length;
    variance += (adjusted * (1 - adjusted)) / size / recalls.length ** 2;
  });
  const half = 1.96 * Math.sqrt(variance);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}
