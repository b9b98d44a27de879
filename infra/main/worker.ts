import { loadConfig } from '../drivers/config.ts';
import { runProcess } from './process.ts';
import { findServers } from './servers.ts';
import { createTerminal } from './terminal.ts';
import { startWorker } from './worker-part.ts';

/** `npm run worker`: one worker process on servers that run elsewhere. */
await runProcess(async ({ onStop, untilStopped }) => {
  const config = loadConfig();
  const terminal = createTerminal();
  const worker = await startWorker(config, await findServers(config), terminal, terminal.line);
  onStop((signal) => worker.stop(signal));
  terminal.line('Worker ready');
  await untilStopped;
});
