import { useEffect, useState } from 'preact/hooks';

/** Removes the value of `name` from the address and the history, and returns it. */
function taken(name: string): string | null {
  const found = new URLSearchParams(location.hash.slice(1)).get(name);
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  return found;
}

/**
 * The value of `name` in the fragment of the address, `#name=…`. It is removed from the address and the history at
 * once, so a secret in it is neither sent to a server nor stored. A later link opened in the same page also works.
 */
export function useFragment(name: string): string | null {
  const [value, setValue] = useState(() => taken(name));
  useEffect(() => {
    const hear = (): void => setValue((before) => taken(name) ?? before);
    addEventListener('hashchange', hear);
    return () => removeEventListener('hashchange', hear);
  }, [name]);
  return value;
}
