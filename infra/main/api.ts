import { loadConfig } from '../drivers/config.ts';
import { startApi } from './api-part.ts';
import { runProcess } from './process.ts';
import { startTracing } from './tracing.ts';
import { findServers } from './servers.ts';
import { createProcessLog } from './process-log.ts';
import { readTransport } from './transport.ts';

/** `npm run api`: one API process; its servers run elsewhere. */
await runProcess(async ({ onStop, untilStopped }) => {
  const config = loadConfig();
  await readTransport(config);
  const { log, flush } = createProcessLog(config, 'api');
  onStop(flush);
  const tracing = await startTracing(config, 'eeg-api');
  onStop(() => tracing.stop());
  const api = await startApi(config, await findServers(config), log, (line) => log.info(line));
  onStop((signal) => api.stop(signal));
  log.info(`API ${api.url} takes requests.`);
  await untilStopped;
});
