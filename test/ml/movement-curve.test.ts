import { expect, it } from 'vitest';
import { movementCard } from '../../ml/encoders/movement/index.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createWorkspace, methodOf, type Head } from '../../ml/methods/index.ts';
import { range } from '../../ml/rows.ts';
import { trainingData } from '../../ml/train/index.ts';
import { handSignals } from '../support/hand-trials.ts';
import { provideStandInMovement } from '../support/stand-in-movement.ts';

const channels = ['FC3', 'FC4', 'C3', 'Cz', 'C4', 'CP3', 'CP4'];
const { trials, labels } = handSignals({ channels, trials: 24, seed: 5 });
provideStandInMovement();

const network = { head: 'left_right_imagined', positive: 0 } as const;
const features = extractFeatures(trials, [`movement/${movementCard.sha256}/bank`, 'cov/8-32']);
const data = trainingData(features, labels, null, { kind: 'motor', network });
const unlabelled = range(20);
const rows = range(8);

/** What a fit reads from signals alone: the centres of the network, and the whiteners of the tangent space. */
function readFromSignals(head: Head): readonly unknown[] {
  const own = (head['network'] as Head | undefined) ?? head;
  const reader = own['representation'] as Head;
  return [reader['centres'], head['network'] ? (head['representation'] as Head)['whiteners'] : null];
}

it.each(['movement-network', 'movement-tangent'])(
  'a part of the trials fits the labels of %s; means come from all training trials',
  (id) => {
    const fit = (some: Int32Array, all?: Int32Array): Head => {
      const own = all ? { unlabelled: all } : {};
      return methodOf(id).fit({ data, rows: some, ...own, workspace: createWorkspace() });
    };
    const [part, whole, alone] = [fit(rows, unlabelled), fit(unlabelled), fit(rows)];
    expect(readFromSignals(part)).toEqual(readFromSignals(whole));
    expect(readFromSignals(part)).not.toEqual(readFromSignals(alone));
    const scaleOf = (head: Head): unknown => ((head['network'] as Head | undefined) ?? head)['scale'];
    expect(scaleOf(part)).not.toEqual(scaleOf(whole));
  },
);
