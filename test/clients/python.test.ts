import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { version as interfaceVersion } from '../../api/contract/version.ts';
import { openApiDocument } from '../../api/docs/openapi.ts';
import { operations } from '../../api/routes/routes.ts';
import { limits } from '../../infra/contract/limits.ts';
import { formatUsd, prices } from '../../infra/contract/prices.ts';
import { warnMissing } from '../support/fetched-tool.ts';

const file = (name: string): string => fileURLToPath(new URL(`../../clients/python/${name}`, import.meta.url));

/** The constants of the client's module of limits, as Python evaluates them; decimals are strings. */
const program = `
import json, runpy, sys
print(json.dumps({k: v for k, v in runpy.run_path(sys.argv[1]).items() if k.isupper()}, default=str))
`;
const path = file('src/eeg_task_classifier/limits.py');
const { error, stdout, stderr } = spawnSync('python3', ['-c', program, path], { encoding: 'utf8' });
if (error) warnMissing('python3', error.message);
else if (stderr) throw new Error(stderr);
const constants = JSON.parse(stdout || '{}') as {
  ENDPOINTS: Record<string, [method: string, path: string]>;
  [name: string]: unknown;
};
const withPython = it.skipIf(error);

withPython('the Python client is of the version of the interface, and so is its package', () => {
  expect(constants['INTERFACE_VERSION']).toBe(interfaceVersion);
  expect(readFileSync(file('pyproject.toml'), 'utf8')).toContain(`\nversion = "${interfaceVersion}"\n`);
});

withPython(
  'the Python client knows endpoints of the interface description alone, by method, path and operation',
  () => {
    const rows = Object.entries(constants.ENDPOINTS);
    expect(rows.length).toBe(10);
    const { paths } = openApiDocument(operations) as { paths: Record<string, Record<string, { operationId: string }>> };
    for (const [operation, [method, path]] of rows)
      expect(paths[path]?.[method.toLowerCase()]?.operationId, `${method} ${path}`).toBe(operation);
  },
);

withPython('the Python client plans batches and money by the limits and prices of the service', () => {
  expect(constants).toMatchObject({
    NUMBERS_PER_REQUEST: limits.numbersPerRequest,
    WINDOWS_PER_REQUEST: limits.windowsPerRequest,
    WINDOW_SECONDS: limits.windowSeconds,
    BODY_BYTES: limits.bodyBytes,
    ANSWER_BYTES: limits.answerBytes,
    WORKING_RATE_HZ: limits.workingRateHz,
    BASELINE_SECONDS: [limits.baselineSeconds.min, limits.baselineSeconds.max],
    WINDOW_USD: formatUsd(prices.window),
    CREATE_USD: formatUsd(prices.createFee),
    HOSTING_USD: formatUsd(prices.hostingMonth),
  });
});
