import { loadConfig } from '../drivers/config.ts';
import { loadSecrets } from '../drivers/secrets.ts';
import { startCodecServer } from '../drivers/temporal/codec-server.ts';
import { runProcess } from './process.ts';
import { createTerminal } from './terminal.ts';

/** Usual port of a Temporal interface on this machine. */
const usualUiPort = 8233;

/**
 * `npm run codec`: decrypts payloads for a Temporal interface in a browser of this machine, or for its `temporal`
 * command, with the environment's DATA_ENCRYPTION_KEY. Only pages of TEMPORAL_UI_ORIGINS get answers in a browser.
 */
await runProcess(async ({ onStop, untilStopped }) => {
  const config = loadConfig();
  const { dataEncryptionKeys } = await loadSecrets(config);
  const { temporalUiOrigins, temporalUiPort } = config;
  const local = ['127.0.0.1', 'localhost'].map((name) => `http://${name}:${temporalUiPort ?? usualUiPort}`);
  const origins = temporalUiOrigins.length > 0 ? temporalUiOrigins : local;
  const server = await startCodecServer(dataEncryptionKeys, origins);
  onStop(() => server.stop());
  const terminal = createTerminal();
  terminal.line(`Codec endpoint ${server.url}`);
  terminal.line(`Pages of ${origins.join(' and ')} may use it (TEMPORAL_UI_ORIGINS).`);
  terminal.line('In that interface, enter it under "Codec Server" for your browser alone. For the `temporal` command,');
  terminal.line('set TEMPORAL_CODEC_ENDPOINT to it: an option of the command would show it to other users.');
  terminal.line('A caller that knows it can read what Temporal stores. Ctrl-C ends it.');
  await untilStopped;
});
