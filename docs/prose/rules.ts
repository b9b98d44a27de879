import { readFileSync } from 'node:fs';
import type { Table } from 'mdast';
import type { Root, Sentence } from 'nlcst';
import { search } from 'nlcst-search';
import { toString } from 'nlcst-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRetext from 'remark-retext';
import retextEnglish from 'retext-english';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextRepeatedWords from 'retext-repeated-words';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import type { VFile } from 'vfile';

const { $comment: _, ...words } = JSON.parse(readFileSync(new URL('words.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

/** Words in a sentence, at most. */
const longest = 40;

/** Words of `words.json`, each reported with the plain way to say it. */
const plainWords = () => (tree: Root, file: VFile) =>
  search(tree, Object.keys(words), (nodes, _index, _parent, phrase) => {
    file.message(`"${toString(nodes)}": say it plainly: ${words[phrase]}`, nodes[0]!, 'words');
  });

const shortSentences = () => (tree: Root, file: VFile) =>
  visit(tree, 'SentenceNode', (sentence: Sentence) => {
    const count = sentence.children.filter(({ type }) => type === 'WordNode').length;
    if (count > longest) file.message(`a sentence of ${count} words; at most ${longest}`, sentence, 'sentence-length');
  });

/** Cells of a table become paragraphs, because `remark-retext` leaves tables out. */
const cellsAsParagraphs = () => (tree: import('mdast').Root) =>
  visit(tree, 'table', (table: Table) => {
    const cells = table.children.flatMap((row) => row.children);
    const paragraphs = cells.map((cell) => ({ ...cell, type: 'paragraph' as const }));
    Object.assign(table, { type: 'blockquote', children: paragraphs });
  });

const english = unified()
  .use(retextEnglish)
  .use(plainWords)
  .use(shortSentences)
  .use(retextRepeatedWords)
  .use(retextIndefiniteArticle)
  .freeze();

const markdown = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(cellsAsParagraphs)
  .use(remarkRetext, english)
  .freeze();

/** Adds a message to `file` for each place that breaks a rule. */
export function lintMarkdown(file: VFile): void {
  markdown.runSync(markdown.parse(file), file);
}

/** The same for a file of plain text. */
export function lintText(file: VFile): void {
  english.runSync(english.parse(file), file);
}
