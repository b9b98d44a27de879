import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  isCancellation,
  patched,
  proxyActivities,
  setCurrentDetails,
  setWorkflowOptions,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities, Dataset, FitFailure, FitReached, Scored, Winner } from '../activities/types.ts';
import { worthDropping, type Candidate, type FitOutcome, type FitRequest } from '../infra/contract/fit-request.ts';
import { temporalNames, type FitTaskModelWorkflow, type TaskModelWorkflow } from '../infra/contract/workflow-names.ts';
import { taskModelStart } from '../infra/contract/workflow-starts.ts';
import { endsWithItsBuild } from './builds.ts';
import { fitFailureOf, isAnswer, messageOf } from './failures.ts';
import { commit, extraction, learning, steady, whole } from './timeouts.ts';

const { extractFeatures } = proxyActivities<Activities>(extraction);
const { fitAtOnce } = proxyActivities<Activities>(whole);
const { adoptReference, scoreCandidates, dropHopeless, scoreCandidate, chooseAndRefit } =
  proxyActivities<Activities>(learning);
const { activateModel } = proxyActivities<Activities>(commit);
const { abandonFit } = proxyActivities<Activities>(steady);

/**
 * One fit job: features, every candidate scored, the best refitted, then one transaction. It always ends with an
 * answer. A model without trials of its owner's takes a finished fit instead. What the request holds decides, and every
 * history holds its request, so that no patch is needed.
 */
export const fitTaskModel: FitTaskModelWorkflow = async (request) => {
  const outcome = await outcomeOf(request);
  if (outcome.result === 'activated' && !workflowInfo().parent)
    await CancellationScope.nonCancellable(() => beginModel(request));
  return outcome;
};

async function outcomeOf(request: FitRequest): Promise<FitOutcome> {
  try {
    return await ('reference' in request.source ? adopted(request, request.source.reference) : fitted(request));
  } catch (error) {
    const failure = isCancellation(error) ? deleted(request) : fitFailureOf(error);
    return CancellationScope.nonCancellable(() => abandon(request, failure));
  }
}

/** It ends with the build that began it, which is kept for the minutes that it takes. */
setWorkflowOptions(endsWithItsBuild, fitTaskModel);

/** Nothing is scored or fitted: the fit on reference recordings was there before the model was asked for. */
async function adopted(request: FitRequest, reference: string): Promise<FitOutcome> {
  const { jobId, modelId, warnings } = request;
  setCurrentDetails('Taking over the fit on reference recordings');
  const winner = await adoptReference.executeWithOptions(
    { ...learning, summary: 'Take over the fit on reference recordings' },
    [{ request: { jobId, modelId, warnings }, reference }],
  );
  return activated(request, winner, []);
}

/** One transaction makes the model active; a model that was deleted meanwhile is abandoned. */
async function activated(request: FitRequest, winner: Winner, done: readonly Scored[]): Promise<FitOutcome> {
  const outcome = await activateModel.executeWithOptions({ ...commit, summary: `Activate ${winner.method.title}` }, [
    { request, winner, at: Date.now() },
  ]);
  return answered(request, outcome, winner, done);
}

async function answered(
  request: FitRequest,
  outcome: FitOutcome,
  winner: Winner | null,
  done: readonly Scored[],
): Promise<FitOutcome> {
  const what = winner ? `${outcome.result}: ${winner.method.title}` : outcome.result;
  setCurrentDetails([what, ...done.map(line)].join('\n\n'));
  return outcome.result === 'gone' ? await abandon(request, deleted(request)) : outcome;
}

