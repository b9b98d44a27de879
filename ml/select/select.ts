import { familyOf, isEncoded, loudnessSet } from '../features/index.ts';
import { controlSets, methods } from '../methods/index.ts';
import type { Method } from '../methods/index.ts';
import type { DatasetShape, Finding, TaskKind } from '../types.ts';
import { shapeFindings } from './warnings.ts';
import { reasonSentence } from '../reason-sentences.ts';

export interface SelectedMethod {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  /** Methods of one family reuse each other's work. */
  readonly family: string;
  /** Of an average: the candidates whose scores it averages. */
  readonly members?: readonly string[];
}

export interface Selection {
  /** Methods to score, in the order of the registry. */
  readonly candidates: readonly SelectedMethod[];
  /** Every other method, with the reason as text. */
  readonly skipped: readonly { readonly id: string; readonly title: string; readonly reason: string }[];
  /** Feature sets of the candidates, of the controls and of the artefact search, each once. */
  readonly featureSets: readonly string[];
  /** Advice on trial length, trial counts, classes and channels. */
  readonly findings: readonly Finding[];
}

const kindNames: Readonly<Record<TaskKind, string>> = {
  erp: 'event-related potentials',
  motor: 'motor imagery or movement',
  sleep: 'sleep staging',
  other: 'a task of another kind',
};

const kindsOf = ({ kinds }: Method): string => kinds.map((kind) => kindNames[kind]).join(' or ');

function lacking(needed: readonly string[], stored?: readonly string[]): string | null {
  const missing = stored ? needed.filter((id) => !stored.includes(id)) : [];
  if (missing.length === 0) return null;
  const encoders = [...new Set(missing.filter(isEncoded).map(familyOf))];
  return encoders.length > 0
    ? reasonSentence('encoder_not_stored', { encoders: encoders.join(', ') })
    : reasonSentence('features_not_stored', { count: missing.length, sets: missing.join(', ') });
}

/**
 * Reads only the shape and never a signal value. Refuses nothing: the caller reports a selection without candidates.
 * `stored`: the only feature sets available, in a deferred fit.
 */
export function select(shape: DatasetShape, stored?: readonly string[]): Selection {
  const rows = methods.map((method) => ({
    method,
    reason: method.kinds.includes(shape.kind)
      ? (method.unreadable(shape) ?? lacking(method.featureSets(shape), stored))
      : reasonSentence('other_kind', { kinds: kindsOf(method), kind: kindNames[shape.kind] }),
  }));
  const tried = rows.filter(({ reason }) => reason === null).map(({ method }) => method);
  return {
    candidates: tried.map(({ id, version, title, family, membersFor }) => ({
      id,
      version,
      title,
      family,
      ...(membersFor && { members: membersFor(shape).map((member) => member.id) }),
    })),
    skipped: rows.flatMap(({ method: { id, title }, reason }) => (reason === null ? [] : [{ id, title, reason }])),
    featureSets: [
      ...new Set([
        ...tried.flatMap((method) => method.featureSets(shape)),
        ...controlSets(shape, stored),
        ...(stored && !stored.includes(loudnessSet) ? [] : [loudnessSet]),
      ]),
    ],
    findings: shapeFindings(shape),
  };
}
