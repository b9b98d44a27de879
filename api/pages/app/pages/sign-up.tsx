import { Page } from '../ui/page.tsx';

export default function SignUpPage() {
  return (
    <Page title="Sign up">
      <p>Nothing here yet.</p>
    </Page>
  );
}
