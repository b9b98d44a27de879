import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Chromium: that of `CHROMIUM`, else the machine's. */
export async function openBrowser(): Promise<Browser> {
  const program = process.env['CHROMIUM'] ?? programs.find((path) => existsSync(path));
  if (!program) throw new Error(`Chromium is none of ${programs.join(', ')}: install it, or set CHROMIUM.`);
  return await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
}

const folder = fileURLToPath(new URL('../artefacts/', import.meta.url));

/** Where a picture is kept for whoever looks: a path in `test/artefacts`, which the repository ignores. */
export function artefact(name: string): string {
  mkdirSync(folder, { recursive: true });
  return `${folder}${name}`;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds in a page, a line for each rule. It is put into the page by evaluation: open the page in a context with
 * `bypassCSP`.
 */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate('axe.run(document)')) as {
    violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
  };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`);
}
