import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GivenFile } from '../../infra/recordings/given-file.ts';
import { makeBugInputs, type BugInputs } from '../support/bug-inputs.ts';
import { chromiumMissing, openBrowser } from '../support/chromium.ts';
import { watchedPage, type WatchedPage } from '../support/chromium-page.ts';
import { fitInProcess } from '../support/fit-in-process.ts';
import { longRecording } from '../support/model-pages.ts';
import { startPagesService, type PagesService } from '../support/pages-service.ts';
import { signUp } from '../support/sample-walk.ts';

/**
 * A person with recordings of their own amplifier: signs up, makes a model from one, labels another, and downloads the
 * table, without a key or a program.
 */

/** The recordings are those of public bug reports. `label` is the second one of its kind, if there are two. */
const kinds = {
  BioSemi: { make: ['b11_biosemi.bdf'], label: ['b11_biosemi.bdf'], to: '1', task: 'motor imagery: left or right' },
  BrainVision: {
    make: ['bv1.vhdr', 'bv1.vmrk', 'bv1.eeg'],
    label: ['bv1.vhdr', 'bv1.vmrk', 'bv1.eeg'],
    to: '1',
    task: 'motor imagery: left or right',
  },
  sleep: { make: ['b16_stage_runs.edf'], label: ['b16_stage_epochs.edf'], to: '30', task: 'sleep stages' },
} as const;

let service: PagesService;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let watched: WatchedPage;
let inputs: BugInputs | null = null;
beforeAll(async () => {
  if (chromiumMissing) return;
  [service, browser, inputs] = await Promise.all([startPagesService(fitInProcess), openBrowser(), makeBugInputs()]);
  watched = await watchedPage(browser, service.origin, { acceptDownloads: true });
  watched.page.setDefaultTimeout(60_000);
  await signUp(watched.page);
});
afterAll(async () => {
  await inputs?.remove();
  await browser?.close();
  await service?.close();
});

const uploaded = ({ name, bytes }: GivenFile) => ({ name, mimeType: '', buffer: Buffer.from(bytes) });

it.skipIf(chromiumMissing).for(Object.entries(kinds))(
  '%s: from the file to a table that is equal to the answers of the interface',
  async ([kind, { make, label, to, task }], { skip }) => {
    const files = [...make, ...label];
    if (!inputs || files.some((name) => !inputs!.has(name))) {
      process.stderr.write(`\nSKIPPED: a recording of ${kind}: ${files.join(', ')} were not made\n`);
      skip();
      return;
    }
    const { page } = watched;
    await page.goto('/dashboard/create');
    await page
      .getByLabel('Choose recordings', { exact: true })
      .setInputFiles(make.map((name) => uploaded(inputs!.read(name))));
    await page.getByLabel('To (s)').fill(to);
    await page.getByLabel('What the task is').fill(task);
    await page.getByRole('button', { name: 'Show the estimate' }).click();
    await page.getByRole('button', { name: 'Create the test model' }).click();
    await page.getByTestId('report-verdict').waitFor();
    const answered = page.waitForResponse((response) => response.url().endsWith('/predictions') && response.ok());
    await page.getByTestId('label-file').setInputFiles(label.map((name) => uploaded(inputs!.read(name))));
    await page.getByTestId('label-run').click();
    const { data } = (await (await answered).json()) as {
      data: { label: string; probabilities: Record<string, number> }[];
    };
    await page.getByRole('heading', { name: `${data.length} trials labelled` }).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('label-csv').click()]);
    const [head, ...rows] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','));
    const classes = Object.keys(data[0].probabilities);
    expect(head.slice(2, 3 + classes.length)).toEqual(['label', ...classes.map((name) => `probability ${name}`)]);
    expect(rows.map((row) => row.slice(2, 3 + classes.length))).toEqual(
      data.map((each) => [each.label, ...classes.map((name) => String(each.probabilities[name]))]),
    );
    expect(rows.length).toBeGreaterThanOrEqual(24);
  },
);

it.skipIf(chromiumMissing)('a create of several batches goes on when the person opens another page', async () => {
  const { page } = watched;
  const left = Promise.withResolvers<void>();
  const later = page.waitForRequest((request) => request.url().endsWith('/trials'));
  await page.route('**/v1/task-models', async (route) => {
    const isBegun = route.request().method() === 'POST' && !route.request().postData()?.includes('"dry_run"');
    if (isBegun) await left.promise;
    await route.continue();
  });
  await page.goto('/dashboard/create');
  await page
    .getByLabel('Choose recordings', { exact: true })
    .setInputFiles(uploaded({ name: 'long.edf', bytes: longRecording() }));
  await page.getByLabel('What the task is').fill('motor imagery: one or two');
  await page.getByRole('button', { name: 'Show the estimate' }).click();
  await page.getByText('in 2 shuffled batches').waitFor();
  const begun = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/v1/task-models'),
  );
  await page.getByRole('button', { name: 'Create the test model' }).click();
  await begun;
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  left.resolve();
  await later;
  expect(watched.complaints.filter((each) => !/status of 40[14]/.test(each))).toEqual([]);
});
