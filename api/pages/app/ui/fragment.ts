import { useState } from 'preact/hooks';

/**
 * The value of `name` in the fragment of the address, `#name=…`, which is taken out of the address and the history at
 * once: a secret in it is sent to no server and stays nowhere.
 */
export function useFragment(name: string): string | null {
  const [value] = useState(() => {
    const found = new URLSearchParams(location.hash.slice(1)).get(name);
    if (location.hash) history.replaceState(null, '', location.pathname + location.search);
    return found;
  });
  return value;
}
