import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { asFailure, type Failure } from '../fetch.ts';
import { fieldWords } from './failure-words.ts';
import { FailureMessage } from './failure.tsx';

/** Error of each field of the surrounding form. */
type FieldErrors = Readonly<Record<string, string>>;
const FieldErrorsContext = createContext<FieldErrors>({});
export const useFieldError = (name: string): string | undefined => useContext(FieldErrorsContext)[name];

/** `allow_ips[1]` and `allow_ips.1` are about the field `allow_ips`. */
const rootOf = (field: string): string => field.split(/[.[]/)[0];

function fieldErrors({ error, isOfInterface }: Failure): FieldErrors {
  const all = error.details.errors ?? (error.field === '' ? [] : [{ field: error.field, message: error.message }]);
  const wordsOf = (field: string, message: string): string => (isOfInterface ? fieldWords(field) : message);
  return Object.fromEntries(
    all.map(({ field, message }) => [rootOf(field), wordsOf(rootOf(field), message)]).toReversed(),
  );
}

/** A form. It cannot be sent twice at the same time. Refused fields are marked, and the first one gets the focus. */
export function Form({
  submit,
  onSubmit,
  children,
  beside,
  danger,
  testId,
}: {
  /** Text of the button; null: the form cannot be sent yet. */
  readonly submit: string | null;
  /** Sends the values. An error is shown. */
  readonly onSubmit: (values: FormData, form: HTMLFormElement) => Promise<void>;
  readonly children?: ComponentChildren;
  /** Content beside the button. */
  readonly beside?: ComponentChildren;
  readonly danger?: boolean;
  /** Name of the button for outside scripts. */
  readonly testId?: string;
}) {
  const form = useRef<HTMLFormElement>(null);
  const message = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const errors = failure ? fieldErrors(failure) : {};
  const marked = Object.keys(errors).filter((name) => form.current?.elements.namedItem(name));
  /** True if the fields show every error. */
  const isSaid = marked.length > 0 && marked.length === Object.keys(errors).length;
  useEffect(() => {
    if (!failure) return;
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (first ?? message.current)?.focus();
  }, [failure]);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      await onSubmit(new FormData(form.current!), form.current!);
      setFailure(null);
    } catch (error) {
      setFailure(asFailure(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void send();
      }}
    >
      {failure && !isSaid && <FailureMessage failure={failure} innerRef={message} shown={marked} />}
      <FieldErrorsContext.Provider value={errors}>{children}</FieldErrorsContext.Provider>
      {submit !== null && (
        <div class="submit">
          <button
            type="submit"
            aria-busy={busy}
            aria-disabled={busy}
            class={danger ? 'danger' : undefined}
            data-testid={testId}
          >
            {submit}
          </button>
          {beside}
        </div>
      )}
    </form>
  );
}
