import { loadConfig } from '../drivers/config.ts';
import { loadSecrets } from '../drivers/secrets.ts';
import { startCodecServer } from '../drivers/temporal/codec-server.ts';
import { runProcess } from './process.ts';
import { createTerminal } from './terminal.ts';

/**
 * `npm run codec`: decrypts payloads for the Temporal interface in this machine's browser, or for its `temporal`
 * command, with the DATA_ENCRYPTION_KEY of the environment.
 */
await runProcess(async ({ onStop, untilStopped }) => {
  const { dataEncryptionKeys } = await loadSecrets(loadConfig());
  const server = await startCodecServer(dataEncryptionKeys);
  onStop(() => server.stop());
  const terminal = createTerminal();
  terminal.line(`Codec endpoint ${server.url}`);
  terminal.line(
    'Enter it in the Temporal interface as its codec server, or give it to the command as --codec-endpoint.',
  );
  terminal.line('Whoever knows it can read what Temporal stores. Ctrl-C ends it.');
  await untilStopped;
});
