import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiError } from '../../infra/contract/errors.ts';
import type { TaskOwner } from '../../infra/drivers/threads/ask.ts';
import { createEncoders, type EncodeCall } from '../../infra/encoders/create-encoders.ts';
import { type EncodeAnswer, createSessions } from '../../infra/encoders/sessions.ts';
import type { EncoderWeights } from '../../infra/encoders/encoder-weights.ts';
import type { GraphTensor } from '../../ml/encoders/types.ts';
import { seededWeights } from '../ml/labram-weights.ts';
import { call, named, text } from '../ml/pickles.ts';
import { randomSleepNetWeights } from '../ml/plain-sleep-net.ts';
import { largestDifference } from '../support/published-models.ts';
import { standInEncoders } from '../support/stand-in-encoders.ts';
import { publishedAs, weightsFileOf } from '../support/weights-file.ts';

type Tensors = Readonly<Record<string, GraphTensor>>;
const sleep = 'robust-sleep-net';
const epochs = (): { z: GraphTensor } => ({
  z: { dims: [2, 1, 65, 4], data: Float32Array.from({ length: 520 }, (_, i) => Math.sin(i)) },
});
let folder: string;
let count = 0;
const open: { close(): Promise<void> }[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'encoders-'));
});
afterEach(async () => await Promise.all(open.splice(0).map((each) => each.close())));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A file as a process found it when it began. */
function found(bytes: Uint8Array, id = sleep): EncoderWeights {
  const path = join(folder, `weights${count++}`);
  writeFileSync(path, bytes);
  return { id, path, hash: createHash('sha256').update(bytes).digest('hex') };
}
const standIn = (): EncoderWeights => found(weightsFileOf(sleep, randomSleepNetWeights(11)));

/** Runs graphs in a thread of their own, as the process does for its pools. */
function encodersOf(held: readonly EncoderWeights[]) {
  const made = createEncoders({ weights: held });
  open.push(made);
  const encode = made.servicesFor()['encode'] as unknown as (
    wanted: EncodeCall,
    asking: TaskOwner,
  ) => Promise<EncodeAnswer>;
  return async ({ id, hash }: EncoderWeights, graph = 'epochs', inputs: Tensors = epochs()) => {
    const { outputs, seconds } = await encode({ id, hash, graph, inputs }, {});
    expect(seconds).toBeGreaterThan(0);
    return outputs;
  };
}

async function refusalOf(work: Promise<unknown>): Promise<ApiError & { cause: Error }> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  const { code, message } = error as ApiError;
  expect(code).toBe('BACKEND_FAILURE');
  expect(message).not.toContain(folder);
  return error as ApiError & { cause: Error };
}

describe('encoders in their thread', () => {
  it('give the same results as in this thread, also for simultaneous calls', async () => {
    const held = standIn();
    const encode = encodersOf([held]);
    const expected = await standInEncoders({ id: sleep, hash: '' })('epochs', epochs());
    for (const given of await Promise.all([encode(held), encode(held), encode(held)])) {
      expect(given['embedding']!.dims).toEqual([2, 50]);
      expect(largestDifference(given['embedding']!.data, expected['embedding']!.data)).toBeLessThan(1e-6);
    }
  });

  it('refuse inputs that a graph cannot take, and continue', async () => {
    const held = standIn();
    const encode = encodersOf([held]);
    const wrong = { z: { dims: [1, 1, 64, 4], data: new Float32Array(256) } };
    const few = { z: { dims: [2, 1, 65, 4], data: new Float32Array(3) } };
    for (const inputs of [wrong, few, {}]) {
      const { message } = await refusalOf(encode(held, 'epochs', inputs));
      expect(message).toBe('The pretrained encoder robust-sleep-net cannot be used: it failed on these trials.');
    }
    expect((await refusalOf(encode(held, 'toString'))).cause.message).toContain('no graph "toString"');
    expect((await encode(held))['embedding']!.data.every(Number.isFinite)).toBe(true);
  });
});

