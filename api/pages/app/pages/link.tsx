import { Page } from '../ui/page.tsx';

export default function SigningInPage() {
  return (
    <Page title="Signing in">
      <p>Nothing here yet.</p>
    </Page>
  );
}
