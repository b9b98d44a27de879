import { balancedAccuracy, decisions } from '../../../ml/evidence/scores.ts';
import { movementCard, networksWithout } from '../../../ml/encoders/movement/index.ts';
import { createWorkspace, methodOf } from '../../../ml/methods/index.ts';
import { montageScores } from '../../../ml/reference-fits/network-evidence.ts';
import { networkModel } from '../../../ml/reference-fits/network-fit.ts';
import { extractFeatures, loudnessSet } from '../../../ml/features/index.ts';
import { predictTrials, trainClassifier, trainingData } from '../../../ml/train/index.ts';
import type { NetworkTask } from '../../../ml/types.ts';
import { classNames, runs, seconds, someTrials, task } from '../reference-fits/people.ts';
import type { BenchPerson } from '../reference-fits/people.ts';
import { firstTrials, lastRun } from '../reference-fits/arms.ts';

const network: NetworkTask = { head: 'left_right_imagined', positive: 1 };
const encoders = { movement: { hash: movementCard.sha256 } };

/** Methods that are fitted and tested by themselves. */
export const singles = ['tangent-tuned', 'movement-network', 'movement-tangent', 'movement-features-logistic'] as const;

/** Balanced accuracies of one person on the last run. */
export interface MovementArms {
  /** The whole create, without and with the network; NaN where it was not made. */
  readonly without: number;
  readonly with: number;
  readonly chosen: string;
  readonly each: Readonly<Record<string, number>>;
}

/** Whether the networks were trained on a person, whom only the network of the person's fold has not seen. */
export const isTrainingPerson = (id: string): boolean => movementCard.folds.some((fold) => fold.includes(id));

const labelsAt = ({ labels }: BenchPerson, rows: readonly number[]): string[] => rows.map((row) => labels[row]!);
const numbersAt = (person: BenchPerson, rows: readonly number[]): Int32Array =>
  Int32Array.from(labelsAt(person, rows), (label) => classNames.indexOf(label as 'left'));

/** What a person reaches with the first `count` own trials; `creates`: also by whole creates. */
export function armsOf(person: BenchPerson, count: number, names: readonly string[], creates: boolean): MovementArms {
  const [rows, held] = [firstTrials(person, count), lastRun(person)];
  const wanted = numbersAt(person, held);
  const [trials, later] = [someTrials(person, rows, names), someTrials(person, held, names)];
  const whole = (withNetwork: boolean) => {
    const options = withNetwork ? { network, networks: networksWithout([person.id]), encoders } : {};
    const { model } = trainClassifier(trials, labelsAt(person, rows), null, { kind: 'motor', ...options });
    const score = balancedAccuracy(decisions(predictTrials(model, later, { align: 'none' }), 2), wanted, 2);
    const members = model.members?.map(({ id }) => id).join(' ') ?? '';
    return { score, chosen: `${model.method.id} ${members}` };
  };
  const [without, own] = creates ? [whole(false), whole(true)] : [null, null];
  return {
    without: without?.score ?? Number.NaN,
    with: own?.score ?? Number.NaN,
    chosen: own?.chosen ?? '',
    each: eachMethod(person, count, names),
  };
}

function eachMethod(person: BenchPerson, count: number, names: readonly string[]): Record<string, number> {
  const [rows, held] = [firstTrials(person, count), lastRun(person)];
  const sets = [...new Set([...singles.flatMap((id) => methodOf(id).featureSets({ encoders })), loudnessSet])];
  const known = extractFeatures(someTrials(person, rows, names), sets);
  const later = extractFeatures(someTrials(person, held, names), sets);
  const networks = networksWithout([person.id]);
  const data = trainingData(known, labelsAt(person, rows), null, { kind: 'motor', network, networks });
  const workspace = createWorkspace();
  const all = (length: number): Int32Array => Int32Array.from({ length }, (_, row) => row);
  return Object.fromEntries(
    singles.map((id) => {
      const method = methodOf(id);
      const head = method.fit({ data, rows: all(rows.length), workspace });
      const decided = method.decide(head, later, all(held.length), createWorkspace());
      return [id, balancedAccuracy(decisions(decided, 2), numbersAt(person, held), 2)];
    }),
  );
}

/**
 * Balanced accuracy without own trials: every run sent as a batch, and each trial alone. NaN if the electrodes contain
 * no montage of the card.
 */
export function zeroShotOf(person: BenchPerson, names: readonly string[]) {
  const classes = task.classes.map(({ id }) => id);
  const shape = { channelNames: names, seconds, sourceRateHz: 160 };
  const montage = montageScores(task.id, names)?.batch.montage;
  if (montage === undefined) return { batch: Number.NaN, last: Number.NaN, alone: Number.NaN };
  const networks = networksWithout([person.id]);
  const model = networkModel({ id: task.id, kind: 'motor', classes }, shape, montage, networks);
  const score = (rows: readonly number[], align: 'batch' | 'none'): number =>
    balancedAccuracy(
      decisions(predictTrials(model, someTrials(person, rows, names), { align }), 2),
      numbersAt(person, rows),
      2,
    );
  const ofRun = (run: string): number[] => [...person.runs.keys()].filter((row) => person.runs[row] === run);
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  return {
    batch: mean(runs.map((run) => score(ofRun(run), 'batch'))),
    last: score(lastRun(person), 'batch'),
    alone: mean(runs.map((run) => score(ofRun(run), 'none'))),
  };
}
