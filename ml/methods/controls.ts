import { eyeSites } from '../channels/index.ts';
import type { DatasetShape, TaskKind } from '../types.ts';
import { logistic, ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { firstOf } from './reasons.ts';
import type { Check } from './reasons.ts';
import type { Method } from './types.ts';
import { reasonSentence } from '../reason-sentences.ts';

/**
 * A classifier on signals that are not from the brain. It is never a candidate; a candidate's score is compared with
 * it.
 */
export interface Control extends Pick<Method, 'title' | 'fit' | 'decide'> {
  readonly id: 'eyes' | 'muscles' | 'mains' | 'baseline';
  /**
   * The set of covariances of the same part, for a winner that reads covariances; null: there are none of this part, or
   * the caller has not given the facts that they need.
   */
  covarianceSet(shape: Pick<DatasetShape, 'baselineSeconds' | 'channelNames'>): string | null;
  /** Its feature set; null if the caller has not given the facts that it needs. */
  set(shape: Pick<DatasetShape, 'baselineSeconds'>): string | null;
  /** Null: it can be measured; else the reason as text with numbers. */
  unmeasured(shape: DatasetShape): string | null;
  /** Other sources of the score in some kinds of task. */
  readonly caveat?: Readonly<Partial<Record<TaskKind, string>>>;
}

const notInSleep: Check = ({ kind }) => (kind === 'sleep' ? reasonSentence('control_of_sleep', {}) : null);

type Row = Omit<Control, 'fit' | 'decide' | 'unmeasured' | 'covarianceSet'> & {
  /** Prefix of its set's id. */
  readonly prefix: string;
  readonly covarianceSet?: Control['covarianceSet'];
  readonly unmeasured?: Check;
};

const form = {
  version: '1',
  source: 'Golub et al. 1979, Technometrics 21(2)',
  family: 'controls',
  kinds: [],
};

/** Reads a set of covariances as a winner of covariances does: logistic regression in the tangent space. */
export const covarianceControl = (set: string): Pick<Method, 'fit' | 'decide'> =>
  pipeline({ ...form, id: set, title: set }, tangentSpace(set, false), logistic(1));

function control({ prefix, covarianceSet = () => null, unmeasured, ...row }: Row): Control {
  const read = plain(() => [prefix], { standardise: true });
  const { fit, decide } = pipeline({ ...form, id: row.id, title: row.title }, read, ridge);
  return {
    ...row,
    fit,
    decide,
    covarianceSet: (shape) => (shape.channelNames.length > 1 ? covarianceSet(shape) : null),
    unmeasured: unmeasured ? firstOf(unmeasured, read.unreadable) : read.unreadable,
  };
}

const baselineSet: Control['set'] = ({ baselineSeconds }) =>
  baselineSeconds === undefined ? null : `baseline/${baselineSeconds}`;

/**
 * Controls: eyes, muscles, line noise and the time before the cue, each with a ridge discriminant. For a winner that
 * reads covariances all but line noise, which is one number of each channel, are read in the tangent space.
 */
export const controls: readonly Control[] = [
  control({
    id: 'eyes',
    title: 'Channels nearest the eyes, below 4 Hz',
    prefix: 'eyes',
    set: () => 'eyes',
    covarianceSet: ({ channelNames }) => (eyeSites(channelNames).length > 1 ? 'eyes/cov' : null),
    unmeasured: notInSleep,
    caveat: { erp: 'an evoked response also has a slow part of its own there' },
  }),
  control({
    id: 'muscles',
    title: 'All channels, above 40 Hz',
    prefix: 'muscles',
    set: () => 'muscles',
    covarianceSet: () => 'muscles/cov',
    unmeasured: notInSleep,
  }),
  control({
    id: 'mains',
    title: 'All channels, at the line frequency',
    prefix: 'mains',
    set: () => 'mains',
  }),
  control({
    id: 'baseline',
    title: 'All channels, before the cue',
    prefix: 'baseline/',
    set: baselineSet,
    covarianceSet: (shape) => (baselineSet(shape) === null ? null : `${baselineSet(shape)}/cov`),
  }),
];

/** Feature sets of the controls that can be measured; limited to `stored` if given. */
export const controlSets = (shape: DatasetShape, stored?: readonly string[]): string[] =>
  stored
    ? stored.filter((id) => /^(?:eyes|muscles|mains|baseline)(?:\/|$)/.test(id))
    : controls
        .filter((each) => each.unmeasured(shape) === null)
        .flatMap((each) => [each.set(shape), each.covarianceSet(shape)])
        .filter((set) => set !== null);
