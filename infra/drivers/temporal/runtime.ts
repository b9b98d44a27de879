import { DefaultLogger, Runtime, type LogEntry } from '@temporalio/worker';
import type { Log, LogFields } from '../../observe/log.ts';

let installed = false;

/** The SDK's levels of what it says, as ours. */
const levels = { TRACE: 'debug', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Of what the SDK tells beside its words: ids alone. */
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
    // The worker of heavy activities has no workflows, as it should.
    if (message.startsWith('No workflows registered')) return;
    log[levels[level]](`Temporal: ${message}`, fieldsOf(meta));
  });
  try {
    Runtime.install({ logger, shutdownSignals: [], telemetryOptions: { logging: { filter: 'ERROR', forward: {} } } });
  } catch {
    return;
  }
}
