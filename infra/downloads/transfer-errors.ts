import { FileFault, type FileFaultName } from './fault.ts';
import type { Published } from './published.ts';

/** A response that is not the requested file. */
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
  /** The same request may succeed later. */
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
/** The partial file is gone: another process considered it idle and took it over. */
const takenOver = 'ENOENT';
const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/;

/** The code of a system error, looked for in the chain of causes. */
function codeOf(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    const inner = each instanceof AggregateError ? each.errors[0] : each;
    const { code } = inner as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return '';
}

/** Whether the disk or a quota on it is full. */
export const lacksRoom = (error: unknown): boolean => noRoom.has(codeOf(error));

/** Whether another attempt may succeed. */
export function mayRetry(error: unknown): boolean {
  if (error instanceof FileFault) return false;
  if (error instanceof HttpRefusal) return error.passing;
  const code = codeOf(error);
  return !noPlace.has(code) && code !== takenOver && !certificate.test(code);
}

export interface Transfer {
  /** Name of the file in messages. */
  readonly name: string;
  readonly url: string;
  /** A sentence: what the operator can do if the address cannot be reached. */
  readonly elsewhere: string;
  readonly published: Pick<Published, 'bytes'>;
}

/** The FileFault for the error of the last attempt. */
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
    return fault('interrupted', `${name} could not be written: another process has taken over its partial file.`);
  if (noPlace.has(code)) return fault('cannot_write', `${name} could not be written: ${code}.`);
  if (noRoute.has(code) || certificate.test(code))
    return fault('no_route', `${new URL(url).host} could not be reached (${code}; tried ${tried}). ${elsewhere}`);
  return fault('interrupted', `${name} could not be downloaded from ${url}: ${cause} (tried ${tried}).`);
}
