import { Page } from '../ui/page.tsx';

export default function List() {
  return (
    <Page title="Models">
      <p>Nothing here yet.</p>
    </Page>
  );
}
