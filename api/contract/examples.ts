/** Request examples of the interface description. A test sends every one (test/spec/openapi.test.ts). */

const [trials, rows, samples, rateHz] = [10, 3, 50, 50];

/**
 * A made-up waveform in microvolts, one decimal: the two classes differ over C3 and C4. [trials × channels × samples]
 */
const x = Array.from({ length: trials }, (_, trial) =>
  Array.from({ length: rows }, (_, row) =>
    Array.from({ length: samples }, (_, sample) => {
      const size = (trial + row) % 2 ? 12 : 5;
      return (
        Math.round(
          10 *
            (size * Math.sin((2 * Math.PI * 11 * sample) / rateHz + trial) +
              3 * Math.cos(sample * (row + 1.7) + trial)),
        ) / 10
      );
    }),
  ),
);

const base64 = (numbers: readonly number[]): string => {
  const view = new DataView(new ArrayBuffer(4 * numbers.length));
  numbers.forEach((value, at) => view.setFloat32(4 * at, value, true));
  return btoa(String.fromCharCode(...new Uint8Array(view.buffer)));
};

const nested = { x, sampling_rate_hz: rateHz, units: 'uV', channels: ['C3', 'Cz', 'C4'] };
const packed = { ...nested, x: base64(x.flat(2)), shape: [trials, rows, samples] };
const labels = Array.from({ length: trials }, (_, trial) => (trial % 2 ? 'right' : 'left'));
const task = { description: 'motor imagery: left hand or right hand', labels };

export interface Example {
  readonly summary: string;
  readonly value: object;
  /** Status of the answer to the example. */
  readonly status: number;
}

export const examples = {
  create: { summary: 'Trials as base64 float32', value: { ...packed, ...task, name: 'Left or right' }, status: 201 },
  create_nested: { summary: 'Trials as nested lists', value: { ...nested, ...task }, status: 201 },
  estimate: {
    summary: 'Estimate: nothing is fitted or charged',
    value: { ...packed, ...task, parameters: { priors: 'as_sent', baseline_seconds: 0.2 }, dry_run: true },
    status: 200,
  },
  defer_fit: {
    summary: 'First batch of a deferred fit',
    value: { ...packed, ...task, defer_fit: true, expires_in_days: 90 },
    status: 201,
  },
  zero_shot: {
    summary: 'Zero-shot: no trials; the estimate comes first',
    value: {
      mode: 'zero_shot',
      description: 'eyes closed versus eyes open at rest',
      classes: ['eyes closed', 'eyes open'],
      channels: ['O1', 'Oz', 'O2'],
      sampling_rate_hz: 250,
      trial_seconds: 4,
      dry_run: true,
    },
    status: 200,
  },
  batch: { summary: 'A further batch', value: { ...packed, labels }, status: 200 },
  fit_without: { summary: 'Without a class', value: { ignore_classes: ['rest'] }, status: 200 },
  predict: { summary: 'New trials', value: packed, status: 200 },
  predict_batch: {
    summary: 'Recentred as one recording',
    value: { ...packed, align: 'batch', session: 'Tuesday' },
    status: 200,
  },
  rename: {
    summary: 'Rename and set the expiry',
    value: { name: 'Left or right, v2', expires_at: '2999-12-31' },
    status: 200,
  },
  keep: { summary: 'Clear the expiry', value: { expires_at: null }, status: 200 },
} as const satisfies Record<string, Example>;

export type ExampleName = keyof typeof examples;
