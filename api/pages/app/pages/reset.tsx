import { Page } from '../ui/page.tsx';

export default function SetANewPasswordPage() {
  return (
    <Page title="Set a new password">
      <p>Nothing here yet.</p>
    </Page>
  );
}
