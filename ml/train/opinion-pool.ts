import { mixLogScores } from '../evidence/opinion-pool.ts';
import type { Evidence } from '../evidence/selection.ts';
import { methodOf } from '../methods/index.ts';
import type { Method } from '../methods/index.ts';
import { readableMembers } from '../methods/members.ts';
import { resultsOf } from './score.ts';
import type { CandidateScore, Choice, FoldPlan, MixPart, PoolMember, TrainingData } from './types.ts';

export const poolId = 'pool';
/** Increases if the same heads would give other probabilities. */
export const poolVersion = '1';
const title = 'Pool of the best methods';

/** True if this code has this version of the pool. */
export const hasPoolVersion = (version: string): boolean => version === poolVersion;

/** The methods of a pool by descending weight, each at the temperature of all its out-of-fold scores. */
export function membersOf(candidates: readonly Evidence[], weights: readonly number[], index: number): PoolMember[] {
  const order = weights.flatMap((weight, c) => (weight > 0 ? [c] : []));
  order.sort((a, b) => Number(b === index) - Number(a === index) || a - b);
  return order.map((c) => {
    const { method: id, version, title: own, temperature, averaged } = candidates[c].score;
    return { id, version, title: own, weight: weights[c], temperature, ...(averaged && { averaged }) };
  });
}

/** Scores of the pool on the folds, from those of its members. */
export function poolScore(
  pool: readonly PoolMember[],
  scores: readonly CandidateScore[],
  data: TrainingData,
  plan: FoldPlan,
): CandidateScore {
  const start = performance.now();
  const own = pool.map(({ id }) => scores.find(({ method }) => method === id)!);
  const mixed = (of: (score: CandidateScore) => Float64Array | null): Float64Array | null => {
    const tables = own.map(of);
    return tables.every((table) => table !== null) ? mixLogScores(tables, pool, data.classes.length) : null;
  };
  return {
    method: poolId,
    version: poolVersion,
    title,
    family: own[0].family,
    prior: own[0].prior,
    status: 'scored',
    reason: null,
    ...resultsOf(
      mixed((score) => score.outOfFold)!,
      data,
      plan,
    ),
    aligned: mixed((score) => score.aligned),
    nested: null,
    seconds: (performance.now() - start) / 1000,
  };
}

/** The scores of all candidates, then that of the pool if there is one. */
export const withPool = (
  scores: readonly CandidateScore[],
  { pool }: Pick<Choice, 'pool'>,
  data: TrainingData,
  plan: FoldPlan,
): readonly CandidateScore[] => (pool ? [...scores, poolScore(pool, scores, data, plan)] : scores);

/** The chosen method; of a pool its best member, which has most of the weight. */
export const leadingOf = ({ method, version, pool }: Choice): Method =>
  method === poolId && pool ? methodOf(pool[0].id, pool[0].version) : methodOf(method, version);

/** The parts of a choice that are fitted. */
export interface Parts {
  readonly method: Pick<Method, 'id' | 'version' | 'title'>;
  /** Methods that are fitted, each once: the chosen one, or the members of the pool and of its averages. */
  readonly fitted: readonly Method[];
  /** Null for a single method. */
  readonly mix: readonly MixPart[] | null;
}

/** The temperatures of the members of an average that was chosen. */
export const temperaturesOf = ({ averaged }: Pick<PoolMember, 'averaged'>): number[] =>
  averaged!.map(({ temperature }) => temperature);

/** What has to be fitted for a choice. */
export function partsOf({ method, version, pool }: Choice, data: TrainingData): Parts {
  if (method !== poolId || !pool) {
    const row = methodOf(method, version);
    return { method: row, fitted: [row], mix: null };
  }
  const fitted: Method[] = [];
  const place = (row: Method): number => {
    const at = fitted.indexOf(row);
    return at < 0 ? fitted.push(row) - 1 : at;
  };
  const mix = pool.map(({ id, version: pinned, weight, temperature, averaged }): MixPart => {
    const row = methodOf(id, pinned);
    const own = readableMembers(row, data);
    const of = own ? own.map((member) => place(methodOf(member.id, member.version))) : [place(row)];
    return { of, weight, temperature, ...(own && { temperatures: temperaturesOf({ averaged }) }) };
  });
  return { method: { id: poolId, version: poolVersion, title }, fitted, mix };
}
