import { runReference } from './admin/reference-data/run-reference.ts';
import { loadConfig } from '../drivers/config.ts';
import { openDatabase } from '../drivers/postgres/pool.ts';
import { createTemporalClient } from '../drivers/temporal/client.ts';
import { runProcess } from './process.ts';
import { findServers, temporalServerOf } from './servers.ts';
import { createTerminal } from './terminal.ts';

/** `npm run reference -- list|prepare|verify`: manages reference recordings before they are needed. */
await runProcess(async ({ onStop }) => {
  const terminal = createTerminal();
  const config = loadConfig();
  onStop(async () => terminal.done());
  await runReference(process.argv.slice(2), config, terminal, async () => {
    const addresses = await findServers(config);
    const temporal = createTemporalClient(temporalServerOf(config, addresses));
    const pool = await openDatabase(addresses.databaseUrl, { max: 2 });
    return {
      pool,
      client: temporal.client,
      inPlace: config.referenceDataUrl?.startsWith('file:') ?? false,
      close: () => Promise.all([pool.end(), temporal.close()]),
    };
  });
});
