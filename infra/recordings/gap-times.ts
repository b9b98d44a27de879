import type { Annotation, Gap } from './recording.ts';

/**
 * Gives annotations in true time as ones in seconds of signal, without the pauses; null: the annotation begins in a
 * pause. Time is logarithmic in the pauses.
 */
export function withoutPauses(gaps: readonly Gap[]): (annotation: Annotation) => Annotation | null {
  /** True time at which each pause begins and ends. */
  const begins: number[] = [];
  const ends: number[] = [];
  let paused = 0;
  for (const { at, seconds } of gaps) {
    begins.push(at + paused);
    paused += seconds;
    ends.push(at + paused);
  }
  /** The last pause that begins at or before a time; -1: none. */
  const lastBefore = (time: number): number => {
    let [low, high] = [0, begins.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (begins[middle] <= time + 1e-9) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  const signalTime = (time: number): { seconds: number; isPaused: boolean } => {
    const last = lastBefore(time);
    if (last < 0) return { seconds: time, isPaused: false };
    if (time < ends[last] - 1e-9) return { seconds: gaps[last].at, isPaused: true };
    return { seconds: gaps[last].at + time - ends[last], isPaused: false };
  };
  return (annotation) => {
    if (gaps.length === 0) return annotation;
    const { seconds: onset, isPaused } = signalTime(annotation.onset);
    if (isPaused) return null;
    const end = signalTime(annotation.onset + annotation.duration).seconds;
    return { ...annotation, onset, duration: Math.max(0, end - onset) };
  };
}
