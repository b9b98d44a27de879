import { useRef, useState } from 'preact/hooks';
import { formatUsd, prices } from '../../../../infra/contract/prices.ts';
import { asFailure } from '../../fetch.ts';
import { useSession } from '../../session.tsx';
import { Form } from '../../ui/form.tsx';
import { toast } from '../../ui/toasts.tsx';
import { money, plural, Time } from '../../ui/values.tsx';
import { iso } from '../badges.tsx';
import { sendFit } from '../file/send.ts';
import { isResumable } from '../file/send-with-retries.ts';
import { readModel } from '../service.ts';
import type { TaskModelAnswer } from '../response-types.ts';
import { AddTrials } from './add-trials.tsx';

/** A model that collects trials: add recordings, then fit it. */
export function Collecting({
  model,
  onChange,
}: {
  readonly model: TaskModelAnswer;
  readonly onChange: (model: TaskModelAnswer) => void;
}) {
  const { refresh } = useSession();
  const key = useRef(crypto.randomUUID());
  const [added, setAdded] = useState(0);
  const price = formatUsd(prices.createFee + prices.hostingMonth);
  return (
    <>
      <p>
        This model collects trials and is not fitted yet. It has {plural(model.signal.trials, 'trial')} of{' '}
        {model.classes.join(', ')}. Add recordings, then fit it.
        {model.fit_before !== null && (
          <>
            {' '}
            It is deleted on <Time at={iso(model.fit_before)} /> unless it is fitted before.
          </>
        )}
      </p>
      <AddTrials
        key={added}
        model={model}
        onAdded={async (trials) => {
          toast(`${plural(trials, 'trial')} added.`);
          onChange(await readModel(model.id));
          setAdded((before) => before + 1);
          void refresh();
        }}
      />
      <section class="card" aria-labelledby="fit-heading">
        <h2 id="fit-heading">Fit the model</h2>
        <p>
          {model.test
            ? 'The fit is free, because this is a test model.'
            : `The fit is ${money(price)}, the first month included; one that fails costs nothing.`}
        </p>
        <Form
          submit={model.test ? 'Fit now' : `Fit now for ${money(price)}`}
          onSubmit={async () => {
            try {
              onChange(await sendFit(model.id, model.test ? 'test' : 'live', key.current));
            } catch (error) {
              if (!isResumable(asFailure(error))) key.current = crypto.randomUUID();
              throw error;
            }
            toast('The model is ready.');
            void refresh();
          }}
        />
      </section>
    </>
  );
}
