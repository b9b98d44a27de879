import { readFileSync } from 'node:fs';
import type { Root as Page, Table } from 'mdast';
import type { Root, Sentence } from 'nlcst';
import { search } from 'nlcst-search';
import { toString } from 'nlcst-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRetext from 'remark-retext';
import retextEnglish from 'retext-english';
import retextIndefiniteArticle from 'retext-indefinite-article';
import retextRepeatedWords from 'retext-repeated-words';
import { unified, type PluggableList } from 'unified';
import { visit } from 'unist-util-visit';
import type { VFile } from 'vfile';

const { $comment: _, ...words } = JSON.parse(readFileSync(new URL('words.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

/** Words in a sentence, at most. */
const longest = 30;

/** Words of `words.json`, each reported with the plain way to say it. */
const plainWords = () => (tree: Root, file: VFile) =>
  search(tree, Object.keys(words), (nodes, _index, _parent, phrase) => {
    file.message(`"${toString(nodes)}": say it plainly: ${words[phrase]}`, nodes[0]!, 'prose:words');
  });

/** Only of what ends as a sentence does: lists of columns, code and markup do not. */
const shortSentences = () => (tree: Root, file: VFile) =>
  visit(tree, 'SentenceNode', (sentence: Sentence) => {
    const isCode = file.extname !== '.md' && /[\n<{]/.test(toString(sentence));
    if (isCode || sentence.children.at(-1)!.type !== 'PunctuationNode') return;
    const count = sentence.children.filter(({ type }) => type === 'WordNode').length;
    if (count > longest) {
      const start = toString(sentence).slice(0, 60).replace(/\s+/g, ' ');
      file.message(`a sentence of ${count} words, at most ${longest}: "${start}…"`, sentence, 'prose:sentence-length');
    }
  });

/** Cells of a table become paragraphs, because `remark-retext` leaves tables out. */
const cellsAsParagraphs = () => (tree: Page) =>
  visit(tree, 'table', (table: Table) => {
    const cells = table.children.flatMap((row) => row.children);
    const paragraphs = cells.map((cell) => ({ ...cell, type: 'paragraph' as const }));
    Object.assign(table, { type: 'blockquote', children: paragraphs });
  });

const rules: PluggableList = [plainWords, shortSentences, retextRepeatedWords, retextIndefiniteArticle];
const english = unified().use(retextEnglish).use(rules).freeze();
const markdown = unified().use(remarkParse).use(remarkGfm).use(cellsAsParagraphs).use(remarkRetext, english).freeze();

/** Adds a message to `file` for each place that breaks a rule. */
export async function lintMarkdown(file: VFile): Promise<void> {
  await markdown.run(markdown.parse(file), file);
}

/** The same for a file of plain text. */
export async function lintText(file: VFile): Promise<void> {
  await english.run(english.parse(file), file);
}
