import { RefusedError } from './errors.ts';

/** What tells one runtime from another. */
export interface Scope {
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

const here = globalThis as Scope;

const isServer = ({ process, Deno, Bun }: Scope): boolean =>
  Boolean(process?.versions?.node) || Deno !== undefined || Bun !== undefined;

/** Whether this is a page or a worker of a browser, where whoever visits can read a key. */
export const isBrowser = (scope: Scope = here): boolean =>
  !isServer(scope) &&
  ((scope.window !== undefined && scope.document !== undefined) ||
    scope.WorkerGlobalScope !== undefined ||
    scope.ServiceWorkerGlobalScope !== undefined);

/** A variable of the process; undefined where there is none, or where it may not be read. */
function variable(scope: Scope, name: string): string | undefined {
  try {
    return scope.process?.env?.[name]?.trim() || undefined;
  } catch {
    return undefined;
  }
}

export interface Address {
  readonly apiKey: string | null;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

function refuseUnsafe(apiKey: string, baseUrl: string): void {
  if (!/^[!-~]+$/.test(apiKey))
    throw new RefusedError('INVALID_API_KEY', 'The apiKey holds blanks or characters that no key has.');
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new RefusedError(
      'INSECURE_ADDRESS',
      `An apiKey is sent over HTTPS only, and ${baseUrl} is not; without it only to this machine.`,
    );
}

/**
 * The key and the address: those given, else EEG_API_KEY and EEG_BASE_URL where there is a process. Throws
 * RefusedError: a key in a browser, a key that would travel in the clear, no address.
 */
export function addressOf(given: { apiKey?: string; baseUrl?: string }, scope: Scope = here): Address {
  if (isBrowser(scope)) {
    if (given.apiKey !== undefined)
      throw new RefusedError(
        'API_KEY_IN_BROWSER',
        'An apiKey must not be in a browser, where everyone who opens the page can read it and spend with it. Give ' +
          'the baseUrl of a proxy of your own, on a server that adds the key.',
      );
    if (given.baseUrl === undefined)
      throw new RefusedError('NO_ADDRESS', 'Give the baseUrl of your own proxy, which adds the key.');
    return { apiKey: null, baseUrl: given.baseUrl.replace(/\/+$/, '') };
  }
  const apiKey = given.apiKey?.trim() || variable(scope, 'EEG_API_KEY') || null;
  const baseUrl = (given.baseUrl ?? variable(scope, 'EEG_BASE_URL'))?.replace(/\/+$/, '');
  if (!baseUrl || !URL.canParse(baseUrl))
    throw new RefusedError('NO_ADDRESS', 'Give the address of the service as baseUrl, or set EEG_BASE_URL.');
  if (apiKey !== null) refuseUnsafe(apiKey, baseUrl);
  return { apiKey, baseUrl };
}
