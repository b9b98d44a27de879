import type { Annotation, Gap } from './recording.ts';

/** A recording with pauses on the recorder's clock. */
interface Paused {
  readonly gaps: readonly Gap[];
  /** Time of the first sample; default 0. */
  readonly start?: number;
  /** Seconds of signal in all; absent: unknown. */
  readonly seconds?: number;
}

/** Converts times of the recorder's clock to seconds of signal, without the pauses. */
export interface SignalTimes {
  /** Seconds of signal before a time of the clock; null: it lies in a pause. */
  timeOf(onset: number): number | null;
  /** Seconds of signal in a span of the clock that begins at `onset`. */
  lengthOf(onset: number, duration: number): number;
}

/** The times of a recording. A conversion takes time logarithmic in the pauses. */
export function signalTimes({ gaps, start = 0, seconds: length = Infinity }: Paused): SignalTimes {
  /** Time of the clock at which each pause begins and ends. */
  const begins: number[] = [];
  const ends: number[] = [];
  let paused = start;
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
  /** Seconds of signal before a time, and whether it lies in a pause. */
  const read = (time: number): { seconds: number; isPaused: boolean } => {
    const last = lastBefore(time);
    if (last < 0) return { seconds: time - start, isPaused: false };
    if (time < ends[last] - 1e-9) return { seconds: gaps[last].at, isPaused: true };
    return { seconds: gaps[last].at + time - ends[last], isPaused: false };
  };
  return {
    timeOf(onset) {
      const { seconds, isPaused } = read(onset);
      return isPaused ? null : seconds;
    },
    lengthOf: (onset, duration) =>
      gaps.length === 0
        ? duration
        : Math.max(0, Math.min(read(onset + duration).seconds, length) - read(onset).seconds),
  };
}

/**
 * Gives annotations in true time as ones in seconds of signal, without the pauses; null: the annotation begins in a
 * pause.
 */
export function withoutPauses(gaps: readonly Gap[]): (annotation: Annotation) => Annotation | null {
  const times = signalTimes({ gaps });
  return (annotation) => {
    const onset = times.timeOf(annotation.onset);
    return onset === null
      ? null
      : { ...annotation, onset, duration: times.lengthOf(annotation.onset, annotation.duration) };
  };
}
