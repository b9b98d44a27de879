import { useState } from 'preact/hooks';
import { limits } from '../../../../infra/contract/limits.ts';
import { Choices, Field } from '../../ui/field.tsx';

const modes = [
  { value: 'test', words: 'Test', hint: `Free; deleted after ${limits.testModelDays} days.` },
  { value: 'live', words: 'Live', hint: 'Paid from the balance; hosted until it expires or you delete it.' },
];

/** Purpose, name and expiry of the model. */
export function DetailsOfModel() {
  const [length, setLength] = useState(0);
  return (
    <section aria-label="Task">
      <h2>5. Task</h2>
      <Field
        name="description"
        label="What the task is, and what each class means"
        required
        placeholder="motor imagery: left fist or right fist"
        maxLength={limits.descriptionCharacters}
        hint={`${length} of ${limits.descriptionCharacters} characters`}
        onInput={({ currentTarget }) => setLength(Array.from(currentTarget.value).length)}
      />
      <Field name="name" label="Name of the model (may be empty)" maxLength={limits.nameCharacters} />
      <Choices name="mode" label="Kind" type="radio" options={modes} chosen={['test']} />
      <Field
        name="expires_at"
        type="date"
        label="Expires on (may be empty)"
        hint="Hosting of a live model is charged until then, or until you delete it."
      />
    </section>
  );
}
