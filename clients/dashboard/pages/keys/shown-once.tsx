import { useEffect, useRef } from 'preact/hooks';
import type { NewKeyAnswer } from '../../../../api/account/contract/responses.ts';
import { Copied } from '../../ui/copy.tsx';
import { keyName } from './table.tsx';

/** The whole key. It cannot be shown again. */
export function ShownOnce({ answer, onClose }: { readonly answer: NewKeyAnswer; readonly onClose: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [answer.key_id]);
  return (
    <section class="card notice good fresh" aria-labelledby="fresh-key">
      <h2 id="fresh-key" ref={heading} tabIndex={-1}>
        The key “{keyName(answer)}”
      </h2>
      <p>
        <strong>Copy it now: it is shown only once.</strong> The service keeps only a hash of it, and a lost key cannot
        be recovered. Everybody who has it can use it.
      </p>
      <Copied text={answer.key} label="key" />
      {answer.mode === 'test' && (
        <p class="fine">
          The examples in the <a href="/docs/quickstart">quickstart</a> show this key until you close this browser tab.
        </p>
      )}
      <button type="button" class="secondary" onClick={onClose}>
        I have stored it
      </button>
    </section>
  );
}
