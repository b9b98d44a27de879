import { decideLinear } from '../classify/linear.ts';
import type { LinearHead } from '../classify/linear.ts';
import { basisInSteps } from '../classify/spectral-basis.ts';
import { fitTunedLogistic } from '../classify/tuned-logistic.ts';
import { valuesAt } from '../rows.ts';
import { steppedFit } from './fit-in-steps.ts';
import { decideNetwork, fitNetwork, networkUnreadable } from './movement/network.ts';
import { bankSets, movementFeatures } from './movement/reader.ts';
import { average } from './parts/average.ts';
import { scaledLogistic } from './parts/classifiers.ts';
import { pipeline, vectorsOf } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { firstOf } from './reasons.ts';
import { tangentTuned } from './tangent.ts';
import type { Head, Method } from './types.ts';
import { onceInSteps } from './workspace.ts';

const source = 'He & Wu 2020, IEEE Trans. Biomed. Eng. 67(2) (recentring); model card in docs/movement-network.md';
/** That of `cov/8-32`, which two of the methods read. */
const { family } = tangentTuned;

/** The network that learned from other people, as it is: recentred, its sign and scale by the own trials. */
export const movementNetwork: Method = {
  id: 'movement-network',
  version: '1',
  title: 'Movement network of other people',
  source,
  family,
  kinds: ['motor'],
  unreadable: networkUnreadable,
  featureSets: bankSets,
  fit: fitNetwork,
  decide: decideNetwork,
};

const own = tangentSpace('cov/8-32');

/** Logistic regression on own tangent vectors, added to the log-odds of the network. */
const movementTangent: Method = {
  id: 'movement-tangent',
  version: '1',
  title: 'Movement network and own tangent space',
  source: `${source}; Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)`,
  family,
  kinds: ['motor'],
  unreadable: firstOf(networkUnreadable, own.unreadable),
  featureSets: (shape) => [...bankSets(shape), ...own.featureSets(shape)],
  fit: steppedFit(function* (context) {
    const { data, rows, unlabelled = rows, workspace } = context;
    const network = fitNetwork(context);
    yield;
    const seen = { data, rows: unlabelled, workspace };
    const representation = workspace.once([data, unlabelled], `fit:${own.name}`, () => own.fit(seen));
    const vectors = vectorsOf(own, representation, data.features, rows, workspace);
    yield;
    const basis = yield* onceInSteps(workspace, [vectors.data], 'basis', () => basisInSteps(vectors));
    const offsets = decideNetwork(network, data.features, rows, workspace);
    const classifier = fitTunedLogistic(basis, valuesAt(data.labels, rows), data.classes.length, offsets);
    return { network, representation, classifier };
  }),
  decide(head, features, rows, workspace) {
    const out = decideNetwork(head['network'] as Head, features, rows, workspace);
    const { data } = vectorsOf(own, head['representation'] as Head, features, rows, workspace);
    const added = decideLinear(head['classifier'] as LinearHead, data);
    return out.map((value, i) => value + added[i]);
  },
};

/** A head on the features of the network, for any classes of movement or imagery. */
const movementHead = pipeline(
  {
    id: 'movement-features-logistic',
    version: '1',
    title: 'Features of the movement network, logistic regression',
    source,
    family,
    kinds: ['motor'],
  },
  movementFeatures,
  // Measured on 24 people with 15 and 30 trials: better than C tuned inside so few trials, and one fit.
  scaledLogistic(0.3),
);

/** Methods of the network that learned from other people. */
export const movementMethods: readonly Method[] = [
  movementNetwork,
  movementTangent,
  movementHead,
  average(
    {
      id: 'movement-average',
      version: '1',
      title: 'Average of the movement network and own tangent space',
      source: 'Stone 1961, Ann. Math. Stat. 32 (linear opinion pools)',
      family,
      kinds: ['motor'],
      unreadable: networkUnreadable,
    },
    [movementNetwork, tangentTuned],
  ),
];
