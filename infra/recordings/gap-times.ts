import type { Annotation, Gap } from './recording.ts';

/** Seconds of signal before a true time since the first sample; null: it lies in a pause. */
function signalTime(gaps: readonly Gap[], time: number): number | null {
  let paused = 0;
  for (const { at, seconds } of gaps) {
    if (time < at + paused - 1e-9) break;
    if (time < at + paused + seconds - 1e-9) return null;
    paused += seconds;
  }
  return time - paused;
}

/** Seconds of signal before a true time; in a pause, those before the pause. */
function signalBefore(gaps: readonly Gap[], time: number): number {
  let paused = 0;
  for (const { at, seconds } of gaps) {
    if (time < at + paused) break;
    if (time < at + paused + seconds) return at;
    paused += seconds;
  }
  return time - paused;
}

/** An annotation in true time as one in seconds of signal, without the pauses; null: it begins in a pause. */
export function withoutPauses(annotation: Annotation, gaps: readonly Gap[]): Annotation | null {
  if (gaps.length === 0) return annotation;
  const onset = signalTime(gaps, annotation.onset);
  if (onset === null) return null;
  const end = signalBefore(gaps, annotation.onset + annotation.duration);
  return { ...annotation, onset, duration: Math.max(0, end - onset) };
}
