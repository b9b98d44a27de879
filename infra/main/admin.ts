import { text } from 'node:stream/consumers';
import { runAdmin } from '../admin/index.ts';
import { ConfigError, loadConfig } from '../drivers/config.ts';
import { openDatabase } from '../drivers/postgres/index.ts';
import { renewSecrets } from '../drivers/secrets.ts';
import { openDatabaseServer, openObjects } from './servers.ts';

const outcome = await runAdmin(process.argv.slice(2), async () => {
  const config = loadConfig();
  const server = await openDatabaseServer(config);
  try {
    const pool = await openDatabase(server.url, { max: 4 });
    return {
      pool,
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
