import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '../../infra/contract/errors.ts';
import { examples, type ExampleName } from '../../api/contract/examples.ts';
import { operations } from '../../api/routes/routes.ts';
import { trainingReport } from '../../infra/contract/training-report.ts';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { createBody, labels } from '../support/requests.ts';

let api: TestApi;
let document: any;
beforeAll(async () => {
  api = await startTestApi();
  document = (await send(api.app, null, 'GET', '/openapi.json')).body;
});
afterAll(() => api.close());

/** Every route of an application as `METHOD /path`, HEAD left out, from the tree that Fastify prints. */
function servedBy(app: TestApi['app']): string[] {
  const parts: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const found = /^([│├└─ ]*)(\S+)(?: \(([A-Z, ]+)\))?/.exec(line);
      if (!found) return [];
      const [, lead, part, methods = ''] = found;
      parts.length = lead.length / 4 - 1;
      parts.push(part);
      const named = methods.split(', ').filter((method) => method && method !== 'HEAD');
      return named.map((method) => `${method} ${parts.join('')}`);
    });
}

describe('/openapi.json', () => {
  it('is OpenAPI 3.1 of interface version 0.1.0', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('0.1.0');
  });

  it('names every route of the application, and no other', () => {
    const described = operations
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/, ':$1')}`)
      .sort();
    for (const route of described) {
      const [method, url] = route.split(' ');
      expect(api.app.hasRoute({ method: method as 'GET', url }), route).toBe(true);
    }
    const served = servedBy(api.app).filter((route) => / \/(v1\/|healthz|readyz)/.test(route));
    expect(served.sort()).toEqual(described);
  });

  it('resolves every reference', () => {
    const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path);
    expect(targets.length).toBeGreaterThan(50);
    for (const path of new Set(targets))
      expect(
        path.split('/').reduce((node, key) => node?.[key], document),
        path,
      ).toBeDefined();
  });

  it('documents every error code of the table with its status', () => {
    expect(document['x-errors']).toEqual(errorTable);
    const text = JSON.stringify(document.paths);
    const missing = Object.keys(errorTable).filter((code) => !text.includes(`\`${code}\``));
    expect(missing).toEqual([]);
  });
});

describe('every example', () => {
  const shown = operations.flatMap(({ id, examples: names = [] }) => names.map((name) => ({ id, name })));

  it('appears on a page', () => {
    expect(shown.map(({ name }) => name).sort()).toEqual((Object.keys(examples) as ExampleName[]).sort());
  });

  it.each(shown)('$name of $id gets the stated answer', async ({ id, name }) => {
    const account = await newAccount(api.database);
    const { method, path } = operations.find((operation) => operation.id === id)!;
    const { value, status } = examples[name];
    const needs = id === 'predict' ? examples.create : examples.defer_fit;
    const model = path.includes('{model_id}')
      ? (await send(api.app, account.key, 'POST', '/v1/task-models', needs.value)).body.id
      : '';
    if (id === 'fitTaskModel') {
      const rest = examples.batch.value.labels.map(() => 'rest');
      await send(api.app, account.key, 'POST', `/v1/task-models/${model}/trials`, {
        ...examples.batch.value,
        labels: rest,
      });
    }
    const reply = await send(api.app, account.key, method.toUpperCase(), path.replace('{model_id}', model), value);
    expect(reply.status, reply.text).toBe(status);
  });
});

describe('the training report', () => {
  const sessions = labels.map((_, trial) => (trial < 6 ? 'monday' : 'friday'));
  it.each([
    ['of trials without sessions', {}],
    ['of two sessions', { sessions }],
    ['of sessions that are the classes', { sessions: labels }],
  ])('%s is described completely; a list holds its scores', async (_what, change) => {
    const { key } = await newAccount(api.database, { key: { mode: 'test' } });
    const created = await send(api.app, key, 'POST', '/v1/task-models', createBody(change));
    expect(created.status, created.text).toBe(201);
    const { training_report: report, id } = created.body;
    expect(trainingReport.parse(report)).toEqual(report);
    expect((await send(api.app, key, 'GET', `/v1/task-models/${id}`)).body.training_report).toEqual(report);
    const [row] = (await send(api.app, key, 'GET', '/v1/task-models')).body.data;
    const { balanced_accuracy, chance, corrected } = report;
    expect(row.training_report).toEqual({ balanced_accuracy, chance, corrected });
  });

  it('has its fields named in the document', () => {
    const { TrainingReport: described, TaskModelRow: row } = document.components.schemas;
    expect(described.additionalProperties).toBe(false);
    expect(Object.keys(described.properties)).toEqual(Object.keys(trainingReport.shape));
    expect(JSON.stringify(row.properties.training_report)).toContain('TrainingReportSummary');
  });
});
