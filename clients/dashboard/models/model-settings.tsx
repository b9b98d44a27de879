import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { limits } from '../../../infra/contract/limits.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { toast } from '../ui/toasts.tsx';
import { iso } from './badges.tsx';
import { deleteSoon } from './pending-delete.ts';
import { changeModel } from './service.ts';
import { formText } from './form-text.ts';
import type { TaskModelAnswer } from './response-types.ts';

interface Props {
  readonly model: TaskModelAnswer;
  readonly onChange: (model: TaskModelAnswer) => void;
}

function Expiry({ model, onChange }: Props) {
  const change = async (at: string | null): Promise<void> => {
    onChange(await changeModel(model, { expires_at: at }));
    toast(at === null ? 'The model does not expire.' : `The model expires on ${at}.`);
  };
  const set = model.expires_at === null ? '' : iso(model.expires_at).slice(0, 10);
  return (
    <Form
      key={set}
      submit="Save expiry"
      onSubmit={async (values) => await change(formText(values, 'expires_at') || null)}
    >
      <Field
        name="expires_at"
        type="date"
        label="Expires on"
        defaultValue={set}
        hint={
          'At the beginning of that day in UTC. Leave it empty to keep the model' +
          (model.test
            ? ` for its ${limits.testModelDays} days.`
            : ' until you delete it. Hosting is charged until then.')
        }
      />
    </Form>
  );
}

/** Settings of a model: name, expiry, delete. */
export function ModelSettings({ model, onChange }: Props) {
  const { route } = useLocation();
  const [asking, setAsking] = useState(false);
  return (
    <section class="model-settings" aria-label="Settings">
      <h2>Settings</h2>
      <div class="charts">
        <Form
          submit="Save name"
          onSubmit={async (values) => {
            onChange(await changeModel(model, { name: formText(values, 'name') || null }));
            toast('The name is saved.');
          }}
        >
          <Field
            name="name"
            label="Name"
            defaultValue={model.name ?? ''}
            maxLength={limits.nameCharacters}
            hint={`At most ${limits.nameCharacters} characters; empty: none.`}
          />
        </Form>
        {model.status === 'active' && <Expiry model={model} onChange={onChange} />}
      </div>
      <button type="button" class="danger outline" onClick={() => setAsking(true)}>
        Delete this model
      </button>
      {asking && (
        <Confirm
          title="Delete this model?"
          action="Delete the model"
          onConfirm={async () => {
            deleteSoon(model);
            route('/dashboard/models');
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            {model.name ?? model.description} and its report are deleted. You can undo this for ten seconds.
            {!model.test && ' A month of hosting that has begun is not given back.'}
          </p>
        </Confirm>
      )}
    </section>
  );
}
