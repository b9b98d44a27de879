import { Page } from '../ui/page.tsx';

export default function TermsOfServicePage() {
  return (
    <Page title="Terms of service">
      <p>Nothing here yet.</p>
    </Page>
  );
}
