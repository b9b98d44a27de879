import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Door, Me } from '../../api/account/contract/responses.ts';
import { actFor, asFailure, onSignedOut, read, type Failure } from './fetch.ts';

/** Who is here: undefined until the service has said it, null when nobody is signed in. */
export interface Session {
  readonly me: Me | null | undefined;
  /** What a visitor may know; null until it is known. */
  readonly door: Door | null;
  /** Why it could not be read who is signed in; null: it could. */
  readonly trouble: Failure | null;
  /** The session of `me` has ended: what is asked next is refused until somebody signs in. */
  readonly ended: boolean;
  /** What signing in or out answered. */
  become(me: Me | null): void;
  /** Reads again who is signed in, with balance and terms. */
  refresh(): Promise<void>;
  /** Reads again how the service is. */
  knock(): void;
}

const context = createContext<Session | null>(null);

export const useSession = (): Session => useContext(context)!;
/** The account of a page that only its holder sees; a page that is being left keeps it until the next is there. */
export function useMe(): Me {
  const { me } = useSession();
  const last = useRef(me);
  if (me) last.current = me;
  return last.current!;
}

/** Signing in by a link or with a new password asks nothing of the session before. */
const startsSigned = !/^\/dashboard\/(link|reset|sign-up)\/?$/.test(location.pathname);

export function SessionProvider({ children }: { readonly children: ComponentChildren }) {
  const [me, setMe] = useState<Me | null | undefined>(startsSigned ? undefined : null);
  const [door, setDoor] = useState<Door | null>(null);
  const [trouble, setTrouble] = useState<Failure | null>(null);
  const [ended, setEnded] = useState(false);
  const become = useCallback((next: Me | null) => {
    actFor(next);
    setMe(next);
    setTrouble(null);
    setEnded(false);
  }, []);
  const refresh = useCallback(async () => {
    await read<Me>('/me').then(become, (error: unknown) => {
      const failure = asFailure(error);
      // Whoever was signed in has heard of it; whoever was not is nobody. Another failure tells nothing of the session.
      if (failure.status === 401) setMe((before) => before ?? null);
      else setTrouble(failure);
    });
  }, []);
  const knock = useCallback(() => void read<Door>('/door').then(setDoor, () => undefined), []);
  useEffect(() => {
    onSignedOut(() => setEnded(true));
    knock();
    if (startsSigned) void refresh();
  }, []);
  const session = useMemo(() => ({ me, door, trouble, ended, become, refresh, knock }), [me, door, trouble, ended]);
  return <context.Provider value={session}>{children}</context.Provider>;
}
