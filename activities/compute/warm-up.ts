import { encode } from '../../infra/drivers/codec.ts';
import type { StagedTrials } from '../../infra/contract/fit-request.ts';
import type { TaskTable } from '../../infra/drivers/threads/serve.ts';
import type { WarmUpTask } from '../../infra/drivers/threads/warm-up.ts';
import { isSteps, toEnd } from '../../ml/steps.ts';
import type { Compute } from './compute.ts';
import { extractInParts } from './extract-in-parts.ts';
import { firstFoldInParts } from './first-fold-in-parts.ts';
import { refitInParts } from './refit-in-parts.ts';
import { simulate, simulatedForms, type SimulatedForm } from './simulated.ts';
import { movementCard, movementId, movementNetworks, movementPeople } from '../../ml/encoders/movement/index.ts';
import { loudnessSet } from '../../ml/features/index.ts';
import { controlSets, methodOf } from '../../ml/methods/index.ts';
import { isCompared } from '../../ml/reference-fits/without-recognised.ts';
import { select } from '../../ml/select/index.ts';
import { datasetShape, type TrainOptions } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';

/** Warm-up tasks of an activity thread: one create for each kind of task. */
export const warmUp: readonly WarmUpTask[] = simulatedForms.map((_, form) => ({ task: 'warmUp', payload: { form } }));

export interface WarmUpTasks {
  /**
   * Runs a whole create of simulated trials in the calling thread, so that the compiler optimises the code of creates.
   */
  warmUp(input: { readonly form: number }): Promise<void>;
}

/** `table`: the tasks of a create. */
export const warmUpTasks = (table: TaskTable): WarmUpTasks => ({
  async warmUp({ form: at }) {
    const form = simulatedForms[at];
    const compute = (async (task: string, payload: never) => {
      const value = await table[task](payload);
      return isSteps(value) ? toEnd(value) : value;
    }) as unknown as Compute;
    const { signal } = new AbortController();
    const jobId = `warm-up-${form.kind}`;
    const { trials, labels } = simulate(form);
    const { candidates, skipped, featureSets, network } = planOf(form, trials, labels);
    const staged = encode({ format: 2, trials, labels, sessions: null } satisfies StagedTrials);
    const extracted = await extractInParts(compute, 1, staged, { featureSets, taskKind: form.kind, network }, signal);
    const data = isCompared(extracted.training)
      ? await compute('compareWithPeople', { data: extracted }, { signal })
      : extracted;
    const scores = new Map<string, Uint8Array>();
    const dropped = await firstFoldInParts(compute, { jobId, data, candidates }, signal);
    for (const { score, bytes } of dropped) scores.set(score.method, bytes);
    for (const { id: method, members: named = [] } of candidates) {
      if (scores.has(method)) continue;
      const members = named.flatMap(({ id }) => scores.get(id) ?? []);
      scores.set(method, (await compute('score', { jobId, data, method, members }, { signal })).bytes);
    }
    await refitInParts(compute, { jobId, data, scores: [...scores.values()], skipped, warnings: [] }, signal);
  },
});

/**
 * The movement network, which this thread then has read before its first create; nothing if its files are unusable.
 */
function networkOptions(): Pick<TrainOptions, 'network' | 'encoders'> {
  const { sha256: hash } = movementCard;
  try {
    movementNetworks(hash);
    movementPeople();
  } catch {
    return {};
  }
  return { network: { head: 'left_right_imagined', positive: 1 }, encoders: { [movementId]: { hash } } };
}

/** The candidates and features of a create of simulated trials. */
function planOf(form: SimulatedForm, trials: Trials, labels: readonly string[]) {
  const flicker = form.flicker ? { frequenciesHz: form.hz } : {};
  const options = { kind: form.kind, ...flicker, ...(form.kind === 'motor' ? networkOptions() : {}) };
  const shape = datasetShape(trials, labels, null, options);
  const { candidates: all, skipped } = select(shape);
  const candidates = all.map(({ id }) => methodOf(id));
  const own = candidates.flatMap((method) => method.featureSets(shape));
  const featureSets = [...new Set([...own, ...controlSets(shape), loudnessSet])];
  return { candidates, skipped, featureSets, network: shape.network };
}
