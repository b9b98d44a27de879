import type { Encoders } from '../../ml/encoders/types.ts';
import { ask } from '../drivers/threads/ask.ts';
import type { EncodeCall } from './create-encoders.ts';
import type { EncodeAnswer } from './sessions.ts';

/** The encoders of the process, for a thread of one of its pools that `createEncoders` serves. */
export const encodersOfProcess: Encoders = (weights, onRun) => async (graph, inputs) => {
  const { outputs, seconds } = await ask<EncodeAnswer>('encode', { ...weights, graph, inputs } satisfies EncodeCall);
  onRun?.(seconds);
  return outputs;
};
