import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asFailure, type Failure } from '../fetch.ts';
import type { Load } from '../ui/load.tsx';

/**
 * What `ask` answers, read when first shown and whenever `about` changes; when `turn` does, read again with the old
 * data kept meanwhile.
 */
export function useAnswer<T>(ask: () => Promise<T>, about: string, turn = 0): Load<T> {
  const [state, setState] = useState<{ about: string; data: T | null; failure: Failure | null }>({
    about,
    data: null,
    failure: null,
  });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    const own = ++latest.current;
    const next = await ask().then(
      (data) => ({ about, data, failure: null }),
      (error: unknown) => ({ about, data: null, failure: asFailure(error) }),
    );
    if (own === latest.current) setState(next);
  }, [about]);
  useEffect(() => {
    void reload();
    return () => void latest.current++;
  }, [reload, turn]);
  const current = state.about === about ? state : { data: null, failure: null };
  return {
    data: current.data,
    failure: current.failure,
    reload,
    set: (data) => setState({ about, data, failure: null }),
  };
}
