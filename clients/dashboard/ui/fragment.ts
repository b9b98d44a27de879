import { useEffect, useState } from 'preact/hooks';

/** Takes the value of `name` out of the address and the history. */
function taken(name: string): string | null {
  const found = new URLSearchParams(location.hash.slice(1)).get(name);
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  return found;
}

/**
 * The value of `name` in the fragment of the address, `#name=…`, which is taken out of the address and the history at
 * once: a secret in it is sent to no server and stays nowhere. A further link that is opened in the same page counts.
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
