import type { Encoders } from '../../ml/encoders/types.ts';
import { ask } from '../drivers/threads/ask.ts';
import type { EncodeCall } from './create-encoders.ts';
import type { EncodeAnswer } from './sessions.ts';

/** Calls the encoders of the process from one of its threads; `createEncoders` answers. */
export const encodersOfProcess: Encoders = (weights, onRun) => async (graph, inputs) => {
  const { outputs, seconds } = await ask<EncodeAnswer>('encode', { ...weights, graph, inputs } satisfies EncodeCall);
  onRun?.(seconds);
  return outputs;
};
