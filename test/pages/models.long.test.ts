import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createAccount } from '../../infra/records/accounts/accounts.ts';
import { createKey } from '../../infra/records/accounts/keys.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { readRecording } from '../../infra/recordings/edf/read-recording.ts';
import { cutTrials } from '../../infra/recordings/epochs.ts';
import { send, startTestApi, type TestApi } from '../support/api.ts';
import { createBrowser } from '../support/browser.ts';
import { artefact, openBrowser, violations } from '../support/chromium.ts';
import { schemes, screens } from '../support/chromium-page.ts';
import { fitInProcess } from '../support/fit-in-process.ts';
import { passwordHash } from '../support/password-hash.ts';
import { dataFolder } from '../support/recordings.ts';
import { longRecording, peopleReference } from '../support/model-pages.ts';

const file = join(dataFolder, 'eegmmidb/1.0.0/S001/S001R04.edf');
const absent = !existsSync(file);
if (absent) process.stderr.write(`\nSKIPPED: the recording ${file} is not there (set EEG_DATA to its folder)\n`);

/** Names that would run, were they not written as text. */
const hostile = {
  name: '<script>alert("name")</script>',
  description: 'imagery <img src=x onerror=alert("description")>',
  labels: { T1: '<b onclick=alert(1)>left</b>', T2: '"><svg onload=alert(2)>right' },
  file: '<img src=x onerror=alert(3)>.edf',
};

const password = 'long enough';
const email = 'models@example.org';

let api: TestApi;
let chromium: Browser;
let base: string;
let cookie: { name: string; value: string; url: string };
let modelId: string;
/** A model whose method is linear in channel space, so that heads are drawn. */
let spatialId: string;
/** Ids of the methods that fits try. */
let tried = /./;
let context: BrowserContext;
/** What a page said that no page may say: errors, refused sources, dialogs. */
let faults: string[] = [];

