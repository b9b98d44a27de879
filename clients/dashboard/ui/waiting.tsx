/** Placeholder while something is loading. */
export const Waiting = ({ what = 'this page' }: { readonly what?: string }) => (
  <p class="waiting" aria-busy="true">
    Reading {what} …
  </p>
);
