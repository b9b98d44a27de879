import { useLocation } from 'preact-iso/router';
import type { Me } from '../../../api/account/contract/responses.ts';
import { post } from '../fetch.ts';
import { useSession } from '../session.tsx';
import { Form } from '../ui/form.tsx';
import { useFragment } from '../ui/fragment.ts';
import { Page } from '../ui/page.tsx';
import { Password } from '../ui/password.tsx';
import { toast } from '../ui/toasts.tsx';

/** Sets a new password with a link from the operator. */
export default function Reset() {
  const { become } = useSession();
  const { route } = useLocation();
  const token = useFragment('token');
  return (
    <Page title="Set a new password" narrow>
      {token === null ? (
        <p>
          A new password is set by a link. Ask the operator of this service for one, and open the whole link that you
          are given.
        </p>
      ) : (
        <Form
          submit="Set the password"
          onSubmit={async (values) => {
            become(await post<Me>('/reset', { token, password: values.get('password') }));
            route('/dashboard', true);
            toast('Your new password is set. Every other session has ended.');
          }}
        >
          <Password label="New password" isNew />
        </Form>
      )}
    </Page>
  );
}
