import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Form } from './form.tsx';

/** A dialog that traps the focus until it closes, and then restores it. Mount it to open it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => {
      // The button that opened the dialog may have been removed by the action.
      const back = before?.isConnected ? before : document.querySelector<HTMLElement>('main h1');
      back?.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <article>
        <h2 id={id}>{title}</h2>
        {children}
      </article>
    </dialog>
  );
}

/** Asks for confirmation before an action that cannot be undone. */
export function Confirm({
  title,
  action,
  danger = true,
  onConfirm,
  onClose,
  children,
}: {
  readonly title: string;
  /** Text of the button: the action, not "OK". */
  readonly action: string;
  readonly danger?: boolean;
  /** Does the action. An error is shown, and the dialog stays. */
  readonly onConfirm: (values: FormData) => Promise<void>;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={action}
        danger={danger}
        onSubmit={async (values) => {
          await onConfirm(values);
          onClose();
        }}
        beside={
          <button type="button" class="secondary outline" onClick={onClose}>
            Cancel
          </button>
        }
      >
        {children}
      </Form>
    </Dialog>
  );
}
