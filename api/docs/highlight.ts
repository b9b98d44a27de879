import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { escape } from './markup.ts';

const highlighter = core.newInstance();
/** Grammar of each language of the code blocks; a block of another language keeps one colour. */
const grammars = { python, ts: typescript, sh: bash, json } as const;
for (const [name, grammar] of Object.entries(grammars)) highlighter.registerLanguage(name, grammar);

/** How examples write the reader's own key. The script of the pages can replace it. */
const ownKey = /eeg_test_…|\$EEG_API_KEY/g;

/** Code as HTML: its parts in colours, and the reader's key in elements of the class `own-key`. */
export function highlight(code: string, language: string): string {
  const html = Object.hasOwn(grammars, language) ? highlighter.highlight(code, { language }).value : escape(code);
  return html.replaceAll(ownKey, (text) => `<span class="own-key">${text}</span>`);
}
