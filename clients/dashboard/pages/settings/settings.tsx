import { useMe } from '../../session.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/values.tsx';
import { CloseAccount } from './close.tsx';
import { Limits } from './limits.tsx';
import { ChangePassword } from './password.tsx';
import { SignOutEverywhere } from './sessions.tsx';

export default function Settings() {
  const { email, account_id: id, created, terms } = useMe();
  return (
    <Page
      title="Settings"
      lead={
        <>
          {email}, since <Time at={created} day />. Account <code>{id}</code>
        </>
      }
    >
      <Limits />
      <h2>Password</h2>
      <ChangePassword />
      <h2>Sessions</h2>
      <SignOutEverywhere />
      <h2>Terms of service</h2>
      <p>
        {terms.accepted_at ? (
          <>
            You accepted version {terms.accepted} on <Time at={terms.accepted_at} />.
          </>
        ) : (
          'You have not accepted the terms of service yet.'
        )}{' '}
        <a href="/dashboard/terms">Read them</a>
      </p>
      <h2>Your data</h2>
      <p>All data of this account, as one JSON file. It has no signals, because the service does not keep them.</p>
      <p>
        <a class="button secondary outline" href="/dashboard/api/export" download="account.json">
          Download everything
        </a>
      </p>
      <h2>Close the account</h2>
      <CloseAccount />
    </Page>
  );
}
