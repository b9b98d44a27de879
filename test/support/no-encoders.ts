import type { Encoders } from '../../ml/encoders/types.ts';

/** For code without encoder features; encoders run in their own thread. */
export const noEncoders: Encoders = () => () => Promise.reject(new Error('There are no encoders here.'));