async function open(path: string, size = 'desktop') {
  context = await chromium.newContext({ viewport: screens[size]!, colorScheme: 'light', reducedMotion: 'reduce' });
  await context.addCookies([cookie]);
  const page = await context.newPage();
  page.setDefaultTimeout(150_000);
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (said) => {
    if (said.type() === 'error' && !/status of 4\d\d/.test(said.text())) faults.push(said.text());
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(base + path);
  return page;
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor();

/** The page in light and dark on each screen: no violation, nothing wider than the screen, a picture of each. */
async function looksRight(name: string, path: string, ready: (page: Page) => Promise<unknown>): Promise<void> {
  for (const size of Object.keys(screens)) {
    const page = await open(path, size);
    await ready(page);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      await page.screenshot({ path: artefact(`${name}-${size}-${colorScheme}.png`), fullPage: true });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      expect(await violations(page)).toEqual([]);
    }
    await context.close();
  }
}

beforeAll(async () => {
  if (absent) return;
  api = await startTestApi({}, { inProcess: true });
  const jobs = fitInProcess({ pool: api.database.pool, objects: api.deps.objects }, ({ candidates }) =>
    candidates.filter(({ id }) => tried.test(id)),
  );
  const app = api.second({ jobs });
  await app.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const hash = await passwordHash();
  const at = new Date();
  const { id: accountId } = await transaction(api.database.pool, (sql) =>
    createAccount(sql, { email, passwordHash: hash, acceptTerms: true, at }),
  );
  await transaction(api.database.pool, (sql) =>
    credit(sql, { accountId, amount: 100_000_000n, source: 'operator', at }),
  );
  const visitor = createBrowser(app);
  expect((await visitor.post('/sign-in', { email, password })).status).toBe(200);
  const [name, value] = visitor.cookie.split('=') as [string, string];
  cookie = { name, value, url: base };
  const { key } = await createKey(api.database.pool, { accountId, mode: 'live', at });
  const { trials } = cutTrials(readRecording(readFileSync(file)), {
    labels: hostile.labels,
    window: [0, 4],
    session: 'one',
  });
  const create = async (name: string, description: string): Promise<string> => {
    const made = await send(app, key, 'POST', '/v1/task-models', {
      x: Buffer.from(trials.x.buffer).toString('base64'),
      shape: [trials.labels.length, trials.channels.length, trials.samples],
      sampling_rate_hz: trials.rateHz,
      units: 'uV',
      channels: trials.channels,
      labels: trials.labels,
      name,
      description,
    });
    expect([made.status, made.body?.message]).toEqual([201, undefined]);
    return made.body.id;
  };
  modelId = await create(hostile.name, hostile.description);
  tried = /^csp/;
  spatialId = await create('Spatial', 'motor imagery: left or right fist');
  tried = /./;
  chromium = await openBrowser();
}, 300_000);

afterEach(async () => {
  await context?.close();
  const found = faults;
  faults = [];
  expect(found).toEqual([]);
});
afterAll(async () => {
  await chromium?.close();
  await api?.close();
});

describe.skipIf(absent)('the pages of the models', () => {
  it('a model that a key made is listed, with its score beside chance', async () => {
    const page = await open('/dashboard/models');
    const row = page.getByRole('row', { name: hostile.name });
    await row.waitFor();
    await expect.poll(() => row.innerText()).toMatch(/active[\s\S]*guessing 50\s%/);
    await looksRight('models', '/dashboard/models', (each) => each.getByRole('row', { name: hostile.name }).waitFor());
  });

  it('its report is drawn: every chart with its numbers as a table', async () => {
    const page = await open(`/dashboard/models/${modelId}`);
    await heading(page, hostile.name);
    for (const title of ['Scores by method', 'Confusion matrix', 'Learning curve', 'Calibration', 'Controls']) {
      const figure = page.locator('figure', { hasText: title }).first();
      await figure.waitFor();
      await figure.locator('svg[role=img]').first().waitFor();
      await figure.getByText(`Numbers of “${title}”`).first().waitFor();
    }
    await expect.poll(() => page.locator('figure').getByText(hostile.labels.T1).count()).toBeGreaterThan(0);
    expect(await page.locator('main script, main img, main svg[onload]').count()).toBe(0);
    await expect.poll(() => page.getByText(`/v1/task-models/${modelId}/predictions`).count()).toBeGreaterThan(0);
    await looksRight('model', `/dashboard/models/${modelId}`, (each) => heading(each, hostile.name));
  });

  it('the patterns of a linear method are drawn on heads, with their values as a table', async () => {
    const page = await open(`/dashboard/models/${spatialId}`);
    const figure = page.locator('figure', { hasText: 'What it looks at' });
    await figure.waitFor();
    const heads = await figure.locator('.heads svg[role=img]').count();
    expect(heads).toBeGreaterThan(0);
    await figure.screenshot({ path: artefact('heads.png') });
    await expect.poll(() => figure.locator('.heads svg').first().locator('.electrode').count()).toBe(64);
    await expect.poll(() => figure.locator('.heads svg').first().locator('path[class^=band-]').count()).toBe(8);
    await figure.getByText('Numbers of “What it looks at”').click();
    await expect.poll(() => figure.getByRole('row').count()).toBe(65);
    await looksRight('model-spatial', `/dashboard/models/${spatialId}`, (each) => heading(each, 'Spatial'));
  });

  it('evidence over people, and 64 classes, are drawn', async () => {
    const classes = Array.from({ length: 64 }, (_, i) => `class ${i + 1}`);
    const page = await open('/dashboard');
    await page.route(`**/v1/task-models/${spatialId}`, async (route) => {
      const model = await (await route.fetch()).json();
      const report = model.training_report;
      report.confusion_matrix = {
        labels: classes,
        counts: classes.map((_, i) => classes.map((_, j) => Math.max(0, 9 - 3 * Math.abs(i - j)))),
      };
      report.validation.kind = 'people';
      report.reference = peopleReference;
      await route.fulfill({ json: { ...model, mode: 'zero_shot', explanation: { left: 'A fist is imagined.' } } });
    });
    await page.goto(`${base}/dashboard/models/${spatialId}`);
    const people = page.locator('figure', { hasText: 'Evidence over people' });
    await people.getByText('Numbers of').click();
    await people.getByRole('row', { name: 'One person to come' }).getByText('38 to 97 %').waitFor();
    await expect.poll(() => page.locator('rect.cell').count()).toBe(4096);
    await page.getByText('A fist is imagined.').waitFor();
    await page.screenshot({ path: artefact('model-zero-shot.png'), fullPage: true });
    expect(await violations(page)).toEqual([]);
  });

  it('a fit that runs shows its candidates as they are scored', async () => {
    const candidate = { balanced_accuracy: null, reason: null, seconds: null };
    const jobs = [
      { ...candidate, id: 'a', title: 'Common spatial patterns', status: 'running' },
      { ...candidate, id: 'b', title: 'Tangent space', status: 'scored', balanced_accuracy: 0.81, seconds: 1.24 },
      { ...candidate, id: 'c', title: '<i>Riemann</i>', status: 'dropped', reason: 'It lay far behind.' },
    ];
    let known = 1;
    const page = await open('/dashboard');
    await page.route('**/dashboard/api/jobs', async (route) => {
      const candidates = jobs.slice(0, known);
      const job = { job_id: 'job', model_id: spatialId, name: null, description: '', mode: 'live' };
      await route.fulfill({ json: { data: [{ ...job, started: new Date(0).toISOString(), candidates }] } });
    });
    await page.goto(`${base}/dashboard/models`);
    await page.getByText('0 of 1 candidates so far').waitFor();
    known = jobs.length;
    await page.getByText('2 of 3 candidates so far').waitFor();
    const first = page.locator('.candidates li').first();
    await expect.poll(() => first.innerText()).toMatch(/Tangent space[\s\S]*81\s%/);
    await page.getByText('<i>Riemann</i>').waitFor();
    await page.screenshot({ path: artefact('running.png'), fullPage: true });
    expect(await violations(page)).toEqual([]);
  });

  it('it is renamed, gets an expiry, loses it, and is deleted after a confirmation', async () => {
    const page = await open(`/dashboard/models/${modelId}`);
    await heading(page, hostile.name);
    await page.getByLabel('Name', { exact: true }).fill('Fists');
    await page.getByRole('button', { name: 'Save name' }).click();
    await heading(page, 'Fists');
    const expiry = page.getByLabel('Expires on');
    await expiry.fill('2099-01-02');
    await page.getByRole('button', { name: 'Save expiry' }).click();
    await page.locator('.model-facts').getByText('2099-01-02').waitFor();
    await expiry.fill('2001-01-01');
    await page.getByRole('button', { name: 'Save expiry' }).click();
    await page.locator('.wrong').waitFor();
    await expiry.fill('');
    await page.getByRole('button', { name: 'Save expiry' }).click();
    await page.locator('.model-facts').getByText('never', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete this model' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete this model' }).click();
    await page.getByRole('button', { name: 'Delete the model' }).click();
    await heading(page, 'Models');
    await page.getByText('Spatial').waitFor();
    expect(await page.getByRole('link', { name: 'Fists' }).count()).toBe(0);
    await page.goto(`${base}/dashboard/models/${modelId}`);
    await expect.poll(() => page.reload().then(() => page.getByText('was deleted').first().isVisible())).toBe(true);
  });
});

