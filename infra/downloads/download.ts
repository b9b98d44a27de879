import { setTimeout as sleep } from 'node:timers/promises';
import { FileFault } from './fault.ts';
import { openPart, type PartFile } from './part-file.ts';
import { differenceOf, type Published } from './published.ts';
import { faultOf, HttpRefusal, lacksRoom, mayRetry, type Transfer } from './transfer-errors.ts';

export interface DownloadLimits {
  /** Most requests for one file, including the first. */
  readonly attempts: number;
  /** Pause after the first request; it doubles after each further one. */
  readonly pauseSeconds: number;
  /** Timeout for the response headers, and between two chunks of the body. */
  readonly silentSeconds: number;
  /** Size limit of a file whose size is not published. */
  readonly largestBytes: number;
}

export const usualLimits: DownloadLimits = {
  attempts: 5,
  pauseSeconds: 0.5,
  silentSeconds: 30,
  largestBytes: 2 ** 28,
};
const longestPauseSeconds = 30;

export interface Download extends Transfer {
  /** Path of the file. It appears only when it is complete and checked. */
  readonly target: string;
  readonly published: Published;
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of bytes on this machine so far. */
  onSize?(bytes: number): void;
  readonly limits?: DownloadLimits | undefined;
}

/**
 * Downloads a file. Resumes the partial file of an earlier attempt or process, retries a few times, and moves only the
 * published file to its path. Deletes the partial file if the disk is full. Returns `missing` if the address has no
 * such file. Throws a FileFault, or the reason of `signal`.
 */
export async function downloadFile(download: Download): Promise<'complete' | 'missing'> {
  const { target, signal } = download;
  let part: PartFile | null = null;
  try {
    part = await openPart(target);
    const state = await receiveWhole(download, part);
    if (state === 'complete') await part.finish();
    return state;
  } catch (error) {
    signal?.throwIfAborted();
    // A partial file that fills the disk would block all other writes.
    if (lacksRoom(error)) await part?.clear();
    throw faultOf(error, download, 1);
  } finally {
    await part?.close();
  }
}

/** Sends requests until the partial file is the published file. */
async function receiveWhole(download: Download, part: PartFile): Promise<'complete' | 'missing'> {
  const { signal, limits = usualLimits, name, url, published } = download;
  let wrong = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      const resumed = part.size > 0;
      await receive(download, part, limits);
      const difference = await differenceOf(part.path, part.size, published);
      if (difference === null) return 'complete';
      await part.clear();
      // A resumed file may begin with bytes of another file, and a complete one may be damaged in transfer: start
      // again.
      if (!resumed) wrong++;
      if (wrong > 1 || attempt >= limits.attempts)
        throw new FileFault('not_the_published_file', `${name} from ${url} is not the published file: ${difference}.`);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof HttpRefusal && error.absent) return 'missing';
      if (!mayRetry(error) || attempt >= limits.attempts) throw faultOf(error, download, attempt);
      const asked = error instanceof HttpRefusal ? error.retryAfterSeconds : 0;
      const pause = Math.max(asked, limits.pauseSeconds * 2 ** (attempt - 1));
      await sleep(1000 * Math.min(longestPauseSeconds, pause), undefined, { signal });
    }
  }
}

/** One request for the missing bytes. */
async function receive(download: Download, part: PartFile, limits: DownloadLimits): Promise<void> {
  const { url, name, onSize } = download;
  const { bytes } = download.published;
  if (bytes !== null && part.size > bytes) await part.clear();
  if (part.size === bytes) return;
  const watch = createWatch(limits.silentSeconds);
  const signal = download.signal ? AbortSignal.any([download.signal, watch.signal]) : watch.signal;
  const from = part.size;
  try {
    const response = await fetch(url, {
      signal,
      headers: { 'accept-encoding': 'identity', ...(from > 0 && { range: `bytes=${from}-` }) },
    });
    const goesOn = response.status === 206 && goesOnAt(response.headers.get('content-range')) === from;
    if (from > 0 && !goesOn && (response.ok || response.status === 416)) await part.clear();
    if (!response.ok || response.body === null || (response.status === 206 && !goesOn)) {
      await response.body?.cancel();
      throw new HttpRefusal(response);
    }
    const most = bytes ?? limits.largestBytes;
    for await (const chunk of response.body) {
      watch.renew();
      if (part.size + chunk.length > most) {
        const size = part.size + chunk.length;
        await part.clear();
        throw new FileFault(
          'not_the_published_file',
          `${name} from ${url} is not the published file: it has at least ${size} bytes and ${most} are ` +
            `${bytes === null ? 'allowed' : 'published'}.`,
        );
      }
      await part.append(chunk);
      onSize?.(part.size);
    }
  } finally {
    watch.stop();
  }
}

/** Offset of the first byte of a partial response. */
const goesOnAt = (range: string | null): number => Number(/^bytes (\d+)-/.exec(range ?? '')?.[1] ?? Number.NaN);

/** A signal that aborts when no data arrives for some time. */
function createWatch(seconds: number): { signal: AbortSignal; renew(): void; stop(): void } {
  const controller = new AbortController();
  const start = (): NodeJS.Timeout =>
    setTimeout(
      () => controller.abort(new DOMException(`nothing came for ${seconds} s`, 'TimeoutError')),
      seconds * 1000,
    );
  let timer = start();
  return {
    signal: controller.signal,
    renew() {
      clearTimeout(timer);
      timer = start();
    },
    stop: () => clearTimeout(timer),
  };
}
