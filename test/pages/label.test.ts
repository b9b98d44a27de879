import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ApiError } from '../../infra/contract/errors.ts';
import { verdictOf } from '../../infra/contract/verdict.ts';
import type { GivenFile } from '../../infra/recordings/given-file.ts';
import { sampleFile } from '../../infra/recordings/sample/sample-recording.ts';
import { chromiumMissing, openBrowser } from '../support/chromium.ts';
import { watchedPage, type WatchedPage } from '../support/chromium-page.ts';
import { fitInProcess } from '../support/fit-in-process.ts';
import { startPagesService, type PagesService } from '../support/pages-service.ts';
import { chooseRecording, label, signUp } from '../support/sample-walk.ts';
import { tableOf } from '../support/write-table.ts';
import { brainVisionOf } from '../support/write-brainvision.ts';

/**
 * A person without a key: signs up, tries the sample data, reads the report, and labels a second recording. With
 * UPDATE_SAMPLE=1 the model becomes the public sample report.
 */

const isUpdate = process.env['UPDATE_SAMPLE'] === '1';
const publicModel = new URL('../../infra/recordings/sample/model.json', import.meta.url);

/** Fits wait until a page has shown that they run. */
const fitsMayRun = Promise.withResolvers<void>();

let service: PagesService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let watched: WatchedPage;
let page: Page;
beforeAll(async () => {
  if (chromiumMissing) return;
  const jobs = (deps: Parameters<typeof fitInProcess>[0]) => {
    const fits = isUpdate ? fitInProcess(deps, ({ candidates }) => candidates) : fitInProcess(deps);
    return {
      ...fits,
      /** As with a real worker, a caller that does not wait gets a job. */
      runFit: async (request: Parameters<typeof fits.runFit>[0]) => {
        void fitsMayRun.promise.then(() => fits.runFit(request));
        throw new ApiError('POOL_UNAVAILABLE', 'Not yet.', { details: { job: 'running' } });
      },
    };
  };
  [service, browser] = await Promise.all([startPagesService(jobs), openBrowser()]);
  watched = await watchedPage(browser, service.origin, { acceptDownloads: true });
  ({ page } = watched);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const step = it.skipIf(chromiumMissing);
interface Answered {
  readonly data: { label: string; probabilities: Record<string, number> }[];
}

/** Cells of a CSV without quotes in it. */
const cellsOf = (csv: string): string[][] =>
  csv
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));

async function csvOf(): Promise<string[][]> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('label-csv').click()]);
  expect(file.suggestedFilename()).toBe('fists-or-feet-3-labels.csv');
  return cellsOf(readFileSync(await file.path(), 'utf8'));
}

step('without a key: sign up, one click, a report with a verdict', async () => {
  await signUp(page);
  await page.getByTestId('sample-start').click();
  await page.waitForURL(/\/dashboard\/models\/clf_/);
  const id = page.url().split('/').at(-1)!;
  await page.getByRole('heading', { name: 'Being fitted' }).waitFor();
  await page.getByText('Reading the trials.').waitFor();
  fitsMayRun.resolve();
  await page.getByTestId('report-verdict').waitFor();
  const model = await page.evaluate(
    async (path) => await (await fetch(path, { headers: { 'x-key-mode': 'test' } })).json(),
    `/dashboard/api/v1/task-models/${id}`,
  );
  expect(await page.getByTestId('report-verdict').innerText()).toBe(verdictOf(model.training_report).text);
  expect(model).toMatchObject({ test: true, classes: ['both feet', 'both fists'] });
  if (isUpdate) writeFileSync(publicModel, `${JSON.stringify({ ...model, id: `clf_${'0'.repeat(32)}` }, null, 1)}\n`);
});

step('a second recording is labelled: cost before, labels, CSV equal to the answers of the interface', async () => {
  const answers: Answered[] = [];
  page.on('response', async (response) => {
    if (response.url().endsWith('/predictions') && response.ok()) answers.push(await response.json());
  });
  await chooseRecording(page);
  await label(page);
  await page.locator('.strip svg').waitFor();
  const [head, ...rows] = await csvOf();
  expect(head).toEqual([
    'trial',
    'begins_s',
    'label',
    'probability both feet',
    'probability both fists',
    'known class',
  ]);
  const data = answers.flatMap((each) => each.data);
  expect(rows.map((row) => row.slice(2, 5))).toEqual(
    data.map(({ label, probabilities }) => [
      label,
      String(probabilities['both feet']),
      String(probabilities['both fists']),
    ]),
  );
  expect(rows).toHaveLength(12);
  const right = rows.filter((row) => row[2] === row[5]).length;
  await page.getByText(`${right} of 12 labels are right`).waitFor();
  expect(right).toBeGreaterThanOrEqual(9);
});

