import type { Random } from '../../../ml/random.ts';
import type { Kind } from './hostile-body.ts';
import { pick, whole } from './values.ts';

export interface Target {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const keys = ['a', ' ', 'é', '"', '{}', 'a'.repeat(255), 'a'.repeat(256), '0', '\t', 'key key', '__proto__'] as const;
const types = [
  'application/json; charset=utf-8',
  'application/json;',
  'text/plain',
  'application/x-ndjson',
  '*/*',
  ';',
  'APPLICATION/JSON',
] as const;
const ids = [
  'clf_',
  `clf_${'0'.repeat(32)}`,
  '..',
  '%2e%2e%2f',
  '%00',
  '%ff',
  'a'.repeat(600),
  '__proto__',
  'clf_%F0%9F%A7%A0',
] as const;

const pathOf: Readonly<Record<Kind, (model: string) => string>> = {
  create: () => '/v1/task-models',
  batch: (model) => `/v1/task-models/${model}/trials`,
  predict: (model) => `/v1/task-models/${model}/predictions`,
  patch: (model) => `/v1/task-models/${model}`,
};

/** Where a hostile body goes, now and then with a hostile path or header. */
export function hostileHead(kind: Kind, model: string, random: Random): Target {
  const path = pathOf[kind](random() < 0.05 ? pick(random, ids) : model);
  return {
    method: kind === 'patch' ? 'PATCH' : 'POST',
    path:
      random() < 0.03
        ? `${path}?${pick(random, ['limit=-1', 'x[]=1', '%', '__proto__[a]=1', 'a'.repeat(4_000)])}`
        : path,
    headers: {
      'content-type': random() < 0.05 ? pick(random, types) : 'application/json',
      ...(random() < 0.1 ? { 'idempotency-key': pick(random, keys) } : {}),
      ...(random() < 0.02 ? { 'content-encoding': pick(random, ['gzip', 'identity', 'br, br', '']) } : {}),
      ...(random() < 0.02 ? { 'x-forwarded-for': '::1, '.repeat(whole(random, 200)) } : {}),
    },
  };
}
