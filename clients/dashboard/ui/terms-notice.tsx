import { useSession } from '../session.tsx';

/** Whether models can be made and read: before terms were ever accepted the interface answers nothing of them. */
export const useHasTerms = (): boolean => useSession().me?.terms.accepted !== null;

/** What has to be done before there can be models. */
export const TermsNotice = () => (
  <p class="notice warn">
    Before a model can be made, the <a href="/dashboard/terms">terms of service</a> have to be accepted.
  </p>
);
