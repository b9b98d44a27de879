import { isFree } from '../../infra/embedded/ports.ts';

/**
 * A free port below those that systems give to connections, so that it is free again after a kill. Temporal
 * stores its ports as 16-bit integers with a sign.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(12_000 * Math.random());
    if (await isFree(port)) return port;
  }
}
