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

/** The dev server that the global setup started: real time, web interface off, search attributes registered. */
export async function connectDevServer(namespace = 'default'): Promise<TestWorkflowEnvironment> {
  const address = process.env.TEST_TEMPORAL_ADDRESS;
  if (!address) throw new Error('TEST_TEMPORAL_ADDRESS is not set: this test belongs to the vitest project "stack".');
  return await TestWorkflowEnvironment.createFromExistingServer({ address, namespace });
}
