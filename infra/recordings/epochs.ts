import { findElectrodes } from './channel-names.ts';
import { findLosses, type Losses } from './lost-trials.ts';
import type { Annotation, Recording, Said } from './recording.ts';
import { marksNoTrial, stageOf } from './rules.ts';
import { listed } from './sentences.ts';
import { stageLengthOf } from './sleep-stages.ts';
import type { DemoTrials } from './trials.ts';

export interface EpochOptions {
  /** Annotation text → label; null: each text that occurs often enough becomes a label. */
  readonly labels: Readonly<Record<string, string>> | null;
  /** Seconds after the onset; null: chosen from the annotations. */
  readonly window: readonly [number, number] | null;
  readonly session: string;
  /** Answers of the person about channels and units. */
  readonly said?: Said;
  /** Cuts events that last for several windows into windows that follow each other. */
  readonly cutSpans?: boolean;
  /** Electrodes to read, in this order; without it, all of them. */
  readonly electrodes?: readonly string[];
}

export interface CutTrials {
  readonly trials: DemoTrials;
  readonly window: readonly [number, number];
  /** Sentences about channels. */
  readonly notes: readonly string[];
  /** Trials before losses. */
  readonly chosen: number;
  readonly losses: Losses;
}

const least = 5;
const mostTrials = 200_000;

/**
 * Cuts one trial per labelled annotation. Skips trials that reach past an end, lie across a pause or overlap a bad
 * part, and counts them.
 */
export function cutTrials(recording: Recording, options: EpochOptions): CutTrials {
  const { electrodes: all, left, rateHz, notices } = findElectrodes(recording.channels, options.said);
  const electrodes = options.electrodes?.flatMap((name) => all.find((each) => each.name === name) ?? []) ?? all;
  if (electrodes.length === 0) throw new Error(noElectrodes(recording, left));
  const labels = options.labels ?? frequentTexts(recording.annotations);
  const events = recording.annotations.filter(({ text }) => Object.hasOwn(labels, text));
  if (events.length === 0)
    throw new Error(`It holds no annotation that names a trial. ${describe(recording.annotations)}`);
  const window = options.window ?? usualWindow(events, recording, rateHz);
  const samples = Math.round((window[1] - window[0]) * rateHz);
  const total = electrodes[0].channel.values.length;
  const wanted = events.flatMap((event) =>
    startsIn(event, window, options.cutSpans === true, recording.seconds).map((onset) => ({
      from: Math.round((onset + window[0]) * rateHz),
      label: labels[event.text],
    })),
  );
  if (wanted.length > mostTrials)
    throw new Error(`These are ${wanted.length} trials; at most ${mostTrials} can be cut. Choose a longer window.`);
  const lossOf = findLosses(recording, { rateHz, total, classes: labels });
  const losses = { end: 0, pause: 0, bad: 0 };
  const whole = wanted.filter(({ from }) => {
    const loss = lossOf(from, samples);
    if (loss !== null) losses[loss]++;
    return loss === null;
  });
  const x = new Float32Array(whole.length * electrodes.length * samples);
  whole.forEach(({ from }, i) =>
    electrodes.forEach(({ channel, gain }, j) => {
      const into = (i * electrodes.length + j) * samples;
      for (let k = 0; k < samples; k++) x[into + k] = channel.values[from + k] * gain;
    }),
  );
  const names = left.map(({ channel }) => channel.label);
  const notes = names.length > 0 ? [`Channels without an electrode's name are left out: ${listed(names)}.`] : [];
  return {
    window,
    notes: [...notices, ...notes],
    chosen: wanted.length,
    losses,
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

/**
 * Times of the events that the trials of one event are cut at, seconds: its onset, or with `cutSpans` one for each
 * window that fits into its length. `seconds`: length of the recording.
 */
export function startsIn(
  { onset, duration }: Annotation,
  [from, to]: readonly [number, number],
  cutSpans: boolean,
  seconds: number,
): number[] {
  const step = to - from;
  const lasts = Math.min(duration, seconds - onset);
  if (!cutSpans || !(lasts >= 2 * step)) return [onset];
  return Array.from({ length: Math.floor(lasts / step + 1e-6) }, (_, i) => onset - from + i * step);
}

function noElectrodes({ channels }: Recording, left: ReturnType<typeof findElectrodes>['left']): string {
  const first = left
    .slice(0, 3)
    .map(({ channel, reason }) => `${channel.label === '' ? '(no name)' : channel.label}: ${reason}`);
  return `None of its ${channels.length} channels can be read as an electrode. ${first.join(' ')}`;
}

function frequentTexts(annotations: readonly Annotation[]): Record<string, string> {
  const counts = new Map<string, number>();
  for (const { text } of annotations) if (!marksNoTrial(text)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return Object.fromEntries([...counts].filter(([, count]) => count >= least).map(([text]) => [text, text]));
}

/** Triggers such as S1 and S2 are also names of stages, but no epochs of sleep follow each other so soon. */
const closeTogether = (events: readonly Annotation[]): boolean =>
  events.length > 1 && usualGap(events) < stageLengthOf(events) / 2;

/**
 * The trial of a file that holds trials; the epoch of sleep stages; the shortest marked duration up to 4 s; without
 * durations 1 s where events follow closely, else 4 s.
 */
function usualWindow(events: readonly Annotation[], { epochs }: Recording, rateHz: number): [number, number] {
  if (epochs) return [epochs.from, epochs.from + epochs.samples / rateHz];
  if (events.every(({ text }) => stageOf(text) !== undefined) && !closeTogether(events))
    return [0, stageLengthOf(events)];
  const marked = events.reduce((shortest, { duration }) => Math.min(shortest, duration), Infinity);
  if (marked >= 0.2) return [0, Math.min(4, Math.floor(marked * 10) / 10)];
  return [0, usualGap(events) < 4 ? 1 : 4];
}

/** The median time between events, seconds; 4 for a single event. */
function usualGap(events: readonly Annotation[]): number {
  const gaps = events
    .slice(1)
    .map(({ onset }, i) => onset - events[i].onset)
    .sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 2)] ?? 4;
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
