import { Readable } from 'node:stream';
import type { Pace } from './collect.ts';

/** Bytes that go to the socket at a time. */
const sliceBytes = 64 * 1024;

/**
 * An answer as a stream. A reader that is slower than `pace` is disconnected, and the bytes are freed. `close` means
 * that they are freed. The time before the reader can start does not count.
 */
export function paced(bytes: Uint8Array, pace: Pace): Readable {
  let sent = 0;
  /** Remaining seconds in which the reader may take nothing. */
  let patience = pace.patienceSeconds;
  let checkedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = performance.now();
    patience -= (now - checkedAt) / 1000;
    checkedAt = now;
    if (patience < 0) stream.destroy(new Error(`The reader took ${sent} of ${bytes.length} bytes and paused.`));
  };
  const stream = new Readable({
    highWaterMark: sliceBytes,
    read() {
      if (!timer) {
        checkedAt = performance.now();
        timer = setInterval(look, pace.patienceSeconds * 100);
      }
      const slice = bytes.subarray(sent, sent + sliceBytes);
      sent += slice.length;
      patience = Math.min(pace.patienceSeconds, patience + slice.length / pace.bytesPerSecond);
      this.push(slice.length > 0 ? slice : null);
    },
    destroy(error, done) {
      clearInterval(timer);
      done(error);
    },
  });
  return stream;
}
