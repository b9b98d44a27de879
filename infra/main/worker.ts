import { loadConfig } from '../drivers/config.ts';
import { runProcess } from './process.ts';
import { startTracing } from './tracing.ts';
import { findServers } from './servers.ts';
import { createProcessLog } from './process-log.ts';
import { startWorker } from './worker-part.ts';

/** `npm run worker`: one worker process; its servers run elsewhere. */
await runProcess(async ({ onStop, untilStopped }) => {
  const config = loadConfig();
  const { log, flush } = createProcessLog(config, 'worker');
  onStop(flush);
  const tracing = await startTracing(config, 'eeg-worker');
  onStop(() => tracing.stop());
  const worker = await startWorker(config, await findServers(config), log, (line) => log.info(line));
  onStop((signal) => worker.stop(signal));
  log.info('Worker ready');
  await Promise.race([untilStopped, worker.done]);
});
