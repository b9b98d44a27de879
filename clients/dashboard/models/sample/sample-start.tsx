import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { failed, Failure } from '../../fetch.ts';
import { FailureMessage } from '../../ui/failure.tsx';
import { useHasTerms } from '../../ui/terms-notice.tsx';
import { createSample } from './create-sample.ts';

/** One click: a free test model of the sample recording, whose page opens when the fit has begun. */
export function SampleStart({ secondary }: { readonly secondary?: boolean }) {
  const { route } = useLocation();
  const hasTerms = useHasTerms();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  if (!hasTerms)
    return (
      <a class="button secondary outline" href={`/dashboard/terms?next=${encodeURIComponent(location.pathname)}`}>
        Accept the terms, then try with sample data
      </a>
    );
  const start = async (): Promise<void> => {
    const from = location.pathname;
    setBusy(true);
    setFailure(null);
    try {
      const id = await createSample();
      // The page may already have replaced this button by the new model; only a person who left is not moved.
      if (location.pathname === from) route(`/dashboard/models/${id}`);
    } catch (error) {
      setFailure(error instanceof Failure ? error : failed('SAMPLE', (error as Error).message));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button
        type="button"
        data-testid="sample-start"
        class={secondary ? 'secondary outline' : undefined}
        aria-busy={isBusy}
        disabled={isBusy}
        onClick={() => void start()}
      >
        Try with sample data
      </button>
      {failure && <FailureMessage failure={failure} />}
    </>
  );
}
