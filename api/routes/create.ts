import type { FastifyInstance } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { CreateRequest, ZeroShotRequest } from '../contract/requests.ts';
import type { ApiDeps } from '../deps.ts';
import { countLabels, planFit, refuseUnsupported } from '../use-cases/plan.ts';
import { sendAnswer } from '../http/answer.ts';
import { readBody } from '../http/read-body.ts';
import { callerOf } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import type { CreateInput } from '../use-cases/create-input.ts';
import { createCollecting } from '../use-cases/create-deferred.ts';
import { createFitted } from '../use-cases/create-fitted.ts';
import { estimateCreate } from '../use-cases/estimate.ts';

const day = 86_400_000;

const isZeroShot = (envelope: object): envelope is ZeroShotRequest => 'mode' in envelope;

function noReferenceData({ description, classes }: ZeroShotRequest): ApiError {
  return new ApiError(
    'NO_REFERENCE_DATA',
    `No reference recordings are installed for "${description}"${classes ? ` (${classes.length} classes)` : ''}. Send labelled trials of your own instead.`,
    { field: 'description' },
  );
}

/** `expires_at`, or `expires_in_days` from the instant of the request. */
const expiryOf = (
  { expires_at, expires_in_days }: Pick<CreateRequest, 'expires_at' | 'expires_in_days'>,
  at: Date,
): Date | null =>
  expires_at !== null
    ? new Date(expires_at)
    : expires_in_days !== null
      ? new Date(at.getTime() + expires_in_days * day)
      : null;

export function createRoute(app: FastifyInstance, deps: ApiDeps): void {
  const config = { endpoint: 'task_models.create', scopes: ['predictions'], bodyBytes: limits.bodyBytes };
  app.post('/v1/task-models', { config }, async (request, reply) => {
    const caller = callerOf(request);
    const read = await readBody(deps, request, 'create');
    if ('replay' in read) return sendAnswer(reply, request, read.replay, { replayed: true });
    const { intake } = read;
    return runOnce(deps, request, reply, intake.hash, async (ticket) => {
      const { envelope, trials, signal } = intake;
      if (isZeroShot(envelope)) {
        await refuseUnsupported(deps, envelope.description, envelope.classes ?? []);
        throw noReferenceData(envelope);
      }
      const create = envelope as Omit<CreateRequest, 'x'>;
      const trialsPerClass = countLabels(create.labels);
      const plan = await planFit(deps, {
        description: create.description,
        trialsPerClass,
        channelNames: intake.channelNames,
        sourceRateHz: create.sampling_rate_hz,
        samples: trials!.samples,
        seconds: signal!.seconds_per_trial,
        sessions: new Set(intake.sessions).size || 1,
        storedFeaturesOnly: create.defer_fit,
        missingChannels: create.missing_channels,
        ...(trials!.positions ? { positions: trials!.positions } : {}),
        ...(intake.contexts ? { recordings: new Set(intake.contexts).size } : {}),
      });
      const input: CreateInput = {
        caller,
        requestId: request.id,
        usage: request.usage,
        create,
        plan,
        trialsPerClass,
        trials: trials!,
        signal: signal!,
        sessions: intake.sessions,
        recordings: intake.contexts,
        windows: intake.windows,
        expiresAt: expiryOf(create, caller.at),
      };
      if (create.dry_run) return estimateCreate(deps, input, ticket);
      return create.defer_fit ? createCollecting(deps, input, ticket) : createFitted(deps, input, ticket);
    });
  });
}
