import { loadConfig } from '../drivers/config.ts';
import { runProcess } from './process.ts';
import { signUpLine } from './sign-up-line.ts';
import { startStack } from './stack.ts';
import { createTerminal } from './terminal.ts';

/** `npm start`: API, worker and the embedded servers in one process tree. Ctrl-C stops all of them; the data stays. */
await runProcess(async ({ onStop, untilStopped }) => {
  const config = loadConfig();
  const terminal = createTerminal();
  const started = performance.now();
  const stack = await startStack(config, 'npm start', terminal);
  onStop(() => stack.stop());
  terminal.done();
  terminal.line(`Ready in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  terminal.line(`  API           ${stack.apiUrl}   (documentation: ${stack.apiUrl}/docs)`);
  if (config.warmUp)
    terminal.line(
      `                its threads still warm up: the first answers are slower until ${stack.apiUrl}/readyz answers 200`,
    );
  terminal.line(`  Dashboard     ${stack.apiUrl}/dashboard`);
  terminal.line(await signUpLine(stack.servers.databaseUrl));
  if (stack.servers.uiUrl) terminal.line(`  Temporal UI   ${stack.servers.uiUrl}`);
  terminal.line(`  Data          ${config.dataDir}`);
  terminal.line('Ctrl-C stops everything; the data stays. Accounts and keys: npm run -s admin -- help');
  await Promise.race([untilStopped, stack.done]);
  terminal.line('Stopping …');
});
