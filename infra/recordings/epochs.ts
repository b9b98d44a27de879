import { findElectrodes } from './channel-names.ts';
import type { Annotation, Recording } from './edf/read-recording.ts';
import type { DemoTrials } from './trials.ts';

export interface EpochOptions {
  /** Annotation text → label; null: each text that occurs often enough becomes a label. */
  readonly labels: Readonly<Record<string, string>> | null;
  /** Seconds after the onset; null: chosen from the annotations. */
  readonly window: readonly [number, number] | null;
  readonly session: string;
}

const least = 5;
/** Texts that mark something other than a trial. */
const notEvents = /^(bad|edge|boundary|rest|break|pause|start|stop|recording|impedance|lights|t0$|new segment|calib)/i;

/** Whether the text of an event marks something other than a trial, such as a pause. */
export const marksNoTrial = (text: string): boolean => notEvents.test(text);

/** Cuts one trial per labelled annotation. Skips trials that end after the recording. */
export function cutTrials(
  recording: Recording,
  options: EpochOptions,
): { trials: DemoTrials; window: readonly [number, number]; notes: string[] } {
  const { electrodes, left, rateHz } = findElectrodes(recording.channels);
  if (electrodes.length === 0)
    throw new Error(
      `None of its ${recording.channels.length} channels has the name of an electrode (${recording.channels
        .slice(0, 5)
        .map(({ label }) => label)
        .join(', ')}, …).`,
    );
  const labels = options.labels ?? frequentTexts(recording.annotations);
  const events = recording.annotations.filter(({ text }) => Object.hasOwn(labels, text));
  if (events.length === 0)
    throw new Error(`It holds no annotation that names a trial. ${describe(recording.annotations)}`);
  const window = options.window ?? usualWindow(events);
  const samples = Math.round((window[1] - window[0]) * rateHz);
  const total = electrodes[0].channel.values.length;
  const whole = events
    .map(({ onset, text }) => ({ from: Math.round((onset + window[0]) * rateHz), label: labels[text] }))
    .filter(({ from }) => from >= 0 && from + samples <= total);
  const x = new Float32Array(whole.length * electrodes.length * samples);
  whole.forEach(({ from }, i) =>
    electrodes.forEach(({ channel, gain }, j) => {
      const into = (i * electrodes.length + j) * samples;
      for (let k = 0; k < samples; k++) x[into + k] = channel.values[from + k] * gain;
    }),
  );
  const notes = left.length ? [`Channels without an electrode's name are left out: ${left.join(', ')}.`] : [];
  return {
    window,
    notes,
    trials: {
      x,
      samples,
      rateHz,
      channels: electrodes.map(({ name }) => name),
      labels: whole.map(({ label }) => label),
      sessions: whole.map(() => options.session),
    },
  };
}

function frequentTexts(annotations: readonly Annotation[]): Record<string, string> {
  const counts = new Map<string, number>();
  for (const { text } of annotations) if (!marksNoTrial(text)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Object.fromEntries([...counts].filter(([, count]) => count >= least).map(([text]) => [text, text]));
}

/**
 * The shortest marked duration up to 4 s (30 s for sleep stages); without durations 1 s where events follow closely,
 * else 4 s.
 */
function usualWindow(events: readonly Annotation[]): [number, number] {
  if (events.every(({ text }) => /^sleep stage/i.test(text))) return [0, 30];
  const marked = Math.min(...events.map(({ duration }) => duration));
  if (marked >= 0.2) return [0, Math.min(4, Math.floor(marked * 10) / 10)];
  const gaps = events
    .slice(1)
    .map(({ onset }, i) => onset - events[i].onset)
    .sort((a, b) => a - b);
  return [0, (gaps[Math.floor(gaps.length / 2)] ?? 4) < 4 ? 1 : 4];
}

function describe(annotations: readonly Annotation[]): string {
  const counts = new Map<string, number>();
  for (const { text } of annotations) counts.set(text, (counts.get(text) ?? 0) + 1);
  if (counts.size === 0) return 'There are no annotations at all; save the recording as EDF+ with annotations.';
  const list = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 10)
    .map(([text, count]) => `${text} (${count} times)`)
    .join(', ');
  return `It has ${list}; name them with --labels, for example --labels T1=fists,T2=feet.`;
}
