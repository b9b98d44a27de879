import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Me } from '../../../api/account/contract/responses.ts';
import { post } from '../fetch.ts';
import { useSession } from '../session.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { Password } from '../ui/password.tsx';
import { signUpWords } from './sign-up-words.tsx';

/** The dashboard page to open after sign-in; never an external address. */
export const nextOf = (next: string | undefined): string =>
  next && /^\/dashboard(\/(?!sign-in|link|reset|sign-up)[\w/?=&.-]*)?$/.test(next) ? next : '/dashboard';

export default function SignIn() {
  const { me, door, become } = useSession();
  const { query, route } = useLocation();
  useEffect(() => {
    if (me) route(nextOf(query.next), true);
  }, [me]);
  return (
    <Page title="Sign in" narrow>
      <Form
        submit="Sign in"
        onSubmit={async (values) =>
          become(await post<Me>('/sign-in', { email: values.get('email'), password: values.get('password') }))
        }
      >
        <Field name="email" label="E-mail" type="email" autoComplete="username" required />
        <Password />
      </Form>
      {door && <p>{signUpWords[door.sign_up]}</p>}
      <p class="fine">
        Forgot your password? Ask the operator of this service for a link to set a new one. This service sends no
        e-mail.
      </p>
    </Page>
  );
}
