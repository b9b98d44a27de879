import type { EarlyDrop } from '../methods/types.ts';
import type { CandidateScore, TrainingData } from './types.ts';

type Common = Pick<CandidateScore, 'method' | 'version' | 'title' | 'family' | 'prior'>;

/** The row of a dropped candidate: its score on the trials where it was tested. */
export const droppedScore = (
  common: Common,
  { reason, balancedAccuracy, logLoss }: Omit<EarlyDrop, 'method'>,
): CandidateScore => ({
  ...common,
  status: 'dropped',
  reason,
  outOfFold: new Float64Array(0),
  aligned: null,
  nested: null,
  foldScores: [balancedAccuracy],
  balancedAccuracy,
  logLoss,
  temperature: 1,
  seconds: 0,
});

/** Why a method was dropped before its encoder read all trials; undefined if it was not dropped. */
export const droppedEarly = (method: string, { encoded = {} }: TrainingData): EarlyDrop | undefined =>
  Object.values(encoded)
    .flatMap(({ dropped = [] }) => dropped)
    .find((each) => each.method === method);
