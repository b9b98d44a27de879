import { loudnessSet } from '../../ml/features/index.ts';
import { controlSets, methodOf } from '../../ml/methods/index.ts';
import { select } from '../../ml/select/index.ts';
import { datasetShape } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import type { SimulatedForm } from './simulated.ts';

/** What a create of simulated trials tries, and which features it extracts. */
export function planOf(form: SimulatedForm, trials: Trials, labels: readonly string[]) {
  const options = { kind: form.kind, ...(form.flicker ? { frequenciesHz: form.hz } : {}) };
  const shape = datasetShape(trials, labels, null, options);
  const { candidates: all, skipped } = select(shape);
  const candidates = all.map(({ id }) => methodOf(id));
  const own = candidates.flatMap((method) => method.featureSets(shape));
  return { candidates, skipped, featureSets: [...new Set([...own, ...controlSets(shape), loudnessSet])] };
}
