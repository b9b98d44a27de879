import { expect, it } from 'vitest';
import { createScoreCache } from '../../activities/fit/score-cache.ts';
import { scoreCandidates, type FitProgress } from '../../activities/fit/score-candidates.ts';
import type { ScoringJob } from '../../activities/fit/scoring-job.ts';
import type { Tools } from '../../activities/tools.ts';
import type { Candidate } from '../../infra/contract/fit-request.ts';
import type { CandidateProgress } from '../../infra/records/task-models/progress.ts';
import { methodOf } from '../../ml/methods/index.ts';

const ids = [
  'tangent-logistic',
  'csp-lda',
  'log-power-logistic',
  'log-power-ridge',
  'tangent-logistic-recentred',
  'csp-lda-aligned',
  'windowed-means-ridge',
  'filter-bank-csp',
];

const bytes = new Uint8Array([1]);
const scoreOf = (method: string, status: string) => ({
  method,
  title: methodOf(method).title,
  status,
  reason: status === 'failed' ? 'Its covariances are singular.' : null,
  balancedAccuracy: status === 'scored' ? 0.8 : null,
  seconds: 1,
});

interface Fake {
  /** Of `ids`. */
  readonly hopeless?: readonly string[];
  readonly statusOf?: (method: string) => 'scored' | 'failed';
  readonly averages?: readonly (readonly string[])[];
}

/** Scores with threads that answer as told. */
function scoring({ hopeless = [], statusOf = () => 'scored', averages = [] }: Fake) {
  const scored: string[] = [];
  const rows = new Map<string, CandidateProgress>();
  const reached: FitProgress[] = [];
  const plain = ids.map((id): Candidate => {
    const { version, title, family } = methodOf(id);
    return { id, version, title, family };
  });
  const candidates = [
    ...plain,
    ...averages.map((members) => ({ ...plain[0]!, id: members.join('+'), title: 'Average', members })),
  ];
  const compute = async (task: string, { method }: { method: string }): Promise<unknown> => {
    if (task === 'firstFold') return {};
    if (task === 'hopeless') return hopeless.map((id) => ({ score: scoreOf(id, 'dropped'), bytes }));
    scored.push(method);
    return {
      score: method.includes('+') ? { ...scoreOf(ids[0]!, 'scored') } : scoreOf(method, statusOf(method)),
      bytes,
    };
  };
  const job: ScoringJob = {
    isLast: false,
    request: { jobId: 'job', modelId: 'clf_1', candidates },
    data: { format: 2, training: { features: { sets: {} } } } as unknown as ScoringJob['data'],
    scores: createScoreCache({ put: async () => undefined, get: async () => bytes }),
    progress: {
      add: (row) => void rows.set(row.method, row),
      end: async () => undefined,
      [Symbol.dispose]: () => undefined,
    },
    signal: new AbortController().signal,
  };
  const tools = { compute, reach: async () => undefined } as unknown as Tools;
  const run = (earlier: FitProgress = { ended: [], dropped: false }) =>
    scoreCandidates(tools, job, earlier, (each) => void reached.push(each));
  return { run, scored, rows, reached };
}

it('scores every candidate on all folds, except those that the first fold drops', async () => {
  const { run, scored, rows } = scoring({ hopeless: ['csp-lda'] });
  const all = await run();
  expect(all.map(({ method, status }) => [method, status])).toEqual(
    ids.map((id) => [id, id === 'csp-lda' ? 'dropped' : 'scored']),
  );
  expect(scored).not.toContain('csp-lda');
  expect([...rows.values()].map(({ status }) => status)).toEqual(all.map(({ status }) => status));
});

it('tries the dropped one by one when no other can be fitted, until one can', async () => {
  const hopeless = ['csp-lda', 'log-power-ridge', 'csp-lda-aligned'];
  const { run, scored } = scoring({
    hopeless,
    statusOf: (id) => (id === 'log-power-ridge' ? 'scored' : 'failed'),
  });
  const all = await run();
  expect(scored.slice(-2)).toEqual(['csp-lda', 'log-power-ridge']);
  expect(hopeless.map((id) => all.find(({ method }) => method === id)?.status)).toEqual([
    'failed',
    'scored',
    'dropped',
  ]);
});

it('an average fails with the reason of the member that it lacks', async () => {
  const { run, rows } = scoring({
    averages: [
      ['tangent-logistic', 'csp-lda'],
      ['tangent-logistic', 'log-power-ridge'],
    ],
  });
  const lost = { ...scoreOf('csp-lda', 'failed'), status: 'failed' as const, ref: null };
  const all = await run({ ended: [lost], dropped: true });
  const [failed, scored] = all.slice(-2);
  const reason = `It averages 2 methods, of which ${lost.title} failed: ${lost.reason}`;
  expect([failed!.status, failed!.reason, scored!.status]).toEqual(['failed', reason, 'scored']);
  expect(rows.get('tangent-logistic+csp-lda')?.reason).toBe(reason);
});

it('throws if the service fails, after the others have ended, and the next attempt continues from them', async () => {
  let trouble = true;
  const { run, scored, reached } = scoring({
    statusOf(id) {
      if (trouble && id === 'csp-lda') throw new Error('The thread was lost.');
      return 'scored';
    },
  });
  await expect(run()).rejects.toThrow('The thread was lost.');
  const last = reached.at(-1)!;
  expect(last.ended.map(({ method }) => method).toSorted()).toEqual(ids.filter((id) => id !== 'csp-lda').toSorted());
  trouble = false;
  scored.length = 0;
  expect((await run(last)).map(({ method }) => method)).toEqual(ids);
  expect(scored).toEqual(['csp-lda']);
});