describe.skipIf(absent)('a create from a recording', () => {
  const choose = async (page: Page, name: string, bytes: Uint8Array): Promise<void> =>
    await page
      .getByLabel(/^Choose (other )?recordings$/)
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) });
  const fill = async (page: Page): Promise<void> => {
    await choose(page, hostile.file, readFileSync(file));
    await page.getByLabel('Class of the event T1').fill(hostile.labels.T1);
    await page.getByLabel('Class of the event T2').fill(hostile.labels.T2);
    await page.getByRole('button', { name: /^Motor imagery or movement/ }).click();
    await page.getByLabel('What the task is').fill('motor imagery: left or right fist');
    await page.getByText('33 of 100 characters').waitFor();
    await page.getByLabel('Name of the model').fill('From a file');
  };

  /** A live create of more trials than one request carries. */
  const fillLong = async (page: Page): Promise<void> => {
    await choose(page, 'long.edf', longRecording());
    await page.getByLabel('Class of the event a').fill('one');
    await page.getByLabel('Class of the event b').fill('two');
    await page.getByLabel('What the task is').fill('motor imagery: one or two');
    await page.getByLabel('Live').check();
  };

  it('ends in a report, after an estimate that costs nothing', async () => {
    const page = await open('/dashboard/create');
    await fill(page);
    await page.getByText('64 of 64 channels are electrodes, at 160 Hz').waitFor();
    await page.getByRole('button', { name: 'Show the estimate' }).click();
    await page.getByText('Free: this is a test model', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create the test model' }).click();
    await page.waitForURL(/\/dashboard\/models\/clf_/, { timeout: 240_000 });
    await heading(page, 'From a file');
    await page.locator('figure', { hasText: 'Confusion matrix' }).waitFor();
    await expect.poll(() => page.locator('.badge', { hasText: 'test' }).count()).toBe(1);
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
    await page.goto(`${base}/dashboard/models`);
    await page.getByRole('region', { name: 'Test models' }).getByText('From a file').waitFor();
  }, 600_000);

  it('a live one names its price; a later change of the settings needs a new estimate', async () => {
    const page = await open('/dashboard/create');
    await fill(page);
    await page.getByLabel('Live').check();
    await page.getByRole('button', { name: 'Show the estimate' }).click();
    await page.getByRole('button', { name: 'Create the model for $2.00' }).waitFor();
    await page.getByLabel('To (s)').fill('3');
    await page.getByRole('button', { name: 'Create the model for $2.00' }).waitFor({ state: 'detached' });
    await page.getByLabel('Class of the event T2').fill('');
    await page.getByRole('button', { name: 'Show the estimate' }).click();
    await page.getByText('Name at least 2 classes; so far there are 1.').first().waitFor();
  });

  it('trials beyond one request are sent in batches, and their cost is shown before', async () => {
    const page = await open('/dashboard/create');
    await fillLong(page);
    await page.getByRole('button', { name: 'Show the estimate' }).click();
    await page.getByText('in 2 batches').first().waitFor();
    await page.getByText('$0.594 for 198 windows').waitFor();
    await page.getByRole('button', { name: 'Create the model for $2.594' }).waitFor();
    tried = /^csp-lda/;
    await page.getByLabel('Test').check();
    await page.getByRole('button', { name: 'Show the estimate' }).click();
    await page.getByRole('button', { name: 'Create the test model' }).click();
    await page.waitForURL(/\/dashboard\/models\/clf_/, { timeout: 240_000 });
    await page.getByText('198 trials of 4 s, 12 channels').waitFor();
    tried = /./;
  }, 600_000);

  it('in batches it shows the whole cost; if it is refused halfway, the trials that were sent can be fitted', async () => {
    const page = await open('/dashboard');
    await page.route('**/dashboard/api/me', async (route) => {
      const me = await (await route.fetch()).json();
      await route.fulfill({ json: { ...me, balance_usd: '2.50' } });
    });
    await page.goto(`${base}/dashboard/create`);
    await fillLong(page);
    await page.getByRole('button', { name: 'Show the estimate' }).click();
    await page.getByText('$0.094 is missing for the whole create').waitFor();
    const button = page.getByRole('button', { name: 'Create the model for $2.594' });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await page.unroute('**/dashboard/api/me');
    const refusal = { code: 'INVALID_REQUEST', message: 'Not this one.', field: '', alternatives: [], details: {} };
    await page.route('**/trials', (route) => route.fulfill({ status: 422, json: refusal }));
    await page.getByRole('button', { name: 'Show the estimate' }).click();
    await page.locator('button:enabled', { hasText: 'Create the model for $2.594' }).click();
    await page.getByText('The service keeps the trials that were sent.').waitFor();
    await page.goto(`${base}/dashboard/models`);
    await page.getByRole('table', { name: 'Live models' }).getByRole('link').first().click();
    await page.getByRole('button', { name: 'Fit now for $2.00' }).waitFor();
    expect(await violations(page)).toEqual([]);
    tried = /^csp-lda/;
    await page.getByRole('button', { name: 'Fit now for $2.00' }).click();
    await page.getByText('99 trials of 4 s, 12 channels').waitFor({ timeout: 240_000 });
    tried = /./;
  }, 600_000);

  it('sent again after a reload, it is answered by the same model and paid once', async () => {
    const page = await open('/dashboard/create');
    const name = 'Paid once';
    const create = async (): Promise<void> => {
      await fill(page);
      await page.getByLabel('Name of the model').fill(name);
      await page.getByLabel('Live').check();
      await page.getByRole('button', { name: 'Show the estimate' }).click();
      await page.getByRole('button', { name: 'Create the model for $2.00' }).click();
    };
    const sent = page.waitForRequest((request) => request.headers()['idempotency-key'] !== undefined);
    await create();
    await sent;
    await page.reload();
    await page.getByText('A create was begun in this tab').waitFor();
    await create();
    await page.waitForURL(/\/dashboard\/models\/clf_/, { timeout: 240_000 });
    await heading(page, name);
    await page.goto(`${base}/dashboard/models`);
    await page.getByRole('link', { name }).first().waitFor();
    await expect.poll(() => page.getByRole('link', { name }).count()).toBe(1);
  }, 600_000);

  it('a file that is no recording is refused with the message of the reader; one that is cut short is read with a notice', async () => {
    const page = await open('/dashboard/create');
    await choose(page, hostile.file, Buffer.from('no recording'));
    await page.getByText(`${hostile.file} cannot be read. This is not an EDF or BDF file`).waitFor();
    await choose(page, 'cut.edf', readFileSync(file).subarray(0, 90_000));
    await page.getByText(/^Its header promises \d+ data records and \d+ are there/).waitFor();
  });

  it('looks right with a recording and an estimate', async () => {
    await looksRight('create-empty', '/dashboard/create', (page) => heading(page, 'Create a model from a file'));
    await looksRight('create', '/dashboard/create', async (page) => {
      await fill(page);
      await page.getByRole('button', { name: 'Show the estimate' }).click();
      await page.getByRole('button', { name: 'Create the test model' }).waitFor();
    });
  }, 600_000);
});
