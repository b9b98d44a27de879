import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asFailure, type Failure } from '../fetch.ts';
import type { Load } from '../ui/load.tsx';

/**
 * The result of `ask`. It is read at first, and whenever `about` changes. When `turn` changes, it is read again and the
 * old data stays meanwhile. `turn` of the result says which turn it belongs to.
 */
export function useAnswer<T>(ask: () => Promise<T>, about: string, turn = 0): Load<T> & { readonly turn: number } {
  const [state, setState] = useState<{ about: string; turn: number; data: T | null; failure: Failure | null }>({
    about,
    turn,
    data: null,
    failure: null,
  });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    const own = ++latest.current;
    const next = await ask().then(
      (data) => ({ about, turn, data, failure: null }),
      (error: unknown) => ({ about, turn, data: null, failure: asFailure(error) }),
    );
    if (own === latest.current) setState(next);
  }, [about, turn]);
  useEffect(() => {
    void reload();
    return () => void latest.current++;
  }, [reload]);
  const current = state.about === about ? state : { data: null, failure: null };
  return {
    data: current.data,
    failure: current.failure,
    turn: state.turn,
    reload,
    set: (data) => setState({ about, turn, data, failure: null }),
  };
}
