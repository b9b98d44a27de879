import { ApiError } from '../../contract/errors.ts';

/** Hashes take a thread of libuv's four and 19 MiB each: two at once leave threads for files and names. */
const most = 2;
/** More than these waiting would wait for seconds. */
const mostWaiting = 64;
/** And half of them are the most that wait for one network, or whoever else asks. */
const mostOfOne = mostWaiting / 2;

let running = 0;
const waiting: { readonly whose: string | null; readonly begin: () => void }[] = [];

/**
 * Runs `work` when fewer than two others run in this process. ApiError POOL_SATURATED where 64 wait already, 32
 * of them for the same `whose` (null: nobody in particular).
 */
export async function oneOfFew<T>(work: () => Promise<T>, whose: string | null): Promise<T> {
  if (running < most) running += 1;
  else {
    const own = whose === null ? 0 : waiting.filter((each) => each.whose === whose).length;
    if (waiting.length >= mostWaiting || own >= mostOfOne)
      throw new ApiError('POOL_SATURATED', `${waiting.length} passwords wait to be checked. Send the request again.`, {
        retryAfterSeconds: 5,
      });
    await new Promise<void>((begin) => waiting.push({ whose, begin }));
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next.begin();
    else running -= 1;
  }
}
