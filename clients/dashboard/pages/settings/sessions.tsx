import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { post } from '../../fetch.ts';
import { useSession } from '../../session.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toasts.tsx';

export function SignOutEverywhere() {
  const { become } = useSession();
  const { route } = useLocation();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <p>Ends every session of this account, this one included. Keys go on working.</p>
      <button type="button" class="secondary outline" onClick={() => setAsked(true)}>
        Sign out everywhere
      </button>
      {asked && (
        <Confirm
          title="Sign out everywhere?"
          action="Sign out everywhere"
          danger={false}
          onClose={() => setAsked(false)}
          onConfirm={async () => {
            await post('/sign-out-everywhere');
            become(null);
            route('/dashboard/sign-in', true);
            toast('Every session has ended.');
          }}
        >
          <p>You sign in again with your password.</p>
        </Confirm>
      )}
    </>
  );
}
