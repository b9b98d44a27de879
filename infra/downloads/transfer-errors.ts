import { FileFault, type FileFaultName } from './fault.ts';

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
const noPlace = new Set(['ENOSPC', 'EDQUOT', 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EISDIR', 'EMFILE', 'EFBIG']);
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

/** Whether another attempt may succeed. */
export function mayRetry(error: unknown): boolean {
  if (error instanceof FileFault) return false;
  if (error instanceof HttpRefusal) return error.passing;
  const code = codeOf(error);
  return !noPlace.has(code) && !certificate.test(code);
}

export interface Transfer {
  /** What the file is called in messages. */
  readonly name: string;
  readonly url: string;
  /** A sentence: what may be done where the address cannot be reached. */
  readonly elsewhere: string;
}

/** What the last attempt's error means for a file. */
export function faultOf(error: unknown, { name, url, elsewhere }: Transfer, attempts: number): FileFault {
  if (error instanceof FileFault) return error;
  const code = codeOf(error);
  const tried = attempts === 1 ? 'once' : `${attempts} times`;
  const told = code || (error instanceof Error ? error.message : String(error));
  const fault = (which: FileFaultName, message: string): FileFault => new FileFault(which, message, { cause: error });
  if (error instanceof HttpRefusal)
    return error.passing
      ? fault('interrupted', `${name} could not be downloaded: ${url} was asked ${tried} and answers ${error.status}.`)
      : fault('refused', `${name} could not be downloaded: ${url} answers ${error.status}.`);
  if (noPlace.has(code)) return fault('cannot_write', `${name} could not be written: ${code}.`);
  if (noRoute.has(code) || certificate.test(code))
    return fault('no_route', `${new URL(url).host} could not be reached (${code}; tried ${tried}). ${elsewhere}`);
  return fault('interrupted', `${name} could not be downloaded from ${url}: ${told} (tried ${tried}).`);
}