function become(target: string, path: string): void {
  rmSync(path);
  symlinkSync(target, path);
}

describe('a file of weights that changed since the process began', () => {
  const whole = weightsFileOf(sleep, randomSleepNetWeights(11));

  it.each([
    ['is gone', (path: string) => rmSync(path), /weights\d+ cannot be read: ENOENT/],
    [
      'was cut short',
      (path: string) => truncateSync(path, whole.length >> 1),
      /weights\d+ has changed: its SHA-256 is/,
    ],
    ['is another device', (path: string) => become('/dev/zero', path), /weights\d+ is not a file/],
    ['has a byte more', (path: string) => appendFileSync(path, '!'), /weights\d+ has changed: its SHA-256 is/],
  ])(
    'is refused if it %s, with its file and the reason in the log; after it is restored it is read',
    async (_, change, why) => {
      const held = found(whole);
      const encode = encodersOf([held]);
      change(held.path);
      const { message, cause } = await refusalOf(encode(held));
      expect(message).toBe('The pretrained encoder robust-sleep-net cannot be used: it cannot be loaded.');
      expect(cause.message).toMatch(why);
      rmSync(held.path, { force: true });
      writeFileSync(held.path, whole);
      expect((await encode(held))['embedding']!.dims).toEqual([2, 50]);
    },
  );
});

describe('a hostile file of weights with an accepted hash', () => {
  const sign = join(tmpdir(), `executed-${process.pid}`);
  const system = call(named('posix', 'system'), text(`touch ${sign}`));

  it.each([
    ['calls os.system', publishedAs(sleep, system), /weights\d+ is not read: .*posix/],
    ['is a tar of something else', publishedAs(sleep, text('no tensors')), /weights\d+ is not read|hold no tensor/],
    ['holds tensors of other sizes', weightsFileOf(sleep, new Map([...randomSleepNetWeights(11)].slice(3))), /tensor/],
    [
      'lacks what its second graph needs',
      weightsFileOf(sleep, new Map([...randomSleepNetWeights(11)].slice(0, -2))),
      /hold no tensor classifier/,
    ],
    ['is nothing', Buffer.alloc(0), /weights\d+ is not read/],
    ['is noise', Buffer.alloc(5_000, 'noise'), /weights\d+ is not read/],
  ])('is refused where it %s, and nothing of it is executed', async (_, bytes, why) => {
    const held = found(bytes);
    const sessions = createSessions({ threads: 1, mostBytes: 900_000 });
    await expect(sessions.load(held)).rejects.toThrow(why);
    expect(existsSync(sign)).toBe(false);
  });
});

it('releases the least recently used encoder when memory is short, and loads it again on request', async () => {
  const [first, second] = [standIn(), found(weightsFileOf(sleep, randomSleepNetWeights(12)))];
  const sessions = createSessions({ threads: 1, mostBytes: 900_000 });
  expect(await sessions.load(first)).toBeLessThan(900_000);
  const before = await sessions.run(first, 'epochs', epochs());
  await sessions.run(second, 'epochs', epochs());
  // What is kept needs its file no more; what was released does.
  rmSync(second.path);
  await sessions.run(second, 'epochs', epochs());
  expect(await sessions.run(first, 'epochs', epochs())).toEqual(before);
  await expect(sessions.run(second, 'epochs', epochs())).rejects.toThrow('cannot be read');
  expect(await sessions.run(first, 'epochs', epochs())).toEqual(before);
});

it('keeps several where there is room', async () => {
  const both = [standIn(), found(weightsFileOf('labram-base', seededWeights(12)), 'labram-base')];
  const sessions = createSessions({ threads: 1, mostBytes: 100_000_000 });
  for (const held of both) await sessions.load(held);
  for (const { path } of both) rmSync(path);
  for (const held of both) expect(await sessions.load(held)).toBeGreaterThan(0);
});
