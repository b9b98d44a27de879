import { relative } from 'node:path';
import { loadConfig } from '../drivers/config.ts';
import { demoSignInPath, openDemoAccount } from './demo/account.ts';
import { demoHelp, readDemoOptions } from './demo/options.ts';
import { readOwnRecording } from './demo/own-recording.ts';
import { runDemo } from './demo/run.ts';
import { readSampleRecording } from '../recordings/sample/sample-recording.ts';
import { runProcess } from './process.ts';
import { signUpLine } from './sign-up-line.ts';
import { startStack } from './stack.ts';
import { createTerminal } from './terminal.ts';

/**
 * `npm run demo`: starts everything that `npm start` starts, then runs the service's main job on a recording through
 * the public HTTP API.
 */
await runProcess(async ({ onStop, untilStopped }) => {
  const options = readDemoOptions(process.argv.slice(2));
  if (!options) return console.log(demoHelp);
  const config = loadConfig();
  const terminal = createTerminal();
  const recording = options.own ? await readOwnRecording(options.own) : readSampleRecording();
  const started = performance.now();
  terminal.status('Starting Postgres, Temporal, the worker and the API');
  const stack = await startStack(config, 'npm run demo', terminal);
  onStop(() => stack.stop());
  terminal.line(
    `Postgres, Temporal, the worker and the API are ready after ` +
      `${((performance.now() - started) / 1000).toFixed(1)} s.`,
  );
  const { accountId, key, keyFile } = await openDemoAccount(stack.servers.databaseUrl, config.dataDir);
  await runDemo({ recording, apiUrl: stack.apiUrl, key, terminal });
  terminal.line('');
  terminal.line('Still serving until Ctrl-C:');
  terminal.line(`  API           ${stack.apiUrl}   (documentation: ${stack.apiUrl}/docs)`);
  terminal.line(await signUpLine(stack.servers.databaseUrl));
  if (stack.servers.uiUrl) terminal.line(`  Temporal UI   ${stack.servers.uiUrl}   (the job and its candidates)`);
  terminal.line(
    `  Try           curl -H "Authorization: Bearer $(cat ${relative(process.cwd(), keyFile) || keyFile})" ` +
      `${stack.apiUrl}/v1/task-models`,
  );
  const path = await demoSignInPath(stack.servers.databaseUrl, accountId);
  terminal.line(`  Dashboard     ${stack.apiUrl}${path}   (signs in as the demo account, once, within an hour)`);
  await Promise.race([untilStopped, stack.done]);
  terminal.line('Stopping …');
});
