import { setTimeout as sleep } from 'node:timers/promises';
import { msToTs } from '@temporalio/common/lib/time.js';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { temporalTestServer } from './temporal-test-server.ts';

/** The SDK waits five seconds for its server; on a busy machine the first start can take longer. */
const starts = 5;

/**
 * A Temporal server whose clock jumps over timers: seven days pass in seconds. One for each test file; `teardown` ends
 * it.
 */
export async function createTimeSkippingEnvironment(): Promise<TestWorkflowEnvironment> {
  const path = await temporalTestServer();
  for (let attempt = 1; ; attempt++) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path } },
      });
    } catch (error) {
      if (attempt === starts) throw error;
    }
  }
}

/**
 * The dev server that the global setup started: real time, no web interface. A file whose workflow ids other files also
 * use takes its own namespace, which is created here.
 */
export async function connectDevServer(namespace = 'default'): Promise<TestWorkflowEnvironment> {
  const address = process.env.TEST_TEMPORAL_ADDRESS;
  if (!address) throw new Error('TEST_TEMPORAL_ADDRESS is not set: this test belongs to the vitest project "stack".');
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace });
  if (namespace !== 'default') await makeNamespace(env, namespace);
  return env;
}

/** The server takes requests of a new namespace after some seconds. */
async function makeNamespace({ connection }: TestWorkflowEnvironment, namespace: string): Promise<void> {
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs('1 day'),
  });
  const known = () =>
    connection.workflowService.listOpenWorkflowExecutions({ namespace, maximumPageSize: 1 }).then(
      () => true,
      () => false,
    );
  const until = performance.now() + 60_000;
  while (!(await known()) && performance.now() < until) await sleep(200);
}
