const hertz = /(?<![\p{L}\p{N}.,])(\d{1,3}(?:[.,]\d{1,4})?)\s*(?:hz|hertz|赫兹|赫茲|ヘルツ|гц|헤르츠)(?![\p{L}\p{N}])/u;
const bare = /^(?:f ?=? ?)?(\d{1,2}(?:[.,]\d{1,4})?)$/u;
const idle = new RegExp(
  String.raw`^(?:rest(?:ing)?(?:[\s-]?(?:class|state))?|idle|none|no[\s-]?(?:stim\p{L}*|flicker|target)|` +
    String.raw`non[\s-]?control|baseline|nothing|ruhe|repos|reposo|riposo|repouso|休息|空闲|静息|安静|休憩)$`,
  'u',
);
/** Usable flicker frequencies of the visual cortex, Hz. */
const usable = { lowest: 3, highest: 80, lowestBare: 5, highestBare: 45 };

const numberOf = (text: string | undefined): number => Number((text ?? '').replace(',', '.'));

/**
 * Stimulation frequencies in Hz of the labels (`13 Hz`, `20hz`, `13`), ascending. One resting class may be among them.
 * Bare numbers count if they are `expected`, or if there are two or more in the usable range and nothing else explains
 * them.
 */
export function frequenciesOf(labels: readonly string[], expected: boolean, explained: boolean): number[] | null {
  const classes = [...new Set(labels.map((label) => label.normalize('NFKC').trim().toLowerCase()))].filter(
    (label) => !idle.test(label),
  );
  const withUnit = classes.map((label) => numberOf(hertz.exec(label)?.[1]));
  const read = classes.map((label, at) => withUnit[at] || numberOf(bare.exec(label)?.[1]));
  const every = (test: (frequency: number) => boolean) =>
    read.length > 0 && read.every((frequency) => frequency > 0 && test(frequency));
  const named = withUnit.some((frequency) => frequency > 0);
  const inRange = every((frequency) => frequency >= usable.lowest && frequency <= usable.highest);
  const plausible =
    every((frequency) => frequency >= usable.lowestBare && frequency <= usable.highestBare) && read.length >= 2;
  const distinct = [...new Set(read)].sort((a, b) => a - b);
  const consecutive =
    distinct.every((frequency, at) => at === 0 || frequency === distinct[at - 1] + 1) &&
    distinct.length > 2 &&
    distinct[0] <= 5;
  if (!inRange || consecutive || !(named || expected || (plausible && !explained))) return null;
  return distinct;
}
