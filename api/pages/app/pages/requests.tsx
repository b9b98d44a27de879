import { Page } from '../ui/page.tsx';

export default function RequestLogPage() {
  return (
    <Page title="Request log">
      <p>Nothing here yet.</p>
    </Page>
  );
}