/** The workflow of a model that a create has made, unless somebody has asked for it already. */
async function beginModel({ modelId }: FitRequest): Promise<void> {
  try {
    await startChild<TaskModelWorkflow>(temporalNames.taskModel, {
      ...taskModelStart(modelId),
      parentClosePolicy: 'ABANDON',
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/** All in one activity; step by step from where trouble of the service has kept that from going on. */
async function fitted(request: FitRequest): Promise<FitOutcome> {
  const { candidates } = request;
  const reached = patched('fit-at-once') ? await atOnce(request) : null;
  if (reached?.outcome) return answered(request, reached.outcome, reached.winner, reached.scores);
  const dataset = reached?.dataset ?? (await features(request));
  const settled = reached?.scores ?? (await scores(request, dataset));
  const dropped = settled.filter(({ status }) => status === 'dropped');
  const done: Scored[] = [...settled];
  const under = new Map<string, Promise<Scored>>();
  for (const candidate of candidates) {
    const ended = settled.find(({ method }) => method === candidate.id);
    if (ended) {
      under.set(candidate.id, Promise.resolve(ended));
      continue;
    }
    under.set(
      candidate.id,
      (async () => {
        const scored = await score(
          request,
          dataset,
          candidate,
          (candidate.members ?? []).flatMap((id) => under.get(id) ?? []),
        );
        done.push(scored);
        setCurrentDetails(detailsOf(candidates, done));
        return scored;
      })(),
    );
  }
  const all = await withDropped(request, dataset, dropped, await Promise.all(under.values()));
  if (!all.some(({ status }) => status === 'scored')) return await abandon(request, noneScored(all));

  const winner =
    reached?.winner ??
    (await chooseAndRefit.executeWithOptions({ ...learning, summary: 'Choose the best and refit on all trials' }, [
      { request, dataset, scores: all },
    ]));
  return activated(request, winner, done);
}

/** Features, candidates, refit and answer in one activity, whose heartbeats say where it stands. */
async function atOnce(request: FitRequest): Promise<FitReached | null> {
  const { candidates, featureSets } = request;
  setCurrentDetails(`Fitting ${candidates.length} candidates on ${featureSets.join(', ')}`);
  try {
    const reached = await fitAtOnce.executeWithOptions({ ...whole, summary: `Fit ${candidates.length} candidates` }, [
      { request, at: Date.now() },
    ]);
    setCurrentDetails(detailsOf(candidates, reached.scores));
    return reached;
  } catch (error) {
    if (isCancellation(error) || isAnswer(error)) throw error;
    return null;
  }
}

function features(request: FitRequest): Promise<Dataset> {
  setCurrentDetails(`Extracting ${request.featureSets.length} feature sets`);
  return extractFeatures.executeWithOptions({ ...extraction, summary: `Features: ${request.featureSets.join(', ')}` }, [
    { request },
  ]);
}

const scores = (request: FitRequest, dataset: Dataset): Promise<readonly Scored[]> =>
  patched('score-together') ? together(request, dataset) : hopeless(request, dataset);

/**
 * All candidates in one activity, whose heartbeats name those that have ended. What trouble of the service kept it from
 * scoring is scored one by one afterwards.
 */
async function together({ jobId, modelId, candidates }: FitRequest, dataset: Dataset): Promise<readonly Scored[]> {
  setCurrentDetails(`Scoring ${candidates.length} candidates`);
  try {
    const scored = await scoreCandidates.executeWithOptions(
      { ...learning, summary: `Score ${candidates.length} candidates` },
      [{ request: { jobId, modelId, candidates }, dataset }],
    );
    setCurrentDetails(detailsOf(candidates, scored));
    return scored;
  } catch (error) {
    if (isCancellation(error)) throw error;
    return [];
  }
}

/** Candidates that cannot catch up after their first fold. Trouble of the service drops nothing. */
async function hopeless({ jobId, modelId, candidates }: FitRequest, dataset: Dataset): Promise<readonly Scored[]> {
  if (candidates.length < worthDropping || !patched('drop-hopeless')) return [];
  setCurrentDetails(`Scoring ${candidates.length} candidates on the first fold`);
  try {
    return await dropHopeless.executeWithOptions({ ...learning, summary: 'First fold of every candidate' }, [
      { request: { jobId, modelId, candidates }, dataset },
    ]);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return [];
  }
}

/**
 * Where no method that was left could be fitted on these trials, the dropped ones are tried after all, in the order in
 * which they were answered, until one can be.
 */
async function withDropped(
  request: FitRequest,
  dataset: Dataset,
  dropped: readonly Scored[],
  scores: readonly Scored[],
): Promise<readonly Scored[]> {
  const left = scores.filter(({ status }) => status !== 'dropped');
  const noneFitted = left.every(({ status }) => status === 'failed') && !left.every(({ fault }) => fault);
  if (dropped.length === 0 || !noneFitted || !patched('try-dropped')) return scores;
  const all = [...scores];
  for (const { method, title } of dropped) {
    setCurrentDetails(`No other method could be fitted: trying ${title}, which was dropped after its first fold`);
    const at = request.candidates.findIndex(({ id }) => id === method);
    all[at] = await score(request, dataset, request.candidates[at]!, []);
    if (all[at].status === 'scored') break;
  }
  return all;
}

/**
 * Trouble of the service costs the candidate, not the job. An average waits for its members, which come before it in
 * the request.
 */
async function score(
  request: FitRequest,
  dataset: Dataset,
  candidate: Candidate,
  members: readonly Promise<Scored>[],
): Promise<Scored> {
  const { jobId, modelId } = request;
  const failed = (reason: string, fault: boolean): Scored => ({
    method: candidate.id,
    title: candidate.title,
    status: 'failed',
    reason,
    balancedAccuracy: null,
    seconds: null,
    ref: null,
    fault,
  });
  try {
    const scored = await Promise.all(members);
    const lost = scored.find(({ ref }) => ref === null);
    if (lost)
      return failed(`It averages ${members.length} methods, of which ${lost.title} failed: ${lost.reason}`, lost.fault);
    const input = {
      request: { jobId, modelId },
      dataset,
      candidate,
      ...(scored.length > 0 && { members: scored.flatMap(({ ref }) => ref ?? []) }),
    };
    return await scoreCandidate.executeWithOptions({ ...learning, summary: candidate.title }, [input]);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return failed(`It could not be scored on the service side: ${messageOf(error)}`, true);
  }
}

function abandon(request: FitRequest, failure: FitFailure): Promise<FitOutcome> {
  const reasons = failure.reasons.map(({ method, reason }) => `${method}: ${reason}`);
  setCurrentDetails([`${failure.code}: ${failure.message}`, ...reasons].join('\n\n'));
  return abandonFit.executeWithOptions({ ...steady, summary: `Abandon: ${failure.code}` }, [
    { request, failure, at: Date.now() },
  ]);
}

function noneScored(scores: readonly Scored[]): FitFailure {
  const reasons = scores.map(({ title, reason }) => ({ method: title, reason: reason ?? 'no reason given' }));
  return scores.length > 0 && scores.every(({ fault }) => fault)
    ? {
        code: 'BACKEND_FAILURE',
        message: 'No method could be scored on the service side; nothing was charged. Send the request again.',
        reasons,
      }
    : {
        code: 'CLASSIFIER_FIT_FAILED',
        message: `None of the ${scores.length} methods could be fitted on these trials; nothing was charged.`,
        reasons,
      };
}

const deleted = ({ modelId }: FitRequest): FitFailure => ({
  code: 'CLASSIFIER_NOT_FOUND',
  message: `${modelId} was deleted while it was fitted; nothing was charged.`,
  reasons: [],
});

const detailsOf = (candidates: readonly Candidate[], done: readonly Scored[]): string =>
  `Scored ${done.length} of ${candidates.length} candidates\n\n${done.map(line).join('\n\n')}`;

const line = ({ title, status, balancedAccuracy, reason }: Scored): string =>
  `${title}: ${status === 'scored' ? (balancedAccuracy ?? 0).toFixed(3) : `${status}, ${reason}`}`;
