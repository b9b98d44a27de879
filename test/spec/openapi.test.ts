import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorTable } from '../../infra/contract/errors.ts';
import { examples, type ExampleName } from '../../api/contract/examples.ts';
import { operations } from '../../api/routes/index.ts';
import { trainingReport } from '../../api/contract/training-report.ts';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { createBody, labels } from '../support/requests.ts';

let api: TestApi;
let document: any;
let page: string;
beforeAll(async () => {
  api = await startTestApi();
  document = (await send(api.app, null, 'GET', '/openapi.json')).body;
  page = (await send(api.app, null, 'GET', '/docs')).text;
});
afterAll(() => api.close());

describe('/openapi.json', () => {
  it('is OpenAPI 3.1 of interface version 0.1.0', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('0.1.0');
  });

  it('names every route of the application, and no other', () => {
    const described = operations
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replace('{model_id}', ':model_id')}`)
      .sort();
    for (const route of described) {
      const [method, url] = route.split(' ');
      expect(api.app.hasRoute({ method: method as 'GET', url }), route).toBe(true);
    }
    const printed = api.app.printRoutes({ commonPrefix: false });
    const served = [...printed.matchAll(/\(([A-Z, ]+)\)/g)]
      .flatMap(([, methods]) => methods.split(', '))
      .filter((method) => method !== 'HEAD');
    const pages = ['/openapi.json', '/docs', '/docs/errors'];
    expect(served).toHaveLength(described.length + pages.length);
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
    expect(missing).toEqual(['NOT_FOUND']);
  });
});

describe('/docs', () => {
  it('is one self-contained page with every endpoint, and names every field of the bodies', () => {
    expect(page).not.toMatch(/<(script|link|img)|url\(|src=/);
    for (const { id, method, path } of operations) {
      expect(page).toContain(`id="${id}"`);
      expect(page).toContain(`${method.toUpperCase()} ${path}`);
    }
    for (const field of ['sampling_rate_hz', 'stride_seconds', 'normalization_context', 'align', 'reference_classes'])
      expect(page).toContain(`<code>${field}</code>`);
    for (const field of ['parameters.priors', 'corrected.trials_per_class', 'controls.p_value', 'methods.reason'])
      expect(page, field).toContain(`<code>${field}</code>`);
  });

  it('lists every error with status and meaning at /docs/errors', async () => {
    const { text, status } = await send(api.app, null, 'GET', '/docs/errors');
    expect(status).toBe(200);
    for (const [code, { status: number }] of Object.entries(errorTable))
      expect(text).toMatch(new RegExp(`id="${code}"><td><code>${code}</code></td><td>${number}</td>`));
  });
});

describe('every example', () => {
  const shown = operations.flatMap(({ id, examples: names = [] }) => names.map((name) => ({ id, name })));

  it('is shown somewhere', () => {
    expect(shown.map(({ name }) => name).sort()).toEqual((Object.keys(examples) as ExampleName[]).sort());
  });

  it.each(shown)('$name of $id is answered as it says', async ({ id, name }) => {
    const account = await newAccount(api.database);
    const { method, path } = operations.find((operation) => operation.id === id)!;
    const { value, status } = examples[name];
    const needs = id === 'predict' ? examples.create : examples.defer_fit;
    const model = path.includes('{model_id}')
      ? (await send(api.app, account.key, 'POST', '/v1/task-models', needs.value)).body.id
      : '';
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

  it('is named field by field in the document', () => {
    const { TrainingReport: described, TaskModelRow: row } = document.components.schemas;
    expect(described.additionalProperties).toBe(false);
    expect(Object.keys(described.properties)).toEqual(Object.keys(trainingReport.shape));
    expect(JSON.stringify(row.properties.training_report)).toContain('TrainingReportSummary');
  });
});
