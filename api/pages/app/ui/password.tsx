import { useState } from 'preact/hooks';
import { Field } from './field.tsx';

/** A password, which can be looked at before it is sent. */
export function Password({
  name = 'password',
  label = 'Password',
  isNew,
}: {
  readonly name?: string;
  readonly label?: string;
  /** A password that is being chosen. */
  readonly isNew?: boolean;
}) {
  const [shown, setShown] = useState(false);
  return (
    <div class="password">
      <Field
        name={name}
        label={label}
        type={shown ? 'text' : 'password'}
        autoComplete={isNew ? 'new-password' : 'current-password'}
        required
        hint={isNew ? 'At least 10 characters; a few words that only you would put together are best.' : undefined}
      />
      <button
        type="button"
        class="secondary outline small"
        aria-pressed={shown}
        aria-label={`Show ${label.toLowerCase()}`}
        onClick={() => setShown(!shown)}
      >
        {shown ? 'Hide' : 'Show'}
      </button>
    </div>
  );
}
