import { ApiError } from '../../contract/errors.ts';

/** Hashes take a thread of libuv's four and 19 MiB each: two at once leave threads for files and names. */
const most = 2;
/** More than these waiting would wait for seconds. */
const mostWaiting = 64;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs `work` when fewer than two others run in this process. ApiError POOL_SATURATED where 64 wait already. */
export async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (running < most) running += 1;
  else {
    if (waiting.length >= mostWaiting)
      throw new ApiError('POOL_SATURATED', `${mostWaiting} passwords wait to be checked. Send the request again.`, {
        retryAfterSeconds: 5,
      });
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
