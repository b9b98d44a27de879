import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Door, Me } from '../../../api/account/contract/responses.ts';
import { post } from '../fetch.ts';
import { useSession } from '../session.tsx';
import { Field, Tick } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { useFragment } from '../ui/fragment.ts';
import { Page } from '../ui/page.tsx';
import { Password } from '../ui/password.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { signUpWords } from './sign-up-words.tsx';

const SignInInstead = () => (
  <p>
    Have an account? <a href="/dashboard/sign-in">Sign in</a>.
  </p>
);

function SignUpForm({ door, invitation }: { readonly door: Door; readonly invitation: string | null }) {
  const { become } = useSession();
  const send = async (values: FormData): Promise<void> => {
    const accepted = values.has('terms_version') ? { terms_version: door.terms.version } : {};
    const body = { email: values.get('email'), password: values.get('password'), ...accepted };
    become(await post<Me>('/sign-up', invitation ? { ...body, invitation } : body));
  };
  return (
    <Form submit="Sign up" onSubmit={send}>
      <Field name="email" label="E-mail" type="email" autoComplete="username" required />
      <Password isNew />
      <Tick
        name="terms_version"
        label={
          <>
            I accept the{' '}
            <a href="/dashboard/terms" target="_blank" rel="noopener">
              terms of service
            </a>{' '}
            (version {door.terms.version})
          </>
        }
        hint="You can accept them later. You need to accept them before you can make a key."
      />
    </Form>
  );
}

export default function SignUp() {
  const { me, door } = useSession();
  const { route } = useLocation();
  const invitation = useFragment('invitation');
  useEffect(() => {
    if (me) route('/dashboard', true);
  }, [me]);
  if (!door)
    return (
      <Page title="Sign up" narrow>
        <Waiting />
      </Page>
    );
  const allowed = door.sign_up === 'open' || (door.sign_up === 'invitation' && invitation !== null);
  return (
    <Page
      title="Sign up"
      narrow
      lead={allowed ? 'Build a classifier from your own EEG trials. Test keys cost nothing.' : undefined}
    >
      {allowed ? <SignUpForm door={door} invitation={invitation} /> : <p>{signUpWords[door.sign_up]}</p>}
      <SignInInstead />
    </Page>
  );
}
