import { FileFault, type FileFaultName } from './fault.ts';
import type { Published } from './published.ts';

/** An answer that is not the file. */
export class HttpRefusal extends Error {
  readonly status: number;
  readonly retryAfterSeconds: number;
  constructor(response: Response) {
    super(`it answers ${response.status}`);
    this.status = response.status;
    this.retryAfterSeconds = Number(response.headers.get('retry-after') ?? 0) || 0;
  }
  /** The address has no such file. */
  get absent(): boolean {
    return this.status === 404 || this.status === 410;
  }
  /** The same request may be answered otherwise. */
  get passing(): boolean {
    return this.status < 400 || this.status >= 500 || [408, 416, 425, 429].includes(this.status);
  }
}

const noRoute = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const noRoom = new Set(['ENOSPC', 'EDQUOT']);
const noPlace = new Set([...noRoom, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EMFILE', 'EFBIG']);
/** The part is gone: another process found it idle, and went on with it. */
const takenOver = 'ENOENT';
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/;

/** The code of an error of the system, however deep it lies. */
function codeOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    const inner = each instanceof AggregateError ? each.errors[0] : each;
    const { code } = inner as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return '';
}

/** Whether a disk is full, or what may be written to it is used up. */
export const lacksRoom = (error: unknown): boolean => noRoom.has(codeOf(error));

/** Whether another attempt may succeed. */
export function mayRetry(error: unknown): boolean {
  if (error instanceof FileFault) return false;
  if (error instanceof HttpRefusal) return error.passing;
  const code = codeOf(error);
  return !noPlace.has(code) && code !== takenOver && !certificate.test(code);
}

export interface Transfer {
  /** What the file is called in messages. */
  readonly name: string;
  readonly url: string;
  /** A sentence: what may be done where the address cannot be reached. */
  readonly elsewhere: string;
  readonly published: Pick<Published, 'bytes'>;
}

/** What the last attempt's error means for a file. */
export function faultOf(error: unknown, { name, url, elsewhere, published }: Transfer, attempts: number): FileFault {
  if (error instanceof FileFault) return error;
  const code = codeOf(error);
  const tried = attempts === 1 ? 'once' : `${attempts} times`;
  const cause = code || (error instanceof Error ? error.message : String(error));
  const fault = (which: FileFaultName, message: string): FileFault => new FileFault(which, message, { cause: error });
  if (error instanceof HttpRefusal)
    return error.passing
      ? fault('interrupted', `${name} could not be downloaded: ${url} was asked ${tried} and answers ${error.status}.`)
      : fault('refused', `${name} could not be downloaded: ${url} answers ${error.status}.`);
  if (noRoom.has(code))
    return fault(
      'cannot_write',
      `${name} could not be written: the disk is full (${code})` +
        `${published.bytes === null ? '' : ` and the file has ${published.bytes} bytes`}. Nothing of it was kept.`,
    );
  if (code === takenOver)
    return fault('interrupted', `${name} could not be written: another process went on with what was here of it.`);
  if (noPlace.has(code)) return fault('cannot_write', `${name} could not be written: ${code}.`);
  if (noRoute.has(code) || certificate.test(code))
    return fault('no_route', `${new URL(url).host} could not be reached (${code}; tried ${tried}). ${elsewhere}`);
  return fault('interrupted', `${name} could not be downloaded from ${url}: ${cause} (tried ${tried}).`);
}
