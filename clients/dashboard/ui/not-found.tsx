import { Page } from './page.tsx';

export function NotFound() {
  return (
    <Page title="No such page" narrow>
      <p>There is no page at this address.</p>
      <p>
        <a href="/dashboard">To the overview</a>
      </p>
    </Page>
  );
}
