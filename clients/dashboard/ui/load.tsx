import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { asFailure, ask, type Failure } from '../fetch.ts';
import { FailureMessage } from './failure.tsx';
import { Waiting } from './waiting.tsx';

/** The answer of a path and its loading state. Old data stays during a reload. */
export interface Load<T> {
  readonly data: T | null;
  readonly failure: Failure | null;
  reload(): Promise<void>;
  /** Replaces the data with the answer of a change. */
  set(data: T): void;
}

/**
 * Reads `path` at first, when it changes and, with `everySeconds`, periodically while the page is visible. `mode`:
 * `/v1` answers for live or test models. Without a path nothing is read.
 */
export function useLoad<T>(
  path: string | null,
  { everySeconds, mode }: { readonly everySeconds?: number; readonly mode?: 'live' | 'test' } = {},
): Load<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; failure: Failure | null }>({
    path,
    data: null,
    failure: null,
  });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    if (path === null) return;
    const turn = ++latest.current;
    const next = await ask<T>('GET', path, { headers: mode && { 'x-key-mode': mode } }).then(
      ({ body }) => ({ path, data: body, failure: null }),
      (error: unknown) => ({ path, data: null, failure: asFailure(error) }),
    );
    if (turn !== latest.current) return;
    setState((before) => (next.failure && before.path === path ? { ...before, failure: next.failure } : next));
  }, [path, mode]);
  useEffect(() => {
    void reload();
    if (everySeconds === undefined) return () => void latest.current++;
    const timer = setInterval(() => {
      if (!document.hidden) void reload();
    }, everySeconds * 1000);
    return () => {
      clearInterval(timer);
      latest.current++;
    };
  }, [reload, everySeconds]);
  return { ...state, reload, set: (data) => setState({ path, data, failure: null }) };
}

/** Shows the data, the loading state, or the error. */
export function Loaded<T>({
  of,
  what,
  children,
}: {
  readonly of: Load<T>;
  readonly what: string;
  readonly children?: (data: T) => ComponentChildren;
}) {
  return (
    <>
      {of.failure && (
        <>
          <FailureMessage failure={of.failure} />
          <button type="button" class="secondary small" onClick={() => void of.reload()}>
            Try again
          </button>
        </>
      )}
      {of.data !== null ? children?.(of.data) : !of.failure && <Waiting what={what} />}
    </>
  );
}
