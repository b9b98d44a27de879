import { limits, trialsPerRequest, windowsPerTrial } from '../../../../infra/contract/limits.ts';
import { readChannels, type Electrode } from '../../../../infra/recordings/channel-names.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { base64Of } from '../file/body.ts';
import type { NamedRecording } from '../file/summary.ts';
import { findStarts, type FoundStarts, type Starts } from './starts.ts';

/** What the page chose, and what the model needs. */
export interface LabelChoice {
  readonly starts: Starts;
  /** Electrodes of the model. */
  readonly channels: readonly string[];
  /** Length of a trial. */
  readonly seconds: number;
  readonly classes: readonly string[];
  readonly align: 'none' | 'batch';
}

/** The trials that will be labelled. The signal stays where the recording is. */
export interface LabelPlan extends FoundStarts {
  readonly rateHz: number;
  readonly samples: number;
  /** Trials of each request. */
  readonly parts: readonly number[];
  /** Billed windows of all trials. */
  readonly windows: number;
}

/** A plan with the channels that it reads. */
export interface Labelling {
  readonly plan: LabelPlan;
  readonly electrodes: readonly Electrode[];
  readonly align: LabelChoice['align'];
}

/** Plans the requests that label a recording. Throws an Error with a text for people. */
export function planLabels({ recording }: NamedRecording, choice: LabelChoice, said: Said = {}): Labelling {
  const { electrodes, rateHz } = electrodesOf(recording.channels, choice.channels, said);
  const samples = Math.round(choice.seconds * rateHz);
  const total = electrodes[0].channel.values.length;
  const found = findStarts(choice.starts, { ...recording, rateHz, total, samples });
  const most = Math.min(trialsPerRequest(electrodes.length, samples, rateHz), trialsPerAnswer(choice.classes));
  if (most < 1)
    throw new Error(`One trial of ${electrodes.length} channels and ${samples} samples is too large to be sent.`);
  return {
    electrodes,
    align: choice.align,
    plan: {
      ...found,
      rateHz,
      samples,
      parts: evenParts(found.at.length, most),
      windows: found.at.length * windowsPerTrial(samples, rateHz),
    },
  };
}

/** The channels of the model, found by name in the recording. */
function electrodesOf(channels: Parameters<typeof readChannels>[0], names: readonly string[], said: Said) {
  const { read, rateHz } = readChannels(channels, said);
  const found = new Map(read.flatMap(({ electrode }) => (electrode ? [[electrode.name, electrode] as const] : [])));
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0)
    throw new Error(
      `The model reads ${names.length} electrodes, and the recording lacks ${listed(missing)}. ` +
        'Choose a recording of the same cap.',
    );
  return { electrodes: names.map((name) => found.get(name)!), rateHz };
}

const listed = (names: readonly string[]): string =>
  names.slice(0, 8).join(', ') + (names.length > 8 ? ` and ${names.length - 8} more` : '');

/** Trials whose answer stays below the limit of one answer, whatever its numbers. */
function trialsPerAnswer(classes: readonly string[]): number {
  const bytes = classes.reduce((sum, name) => sum + JSON.stringify(name).length * 3 + 32, 0);
  return Math.floor((limits.answerBytes - 2 ** 20) / (128 + 2 * bytes));
}

/** `count` trials in as few parts of at most `most` as possible, all of nearly the same size. */
export function evenParts(count: number, most: number): number[] {
  const parts = Math.ceil(count / most);
  return Array.from(
    { length: parts },
    (_, i) => Math.floor(((i + 1) * count) / parts) - Math.floor((i * count) / parts),
  );
}

/** Body of one request. Only the trials of this part are copied. */
export function partBody({ plan, electrodes, align }: Labelling, part: number): string {
  const { at, samples, rateHz, parts } = plan;
  const first = parts.slice(0, part).reduce((sum, count) => sum + count, 0);
  const x = new Float32Array(parts[part] * electrodes.length * samples);
  let into = 0;
  for (const from of at.slice(first, first + parts[part]))
    for (const { channel, gain } of electrodes)
      for (let k = 0; k < samples; k++) x[into++] = channel.values[from + k] * gain;
  return JSON.stringify({
    x: base64Of(x),
    shape: [parts[part], electrodes.length, samples],
    sampling_rate_hz: rateHz,
    units: 'uV',
    channels: electrodes.map(({ name }) => name),
    align,
  });
}
