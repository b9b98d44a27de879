import { createAnnotationList } from './annotation-list.ts';
import type { Annotation } from './recording.ts';
import { stageOf, stageSeconds } from './rules.ts';

/**
 * Divides sleep stages that last longer than one epoch into epochs of 30 s, up to the end of the recording. The rest
 * of a stage that is shorter than an epoch is left out. `fileBytes` bounds the number of epochs.
 */
export function divideStages(
  annotations: readonly Annotation[],
  seconds: number,
  fileBytes: number,
): { annotations: Annotation[]; notices: string[] } {
  const list = createAnnotationList(fileBytes);
  let runs = 0;
  let epochs = 0;
  let rest = 0;
  for (const each of annotations) {
    if (stageOf(each.text) === undefined || each.duration <= stageSeconds) {
      list.add(each);
      continue;
    }
    runs++;
    const until = Math.min(each.duration, seconds - each.onset);
    const whole = Math.max(0, Math.floor(until / stageSeconds + 1e-6));
    rest += Math.max(0, until - whole * stageSeconds);
    epochs += whole;
    for (let i = 0; i < whole; i++)
      list.add({ onset: each.onset + i * stageSeconds, duration: stageSeconds, text: each.text });
  }
  const notices =
    runs === 0
      ? []
      : [
          `${runs} sleep stages that last longer than ${stageSeconds} s are divided into ${epochs} epochs of ` +
            `${stageSeconds} s${rest >= 0.5 ? `; ${Math.round(rest)} s at their ends are left out` : ''}.`,
        ];
  return { annotations: list.all.sort((a, b) => a.onset - b.onset), notices };
}
