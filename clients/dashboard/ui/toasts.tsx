import { useEffect, useState } from 'preact/hooks';

interface Toast {
  readonly id: number;
  readonly words: string;
}

const shownMs = 6_000;
let next = 0;
let show: (toast: Toast) => void = () => undefined;

/** Shows a short confirmation, also to screen readers. Important information belongs in the page instead. */
export const toast = (words: string): void => show({ id: ++next, words });

export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  useEffect(() => {
    show = (each) => {
      setToasts((before) => [...before, each]);
      setTimeout(() => setToasts((before) => before.filter(({ id }) => id !== each.id)), shownMs);
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  );
}
