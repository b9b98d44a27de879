import { Page } from '../../ui/page.tsx';

export default function KeysPage() {
  return (
    <Page title="Keys">
      <p>Nothing here yet.</p>
    </Page>
  );
}
