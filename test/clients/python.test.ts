import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { version as interfaceVersion } from '../../api/contract/version.ts';
import { openApiDocument } from '../../api/docs/openapi.ts';
import { operations } from '../../api/routes/index.ts';
import { limits } from '../../infra/contract/limits.ts';
import { formatUsd, prices } from '../../infra/contract/prices.ts';

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../clients/python/${name}`, import.meta.url)), 'utf8');
const numbers = read('src/eeg_task_classifier/limits.py');
const constant = (name: string): string => numbers.match(new RegExp(`^${name} = (.+)$`, 'm'))?.[1] ?? 'none';
const evaluated = (name: string): number =>
  constant(name)
    .split(' * ')
    .reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);

it('the Python client is of the version of the interface, and so is its package', () => {
  expect(constant('INTERFACE_VERSION')).toBe(`"${interfaceVersion}"`);
  expect(read('pyproject.toml')).toContain(`\nversion = "${interfaceVersion}"\n`);
  expect(read('src/eeg_task_classifier/__init__.py')).toContain(`\n__version__ = "${interfaceVersion}"\n`);
});

it('the Python client knows endpoints of the interface description alone, by method, path and operation', () => {
  const rows = [...numbers.matchAll(/^ {4}"(\w+)": \("([A-Z]+)", "([^"]+)"\),$/gm)];
  expect(rows.length).toBe(9);
  const { paths } = openApiDocument(operations) as { paths: Record<string, Record<string, { operationId: string }>> };
  for (const [, operation, method, path] of rows)
    expect(paths[path]?.[method.toLowerCase()]?.operationId, `${method} ${path}`).toBe(operation);
});

it('the Python client plans batches and money by the limits and prices of the service', () => {
  expect({
    numbers: evaluated('NUMBERS_PER_REQUEST'),
    windows: evaluated('WINDOWS_PER_REQUEST'),
    windowSeconds: evaluated('WINDOW_SECONDS'),
    body: evaluated('BODY_BYTES'),
    answer: evaluated('ANSWER_BYTES'),
    rateHz: evaluated('WORKING_RATE_HZ'),
    baseline: constant('BASELINE_SECONDS'),
    prices: ['WINDOW_USD', 'CREATE_USD', 'HOSTING_USD'].map(constant),
  }).toEqual({
    numbers: limits.numbersPerRequest,
    windows: limits.windowsPerRequest,
    windowSeconds: limits.windowSeconds,
    body: limits.bodyBytes,
    answer: limits.answerBytes,
    rateHz: limits.workingRateHz,
    baseline: `(${limits.baselineSeconds.min}, ${limits.baselineSeconds.max.toFixed(1)})`,
    prices: [prices.window, prices.createFee, prices.hostingMonth].map((usd) => `Decimal("${formatUsd(usd)}")`),
  });
});
