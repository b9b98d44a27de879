/** Stands where something is being read. */
export const Waiting = ({ what = 'this page' }: { readonly what?: string }) => (
  <p class="waiting" aria-busy="true">
    Reading {what} …
  </p>
);
