import { limits } from '../../../../infra/contract/limits.ts';
import { Choices, Field } from '../../ui/field.tsx';
import { modes } from '../modes.ts';
import type { Draft } from '../file/draft.ts';

interface Props {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
}

/** What the task is, in the person's words. The service takes its kind from them. */
export function Task({ draft: { description }, onChange }: Props) {
  const length = Array.from(description).length;
  return (
    <Field
      name="description"
      label="What the task is, and what each class means"
      required
      placeholder="motor imagery: left fist or right fist"
      maxLength={limits.descriptionCharacters}
      hint={`${length} of ${limits.descriptionCharacters} characters`}
      value={description}
      onInput={({ currentTarget }) => onChange({ description: currentTarget.value })}
    />
  );
}

const moments = [
  { value: 'now', words: 'Fit at once', hint: 'All recordings are chosen above.' },
  {
    value: 'later',
    words: 'Collect first',
    hint: `Add more recordings within ${limits.collectingDays} days on the page of the model, and fit it then.`,
  },
];

/** Kind, name and expiry of the model. */
export function DetailsOfModel({ draft, onChange }: Props) {
  return (
    <>
      <div class="columns">
        <Choices
          name="mode"
          label="Kind"
          type="radio"
          options={modes}
          chosen={[draft.mode]}
          onChosen={(mode) => onChange({ mode: mode === 'live' ? 'live' : 'test' })}
        />
        <Choices
          name="collects"
          label="When to fit"
          type="radio"
          options={moments}
          chosen={[draft.collects ? 'later' : 'now']}
          onChosen={(moment) => onChange({ collects: moment === 'later' })}
        />
      </div>
      <div class="columns">
        <Field
          name="name"
          label="Name of the model (may be empty)"
          maxLength={limits.nameCharacters}
          value={draft.name}
          onInput={({ currentTarget }) => onChange({ name: currentTarget.value })}
        />
        <Field
          name="expires_at"
          type="date"
          label="Expires on (may be empty)"
          hint="You pay for hosting until then, or until you delete the model."
          value={draft.expiresAt}
          onInput={({ currentTarget }) => onChange({ expiresAt: currentTarget.value })}
        />
      </div>
    </>
  );
}
