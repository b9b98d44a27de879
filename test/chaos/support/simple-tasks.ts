import { createRandom, type Random } from '../../../ml/random.ts';

/** A task whose classes nobody could mistake, of so few channels and samples that few methods can read it. */
export interface SimpleTask {
  readonly classes: readonly [string, string];
  /** The create request. */
  readonly create: Readonly<Record<string, unknown>>;
  /** Trials of a create, in two halves: the batches of a deferred fit. */
  readonly batches: readonly Readonly<Record<string, unknown>>[];
  /** A prediction of one trial, which is one window. */
  readonly one: string;
  /** Requests of predictions, each with the classes that its trials were made of. */
  readonly inputs: readonly { readonly body: string; readonly labels: readonly string[] }[];
}

interface Kind {
  readonly description: string;
  readonly classes: readonly [string, string];
  readonly channels: readonly string[];
  readonly seconds: number;
  /** Microvolts at a sample of a trial of the first or second class. */
  readonly wave: (second: number, channel: number, classOf: number, phase: number) => number;
}

const rateHz = 128;
const trialsOf = { create: 40, input: 3 };
const inputs = 3;

const kinds: readonly Kind[] = [
  {
    description: 'imagined movement: left hand or right hand',
    classes: ['left', 'right'],
    channels: ['C3'],
    seconds: 0.5,
    wave: (second, _, classOf, phase) => (classOf ? 30 : 4) * Math.sin(2 * Math.PI * 11 * second + phase),
  },
  {
    description: 'P300: target or other flash',
    classes: ['other', 'target'],
    channels: ['Cz', 'Pz'],
    seconds: 0.25,
    wave: (second, channel, classOf) => (classOf ? 25 - 5 * channel : 0) * Math.sin((Math.PI * second) / 0.25),
  },
];

function trials(kind: Kind, random: Random, labels: readonly string[]): Record<string, unknown> {
  const samples = rateHz * kind.seconds;
  const x = new Float32Array(labels.length * kind.channels.length * samples);
  labels.forEach((label, trial) => {
    const phase = 2 * Math.PI * random();
    kind.channels.forEach((_, channel) => {
      for (let i = 0; i < samples; i++)
        x[(trial * kind.channels.length + channel) * samples + i] =
          kind.wave(i / rateHz, channel, kind.classes.indexOf(label), phase) + 6 * (random() - 0.5);
    });
  });
  return {
    x: Buffer.from(x.buffer).toString('base64'),
    shape: [labels.length, kind.channels.length, samples],
    sampling_rate_hz: rateHz,
    units: 'uV',
    channels: kind.channels,
  };
}

/** The `at`-th task; the same for the same seed. */
export function simpleTask(seed: number, at: number): SimpleTask {
  const kind = kinds[at % kinds.length]!;
  const random = createRandom(seed + at);
  const labelled = (count: number) => {
    const labels = Array.from({ length: count }, (_, trial) => kind.classes[trial % 2]!);
    return { ...trials(kind, random, labels), labels };
  };
  const { description } = kind;
  return {
    classes: kind.classes,
    create: { ...labelled(trialsOf.create), description },
    batches: [{ ...labelled(trialsOf.create / 2), description }, labelled(trialsOf.create / 2)],
    one: JSON.stringify(trials(kind, random, kind.classes.slice(0, 1))),
    inputs: Array.from({ length: inputs }, () => {
      const labels = Array.from(
        { length: 1 + Math.floor(trialsOf.input * random()) },
        () => kind.classes[Number(random() < 0.5)]!,
      );
      return { labels, body: JSON.stringify(trials(kind, random, labels)) };
    }),
  };
}

/** Windows that a request of so many trials is charged for: no trial is longer than one. */
export const windowsOf = (body: Readonly<Record<string, unknown>>): number => (body['shape'] as number[])[0]!;
