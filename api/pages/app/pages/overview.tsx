import { Page } from '../ui/page.tsx';

export default function OverviewPage() {
  return (
    <Page title="Overview">
      <p>Nothing here yet.</p>
    </Page>
  );
}
