/** The trials of one model differ in size by less than this, whatever the day, the cap and the amplifier. */
const most = 30;

const shown = (microvolts: number): string => `${Number(microvolts.toPrecision(3))} µV`;

/**
 * Tells of trials that are far larger or smaller than those of their model, in words with numbers. Both sizes are
 * standard deviations of the median channel in microvolts; undefined where nobody took them.
 */
export function scaleNotes(sent: number | undefined, fitted: number | undefined): string[] {
  if (!sent || !fitted || (sent < most * fitted && fitted < most * sent)) return [];
  return [
    `Likely wrong units: the median channel varies by ${shown(sent)}, and by ${shown(fitted)} in the model's trials. ` +
      'Is `units` the unit that x is in?',
  ];
}
