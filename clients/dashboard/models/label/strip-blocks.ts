/** A stretch of a drawing with one label, in pixels. */
export interface StripBlock {
  readonly x: number;
  readonly width: number;
  readonly label: string;
}

interface Shape {
  /** Seconds of the recording, and of one trial. */
  readonly seconds: number;
  readonly trialSeconds: number;
  /** Width of the drawing, pixels. */
  readonly width: number;
}

/**
 * One block for each trial. If they would be thinner than two pixels, a block is two pixels wide and has the most
 * frequent label of its trials. Trials that overlap end where the next one begins. Trials without a label are left out.
 */
export function stripBlocks(
  begins: readonly number[],
  labels: readonly (string | null)[],
  { seconds, trialSeconds, width }: Shape,
): StripBlock[] {
  const pixels = width / seconds;
  if (begins.length > width / 2) return mostFrequent(begins, labels, pixels);
  return begins.flatMap((begin, i) => {
    const label = labels[i];
    if (label === null) return [];
    const next = begins[i + 1] ?? Infinity;
    const lasts = next > begin ? Math.min(trialSeconds, next - begin) : trialSeconds;
    return [{ x: begin * pixels, width: lasts * pixels, label }];
  });
}

const bin = 2;

function mostFrequent(begins: readonly number[], labels: readonly (string | null)[], pixels: number): StripBlock[] {
  const bins = new Map<number, Map<string, number>>();
  begins.forEach((begin, i) => {
    const label = labels[i];
    if (label === null) return;
    const at = Math.floor((begin * pixels) / bin);
    const counts = bins.get(at) ?? new Map<string, number>();
    counts.set(label, (counts.get(label) ?? 0) + 1);
    bins.set(at, counts);
  });
  return [...bins].map(([at, counts]) => ({
    x: at * bin,
    width: bin,
    label: [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0],
  }));
}
