import { classFractions } from '../evidence/priors.ts';
import { familyOf, versionsOf } from '../features/index.ts';
import { createWorkspace } from '../methods/index.ts';
import type { Workspace } from '../methods/index.ts';
import { readableMembers } from '../methods/members.ts';
import { centringOf } from '../methods/recentring.ts';
import { sequenceOf, stagesFollow } from '../methods/sequence.ts';
import type { Centring } from '../methods/types.ts';
import { joinTables, range } from '../rows.ts';
import { currentAnswer } from './answers.ts';
import { storedFormat } from './formats.ts';
import { partsOf } from './opinion-pool.ts';
import { fitPart, refitParts, setsReadBy } from './refit-parts.ts';
import type { Choice, FittedModel, FittedPart, TrainingData } from './types.ts';

/**
 * Refits the chosen method, or the methods of the chosen pool, on all trials without artefacts, at the temperature of
 * its out-of-fold scores.
 */
export const fitWinner = (
  choice: Choice,
  data: TrainingData,
  workspace: Workspace = createWorkspace(),
): FittedModel => {
  const parts = refitParts(choice, data).map((part) => fitPart(part, choice, data, workspace));
  return assembleModel(choice, parts, data);
};

/** Assembles the model of a choice from all of its fitted `refitParts`. */
export function assembleModel(choice: Choice, parts: readonly FittedPart[], data: TrainingData): FittedModel {
  const { method, fitted, mix } = partsOf(choice, data);
  const heads = new Map(parts.flatMap((part) => part.heads));
  const found = parts.flatMap((part) => part.centres);
  const featureSets = [...new Set(fitted.flatMap((row) => setsReadBy(row, data)))];
  const centres = (centring: Centring): Record<string, Float64Array> => {
    const own = fitted.filter((row) => centringOf(row) === centring);
    const sets = [...new Set(own.flatMap((row) => setsReadBy(row, data)))];
    const blocksOf = (set: string): Float64Array[] =>
      found
        .filter((each) => each.set === set && each.centring === centring)
        .sort((a, b) => (a.block ?? 0) - (b.block ?? 0))
        .map(({ values }) => values);
    return Object.fromEntries(
      sets.flatMap((set) => {
        const blocks = blocksOf(set);
        return blocks.length ? [[set, joinTables(blocks)]] : [];
      }),
    );
  };
  const members = mix ? fitted.map(({ id, version }) => ({ id, version })) : readableMembers(fitted[0], data);
  const families = new Set(featureSets.map(familyOf));
  const standards = Object.entries(data.features.standards ?? {}).filter(([family]) => families.has(family));
  const sequence = stagesFollow(data) ? sequenceOf(data, range(data.labels.length)) : null;
  return {
    format: storedFormat,
    answer: currentAnswer(),
    method: { id: method.id, version: method.version, title: method.title },
    ...(members && { members }),
    ...(mix && { mix }),
    classes: [...data.classes],
    ...(data.priors === 'as_sent' && { prior: classFractions(data) }),
    shape: data.features.shape,
    featureSets,
    featureVersions: versionsOf(featureSets, data.features.versions),
    head: mix ? { members: fitted.map((_, m) => heads.get(m)!) } : heads.get(0)!,
    temperature: choice.temperature,
    centres: centres(mix ? 'riemannian' : centringOf(fitted[0])),
    ...(sequence && { sequence }),
    ...(standards.length > 0 && { standards: Object.fromEntries(standards) }),
    ...(mix && { euclideanCentres: centres('euclidean') }),
  };
}
