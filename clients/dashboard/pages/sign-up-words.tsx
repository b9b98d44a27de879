import type { ComponentChildren } from 'preact';
import type { Door } from '../../../api/account/contract/responses.ts';

/** Text for a visitor without an account, by the operator's sign-up setting. */
export const signUpWords: Readonly<Record<Door['sign_up'], ComponentChildren>> = {
  open: (
    <>
      No account yet? <a href="/dashboard/sign-up">Sign up</a>.
    </>
  ),
  invitation: (
    <>No account yet? Accounts are made by invitation: open the link that the operator of this service gave you.</>
  ),
  closed: <>No account yet? The operator of this service makes accounts: ask there for one.</>,
};
