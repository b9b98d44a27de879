import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { VFile } from 'vfile';
import { reporter } from 'vfile-reporter';
import { messagesInPython, messagesInTypeScript, type Message } from './messages.ts';
import { lintMarkdown, lintText } from './rules.ts';

/** Pages in markdown. */
const pages = /^(?:[A-Z]+\.md|docs\/.*\.md|api\/docs\/pages\/.*\.md)$/;
/** Source whose texts people read. Vocabularies that the service searches in descriptions are no texts of its own. */
const sources =
  /^(?:api|activities|infra|ml|workflows|clients\/typescript\/src|clients\/python\/src)\/.*\.(?:tsx?|py)$/;
const notTexts = /^(?:ml\/task\/|ml\/kernels\/|clients\/typescript\/src\/schema-types\.ts)/;

const root = new URL('../../', import.meta.url);
const named = process.argv.slice(2);
const tracked = named.length ? named : execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');

async function lintPage(path: string): Promise<VFile> {
  const file = new VFile({ path, value: readFileSync(new URL(path, root), 'utf8') });
  await lintMarkdown(file);
  return file;
}

/** Each text is linted by itself, and reported at the line where it begins. */
async function lintSource(path: string): Promise<VFile> {
  const source = readFileSync(new URL(path, root), 'utf8');
  const file = new VFile({ path, value: source });
  const messages: Message[] = path.endsWith('.py') ? messagesInPython(source) : messagesInTypeScript(path, source);
  for (const { text, at } of messages) {
    const one = new VFile(text);
    await lintText(one);
    const line = source.slice(0, at).split('\n').length;
    for (const { reason, ruleId, source: from } of one.messages)
      file.message(reason, { place: { line, column: 1 }, ruleId, source: from });
  }
  return file;
}

const files = await Promise.all(
  tracked.flatMap((path) => {
    if (pages.test(path)) return [lintPage(path)];
    return sources.test(path) && !notTexts.test(path) ? [lintSource(path)] : [];
  }),
);
const broken = files.filter(({ messages }) => messages.length > 0);
if (broken.length > 0) {
  process.stderr.write(`${reporter(broken, { quiet: false })}\nThe words are in docs/prose/words.json.\n`);
  process.exitCode = 1;
}
