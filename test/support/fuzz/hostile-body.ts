import type { z } from 'zod';
import {
  batchRequest,
  createRequest,
  patchRequest,
  predictRequest,
  zeroShotRequest,
} from '../../../api/contract/requests.ts';
import type { Random } from '../../../ml/random.ts';
import { base64, channels, labels, nested } from '../requests.ts';
import { fromSchema } from './from-schema.ts';
import { mutate, mutateBytes } from './mutate.ts';
import { Raw, pick, whole } from './values.ts';

export type Kind = 'create' | 'batch' | 'predict' | 'patch';

const schemas: Readonly<Record<Kind, readonly z.ZodType[]>> = {
  create: [createRequest, createRequest, zeroShotRequest],
  batch: [batchRequest],
  predict: [predictRequest],
  patch: [patchRequest],
};

const signal = (random: Random): Record<string, unknown> => {
  const x = nested(labels.length, channels.length, pick(random, [1, 2, 20, 80]));
  const packed = random() < 0.3;
  return {
    x: packed ? base64(x) : x,
    ...(packed ? { shape: [x.length, x[0].length, x[0][0].length] } : {}),
    sampling_rate_hz: 100,
    units: 'uV',
    channels: [...channels],
  };
};

/** A body that would pass: the start of most hostile ones. */
const good: Readonly<Record<Kind, (random: Random) => Record<string, unknown>>> = {
  create: (random) => ({ ...signal(random), labels: [...labels], description: 'left or right hand', dry_run: true }),
  batch: (random) => ({ ...signal(random), labels: [...labels] }),
  predict: signal,
  patch: () => ({ name: 'a name', expires_at: '2099-01-31' }),
};

/** JSON with raw text where a `Raw` stands. */
function write(value: unknown): string {
  const raws: string[] = [];
  const text = JSON.stringify(value, (_, item: unknown) => {
    if (!(item instanceof Raw)) return item;
    raws.push(item.text);
    return `\u0007raw${raws.length - 1}\u0007`;
  });
  return raws.length === 0 ? text : text.replace(/"\\u0007raw(\d+)\\u0007"/g, (_, at: string) => raws[Number(at)]);
}

/**
 * One hostile body of a kind: by the grammar of its schema or from a body that would pass, changed as a tree, as bytes
 * or both. Creates stay estimates as far as their tree can say so.
 */
export function hostileBody(kind: Kind, random: Random): Uint8Array {
  const tree = random() < 0.3 ? fromSchema(pick(random, schemas[kind]), random) : good[kind](random);
  mutate(tree, random, pick(random, [0, 1, 1, 1, 2, 3, 6]));
  if (kind === 'create' && typeof tree === 'object' && tree !== null && !Array.isArray(tree) && random() < 0.97)
    (tree as Record<string, unknown>).dry_run = true;
  const bytes = new TextEncoder().encode(write(tree) ?? '');
  return random() < 0.35 ? mutateBytes(bytes, random) : bytes;
}

const kinds: readonly Kind[] = ['create', 'create', 'create', 'batch', 'predict', 'predict', 'patch'];
export const hostileKind = (random: Random): Kind => kinds[whole(random, kinds.length)];
