/** A small valid create request; tests change what they are about. */
export const trialsPerClass = 6;
export const samples = 80;
export const channels = ['C3', 'Cz', 'C4'];
export const labels = Array.from({ length: 2 * trialsPerClass }, (_, trial) => (trial % 2 ? 'right' : 'left'));

/** Nested lists [trials × channels × samples] of a fixed waveform, microvolts. */
export const nested = (trials = labels.length, rows = channels.length, length = samples): number[][][] =>
  Array.from({ length: trials }, (_, t) =>
    Array.from({ length: rows }, (_, c) =>
      Array.from({ length }, (_, s) => Math.round(1e4 * Math.sin((t + 1) * 0.7 + c + s / 3)) / 1e3),
    ),
  );

export const base64 = (x: readonly number[][][]): string =>
  Buffer.from(new Float32Array(x.flat(2)).buffer).toString('base64');

export const createBody = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  description: 'imagined movement: left hand or right hand',
  x: nested(),
  sampling_rate_hz: 100,
  units: 'uV',
  channels,
  labels,
  ...change,
});

/** UTF-8 bytes of a JSON body; `undefined` removes a field. */
export const bytesOf = (body: unknown): Uint8Array =>
  new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));

/** Merges a change, such as `alternatives[0]` of an error, into a body. Null removes a field. */
export const applyAlternative = (
  body: Record<string, unknown>,
  change: Readonly<Record<string, unknown>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries({ ...structuredClone(body), ...change }).filter(([key]) => !(key in change && change[key] === null)),
  );
