import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Closed, Closing } from '../../../../api/account/contract/responses.ts';
import { post } from '../../fetch.ts';
import { useSession } from '../../session.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Loaded, useLoad } from '../../ui/load.tsx';
import { Password } from '../../ui/password.tsx';
import { toast } from '../../ui/toasts.tsx';
import { plural } from '../../ui/values.tsx';

/** Consequences of closing the account, shown before it. */
const Consequences = ({ of }: { readonly of: Closing }) => (
  <>
    <p>
      {plural(of.models, 'model')} and {plural(of.keys, 'key')} stop working at once and are gone for good. {of.unspent}
    </p>
    <p>What stays, since it must:</p>
    <ul>
      {of.kept.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  </>
);

function Ask({ closing, onClose }: { readonly closing: Closing; readonly onClose: () => void }) {
  const { become } = useSession();
  const { route } = useLocation();
  return (
    <Confirm
      title="Close this account?"
      action="Close the account for good"
      onClose={onClose}
      onConfirm={async (values) => {
        await post<Closed>('/close', { email: values.get('email'), password: values.get('password') });
        become(null);
        route('/dashboard/sign-in', true);
        toast(`The account ${closing.account_id} is closed.`);
      }}
    >
      <Consequences of={closing} />
      <Field name="email" label="The account's e-mail" type="email" autoComplete="off" required />
      <Password />
    </Confirm>
  );
}

export function CloseAccount() {
  const closing = useLoad<Closing>('/close');
  const [asked, setAsked] = useState(false);
  return (
    <Loaded of={closing} what="what closing would do">
      {(data) => (
        <>
          <p>
            Deletes the models, revokes the keys and removes the e-mail address and the password. It cannot be undone.
          </p>
          {data.reasons.map((reason) => (
            <p key={reason} class="notice warn">
              {reason}
            </p>
          ))}
          {data.possible && (
            <button type="button" class="danger outline" onClick={() => setAsked(true)}>
              Close the account …
            </button>
          )}
          {asked && <Ask closing={data} onClose={() => setAsked(false)} />}
        </>
      )}
    </Loaded>
  );
}
