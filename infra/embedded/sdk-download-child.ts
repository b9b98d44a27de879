import { installRuntime } from '../drivers/temporal/runtime.ts';

/**
 * Program of its own, so that a download that hangs can be ended: `node sdk-download-child.ts dev-server|test-server
 * FOLDER`.
 */
const [server, downloadDir] = process.argv.slice(2);
const { TestWorkflowEnvironment } = await import('@temporalio/testing');
const executable = { type: 'cached-download', downloadDir, ttl: '365d' } as const;
installRuntime(() => undefined);
const environment =
  server === 'test-server'
    ? await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
    : await TestWorkflowEnvironment.createLocal({ server: { executable } });
await environment.teardown();