step('every few seconds works without events, and the list of labellings keeps counts and no signal', async () => {
  await page.getByLabel('Every few seconds, over the whole recording').check();
  await page.getByText('for 25 trials').waitFor();
  await page.getByTestId('label-run').click();
  await page.getByRole('heading', { name: '25 trials labelled' }).waitFor();
  await page.getByText('Labelled before (2)').click();
  await page.getByRole('region', { name: 'Labelled before' }).getByText('free').first().waitFor();
  const kept = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  expect(kept.length).toBeLessThan(2_000);
  expect(kept).not.toContain('.edf');
});

step('a recording of several files is labelled; several recordings at once are refused in words', async () => {
  const asFile = ({ name, bytes }: GivenFile) => ({ name, mimeType: '', buffer: Buffer.from(bytes) });
  const runs = (['fists-or-feet-2.edf', 'fists-or-feet-3.edf'] as const).map((name) => ({
    name,
    bytes: sampleFile(name),
  }));
  await page.getByTestId('label-file').setInputFiles(runs.map(asFile));
  await page.getByText('These files are 2 recordings.').waitFor();
  await page.getByTestId('label-file').setInputFiles(brainVisionOf(runs[1]!.bytes, 'third').map(asFile));
  await page.getByText('third.vhdr').waitFor();
  await page.getByLabel('Every few seconds, over the whole recording').check();
  await page.getByText('for 25 trials').waitFor();
  await page.getByTestId('label-run').click();
  await page.getByRole('heading', { name: '25 trials labelled' }).waitFor();
});

step('a table that says neither its rate nor its unit asks for both', async () => {
  await page.getByTestId('label-file').setInputFiles({
    name: 'third.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(tableOf(sampleFile('fists-or-feet-3.edf'))),
  });
  await page.getByText('It does not say its sampling rate').waitFor();
  await page.getByLabel('How many samples does it have in a second?').fill('160');
  await page.getByRole('button', { name: 'Read the recording' }).click();
  const unit = page.getByLabel('The recording does not say the unit of 10 channels. Which is it?');
  await unit.selectOption('uV');
  await page.getByText('The rate is 160 Hz, as you said.').waitFor();
  await page.getByText('read in uV, as you said.').waitFor();
  await page.getByText('for 25 trials').waitFor();
  await page.getByTestId('label-run').click();
  await page.getByRole('heading', { name: '25 trials labelled' }).waitFor();
});

step('a refused recording is refused in words, and a failure shows no sentence of the interface', async () => {
  await page.getByTestId('label-file').setInputFiles({
    name: 'notes.edf',
    mimeType: 'application/edf',
    buffer: Buffer.from('no recording'),
  });
  await page.getByText('notes.edf cannot be read').waitFor();
  const secret = 'field `x`: a sentence for programs';
  await page.route('**/predictions', (route) =>
    route.fulfill({
      status: 402,
      json: {
        type: 'billing_error',
        code: 'INSUFFICIENT_CREDIT',
        message: secret,
        field: '',
        alternatives: [secret],
        details: { request_id: 'req_1' },
      },
    }),
  );
  await page.getByRole('button', { name: 'Use a sample recording' }).click();
  await page.getByText('for 12 trials').waitFor();
  await page.getByTestId('label-run').click();
  await page.getByText('Your balance is too low for this.').waitFor();
  expect(await page.content()).not.toContain(secret);
  await page.unroute('**/predictions');
  await page.getByTestId('label-run').click();
  await page.getByText(/of 12 labels are right/).waitFor();
});

step('a share link shows the report to anybody, and nothing of the account, until it is ended', async () => {
  await page.getByTestId('share-link').click();
  await page.getByRole('button', { name: 'Make another link' }).waitFor();
  const address = (await page.getByTestId('share-link').getAttribute('href'))!;
  const visitor = await watchedPage(browser, service.origin);
  await visitor.page.goto(address);
  await visitor.page.getByTestId('report-verdict').waitFor();
  const verdict = page.getByTestId('report-verdict');
  expect(await visitor.page.getByTestId('report-verdict').innerText()).toBe(await verdict.innerText());
  const seen = await visitor.page.content();
  for (const secret of [/@/, /clf_/, /\.edf/, /\$\d/, /Sample: /]) expect(seen).not.toMatch(secret);
  await page.getByTestId('share-end').click();
  await page.getByRole('button', { name: 'End the link' }).click();
  await page.getByRole('button', { name: 'Make a link' }).waitFor();
  expect((await visitor.page.goto(address))!.status()).toBe(404);
  expect(visitor.complaints.filter((each) => !/status of 404/.test(each))).toEqual([]);
  await visitor.context.close();
});

