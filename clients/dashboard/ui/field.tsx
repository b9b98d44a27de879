import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useFieldError } from './form.tsx';

interface About {
  readonly name: string;
  readonly label: ComponentChildren;
  /** Hint below the field. */
  readonly hint?: ComponentChildren;
}

/** Ids that connect a field to its label, hint and error. */
function useParts(name: string, hint: unknown) {
  const id = useId();
  const error = useFieldError(name);
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
  const described = [error !== undefined && errorId, Boolean(hint) && hintId].filter(Boolean).join(' ');
  return {
    id,
    hintId,
    errorId,
    error,
    props: {
      id,
      name,
      'aria-invalid': error === undefined ? undefined : ('true' as const),
      'aria-describedby': described || undefined,
    },
  };
}

type Parts = ReturnType<typeof useParts>;

const Words = ({ parts, hint }: { readonly parts: Parts; readonly hint?: ComponentChildren }) => (
  <>
    {parts.error !== undefined && (
      <small id={parts.errorId} class="wrong">
        {parts.error}
      </small>
    )}
    {hint && (
      <small id={parts.hintId} class="hint">
        {hint}
      </small>
    )}
  </>
);

interface Line extends About {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'number';
  readonly autoComplete?: 'username' | 'current-password' | 'new-password' | 'off';
  readonly inputMode?: 'decimal' | 'numeric';
  readonly required?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
  /** Initial value. */
  readonly defaultValue?: string;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly step?: number | 'any';
  /** Current value, if the page controls the field. */
  readonly value?: string;
  readonly onInput?: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

/** One line to fill in. */
export function Field({ label, hint, name, type = 'text', ...input }: Line) {
  const parts = useParts(name, hint);
  return (
    <div class="field">
      <label for={parts.id}>{label}</label>
      <input type={type as 'text'} {...input} {...parts.props} />
      <Words parts={parts} hint={hint} />
    </div>
  );
}

/** Several lines to fill in. */
export function TextField({ label, hint, name, ...input }: About & { rows?: number; placeholder?: string }) {
  const parts = useParts(name, hint);
  return (
    <div class="field">
      <label for={parts.id}>{label}</label>
      <textarea {...input} {...parts.props} />
      <Words parts={parts} hint={hint} />
    </div>
  );
}

export interface Option {
  readonly value: string;
  readonly words: ComponentChildren;
  readonly hint?: ComponentChildren;
}

/** A choice of one or several options. */
export function Choices({
  label,
  hint,
  name,
  type,
  options,
  chosen,
  onChosen,
}: About & {
  readonly type: 'radio' | 'checkbox';
  readonly options: readonly Option[];
  /** Selection; the initial one without `onChosen`. */
  readonly chosen: readonly string[];
  readonly onChosen?: (value: string) => void;
}) {
  const parts = useParts(name, hint);
  return (
    <fieldset class="field" aria-describedby={parts.props['aria-describedby']}>
      <legend>{label}</legend>
      {options.map(({ value, words, hint: own }) => (
        <label key={value} class="choice">
          <input
            type={type}
            name={name}
            value={value}
            {...(onChosen
              ? { checked: chosen.includes(value), onChange: () => onChosen(value) }
              : { defaultChecked: chosen.includes(value) })}
            aria-invalid={parts.props['aria-invalid']}
          />
          <span>
            {words}
            {own && <small class="hint">{own}</small>}
          </span>
        </label>
      ))}
      <Words parts={parts} hint={hint} />
    </fieldset>
  );
}

/** A checkbox. `checked` and `onChecked`: the page controls it. */
export function Tick({
  label,
  hint,
  name,
  onChecked,
  ...input
}: About & {
  required?: boolean;
  defaultChecked?: boolean;
  checked?: boolean;
  onChecked?: (isOn: boolean) => void;
}) {
  const parts = useParts(name, hint);
  return (
    <div class="field">
      <label class="choice">
        <input
          type="checkbox"
          {...input}
          {...parts.props}
          onChange={onChecked && (({ currentTarget }) => onChecked(currentTarget.checked))}
        />
        <span>{label}</span>
      </label>
      <Words parts={parts} hint={hint} />
    </div>
  );
}
