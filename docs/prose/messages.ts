import { parseSync, visitorKeys, type Node } from 'oxc-parser';

export interface Message {
  readonly text: string;
  /** Offset in the source. */
  readonly at: number;
}

/** In place of a value that is put into a text. */
const value = '\u0000';
/** Two words in turn, because a digit would join sentences, and one word would look repeated. */
function withWords(text: string): string {
  let at = 0;
  return text.replaceAll(value, () => (at++ % 2 ? 'number' : 'value'));
}
const isSql = /\b(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|LOCK|WHERE|RETURNING|VALUES|VACUUM|GRANT|BEGIN)\b/;
/** Three words or more, which begin a sentence or go on with one. */
const isProse = (text: string): boolean => /\p{L}+[^\p{L}]* \p{L}+[^\p{L}]* .*\p{L}/u.test(text) && !isSql.test(text);

/** The whole text of literals that are added up, with `value` in place of values; null: no text. */
function textOf(node: Node): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value: { cooked } }) => cooked).join(value);
  if (node.type === 'JSXText') return node.value;
  if (node.type === 'ParenthesizedExpression') return textOf(node.expression);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return null;
  const parts = [textOf(node.left), textOf(node.right)];
  return parts.every((part) => part === null) ? null : parts.map((part) => part ?? value).join('');
}

/** Texts of three words and more in a file of TypeScript, other than SQL and types. */
export function messagesInTypeScript(name: string, source: string): Message[] {
  const found: Message[] = [];
  const walk = (node: Node, isPart: boolean): void => {
    if (/^TS.*Type|^Import|^Export(All|Specifier)/.test(node.type)) return;
    const text = textOf(node);
    if (!isPart && text !== null && isProse(text)) found.push({ text: withWords(text), at: node.start });
    for (const key of visitorKeys[node.type] ?? []) {
      const children = [(node as unknown as Record<string, Node | Node[] | null>)[key]].flat();
      for (const child of children) if (child) walk(child, text !== null && textOf(child) !== null);
    }
  };
  walk(parseSync(name, source).program, false);
  return found;
}

const pythonText = /"""[^]*?"""|(?:[fr]?"(?:[^"\\\n]|\\.)*"\s*)+/g;

/** Texts of three words and more in a file of Python, docstrings among them. */
export function messagesInPython(source: string): Message[] {
  return [...source.matchAll(pythonText)].flatMap(({ 0: whole, index }) => {
    const text = whole.replace(/"\s*[fr]?"|^[fr]?"+|"+\s*$/g, '').replace(/\{[^{}]*\}/g, value);
    return isProse(text) ? [{ text: withWords(text), at: index }] : [];
  });
}
