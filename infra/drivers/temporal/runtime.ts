import { DefaultLogger, Runtime } from '@temporalio/worker';

let installed = false;

/**
 * The SDK's runtime of this process: warnings only, and no signal handlers, since `infra/main` decides when a process
 * ends. Where a runtime exists already (a test environment's), that one is used.
 */
export function installRuntime(log: (line: string) => void): void {
  if (installed) return;
  installed = true;
  const logger = new DefaultLogger('WARN', ({ level, message }) => log(`Temporal ${level}: ${message}`));
  try {
    Runtime.install({ logger, shutdownSignals: [], telemetryOptions: { logging: { filter: 'ERROR', forward: {} } } });
  } catch {
    return;
  }
}
