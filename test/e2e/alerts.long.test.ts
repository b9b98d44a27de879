import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const tests = fileURLToPath(new URL('alerts.promtool.yaml', import.meta.url));
const installed = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

/** Debian has `promtool` in its package `prometheus`. */
it.skipIf(!installed)('each alert fires where it should, and is quiet where it should', async () => {
  const { stdout } = await run('promtool', ['test', 'rules', tests]);
  expect(stdout).toContain('SUCCESS');
});
