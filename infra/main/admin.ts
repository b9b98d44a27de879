import { text } from 'node:stream/consumers';
import { runAdmin } from './admin/run-admin.ts';
import { ConfigError, loadConfig } from '../drivers/config.ts';
import { openDatabase } from '../drivers/postgres/pool.ts';
import { loadSecrets, renewSecrets } from '../drivers/secrets.ts';
import { createTemporalClient } from '../drivers/temporal/client.ts';
import { openDatabaseServer, openObjects, temporalServerOf } from './servers.ts';

const outcome = await runAdmin(process.argv.slice(2), async () => {
  const config = loadConfig();
  const server = await openDatabaseServer(config);
  try {
    const pool = await openDatabase(server.url, { max: 4 });
    const opened: { close(): Promise<unknown> }[] = [];
    return {
      pool,
      async temporal() {
        const { temporalAddress } = server;
        if (temporalAddress === null)
          throw new ConfigError(['Set TEMPORAL_ADDRESS, or start the service: no Temporal server is known here.']);
        const addresses = { temporalAddress, secrets: await loadSecrets(config) };
        const temporal = createTemporalClient(temporalServerOf(config, addresses));
        opened.push(temporal);
        return temporal.client;
      },
      objects: () => openObjects(config),
      standardInput: async () => (process.stdin.isTTY ? null : (await text(process.stdin)).replace(/\r?\n$/, '')),
      async renewSecrets() {
        if (config.dataEncryptionKeys === null && !server.alone)
          throw new ConfigError([
            `The service runs on ${config.dataDir} and would not know the new key: stop it, then run this again.`,
          ]);
        return { ...(await renewSecrets(config, new Date())), objects: await openObjects(config) };
      },
      async close() {
        await Promise.all(opened.map((each) => each.close()));
        await pool.end();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
});

if (outcome.out !== null) console.log(outcome.out);
for (const line of outcome.errors) console.error(line);
process.exitCode = outcome.exitCode;
