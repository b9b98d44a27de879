import { createAnnotationList } from './annotation-list.ts';
import type { Annotation } from './recording.ts';
import { stageLengths, stageOf } from './rules.ts';

const tiny = 1e-6;
/** Lengths differ from whole epochs by the rounding of the file, seconds. */
const slackSeconds = 0.05;

/**
 * Length of the epochs that sleep stages were scored in, seconds: the most usual one of which every stage is a whole
 * multiple. The last stage may be cut by the end of the recording, so it does not count. 30 s if none fits.
 */
export function stageLengthOf(annotations: readonly Annotation[]): number {
  const stages = annotations.filter(({ text, duration }) => duration > 0 && stageOf(text) !== undefined);
  const last = stages.reduce((latest, { onset }) => Math.max(latest, onset), -Infinity);
  const whole = stages.length > 1 ? stages.filter(({ onset }) => onset < last) : stages;
  const fits = (length: number): boolean =>
    whole.every(({ duration }) => {
      const epochs = Math.round(duration / length);
      return epochs >= 1 && Math.abs(duration - epochs * length) < slackSeconds;
    });
  return stageLengths.find((length) => fits(length)) ?? stageLengths[0];
}

/**
 * Divides sleep stages that last longer than one epoch into epochs, up to the end of the recording. The rest of a stage
 * that is shorter than an epoch is left out. `fileBytes` bounds the number of epochs.
 */
export function divideStages(
  annotations: readonly Annotation[],
  seconds: number,
  fileBytes: number,
): { annotations: Annotation[]; notices: string[] } {
  const list = createAnnotationList(fileBytes);
  const length = stageLengthOf(annotations);
  let runs = 0;
  let epochs = 0;
  let rest = 0;
  for (const each of annotations) {
    if (stageOf(each.text) === undefined || each.duration <= length + slackSeconds) {
      list.add(each);
      continue;
    }
    runs++;
    const until = Math.min(each.duration, seconds - each.onset);
    const whole = Math.max(0, Math.floor((until + slackSeconds) / length));
    rest += Math.max(0, until - whole * length);
    epochs += whole;
    for (let i = 0; i < whole; i++) list.add({ onset: each.onset + i * length, duration: length, text: each.text });
  }
  const notices =
    runs === 0
      ? []
      : [
          `${runs} sleep stages that last longer than ${length} s are divided into ${epochs} epochs of ` +
            `${length} s${rest >= 0.5 ? `; ${Math.round(rest)} s at their ends are left out` : ''}.`,
        ];
  return { annotations: list.all.sort((a, b) => a.onset - b.onset), notices };
}

/**
 * Leaves out annotations outside of a recording of `seconds`, and clips those that begin before it. A sleep stage loses
 * whole epochs, so that the others stay where they were scored. Tells how many of both there are.
 */
export function clipAnnotations(
  annotations: readonly Annotation[],
  seconds: number,
): { annotations: Annotation[]; notices: string[] } {
  const length = stageLengthOf(annotations);
  let clipped = 0;
  let lost = 0;
  const kept = annotations.flatMap((each): Annotation[] => {
    const { onset, duration, text } = each;
    if (onset >= -tiny && onset < seconds - tiny) return [each];
    const isStage = stageOf(text) !== undefined;
    const early = isStage ? Math.ceil((-onset - slackSeconds) / length) * length : -onset;
    const rest = duration - early;
    if (onset >= 0 || rest < (isStage ? length - slackSeconds : tiny)) return [];
    clipped++;
    lost += early;
    return [{ onset: Math.max(0, onset + early), duration: rest, text }];
  });
  const outside = annotations.length - kept.length;
  const many = (count: number, one: string, more: string): string => `${count} annotation${count === 1 ? one : more}`;
  return {
    annotations: kept,
    notices: [
      ...(outside > 0
        ? [`${many(outside, ' lies', 's lie')} outside of the recording and ${outside === 1 ? 'is' : 'are'} left out.`]
        : []),
      ...(clipped > 0
        ? [
            `${many(clipped, ' begins', 's begin')} before the recording: ${Math.round(lost * 100) / 100} s before it are left out.`,
          ]
        : []),
    ],
  };
}
