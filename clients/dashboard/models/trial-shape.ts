import type { TrialShape } from '../charts/methods-section.ts';
import type { TaskModelAnswer } from './response-types.ts';

/** Shape of the trials behind the report of a model. */
export const trialShapeOf = ({ channels, signal }: Pick<TaskModelAnswer, 'channels' | 'signal'>): TrialShape => ({
  electrodes: channels.length,
  rateHz: signal.sampling_rate_hz,
  seconds: signal.seconds_per_trial,
});
