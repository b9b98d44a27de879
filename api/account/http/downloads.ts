import type { Readable } from 'node:stream';
import { ApiError } from '../../../infra/contract/errors.ts';
import type { Pace } from '../../http/collect.ts';
import { pacedPieces } from '../../http/paced-pieces.ts';

/** Downloads of an account's whole history. An account has one at a time. It ends with its stream. */
export class Downloads {
  readonly #pace: Pace;
  readonly #running = new Set<string>();

  constructor(pace: Pace) {
    this.#pace = pace;
  }

  /** Throws CONCURRENCY_LIMITED while the account has an unfinished download. */
  start(accountId: string, pieces: AsyncGenerator<string>): Readable {
    if (this.#running.has(accountId))
      throw new ApiError('CONCURRENCY_LIMITED', 'Another download of the account is under way; wait until it ends.', {
        advice: ['Send the request again when the download has ended.'],
        retryAfterSeconds: 5,
      });
    this.#running.add(accountId);
    return pacedPieces(pieces, this.#pace).once('close', () => this.#running.delete(accountId));
  }
}
