import type { Recorded } from '../charts/method-words.ts';
import type { TaskModelAnswer } from './response-types.ts';

/** The recording behind the report of a model. */
export const recordedOf = ({ channels, signal }: Pick<TaskModelAnswer, 'channels' | 'signal'>): Recorded => ({
  electrodes: channels.length,
  rateHz: signal.sampling_rate_hz,
  seconds: signal.seconds_per_trial,
});
