import { useEffect, useState } from 'preact/hooks';

/** A button in a toast, such as one that takes an action back. */
export interface ToastAction {
  readonly words: string;
  readonly onClick: () => void;
}

interface Toast {
  readonly id: number;
  readonly words: string;
  readonly action?: ToastAction;
  readonly ms: number;
}

const usualMs = 6_000;
let next = 0;
let show: (toast: Toast) => void = () => undefined;

/** Shows a short confirmation, also to screen readers. Important information belongs in the page instead. */
export const toast = (words: string, { action, ms = usualMs }: Partial<Pick<Toast, 'action' | 'ms'>> = {}): void =>
  show({ id: ++next, words, action, ms });

export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const remove = (gone: number): void => setToasts((before) => before.filter(({ id }) => id !== gone));
  useEffect(() => {
    show = (each) => {
      setToasts((before) => [...before, each]);
      setTimeout(() => remove(each.id), each.ms);
    };
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, words, action }) => (
        <p key={id}>
          {words}
          {action && (
            <button
              type="button"
              class="plain"
              onClick={() => {
                action.onClick();
                remove(id);
              }}
            >
              {action.words}
            </button>
          )}
        </p>
      ))}
    </div>
  );
}
