import { loadConfig } from '../drivers/config.ts';
import { startApi } from './api-part.ts';
import { runProcess } from './process.ts';
import { findServers } from './servers.ts';
import { createTerminal } from './terminal.ts';
import { readTransport } from './transport.ts';

/** `npm run api`: one API process on servers that run elsewhere. */
await runProcess(async ({ onStop, untilStopped }) => {
  const config = loadConfig();
  await readTransport(config);
  const terminal = createTerminal();
  const api = await startApi(config, await findServers(config), terminal, terminal.line);
  onStop((signal) => api.stop(signal));
  terminal.line(`API ${api.url}`);
  await untilStopped;
});
