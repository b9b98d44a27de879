import { useEffect, useRef } from 'preact/hooks';
import { limits } from '../../../../infra/contract/limits.ts';
import { scopes } from '../../../../infra/contract/scopes.ts';
import type { NewKeyAnswer } from '../../../../api/account/contract/responses.ts';
import { post } from '../../fetch.ts';
import { scopeWords } from './scope-words.ts';
import { Choices, Field, TextField, type Option } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';

const modes: readonly Option[] = [
  {
    value: 'test',
    words: 'Test',
    hint: `Costs nothing; models made with it are deleted after ${limits.testModelDays} days.`,
  },
  { value: 'live', words: 'Live', hint: 'Its use is paid from your balance.' },
];

const scopeOptions: readonly Option[] = scopes.map((value) => ({
  value,
  words: (
    <>
      {scopeWords[value]} <code>{value}</code>
    </>
  ),
}));

const lines = (text: FormDataEntryValue | null): string[] =>
  (typeof text === 'string' ? text : '').split(/[\s,]+/).filter(Boolean);

/** The end of a day in UTC. */
const endOf = (day: FormDataEntryValue | null): string | null =>
  typeof day === 'string' && day ? `${day}T23:59:59.000Z` : null;

/** Creates a key. `onMade` receives the only answer that contains the whole key. */
export function CreateKey({
  onMade,
  onClose,
}: {
  readonly onMade: (key: NewKeyAnswer) => void;
  readonly onClose: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const send = async (values: FormData): Promise<void> => {
    onMade(
      await post<NewKeyAnswer>('/keys', {
        name: values.get('name'),
        mode: values.get('mode'),
        scopes: values.getAll('scopes'),
        allow_ips: lines(values.get('allow_ips')),
        expires_at: endOf(values.get('expires_at')),
      }),
    );
  };
  return (
    <section class="card" aria-labelledby="new-key">
      <h2 id="new-key" ref={heading} tabIndex={-1}>
        New key
      </h2>
      <Form
        submit="Make the key"
        onSubmit={send}
        beside={
          <button type="button" class="secondary outline" onClick={onClose}>
            Cancel
          </button>
        }
      >
        <div class="columns">
          <div>
            <Field name="name" label="Name" required maxLength={100} hint="What uses it, such as “lab server”." />
            <Choices name="mode" label="Mode" type="radio" options={modes} chosen={['test']} />
          </div>
          <div>
            <Choices name="scopes" label="It may" type="checkbox" options={scopeOptions} chosen={scopes} />
          </div>
        </div>
        <details>
          <summary>Restrict it further</summary>
          <div class="columns">
            <TextField
              name="allow_ips"
              label="Addresses"
              rows={3}
              placeholder={'203.0.113.7\n2001:db8::/32'}
              hint="One IP address or range (CIDR) per line. Empty: the key works from everywhere."
            />
            <Field
              name="expires_at"
              label="Last day"
              type="date"
              hint="The key works until the end of this day (UTC). Empty: until you revoke it."
            />
          </div>
        </details>
      </Form>
    </section>
  );
}
