import { Page } from '../ui/page.tsx';

export default function BillingPage() {
  return (
    <Page title="Billing">
      <p>Nothing here yet.</p>
    </Page>
  );
}
