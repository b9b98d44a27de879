import pLimit from 'p-limit';
import { ApiError } from '../../contract/errors.ts';

/**
 * Hashes that run at once. A hash takes one of libuv's four threads and 19 MiB: two leave threads for files and DNS.
 */
const atOnce = 2;
/** Most waiting hashes; more would wait for seconds. */
const mostWaiting = 64;
/** Most waiting and running hashes of one network. */
const mostOfOne = atOnce + mostWaiting / 2;

const limit = pLimit(atOnce);
let all = 0;
const ofOne = new Map<string, number>();

/**
 * Runs `work` when fewer than two others run in this process. ApiError POOL_SATURATED if 64 wait already, or if 34 wait
 * or run for the same `whose` (null: no network).
 */
export async function oneOfFew<T>(work: () => Promise<T>, whose: string | null): Promise<T> {
  const own = whose === null ? 0 : (ofOne.get(whose) ?? 0);
  if (all >= atOnce + mostWaiting || own >= mostOfOne)
    throw new ApiError('POOL_SATURATED', `${all} passwords are being checked. Send the request again.`, {
      retryAfterSeconds: 5,
    });
  const count = (change: number): void => {
    all += change;
    if (whose !== null) ofOne.set(whose, (ofOne.get(whose) ?? 0) + change);
    if (whose !== null && ofOne.get(whose) === 0) ofOne.delete(whose);
  };
  count(1);
  try {
    return await limit(work);
  } finally {
    count(-1);
  }
}
