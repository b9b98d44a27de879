import { createContext, type ComponentChildren } from 'preact';
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Door, Me } from '../../account/contract/answers.ts';
import { actFor, onSignedOut, read } from './fetch.ts';

/** Who is here: undefined until the service has said it, null when nobody is signed in. */
export interface Session {
  readonly me: Me | null | undefined;
  /** What a visitor may know; null until it is known. */
  readonly door: Door | null;
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
  const become = useCallback((next: Me | null) => {
    actFor(next);
    setMe(next);
  }, []);
  const refresh = useCallback(async () => {
    await read<Me>('/me').then(become, () => become(null));
  }, []);
  const knock = useCallback(() => void read<Door>('/door').then(setDoor, () => undefined), []);
  useEffect(() => {
    onSignedOut(() => become(null));
    knock();
    if (startsSigned) void refresh();
  }, []);
  const session = useMemo(() => ({ me, door, become, refresh, knock }), [me, door]);
  return <context.Provider value={session}>{children}</context.Provider>;
}
