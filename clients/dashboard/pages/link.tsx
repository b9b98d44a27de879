import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Me } from '../../../api/account/contract/responses.ts';
import { asFailure, post, type Failure } from '../fetch.ts';
import { useSession } from '../session.tsx';
import { FailureMessage } from '../ui/failure.tsx';
import { useFragment } from '../ui/fragment.ts';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';

/** Signs in by a one-time link from the operator or the demo. */
export default function Link() {
  const { become } = useSession();
  const { route } = useLocation();
  const token = useFragment('token');
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    if (token === null) return;
    setFailure(null);
    post<Me>('/link', { token }).then(
      (me) => {
        become(me);
        route('/dashboard', true);
      },
      (error: unknown) => setFailure(asFailure(error)),
    );
  }, [token]);
  return (
    <Page title="Signing in" narrow>
      {token === null && <p>This address is incomplete. Open the whole link that you received.</p>}
      {token !== null && !failure && <Waiting what="your link" />}
      {failure && <FailureMessage failure={failure} />}
      {(token === null || failure) && (
        <p>
          <a href="/dashboard/sign-in">Sign in with your password</a>
        </p>
      )}
    </Page>
  );
}
