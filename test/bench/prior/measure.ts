import { balancedAccuracy, decisions, trialLosses } from '../../../ml/evidence/scores.ts';
import { fitTemperature } from '../../../ml/evidence/temperature.ts';
import { extractFeatures } from '../../../ml/features/index.ts';
import { createWorkspace, methodOf, prepareMethods } from '../../../ml/methods/index.ts';
import { select } from '../../../ml/select/index.ts';
import { datasetShape, trainingData } from '../../../ml/train/index.ts';
import type { PriorCase } from './cases.ts';

/** What one method reached on the later trials of one person, with so many own trials. */
export interface Reached {
  readonly person: string;
  readonly kind: string;
  readonly flicker: boolean;
  readonly trials: number;
  readonly channels: number;
  readonly method: string;
  /** Calibrated log-loss of each tested trial, nats. */
  readonly losses: readonly number[];
  readonly labels: readonly number[];
  readonly balancedAccuracy: number;
}

/** Fits every candidate on the own trials and tests it on later ones. Held-out trials calibrate all methods alike. */
export async function measureCase({ person, trials, labels, options, folds }: PriorCase): Promise<Reached[]> {
  const shape = datasetShape(trials, labels, null, options);
  const methods = select(shape).candidates.map(({ id }) => methodOf(id));
  await prepareMethods(methods);
  const sets = [...new Set(methods.flatMap((method) => method.featureSets(shape)))];
  const features = extractFeatures(trials, sets);
  const data = trainingData(features, labels, null, {
    kind: options.kind,
    network: options.network,
    networks: options.networks,
  });
  const classes = data.classes.length;
  const out: Reached[] = [];
  for (const { trials: count, folds: own } of folds) {
    const scored = new Map(methods.map(({ id }) => [id, [] as number[]]));
    for (const { train, test } of own) {
      const workspace = createWorkspace();
      for (const method of methods) {
        try {
          const head = method.fit({ data, rows: Int32Array.from(train), workspace });
          scored.get(method.id)!.push(...method.decide(head, features, Int32Array.from(test), workspace));
        } catch {
          scored.delete(method.id);
        }
      }
    }
    const tested = Int32Array.from(
      own.flatMap(({ test }) => test),
      (row) => data.labels[row]!,
    );
    for (const [method, values] of scored) {
      const logScores = Float64Array.from(values);
      if (logScores.length !== tested.length * classes || !logScores.every(Number.isFinite)) continue;
      const { temperature } = fitTemperature(logScores, tested, classes);
      out.push({
        person,
        kind: shape.kind,
        flicker: shape.frequenciesHz !== undefined,
        trials: count,
        channels: trials.channels,
        method,
        losses: [...trialLosses(logScores, tested, classes, temperature)],
        labels: [...tested],
        balancedAccuracy: balancedAccuracy(decisions(logScores, classes), tested, classes),
      });
    }
  }
  return out;
}
