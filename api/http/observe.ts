import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { modelIdForm } from '../../infra/contract/model-id.ts';
import type { Log } from '../../infra/observe/log.ts';
import { countCharge, requests } from '../../infra/observe/metrics.ts';
import { currentTrace, isTracing, startSpan, type Span } from '../../infra/observe/trace.ts';
import type { ApiDeps } from '../deps.ts';
import type { UsageNote } from './request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Data about the request for the operator's logs and metrics. */
    observed: Observed;
  }
}

interface Observed {
  readonly began: number;
  readonly span: Span | null;
  account: string | undefined;
  /** Error code of the answer. */
  code: string | null;
}

/** Slower requests are logged as warnings. Requests that fit a model may take minutes and have their own limit. */
const slowSeconds = 30;
const slowFitSeconds = 300;
const fits = new Set(['task_models.create', 'task_models.fit']);

const modelId = new RegExp(modelIdForm);

/** The model in the path, or the model that the request created. */
function modelOf({ params }: FastifyRequest, reply: FastifyReply): string | undefined {
  const text = (params as { model_id?: unknown } | null)?.model_id ?? reply.getHeader('location');
  return typeof text === 'string' ? modelId.exec(text)?.[0] : undefined;
}

/**
 * Observes every request until its answer is sent or the caller disconnects. Records metrics, a span if tracing is on,
 * and a log line: `debug`, or `warn` for a slow request.
 */
export function observeRequests(app: FastifyInstance, { log }: Pick<ApiDeps, 'log'>): void {
  app.decorateRequest('observed');
  app.addHook('onRequest', (request, reply, done) => {
    const span = isTracing() ? spanOf(request) : null;
    const observed: Observed = { began: performance.now(), span, account: undefined, code: null };
    request.observed = observed;
    requests.inFlight.inc();
    reply.raw.once('close', () => ended(request, reply, log));
    if (span) span.within(done);
    else done();
  });
  app.addHook('preHandler', (request, _reply, done) => {
    request.observed.account = request.caller?.accountId;
    done();
  });
}

function spanOf(request: FastifyRequest): Span | null {
  const { traceparent } = request.headers;
  return startSpan(`${methodOf(request)} ${routeOf(request)}`, {
    kind: 'server',
    fields: { 'http.request.method': methodOf(request), 'http.route': routeOf(request), 'eeg.request': request.id },
    ...(typeof traceparent === 'string' && { callerTrace: traceparent }),
  });
}

/** Route with placeholders. All unknown paths share one name. */
const routeOf = ({ routeOptions }: FastifyRequest): string => routeOptions.url ?? 'none';
const methodOf = ({ routeOptions, method }: FastifyRequest): string =>
  routeOptions.url === undefined ? 'any' : method;

function ended(request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const { began, span, account, code: answered } = request.observed;
  const seconds = (performance.now() - began) / 1000;
  const [route, method] = [routeOf(request), methodOf(request)];
  const disconnected = !reply.raw.writableEnded;
  const usage: UsageNote | undefined = request.usage;
  const code = answered ?? usage?.code ?? 'ok';
  requests.inFlight.dec();
  requests.seconds.observe({ route, method }, seconds);
  requests.ended.inc({ route, method, status: disconnected ? 'left' : String(reply.statusCode), code });
  if (usage?.recorded) countCharge('predict', usage.charged ?? 0n);
  span?.set({
    'http.response.status_code': reply.statusCode,
    'eeg.code': code,
    'eeg.left': disconnected,
    'eeg.account': account,
    'eeg.model': modelOf(request, reply),
  });
  const trace = span?.within(currentTrace);
  span?.end(reply.statusCode >= 500 ? code : null);
  const level = seconds > (fits.has(usage?.endpoint ?? '') ? slowFitSeconds : slowSeconds) ? 'warn' : 'debug';
  if (!log.writes(level)) return;
  log[level](level === 'warn' ? 'A request was slow.' : 'A request has ended.', {
    request: request.id,
    route: `${method} ${route}`,
    status: reply.statusCode,
    code: disconnected ? 'left' : code,
    seconds: Math.round(seconds * 1e4) / 1e4,
    account,
    model: modelOf(request, reply),
    trace,
  });
}
