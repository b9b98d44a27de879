import { z } from 'zod';
import { errorTable, type ErrorCode } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import { modelIdPattern } from '../../infra/contract/model-id.ts';
import { examples } from '../contract/examples.ts';
import { job } from '../contract/job.ts';
import { errorsOf, tags, type Operation } from '../contract/operation.ts';
import { jobIdPattern } from '../../infra/contract/job-id.ts';
import { answerExamples, errorExamples } from './answer-examples.ts';
import * as requests from '../contract/requests.ts';
import * as responses from '../contract/responses.ts';
import * as service from '../contract/service-responses.ts';
import { preparation, prior, referenceEvidence } from '../../infra/contract/reference-evidence.ts';
import { signalReport, taskModel } from '../../infra/contract/task-model-resource.ts';
import { reportSummary, trainingReport } from '../../infra/contract/training-report.ts';
import { version } from '../contract/version.ts';
import { makePortable } from './portable.ts';

type Json = Record<string, unknown>;

const idOf = (schema: z.ZodType): string => String(z.globalRegistry.get(schema)?.id);
const ref = (schema: z.ZodType): Json => ({ $ref: `#/components/schemas/${idOf(schema)}` });
/** Name of a component that is a union of schemas: `CreateRequestOrZeroShotRequest`. */
const unionId = (schemas: readonly z.ZodType[]): string => schemas.map(idOf).join('Or');
const oneOf = (schemas: readonly z.ZodType[]): Json => ({ $ref: `#/components/schemas/${unionId(schemas)}` });

/** Bodies that are unions of schemas. Code generators need a name for each. */
function unionsOf(operations: readonly Operation[]): Json {
  const bodies = operations.flatMap(({ requests: sent = [], answers }) => [
    sent,
    ...Object.values(answers).map(({ schema }) => [schema].flat() as z.ZodType[]),
  ]);
  const several = bodies.filter((schemas) => schemas.length > 1);
  return Object.fromEntries(several.map((schemas) => [unionId(schemas), { oneOf: schemas.map(ref) }]));
}

function componentsOf(schemas: readonly z.ZodType[], io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  for (const schema of schemas) registry.add(schema, { id: idOf(schema) });
  const made = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ jsonSchema }) => makePortable(jsonSchema as Json),
  }).schemas;
  return Object.fromEntries(
    Object.entries(made).map(([id, { $schema: _schema, $id: _id, ...schema }]) => [id, schema]),
  );
}

const header = (words: string, schema: Json): Json => ({ description: words, schema });
const text = { type: 'string' };

const headers: Json = {
  'X-Request-Id': header('Id of this request; an error repeats it in `details.request_id`.', text),
  'Retry-After': header('Seconds to wait before sending the request again.', { type: 'string', pattern: '^\\d+$' }),
  'x-ratelimit-limit-requests': header(`Requests allowed per ${limits.rateWindowSeconds}-second window.`, {
    type: 'string',
    pattern: '^\\d+$',
  }),
  'x-ratelimit-remaining-requests': header('Requests left in the current window.', {
    type: 'string',
    pattern: '^\\d+$',
  }),
  'x-ratelimit-reset-requests': header('Time until the window ends.', { type: 'string', pattern: '^\\d+s$' }),
  'Idempotent-Replayed': header('`true` when a stored answer is sent again.', { type: 'string', const: 'true' }),
  Location: header('Path of the created task model, or of the job.', { type: 'string' }),
  'Preference-Applied': header('The preferences that the answer follows (RFC 7240).', { type: 'string' }),
};
const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const rateHeaders = ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-requests'];

