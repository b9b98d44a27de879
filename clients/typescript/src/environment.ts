import { RefusedError } from './errors.ts';

/** Globals that identify the runtime. */
export interface Globals {
  readonly process?: {
    readonly versions?: { readonly node?: string };
    readonly env?: Readonly<Record<string, string | undefined>>;
  };
  readonly Deno?: unknown;
  readonly Bun?: unknown;
  readonly window?: unknown;
  readonly document?: unknown;
  readonly WorkerGlobalScope?: unknown;
  readonly ServiceWorkerGlobalScope?: unknown;
}

const here = globalThis as Globals;

const isServer = ({ process, Deno, Bun }: Globals): boolean =>
  Boolean(process?.versions?.node) || Deno !== undefined || Bun !== undefined;

/** Whether this is a page or a worker of a browser, where every visitor can read a key. */
export const isBrowser = (scope: Globals = here): boolean =>
  !isServer(scope) &&
  ((scope.window !== undefined && scope.document !== undefined) ||
    scope.WorkerGlobalScope !== undefined ||
    scope.ServiceWorkerGlobalScope !== undefined);

/** An environment variable; undefined if it is missing, empty or not readable. */
function variable(scope: Globals, name: string): string | undefined {
  try {
    return scope.process?.env?.[name]?.trim() || undefined;
  } catch {
    return undefined;
  }
}

export interface Address {
  readonly apiKey: string | null;
  /** Without a slash at the end. */
  readonly baseUrl: string;
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

function refuseUnsafe(apiKey: string, baseUrl: string): void {
  if (!/^[!-~]+$/.test(apiKey))
    throw new RefusedError(
      'INVALID_API_KEY',
      'The apiKey contains a space or a character that no key has. Copy it again, without line breaks.',
    );
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new RefusedError(
      'INSECURE_ADDRESS',
      `The address ${baseUrl} would send the apiKey unencrypted. Use https; http works only for this machine.`,
    );
}

/**
 * Key and address of the service: the given ones, or EEG_API_KEY and EEG_BASE_URL. Throws RefusedError for a key in a
 * browser, a key that would be sent unencrypted, or a missing address.
 */
export function addressOf(given: { apiKey?: string; baseUrl?: string }, scope: Globals = here): Address {
  if (isBrowser(scope)) {
    if (given.apiKey !== undefined)
      throw new RefusedError(
        'API_KEY_IN_BROWSER',
        'An apiKey must not be in a browser, because every visitor could read and use it. Pass the baseUrl of your own ' +
          'proxy, which adds the key.',
      );
    if (given.baseUrl === undefined)
      throw new RefusedError(
        'NO_ADDRESS',
        'The baseUrl is missing. Pass the address of your own proxy, which adds the key.',
      );
    return { apiKey: null, baseUrl: given.baseUrl.replace(/\/+$/, '') };
  }
  const apiKey = given.apiKey?.trim() || variable(scope, 'EEG_API_KEY') || null;
  const baseUrl = (given.baseUrl ?? variable(scope, 'EEG_BASE_URL'))?.replace(/\/+$/, '');
  if (!baseUrl || !URL.canParse(baseUrl))
    throw new RefusedError(
      'NO_ADDRESS',
      'The address of the service is missing or malformed. Pass baseUrl, or set EEG_BASE_URL.',
    );
  if (apiKey !== null) refuseUnsafe(apiKey, baseUrl);
  return { apiKey, baseUrl };
}
