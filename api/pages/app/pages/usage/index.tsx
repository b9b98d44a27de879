import { Page } from '../../ui/page.tsx';

export default function UsagePage() {
  return (
    <Page title="Usage">
      <p>Nothing here yet.</p>
    </Page>
  );
}
