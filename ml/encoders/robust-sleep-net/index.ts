/**
 * RobustSleepNet: embeddings and sleep stages of epochs, from any channels in any order.
 *
 * A. Guillot, V. Thorey, IEEE Trans. Neural Syst. Rehabil. Eng. 29:1441-1451, 2021.
 */
export { robustSleepNet } from './encoder.ts';
export { robustSleepNetGraphs } from './graphs.ts';
export { framePower } from './log-power.ts';
export { at60Hz } from './sixty-hertz.ts';
export type { Signals } from './sixty-hertz.ts';
