import { fork } from 'node:child_process';

/** Starts the Fastify echo in a process of its own. */
export async function startEcho(): Promise<{ port: number; pid: number; stop(): Promise<void> }> {
  const child = fork(new URL('./echo-process.ts', import.meta.url));
  const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(message as number)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    port,
    pid: child.pid!,
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
