import { expect, it } from 'vitest';
import { VFile } from 'vfile';
import { messagesInPython, messagesInTypeScript } from '../../docs/prose/messages.ts';
import { lintMarkdown, lintText } from '../../docs/prose/rules.ts';

async function rulesBroken(lint: (file: VFile) => Promise<void>, text: string): Promise<unknown[]> {
  const file = new VFile({ path: 'page.md', value: text });
  await lint(file);
  return file.messages.map(({ ruleId, source, reason }) =>
    ruleId === 'words' ? /"([^"]+)"/.exec(reason)![1] : source === 'prose' ? ruleId : source,
  );
}

it.each([
  ['a word of the list', 'Whoever asks is told so.', ['Whoever', 'told']],
  ['a phrase over two lines', 'All pass, but\nfor one.', ['but\nfor']],
  ['a word in a table', '| a | b |\n|---|---|\n| x | It is told. |', ['told']],
  ['a long sentence', `${'one two '.repeat(16)}.`, ['sentence-length']],
  ['a repeated word', 'It is is here.', ['retext-repeated-words']],
  ['a wrong article', 'It is a error.', ['retext-indefinite-article']],
  ['a word in code', 'Call `told` here.', []],
])('%s in a page is reported', async (_what, text, expected) => {
  expect(await rulesBroken(lintMarkdown, text)).toEqual(expected);
});

it('texts of TypeScript are read whole, and SQL, types and short texts are left out', () => {
  const source = [
    'const a = `Send ${n} trials ` + "or fewer of them.";',
    "const b = 'SELECT a FROM b WHERE c';",
    "type C = 'a type is no text of ours';",
    "import d from './one two three four.ts';",
    "const e = 'two words';",
    'const f = <p>Copy the key now.</p>;',
  ].join('\n');
  const found = messagesInTypeScript('a.tsx', source).map(({ text }) => text);
  expect(found).toEqual(['Send value trials or fewer of them.', 'Copy the key now.']);
});

it('texts of Python are read whole', async () => {
  const source = 'raise ValueError(\n    f"Send {n} trials "\n    "or fewer of them."\n)\n';
  expect(messagesInPython(source).map(({ text }) => text)).toEqual(['Send value trials or fewer of them.']);
  expect(await rulesBroken(lintText, 'It is told so.')).toEqual(['told']);
});
