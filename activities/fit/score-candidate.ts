import { recordProgress } from '../../infra/records/task-models/index.ts';
import { beating } from '../beating.ts';
import type { Tools } from '../tools.ts';
import type { Activities } from '../types.ts';
import { running, scoreOne } from './score-one.ts';

/** One candidate by itself: where the scoring of all together has left it to be tried again. Idempotent. */
export function createScoreCandidate(tools: Tools): Activities['scoreCandidate'] {
  const { pool, blobs, recent } = tools;
  return ({ request, dataset, candidate, members = [] }) =>
    beating(async (signal) => {
      await recordProgress(pool, request.jobId, [running(candidate)], new Date());
      return scoreOne(tools, {
        request,
        data: await blobs.open(dataset.ref),
        candidate,
        members: await Promise.all(members.map((ref) => recent.get(ref))),
        signal,
        tell: (row) => recordProgress(pool, request.jobId, [row], new Date()),
      });
    });
}
