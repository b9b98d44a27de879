import { Page } from '../ui/page.tsx';

export default function Create() {
  return (
    <Page title="Create a model">
      <p>Nothing here yet.</p>
    </Page>
  );
}
