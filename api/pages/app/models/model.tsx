import { Page } from '../ui/page.tsx';

export default function Model() {
  return (
    <Page title="Model">
      <p>Nothing here yet.</p>
    </Page>
  );
}
