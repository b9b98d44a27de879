import { runModels } from './admin/weights/run-models.ts';
import { loadConfig } from '../drivers/config.ts';
import { runProcess } from './process.ts';
import { createTerminal } from './terminal.ts';

/** `npm run models -- list|pull|verify`: weights of pretrained models. */
await runProcess(async ({ onStop }) => {
  const terminal = createTerminal();
  onStop(async () => terminal.done());
  await runModels(process.argv.slice(2), loadConfig(), terminal);
});
