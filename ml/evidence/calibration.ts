/**
 * Expected calibration error (Naeini et al. 2015, AAAI): how far the probability of the predicted class is from how
 * often the prediction was right. Trials are sorted by that probability and cut into at most ten bins of equal size;
 * the error is the sum over bins of the weighted gap, where the trials of every class weigh the same in total. 0 is
 * perfect. `probabilities` are [trials × classes]; trials with NaN were not tested and do not count.
 */
export function calibrationError(probabilities: Float64Array, labels: Int32Array, classes: number): number {
  const counts = new Float64Array(classes);
  for (const label of labels) counts[label] += 1;
  const trials = Array.from(labels, (label, i) => {
    let best = 0;
    for (let k = 1; k < classes; k += 1)
      if (probabilities[i * classes + k] > probabilities[i * classes + best]) best = k;
    return {
      confidence: probabilities[i * classes + best],
      right: best === label ? 1 : 0,
      weight: 1 / (classes * counts[label]),
    };
  })
    .filter((trial) => !Number.isNaN(trial.confidence))
    .sort((a, b) => a.confidence - b.confidence);
  const bins = Math.max(1, Math.min(10, Math.floor(trials.length / 10)));
  let error = 0;
  for (let b = 0; b < bins; b += 1) {
    let gap = 0;
    for (const trial of trials.slice(
      Math.floor((b * trials.length) / bins),
      Math.floor(((b + 1) * trials.length) / bins),
    )) {
      gap += trial.weight * (trial.confidence - trial.right);
    }
    error += Math.abs(gap);
  }
  return error;
}
