import { DefaultLogger, Runtime, type LogEntry } from '@temporalio/worker';
import type { Log, LogFields } from '../../observe/log.ts';

let installed = false;

/** Maps the SDK's log levels to ours. */
const levels = { TRACE: 'debug', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Fields of the SDK's log entries that are kept: only ids. */
const fieldsOf = ({ workflowId, activityType, error }: NonNullable<LogEntry['meta']>): LogFields => ({
  ...(typeof workflowId === 'string' && { workflow: workflowId }),
  ...(typeof activityType === 'string' && { activity: activityType }),
  ...(error !== undefined && { error }),
});

/**
 * The SDK's runtime of this process: warnings only, and no signal handlers, since `infra/main` decides when a process
 * ends. Where a runtime exists already (a test environment's), that one is used.
 */
export function installRuntime(log: Log): void {
  if (installed) return;
  installed = true;
  const logger = new DefaultLogger('WARN', ({ level, message, meta = {} }) => {
    // Expected: the worker of heavy activities has no workflows.
    if (message.startsWith('No workflows registered')) return;
    log[levels[level]](`Temporal: ${message}`, fieldsOf(meta));
  });
  try {
    Runtime.install({ logger, shutdownSignals: [], telemetryOptions: { logging: { filter: 'ERROR', forward: {} } } });
  } catch {
    return;
  }
}
