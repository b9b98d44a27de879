import { range } from '../../rows.ts';
import { recentreSessions, centreOf } from '../recentring.ts';
import { setsOf } from '../sets.ts';
import type { Centring, FitContext, Head, Method, TrainingData } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import type { Check } from '../reasons.ts';
import { fitInSteps, steppedFit } from '../fit-in-steps.ts';
import { firstOf } from '../reasons.ts';
import { reasonSentence } from '../../reason-sentences.ts';

const severalSessions: Check = ({ sessions, recordings = sessions }) =>
  recordings < 2 ? reasonSentence('several_sessions', { named: recordings }) : null;

/**
 * The method, trained on sessions that were each recentred on the mean of the training trials: the Riemannian mean of
 * covariances (Zanini 2018), or the arithmetic one (Euclidean alignment, He & Wu 2020). A single trial is not
 * recentred; a batch (`align: "batch"`) is.
 */
export function recentred(method: Method, kinds: Method['kinds'], centring: Centring = 'riemannian'): Method {
  const { suffix, title, source } = ways[centring];
  const { patterns } = method;
  return {
    ...method,
    id: `${method.id}-${suffix}`,
    title: `${method.title}, ${title}`,
    source: `${method.source}; ${source}`,
    kinds,
    centring,
    unreadable: firstOf(severalSessions, method.unreadable),
    fit: steppedFit((context) => fitInSteps(method, { ...context, data: recentredData(method, context, centring) })),
    ...(patterns && {
      patterns: (head: Head, data: TrainingData, workspace: Workspace) => {
        const rows = range(data.labels.length);
        return patterns(head, recentredData(method, { data, rows, workspace }, centring), workspace);
      },
    }),
  };
}

const ways: Readonly<Record<Centring, { readonly suffix: string; readonly title: string; readonly source: string }>> = {
  riemannian: {
    suffix: 'recentred',
    title: 'sessions recentred',
    source: 'Zanini et al. 2018, IEEE Trans. Biomed. Eng. 65(5)',
  },
  euclidean: {
    suffix: 'aligned',
    title: 'sessions aligned on their arithmetic mean',
    source: 'He & Wu 2020, IEEE Trans. Biomed. Eng. 67(2)',
  },
};

function recentredData(
  method: Method,
  { data, rows: labelled, unlabelled: rows = labelled, workspace }: FitContext,
  centring: Centring,
): TrainingData {
  const sets = setsOf(method, data.features);
  return workspace.once([data, rows], `recentred ${centring}:${sets.join('+')}`, () => {
    const moved = sets.map((set): [string, Float64Array] => {
      const how = { workspace, centring };
      const centre = centreOf(data, set, rows, how);
      return [set, centre ? recentreSessions({ data, set, rows, centre }, how) : data.features.sets[set]];
    });
    return { ...data, features: { ...data.features, sets: { ...data.features.sets, ...Object.fromEntries(moved) } } };
  });
}
