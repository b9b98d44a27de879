import { Readable } from 'node:stream';
import type { Pace } from './collect.ts';

/** Bytes that are handed to the socket at a time. */
const sliceBytes = 64 * 1024;

/**
 * An answer as a stream that its reader takes at its own pace, but no slower than `pace`: one that falls behind is cut
 * off, and the bytes are no longer held. `close` says that they are gone. What passes before the answer is handed to
 * its reader does not count.
 */
export function paced(bytes: Uint8Array, pace: Pace): Readable {
  let sent = 0;
  /** Seconds that may pass without the reader taking anything. */
  let patience = pace.patienceSeconds;
  let looked = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    const now = performance.now();
    patience -= (now - looked) / 1000;
    looked = now;
    if (patience < 0) stream.destroy(new Error(`The reader took ${sent} of ${bytes.length} bytes and paused.`));
  };
  const stream = new Readable({
    highWaterMark: sliceBytes,
    read() {
      if (!timer) {
        looked = performance.now();
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
