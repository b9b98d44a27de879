import { sourceOf } from '../../api/docs/site.ts';
import { fillIn } from '../../api/docs/facts.ts';

/** Blocks of code of a documentation page whose fence says exactly `info`, in order. */
export const snippetsOf = (page: string, info: string): string[] =>
  [...fillIn(sourceOf(page)).matchAll(/^```([^\n]+)\n([^]*?)^```$/gm)]
    .filter(([, fence]) => fence === info)
    .map(([, , code]) => code);

/** A shell script that stops at the first command that fails; `marks` are printed between the snippets. */
export const scriptOf = (snippets: readonly string[]): string =>
  ['set -euo pipefail', ...snippets.flatMap((code, i) => [`printf '\\n--- %s ---\\n' ${i}`, code])].join('\n');

/** What a script printed, snippet by snippet. */
export const outputsOf = (printed: string): string[] => printed.split(/\n--- \d+ ---\n/).slice(1);
