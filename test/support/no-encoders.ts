import type { Encoders } from '../../ml/encoders/types.ts';

/** For what reads no features of encoders, which run in a thread of their own. */
export const noEncoders: Encoders = () => () => Promise.reject(new Error('There are no encoders here.'));
