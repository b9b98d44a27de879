import { warningWords } from './warning-words.ts';

/** Warnings of the service in words for people, each with the page that helps. */
export function WarningList({ warnings }: { readonly warnings: readonly string[] }) {
  const said = new Map(warnings.map(warningWords).map((each) => [each.words, each]));
  if (said.size === 0) return null;
  return (
    <ul>
      {[...said.values()].map(({ words, help }) => (
        <li key={words}>
          {words}
          {help && (
            <>
              {' '}
              <a href={help.href}>{help.words}</a>.
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
