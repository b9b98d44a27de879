import { useState } from 'preact/hooks';
import { passwordCharacters } from '../../../infra/contract/limits.ts';
import { Field } from './field.tsx';

const choosing = `At least ${passwordCharacters.min} characters; a few words that only you put together are best. Common passwords are refused.`;

/** A password field with a button that shows the password. */
export function Password({
  name = 'password',
  label = 'Password',
  isNew,
}: {
  readonly name?: string;
  readonly label?: string;
  /** True for a new password. */
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
        hint={isNew ? choosing : undefined}
      />
      <button
        type="button"
        class="secondary outline small"
        aria-pressed={shown}
        aria-label={`Show ${label.toLowerCase()}`}
        onClick={() => setShown(!shown)}
      >
        Show
      </button>
    </div>
  );
}
