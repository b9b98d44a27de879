import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../infra/embedded/postgres.ts';
import { openBrowser } from '../support/chromium.ts';

const program = new URL('./pages-process.ts', import.meta.url);
const results = new URL('./results/pages.md', import.meta.url);

/** What a person waits for, by the address it is at. */
const waits = {
  'sign-in page, its first field can be filled in': { address: 'origin', selector: 'input[name=email]:enabled' },
  'overview by a link that signs in, with the balance': { address: 'link', selector: '.facts .value .money' },
} as const;

type Browser = Awaited<ReturnType<typeof openBrowser>>;

/** Milliseconds from a cold process's listening until what is waited for is there, in a browser without a cache. */
async function once(browser: Browser, url: string, { address, selector }: (typeof waits)[keyof typeof waits]) {
  const child = fork(program, { env: { ...process.env, TEST_PG_URL: url } });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const told = await new Promise<{ origin: string; link: string }>((resolve) =>
      child.once('message', (message) => resolve(message as never)),
    );
    const start = performance.now();
    await page.goto(address === 'origin' ? `${told.origin}/dashboard` : told.link, { waitUntil: 'commit' });
    await page.waitForSelector(selector);
    return performance.now() - start;
  } finally {
    await context.close();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.send('stop');
    await ended;
  }
}

/** The first page of a cold API process. Target: usable within a second on a quiet machine. */
export async function pages({ runs = 10 }: { runs?: number } = {}): Promise<void> {
  const [load] = loadavg();
  const folder = await mkdtemp(join(tmpdir(), 'eeg-bench-'));
  const [postgres, browser] = await Promise.all([
    startEmbeddedPostgres({ dir: join(folder, 'postgres') }),
    openBrowser(),
  ]);
  try {
    const lines: string[] = [];
    for (const [words, wait] of Object.entries(waits)) {
      const times: number[] = [];
      for (let run = 0; run < runs; run++) times.push(await once(browser, postgres.url, wait));
      times.sort((a, b) => a - b);
      const [median, longest] = [times[Math.floor(runs / 2)], times.at(-1)!];
      lines.push(`| ${words} | ${times[0].toFixed(0)} | ${median.toFixed(0)} | ${longest.toFixed(0)} |`);
    }
    const text = [
      '# The first page of a cold API process',
      '',
      `From its listening until the page can be used, in Chromium without a cache; milliseconds over ${runs} processes ` +
        `each, ${cpus().length} cores, browser, API and Postgres on the same machine, whose load average from other ` +
        `work was ${load.toFixed(1)}. The pages are bundled while the process starts, before it listens. ` +
        'Target: within 1,000 on a quiet machine.',
      '',
      '| until | shortest | median | longest |',
      '|---|---|---|---|',
      ...lines,
      '',
    ].join('\n');
    await writeFile(results, text);
    console.log(text);
  } finally {
    await browser.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
