import { Readable } from 'node:stream';
import type { Pace } from './collect.ts';

/**
 * An answer that is produced in pieces as its reader takes them. A reader that is slower than `pace` is disconnected.
 * The time to produce a piece does not count. `close` means that production has stopped.
 */
export function pacedPieces(pieces: AsyncGenerator<string>, pace: Pace): Readable {
  let sent = 0;
  let making = false;
  /** Remaining seconds in which the reader may take nothing. */
  let patience = pace.patienceSeconds;
  let checkedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    if (!making) patience -= (now - checkedAt) / 1000;
    checkedAt = now;
    if (patience < 0) stream.destroy(new Error(`The reader took ${sent} bytes and paused.`));
  }, pace.patienceSeconds * 100);
  const pushNext = async (): Promise<void> => {
    making = true;
    const { done, value } = await pieces.next();
    making = false;
    checkedAt = performance.now();
    if (stream.destroyed) return;
    if (done) return void stream.push(null);
    const bytes = Buffer.from(value);
    sent += bytes.length;
    patience = Math.min(pace.patienceSeconds, patience + bytes.length / pace.bytesPerSecond);
    stream.push(bytes);
  };
  const stream = new Readable({
    read: () => void pushNext().catch((error: Error) => stream.destroy(error)),
    destroy(error, done) {
      clearInterval(timer);
      const end = (): void => done(error);
      void pieces.return(undefined).then(end, end);
    },
  });
  return stream;
}