step('Ctrl K finds a model by its name, and the keyboard opens it', async () => {
  const model = page.url();
  await page.goto('/dashboard/keys');
  await page.getByTestId('go-to').waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Page or model' });
  await field.fill('fists sample');
  await page.getByRole('option', { name: /^Sample: fists or feet/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(model);
  await page.getByTestId('report-verdict').waitFor();
  await page.keyboard.press('Control+k');
  await field.waitFor();
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
});

step(
  'a deleted model is back after Undo, and gone when the page is left, also while its delete is under way',
  async () => {
    const model = page.url();
    const gone = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Delete this model' }).click();
      await page.getByRole('button', { name: 'Delete the model' }).click();
      await page.getByText('No test models yet.').waitFor();
    };
    await gone();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Sample: fists or feet' }).click();
    await gone();
    // Leaving the page sends the delete, which waits for this transaction. The page of the model waits for the delete.
    const other = await service.api.database.pool.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM task_models WHERE id = $1 FOR UPDATE', [model.split('/').at(-1)]);
    const asked = page.waitForResponse((response) => response.url().endsWith('/state'));
    await page.goto(model);
    await asked;
    await other.query('ROLLBACK');
    other.release();
    await page.getByText('This model was deleted.').first().waitFor();
    const refused = await page.evaluate(async () => (await fetch('/dashboard/api/requests?code=refused')).json());
    expect(refused.data).toEqual([]);
  },
);

step('the public sample report needs no account, and prints on two pages, in light colours', async () => {
  const visitor = await watchedPage(browser, service.origin, { colorScheme: 'dark' });
  await visitor.page.goto('/');
  await visitor.page.getByRole('link', { name: 'sample report' }).click();
  await visitor.page.getByTestId('report-verdict').waitFor();
  const stored = JSON.parse(readFileSync(publicModel, 'utf8'));
  expect(await visitor.page.getByTestId('report-verdict').innerText()).toBe(verdictOf(stored.training_report).text);
  const printed = (await visitor.page.pdf({ format: 'A4' })).toString('latin1');
  expect(printed.match(/\/Type \/Page\b/g)).toHaveLength(2);
  await visitor.page.emulateMedia({ media: 'print' });
  const method = visitor.page.getByTestId('report-method');
  await method.getByText('Compared methods').waitFor();
  expect(await method.locator('dd').allInnerTexts()).toHaveLength(6);
  const card = visitor.page.getByRole('region', { name: 'What to expect of this model' });
  expect(await card.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgb(255, 255, 255)');
  await visitor.context.close();
});

step('a picture is saved as PNG, SVG and PDF in light colours, whatever letters are in it', async () => {
  const visitor = await watchedPage(browser, service.origin, { colorScheme: 'dark', acceptDownloads: true });
  await visitor.page.route('**/sample/model.json', async (route) => {
    const model = await (await route.fetch()).json();
    model.training_report.confusion_matrix.labels = ['στόμα', '"both" <fists>'];
    await route.fulfill({ json: model });
  });
  await visitor.page.goto('/dashboard/sample');
  const figure = visitor.page.getByRole('figure').filter({ hasText: 'Confusion matrix' }).first();
  const saved = async (format: string): Promise<Buffer> => {
    const [file] = await Promise.all([
      visitor.page.waitForEvent('download'),
      figure.getByTestId(`picture-${format}`).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`confusion-matrix.${format}`);
    return readFileSync(await file.path());
  };
  const png = await saved('png');
  expect([png.subarray(1, 4).toString(), png.readUInt32BE(16)]).toEqual(['PNG', 4 * 340]);
  const svg = (await saved('svg')).toString();
  expect(svg).toMatch(/^<svg [^>]*width="340"/);
  expect(svg).toContain('fill="rgb(29, 39, 51)"');
  expect(svg).toContain('στόμα');
  expect(svg).not.toMatch(/class=|style=|var\(|<title/);
  const pdf = (await saved('pdf')).toString('latin1');
  expect(pdf).toMatch(/^%PDF-1\.5\n/);
  expect(pdf).toContain('/BaseFont /Helvetica ');
  expect(pdf).toMatch(/\/Subtype \/Image .*\/ColorSpace \/DeviceGray/);
  const places = [...pdf.matchAll(/^(\d{10}) 00000 n $/gm)].map(([, place]) => Number(place));
  for (const [i, place] of places.entries()) expect(pdf.slice(place).startsWith(`${i + 1} 0 obj`)).toBe(true);
  expect(visitor.complaints.filter((each) => !/status of 401/.test(each))).toEqual([]);
  await visitor.context.close();
});

step('nothing complains', () => {
  expect(watched.complaints.filter((each) => !/status of 40[124]/.test(each))).toEqual([]);
});
