import { balancedMean, trialLosses } from '../../../ml/evidence/scores.ts';
import { predictEncoded, type FittedModel } from '../../../ml/train/index.ts';
import type { Trials } from '../../../ml/types.ts';
import { balancedAccuracy } from '../ours.ts';
import type { EncoderSource } from './sources.ts';

/** Of test trials. */
export interface Score {
  readonly balancedAccuracy: number;
  /** In nats, each class counting alike. */
  readonly logLoss: number;
}

/** What log-scores [trials × classes] at a temperature are worth on trials of these labels. */
export function scoreOf(
  logScores: Float64Array,
  classes: readonly string[],
  wanted: readonly string[],
  temperature = 1,
): Score {
  const labels = Int32Array.from(wanted, (label) => classes.indexOf(label));
  return {
    balancedAccuracy: balancedAccuracy(logScores, classes, wanted),
    logLoss: balancedMean(trialLosses(logScores, labels, classes.length, temperature), labels, classes.length),
  };
}

/** What a fitted model answers to test trials. */
export async function scoreModel(
  model: FittedModel,
  trials: Trials,
  wanted: readonly string[],
  { encoders }: Pick<EncoderSource, 'encoders'>,
  align: 'none' | 'batch' = 'none',
): Promise<Score> {
  const probabilities = await predictEncoded(model, trials, { align }, encoders);
  return scoreOf(
    probabilities.map((p) => Math.log(Math.max(p, 1e-12))),
    model.classes,
    wanted,
  );
}
