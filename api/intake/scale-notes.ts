import { requestSentence } from './request-sentences.ts';

/** The amplitudes of one model's trials differ by less than this factor on any day, with any cap and amplifier. */
const largestRatio = 30;

const shown = (microvolts: number): string => `${Number(microvolts.toPrecision(3))} µV`;

/**
 * Warnings about trials that are far larger or smaller than those of their model, with numbers. Both sizes are standard
 * deviations of the median channel in microvolts; undefined if not measured.
 */
export function scaleNotes(sent: number | undefined, fitted: number | undefined): string[] {
  if (!sent || !fitted || (sent < largestRatio * fitted && fitted < largestRatio * sent)) return [];
  return [requestSentence('other_scale', { sent: shown(sent), fitted: shown(fitted) })];
}
