import { useState } from 'preact/hooks';
import { asFailure, read, type Failure } from '../fetch.ts';
import { FailureMessage } from './failure.tsx';
import { useLoad, type Load } from './load.tsx';

interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly next_before: string | null;
}

const withQuery = (path: string, before: string | null): string =>
  before === null ? path : `${path}${path.includes('?') ? '&' : '?'}before=${encodeURIComponent(before)}`;

/** A list that is loaded page by page, the newest first. `more` appends the next page. */
export function usePages<Answer extends PageOf<unknown>>(path: string): Load<Answer> & { more(): Promise<void> } {
  const load = useLoad<Answer>(path);
  const more = async (): Promise<void> => {
    const { data } = load;
    if (!data?.next_before) return;
    const next = await read<Answer>(withQuery(path, data.next_before));
    load.set({ ...next, data: [...data.data, ...next.data] });
  };
  return { ...load, more };
}

/** Reads the next page of a list. */
export function More({ of }: { readonly of: Load<PageOf<unknown>> & { more(): Promise<void> } }) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  if (!of.data?.next_before) return null;
  const go = async (): Promise<void> => {
    setBusy(true);
    await of.more().then(
      () => setFailure(null),
      (error: unknown) => setFailure(asFailure(error)),
    );
    setBusy(false);
  };
  return (
    <>
      {failure && <FailureMessage failure={failure} />}
      <button type="button" class="secondary outline more" aria-busy={busy} onClick={() => void go()}>
        Show older
      </button>
    </>
  );
}
