import { useSession } from '../session.tsx';

/** True if terms were ever accepted. Before that the API refuses requests about models. */
export const useHasTerms = (): boolean => useSession().me?.terms.accepted !== null;

/** Asks to accept the terms before there can be models. */
export const TermsNotice = () => (
  <p class="notice warn">
    Before a model can be made, accept the{' '}
    <a href={`/dashboard/terms?next=${encodeURIComponent(location.pathname)}`}>terms of service</a>.
  </p>
);
