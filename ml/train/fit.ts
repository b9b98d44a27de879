import { classShares } from '../evidence/priors.ts';
import { versionsOf } from '../features/index.ts';
import { createWorkspace, methodOf } from '../methods/index.ts';
import type { Method, Workspace } from '../methods/index.ts';
import { readableMembers } from '../methods/members.ts';
import { centreOf, centringOf } from '../methods/recentring.ts';
import { sequenceOf, stagesFollow } from '../methods/sequence.ts';
import { setsOf } from '../methods/sets.ts';
import type { Centring } from '../methods/types.ts';
import { range } from '../rows.ts';
import { currentAnswer } from './answers.ts';
import { storedFormat } from './formats.ts';
import { partsOf, temperaturesOf } from './pool.ts';
import { steady } from './steady.ts';
import type { Choice, FittedModel, TrainingData } from './types.ts';

/**
 * Refits the chosen method, or those of the chosen pool, on all trials but those of artefacts, at the temperature of
 * its out-of-fold scores.
 */
export function fitWinner(choice: Choice, data: TrainingData, workspace: Workspace = createWorkspace()): FittedModel {
  const { method, fitted, mix } = partsOf(choice, data);
  const all = range(data.labels.length);
  const rows = steady(data, all, workspace);
  const setsRead = (row: Method): readonly string[] =>
    (readableMembers(row, data)?.map(({ id, version }) => methodOf(id, version)) ?? [row]).flatMap((own) =>
      setsOf(own, data.features),
    );
  const featureSets = [...new Set(fitted.flatMap(setsRead))];
  const centres = (centring: Centring): Record<string, Float64Array> => {
    const own = fitted.filter((row) => centringOf(row) === centring);
    const sets = [...new Set(own.flatMap(setsRead))];
    const found = sets.map((set) => [set, centreOf(data, set, rows, workspace, centring)] as const);
    return Object.fromEntries(found.flatMap(([set, centre]) => (centre ? [[set, centre]] : [])));
  };
  const fit = (row: Method) =>
    row.fit({ data, rows, workspace, ...(row.members && { temperatures: temperaturesOf(choice) }) });
  const members = mix ? fitted.map(({ id, version }) => ({ id, version })) : readableMembers(fitted[0], data);
  const sequence = stagesFollow(data) ? sequenceOf(data, all) : null;
  return {
    format: storedFormat,
    answer: currentAnswer(),
    method: { id: method.id, version: method.version, title: method.title },
    ...(members && { members }),
    ...(mix && { mix }),
    classes: [...data.classes],
    ...(data.priors === 'as_sent' && { prior: classShares(data.labels, data.classes.length) }),
    shape: data.features.shape,
    featureSets,
    featureVersions: versionsOf(featureSets, data.features.versions),
    head: mix ? { members: fitted.map(fit) } : fit(fitted[0]),
    temperature: choice.temperature,
    centres: centres(mix ? 'riemannian' : centringOf(fitted[0])),
    ...(sequence && { sequence }),
    ...(mix && { euclideanCentres: centres('euclidean') }),
  };
}
