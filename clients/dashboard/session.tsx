import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Door, Me } from '../../api/account/contract/responses.ts';
import { ownKey } from './own-key.ts';
import { actFor, asFailure, onSignedOut, read, type Failure } from './fetch.ts';

/** The signed-in account: undefined until the service has answered, null if nobody is signed in. */
export interface Session {
  readonly me: Me | null | undefined;
  /** Public facts about the service; null until they are read. */
  readonly door: Door | null;
  /** Why the session could not be read; null: it was read. */
  readonly trouble: Failure | null;
  /** True if the session of `me` has ended: requests are refused until somebody signs in. */
  readonly ended: boolean;
  /** Stores the account after a sign-in or sign-out. */
  become(me: Me | null): void;
  /** Reads the account again, with balance and terms. */
  refresh(): Promise<void>;
  /** Reads the state of the service again. */
  knock(): void;
}

const context = createContext<Session | null>(null);

export const useSession = (): Session => useContext(context)!;
/** The account of a page for signed-in people. A page that is being left keeps it until the next page is shown. */
export function useMe(): Me {
  const { me } = useSession();
  const last = useRef(me);
  if (me) last.current = me;
  return last.current!;
}

/** A sign-in link, a new password or a shared report does not need a session. */
const startsSigned = (): boolean => !/^\/(dashboard\/(link|reset|sign-up)\/?$|shared\/)/.test(location.pathname);

export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [starts] = useState(startsSigned);
  const [me, setMe] = useState<Me | null | undefined>(starts ? undefined : null);
  const [door, setDoor] = useState<Door | null>(null);
  const [trouble, setTrouble] = useState<Failure | null>(null);
  const [ended, setEnded] = useState(false);
  const become = useCallback((next: Me | null) => {
    actFor(next);
    if (!next) ownKey.forget();
    setMe(next);
    setTrouble(null);
    setEnded(false);
  }, []);
  const refresh = useCallback(async () => {
    await read<Me>('/me').then(become, (error: unknown) => {
      const failure = asFailure(error);
      // On 401 the account stays if there was one, because its page shows that the session has ended; otherwise nobody
      // is signed in. Other failures say nothing about the session.
      if (failure.status === 401) setMe((before) => before ?? null);
      else setTrouble(failure);
    });
  }, []);
  const knocking = useRef(false);
  const knock = useCallback(() => {
    if (knocking.current) return;
    knocking.current = true;
    void read<Door>('/door')
      .then(setDoor, () => undefined)
      .finally(() => (knocking.current = false));
  }, []);
  useEffect(() => {
    onSignedOut(() => setEnded(true));
    knock();
    if (starts) void refresh();
  }, []);
  const session = useMemo(() => ({ me, door, trouble, ended, become, refresh, knock }), [me, door, trouble, ended]);
  return <context.Provider value={session}>{children}</context.Provider>;
}
