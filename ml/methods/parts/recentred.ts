import { recentreSessions, centreOf } from '../recentring.ts';
import { setsOf } from '../sets.ts';
import type { TrainingData } from '../../train/types.ts';
import type { FitContext, Method } from '../types.ts';
import type { Check } from '../reasons.ts';
import { firstOf } from '../reasons.ts';

const severalSessions: Check = ({ sessions, recordings = sessions }) => (recordings < 2 ? `recentres each session on its own mean, and needs 2 sessions (or recordings by normalization_context); ${recordings} named` : null);

/**
 * The same method trained on sessions that were each recentred on the mean of the training trials (He & Wu 2020; Zanini 2018). A lone trial is decided
 * as it is; a batch (`align: "batch"`) is recentred likewise.
 */
export function recentred(method: Method, complexity: number): Method {
  return {
    ...method,
    id: `${method.id}-recentred`,
    title: `${method.title}, sessions recentred`,
    source: `${method.source}; Zanini et al. 2018, IEEE Trans. Biomed. Eng. 65(5)`,
    complexity,
    unreadable: firstOf(severalSessions, method.unreadable),
    fit: (context) => method.fit({ ...context, data: recentredData(method, context) }),
  };
}

function recentredData(method: Method, { data, rows: labelled, unlabelled: rows = labelled, workspace }: FitContext): TrainingData {
  const sets = setsOf(method, data.features);
  return workspace.once([data, rows], `recentred:${sets.join('+')}`, () => {
    const moved = sets.map((set): [string, Float64Array] => {
      const centre = centreOf(data, set, rows, workspace);
      return [set, centre ? recentreSessions(data, set, rows, centre, workspace) : data.features.sets[set]];
    });
    return { ...data, features: { ...data.features, sets: { ...data.features.sets, ...Object.fromEntries(moved) } } };
  });
}
