import { isSteps, toEnd } from '../../ml/steps.ts';
import type { Compute } from '../../activities/compute/compute.ts';
import { mergeInParts } from '../../activities/compute/merge-in-parts.ts';
import type { JobData } from '../../activities/compute/job-data.ts';
import { tasks } from '../../activities/compute/tasks.ts';
import type { StoredBatch, StoredPart } from '../../infra/contract/fit-request.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import { encode } from '../../infra/drivers/codec.ts';
import { takeRows } from '../../ml/rows.ts';
import type { Features } from '../../ml/types.ts';
import { formOf } from './merge-features.ts';

/** Objects of a batch with these features in a store, in parts of at most this many trials. */
export function storedBatch(
  name: string,
  features: Features,
  rest: Omit<StoredBatch, 'format' | 'features' | 'parts'>,
  trialsOfPart = features.trials,
): (readonly [name: string, bytes: Uint8Array])[] {
  const firsts = Array.from({ length: Math.ceil(features.trials / trialsOfPart) }, (_, part) => part * trialsOfPart);
  const form = formOf(features);
  const rowsOf = (first: number): number[] =>
    Array.from({ length: Math.min(trialsOfPart, features.trials - first) }, (_, row) => first + row);
  const parts = firsts.map((first) => rowsOf(first).length);
  const partAt = (first: number): StoredPart => ({
    format: 2,
    sets: Object.fromEntries(
      Object.entries(features.sets).map(([id, table]) => [id, takeRows(table, form.sets[id]!, rowsOf(first))]),
    ),
  });
  return [
    [name, encode({ format: 2, features: form, parts, ...rest } satisfies StoredBatch)],
    ...firsts.map((first, part) => [objectNames.batchPart(name, part), encode(partAt(first))] as const),
  ];
}

/** The tasks of the activities in the calling thread. */
export const computeHere = (async (task: keyof typeof tasks, payload: never) => {
  const value: unknown = await tasks[task](payload);
  return isSteps(value) ? toEnd(value) : value;
}) as unknown as Compute;

/** The data of the fit of stored batches. */
export const mergedHere = (
  objects: ReadonlyMap<string, Uint8Array>,
  names: readonly string[],
  featureSets: readonly string[],
): Promise<JobData> =>
  mergeInParts(
    { compute: computeHere, objects: { get: async (name) => objects.get(name)! }, threads: { size: 2 } },
    names,
    { featureSets, taskKind: 'other' },
    new AbortController().signal,
  );
