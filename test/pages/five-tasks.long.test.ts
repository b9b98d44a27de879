import { readFileSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleFile } from '../../infra/recordings/sample/sample-recording.ts';
import { chromiumMissing, openBrowser } from '../support/chromium.ts';
import { watchedPage } from '../support/chromium-page.ts';
import { fitInProcess } from '../support/fit-in-process.ts';
import { startPagesService, type PagesService } from '../support/pages-service.ts';

/**
 * Five tasks of a person new to the pages. Each begins where the last one ended. The script uses only what a person sees:
 * texts, roles and labels. It types no address except the first. With RECORD_TASKS=1 it writes five-tasks.md.
 */

const results = new URL('./five-tasks.md', import.meta.url);
const wrongTurns: Readonly<Record<string, string>> = {
  'Sign up and get a report from sample data': '0',
  'Label a second recording and download the table':
    '1: the file chooser hid the files of BrainVision. It lists them now',
  'Make a model from own files': '1: the list of models said “Create from a file”, the overview “Create a model”',
  'Share a report and end the link': '0',
  'Find the price of a month and set a limit':
    '2: Billing showed no price, and nothing led from it to the spending caps. Both are there now',
};

let service: PagesService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let page: Page;
beforeAll(async () => {
  if (chromiumMissing) return;
  [service, browser] = await Promise.all([startPagesService(fitInProcess), openBrowser()]);
  ({ page } = await watchedPage(browser, service.origin, { acceptDownloads: true }));
  await page.goto('/');
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  if (process.env['RECORD_TASKS'] === '1') record();
});

interface Done {
  readonly seconds: number;
  readonly actions: number;
}
const done = new Map<string, Done>();
/** Clicks, filled fields and chosen files of the running task. */
let actions = 0;

const click = async (target: Locator): Promise<void> => {
  actions++;
  await target.click();
};
const fill = async (label: string, text: string): Promise<void> => {
  actions++;
  await page.getByLabel(label, { exact: true }).fill(text);
};
const choose = async (label: string, ...names: Parameters<typeof sampleFile>[0][]): Promise<void> => {
  actions++;
  const files = names.map((name) => ({ name, mimeType: 'application/edf', buffer: Buffer.from(sampleFile(name)) }));
  await page.getByLabel(label, { exact: true }).setInputFiles(files);
};
const link = (name: string): Locator => page.getByRole('link', { name, exact: true });
const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const verdict = (of: Page = page): Locator => of.getByText(/on new trials .*guessing gives 50\s%/).first();

const task = (name: string, act: () => Promise<void>): void =>
  it.skipIf(chromiumMissing)(name, async () => {
    actions = 0;
    const begin = performance.now();
    await act();
    done.set(name, { seconds: (performance.now() - begin) / 1000, actions });
  });

task('Sign up and get a report from sample data', async () => {
  await click(link('Sign up and try with sample data'));
  await fill('E-mail', `new-${crypto.randomUUID().slice(0, 8)}@example.org`);
  await fill('Password', 'correct horse battery');
  await click(page.getByLabel(/^I accept the/));
  await click(button('Sign up'));
  await click(button('Try with sample data'));
  await verdict().waitFor();
});

task('Label a second recording and download the table', async () => {
  await choose('Choose a recording', 'fists-or-feet-3.edf');
  await click(button('Label 12 trials'));
  await page.getByText(/of 12 labels are right/).waitFor();
  const [file] = await Promise.all([page.waitForEvent('download'), click(button('Download as CSV'))]);
  expect(
    readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\n'),
  ).toHaveLength(13);
});

task('Make a model from own files', async () => {
  await click(link('Models'));
  await click(link('Create a model'));
  await choose('Choose recordings', 'fists-or-feet-1.edf', 'fists-or-feet-2.edf');
  await fill('What the task is, and what each class means', 'motor imagery: both fists or both feet');
  await click(button('Show the estimate'));
  await click(button('Create the test model'));
  await verdict().waitFor();
});

task('Share a report and end the link', async () => {
  await click(button('Make a link'));
  const address = page.getByRole('link', { name: /\/shared\// });
  const [visitor] = await Promise.all([page.waitForEvent('popup'), click(address)]);
  await verdict(visitor).waitFor();
  await click(button('End this link'));
  await click(button('End the link'));
  await button('Make a link').waitFor();
  await visitor.reload();
  await visitor.getByRole('heading', { name: 'This report is not shared any more' }).waitFor();
  await visitor.close();
});

task('Find the price of a month and set a limit', async () => {
  await click(link('Billing'));
  await page.getByText('Keep a model').waitFor();
  await page.getByText('$1.00').first().waitFor();
  await click(link('set a spending cap'));
  await fill('Monthly cap in US dollars', '10');
  await click(button('Save the caps'));
  await page.getByText('The spending caps are saved.').waitFor();
});

it.skipIf(chromiumMissing)('no task is abandoned', () => {
  expect([...done.keys()]).toEqual(Object.keys(wrongTurns));
});

function record(): void {
  const rows = [...done].map(
    ([name, { seconds, actions: count }]) =>
      `| ${name} | yes | ${seconds.toFixed(0)} | ${count} | ${wrongTurns[name]} |`,
  );
  const text = [
    '# Five tasks of a person new to the pages',
    '',
    `Measured ${new Date().toISOString().slice(0, 10)} in Chromium by \`five-tasks.long.test.ts\`, with the few methods ` +
      'that tests fit. Seconds are those of the script, which reads nothing; most of them are fits. Wrong turns were ' +
      'noted before, from the source and the pictures of the pages, and mended.',
    '',
    '| task | completed | seconds | clicks and fields | wrong turns |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  writeFileSync(results, text);
}
