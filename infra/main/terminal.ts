import { clock, type Progress } from '../embedded/progress.ts';

export { clock };

const live = process.stdout.isTTY;
const quietSeconds = 15;

/** Progress on the terminal: the status is one line that is rewritten; without a terminal, a line every 15 seconds. */
export function createTerminal(
  write: (text: string) => void = (text) => process.stdout.write(text),
  rewritable = live,
): Progress & { done(): void } {
  let shown = false;
  let last = Number.NEGATIVE_INFINITY;
  const clear = (): void => {
    if (shown) write('\r\u001B[2K');
    shown = false;
  };
  return {
    line(text) {
      clear();
      write(`${text}\n`);
    },
    status(text) {
      if (rewritable) {
        clear();
        write(text.slice(0, (process.stdout.columns || 100) - 1));
        shown = true;
      } else if (performance.now() - last > quietSeconds * 1000) {
        last = performance.now();
        write(`${text}\n`);
      }
    },
    done: clear,
  };
}