function errorAnswers(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.map((code) => `\`${code}\`: ${errorTable[code].meaning}`).join(' '),
        headers: headerRefs([
          'X-Request-Id',
          ...(group.some((code) => errorTable[code].retryAfter) ? ['Retry-After'] : []),
        ]),
        content: {
          'application/json': {
            schema: ref(responses.errorObject),
            examples: Object.fromEntries(
              group
                .filter((code) => code in errorExamples())
                .map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}

/** Links from the id of a created model to the operations that use it. Clients and test tools follow them. */
const linksOf = (operations: readonly Operation[]): Json =>
  Object.fromEntries(
    operations
      .filter(({ path }) => path.includes('{model_id}'))
      .map(({ id }) => [id, { operationId: id, parameters: { model_id: '$response.body#/id' } }]),
  );

/** Whether a 200 may say when to send the request again. */
const waits = ({ id, answers }: Operation): boolean => '202' in answers || id === 'getJob';

function answersOf(operation: Operation, links: Json): Json {
  const good = Object.entries(operation.answers).map(([status, { schema, words }]) => [
    status,
    {
      description: words,
      headers: headerRefs([
        'X-Request-Id',
        ...(operation.scopes ? rateHeaders : []),
        ...(operation.idempotent ? ['Idempotent-Replayed'] : []),
        ...(status === '201' || (status === '202' && operation.respondsAsync) ? ['Location'] : []),
        ...(status === '202' && operation.respondsAsync ? ['Preference-Applied'] : []),
        ...(status === '202' || (status === '200' && waits(operation)) ? ['Retry-After'] : []),
      ]),
      content: {
        'application/json': {
          schema: oneOf([schema].flat() as z.ZodType[]),
          examples: answerExamples(operation.id, status),
        },
      },
      ...(status === '201' ? { links } : {}),
    },
  ]);
  return { ...(Object.fromEntries(good) as Json), ...errorAnswers(errorsOf(operation)) };
}

/**
 * Characters of a header value (RFC 9110, 5.5), one per byte: visible characters, with blanks and tabs between them.
 * Blanks and tabs at the ends do not belong to the value and do not count in its length.
 */
const visible = '[!-~\\u0080-\\u00ff]';
const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: {
    type: 'string',
    pattern: `^[ \\t]*${visible}([ -~\\t\\u0080-\\u00ff]{0,${limits.idempotencyKeyBytes - 2}}${visible})?[ \\t]*$`,
  },
  description:
    `Any unique text of at most ${limits.idempotencyKeyBytes} bytes that a header carries, a UUID for example. The ` +
    `same key with the same body is answered once and billed once, for ${limits.idempotencyKeyDays} days. After the end ` +
    'of the model, the answer is CLASSIFIER_NOT_FOUND. The key belongs to the exact bytes of the body, also of an ' +
    'estimate: the create after it needs one of its own. Test and live keys are kept apart. ' +
    'With a key a fit goes on when the connection ends, and its answer waits; without one it is cancelled and not charged.',
};
const prefer = {
  name: 'Prefer',
  in: 'header',
  required: false,
  schema: { type: 'string', examples: ['respond-async', 'respond-async, wait=30'] },
  description:
    'RFC 7240. `respond-async` with an Idempotency-Key: the answer is 202 with a job, at once, or after `wait` seconds if ' +
    `the fit has not ended by then (at most ${limits.waitSeconds}). Without a key, and for estimates and batches, it is ` +
    'ignored.',
};
const jobId = {
  name: 'job_id',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: jobIdPattern.source },
  description: 'Id of a job.',
};
const modelId = {
  name: 'model_id',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: modelIdPattern.source },
  description: 'Id of a task model.',
};

function parametersOf({ path, query = [], idempotent, respondsAsync }: Operation): Json[] {
  return [
    ...(path.includes('{model_id}') ? [modelId] : []),
    ...(path.includes('{job_id}') ? [jobId] : []),
    ...query.map(({ name, schema, words }) => ({ name, in: 'query', required: false, schema, description: words })),
    ...(idempotent ? [idempotencyKey] : []),
    ...(respondsAsync ? [prefer] : []),
  ];
}

function bodyOf({ requests: schemas, bodyOptional = false, examples: names = [] }: Operation): Json {
  if (!schemas) return {};
  const shown = Object.fromEntries(
    names.map((name) => [name, { summary: examples[name].summary, value: examples[name].value }]),
  );
  return {
    requestBody: {
      required: !bodyOptional,
      content: { 'application/json': { schema: oneOf(schemas), examples: shown } },
    },
  };
}

function pathsOf(operations: readonly Operation[]): Json {
  const links = linksOf(operations);
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [
      path,
      Object.fromEntries(
        group.map((operation) => [
          operation.method,
          {
            operationId: operation.id,
            tags: [operation.tag],
            summary: operation.summary,
            description: operation.description,
            ...(operation.scopes
              ? { security: [{ apiKey: [] }], 'x-permissions': operation.scopes }
              : { security: [] }),
            parameters: parametersOf(operation),
            ...bodyOf(operation),
            responses: answersOf(operation, links),
          },
        ]),
      ),
    ]),
  );
}

/** The interface description: OpenAPI 3.1 from the zod schemas, the error table and the operations. */
export function openApiDocument(operations: readonly Operation[]): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'EEG task classifiers',
      version,
      contact: { name: 'The operator of this service', url: '/docs' },
      description:
        'Labelled EEG trials in, a hosted classifier with honest evidence out. Research use only; not a ' +
        'medical device. The [documentation](/docs) says how to begin.\n\n' +
        '## Keys\n\nSend `Authorization: Bearer <API_KEY>` with every request except health and status. Every answer ' +
        'carries `X-Request-Id`.',
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: pathsOf(operations),
    'x-errors': errorTable,
    components: {
      schemas: {
        ...componentsOf(
          [
            requests.createRequest,
            requests.zeroShotRequest,
            requests.batchRequest,
            requests.predictRequest,
            requests.fitRequest,
            requests.patchRequest,
          ],
          'input',
        ),
        ...componentsOf(
          [
            signalReport,
            responses.finding,
            trainingReport,
            reportSummary,
            taskModel,
            responses.taskModelRow,
            responses.batchAnswer,
            responses.estimate,
            responses.zeroShotEstimate,
            preparation,
            prior,
            referenceEvidence,
            responses.listPage,
            responses.predictionList,
            responses.usage,
            responses.quotaUse,
            service.health,
            service.readinessCheck,
            service.ready,
            service.pretrainedModel,
            service.serviceStatus,
            responses.change,
            responses.errorObject,
            responses.preparing,
            job,
          ],
          'output',
        ),
        ...unionsOf(operations),
      },
      headers,
      examples: errorExamples(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the account dashboard.' },
      },
    },
  };
}
