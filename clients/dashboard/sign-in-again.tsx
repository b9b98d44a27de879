import type { Me } from '../../api/account/contract/responses.ts';
import { post } from './fetch.ts';
import { useSession } from './session.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Field } from './ui/field.tsx';
import { Form } from './ui/form.tsx';
import { Password } from './ui/password.tsx';

/**
 * A sign-in dialog over the page when the session has ended. The page keeps its form values and continues after the
 * sign-in.
 */
export function SignInAgain() {
  const { me, ended, become } = useSession();
  if (!me || !ended) return null;
  const send = async (values: FormData): Promise<void> => {
    const next = await post<Me>('/sign-in', { email: values.get('email'), password: values.get('password') });
    if (next.account_id === me.account_id) become(next);
    else location.reload();
  };
  const leave = (): void => become(null);
  return (
    <Dialog title="Your session has ended" onClose={leave}>
      <p>Sign in to go on; this page stays as it is.</p>
      <Form
        submit="Sign in"
        onSubmit={send}
        beside={
          <button type="button" class="secondary outline" onClick={leave}>
            Leave this page
          </button>
        }
      >
        <Field name="email" label="E-mail" type="email" autoComplete="username" required defaultValue={me.email} />
        <Password />
      </Form>
    </Dialog>
  );
}
