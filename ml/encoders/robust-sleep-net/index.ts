/**
 * RobustSleepNet: embeddings and sleep stages of epochs, from any channels in any order. Log power of trials, then
 * `standardise` over what is of one recording, the graph `epochs`, and `sequence` over epochs that follow each other.
 *
 * A. Guillot, V. Thorey, IEEE Trans. Neural Syst. Rehabil. Eng. 29:1441-1451, 2021.
 */
export { robustSleepNetGraphs } from './graphs.ts';
export { stages } from './sequence.ts';
export { alone, framesAt, logPower, shortestSeconds } from './log-power.ts';
export type { Groups } from './log-power.ts';
export type { Signals } from './sixty-hertz.ts';
export { standardise, standardiseBy, statisticsOf } from './standardise.ts';
export type { Statistics } from './standardise.ts';
