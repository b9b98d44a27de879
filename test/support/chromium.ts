import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];
const folders = ['/usr/bin', ...(process.env['PATH'] ?? '').split(delimiter)];

/** Chromium: that of `CHROMIUM`, else the machine's. */
const program =
  process.env['CHROMIUM'] ??
  names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
const missing = `${names.join(', ')}: none is on PATH; install one, or set CHROMIUM`;

/** True if this machine has no browser; prints a warning then. */
export const chromiumMissing = program === undefined;
if (chromiumMissing) process.stderr.write(`\nSKIPPED: ${missing}\n`);

export async function openBrowser(): Promise<Browser> {
  if (!program) throw new Error(missing);
  return await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
}

const kept = process.env['CI_ARTIFACTS'] ?? fileURLToPath(new URL('../artefacts/', import.meta.url));

/** Path of a picture for later inspection: in `CI_ARTIFACTS`, or in `test/artefacts`, which git ignores. */
export function artefact(name: string): string {
  mkdirSync(kept, { recursive: true });
  return join(kept, name);
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Axe then describes each violation in full, and of everything else one element a rule, which takes less than half the time. */
const only = "{ resultTypes: ['violations'] }";

/**
 * Axe's findings in a page, a line for each rule. Axe is injected by evaluation: open the page in a context with
 * `bypassCSP`.
 */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  const found = (await page.evaluate(`axe.run(document, ${only})`)) as {
    violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`);
}
