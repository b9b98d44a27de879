import { Marked, type Token, type Tokens } from 'marked';
import { highlight } from './highlight.ts';
import { escape } from './markup.ts';

export interface Heading {
  readonly depth: number;
  readonly id: string;
  /** As HTML. */
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly headings: readonly Heading[];
}

/** Languages that form one group of tabs, in the order of the tabs. */
const tabNames: Readonly<Record<string, string>> = { python: 'Python', ts: 'TypeScript', sh: 'curl' };

/** Anchor of a heading. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-|-$/g, '');

function block({ text, lang = '' }: Tokens.Code): string {
  const language = lang.split(' ')[0] || 'text';
  return `<pre tabindex="0"><code class="language-${escape(language)}">${highlight(text, language)}\n</code></pre>`;
}

/** Tabs for several languages: radio buttons, without a script. */
function tabs(found: readonly Tokens.Code[], group: number): string {
  const codes = Object.keys(tabNames).flatMap((name) => found.filter(({ lang }) => lang === name));
  const parts = codes.map(({ lang = '' }, i) => {
    const id = `code-${group}-${escape(lang)}`;
    return (
      `<input type="radio" name="code-${group}" id="${id}"${i === 0 ? ' checked' : ''}>` +
      `<label for="${id}">${tabNames[lang]}</label>`
    );
  });
  const panels = codes.map((code) => `<div class="panel">${block(code)}</div>`);
  return `<fieldset class="tabs"><legend>Language of this snippet</legend>${parts.join('')}${panels.join('')}</fieldset>\n`;
}

const isTab = (token: Token | undefined): token is Tokens.Code =>
  token?.type === 'code' && Object.hasOwn(tabNames, token.lang ?? '');

/** Joins adjacent code blocks of different languages into one group. */
function groupTabs(tokens: readonly Token[]): Token[] {
  const out: Token[] = [];
  let group = 0;
  for (let at = 0; at < tokens.length; at++) {
    const codes: Tokens.Code[] = [];
    let end = at;
    for (let next = at; isTab(tokens[next]) || (codes.length > 0 && tokens[next]?.type === 'space'); next++) {
      const token = tokens[next];
      if (!isTab(token)) continue;
      if (codes.some(({ lang }) => lang === token.lang)) break;
      codes.push(token);
      end = next;
    }
    if (codes.length < 2) out.push(tokens[at]);
    else {
      const html = tabs(codes, ++group);
      out.push({ type: 'html', raw: html, text: html, block: true, pre: false } as Tokens.HTML);
      at = end;
    }
  }
  return out;
}

/** Renders markdown as HTML: headings with anchors, code in tabs, wide tables in a box that scrolls. */
export function renderMarkdown(text: string): Rendered {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: plain }) {
        const id = anchorOf(plain.replaceAll('`', ''));
        if (headings.some((other) => other.id === id)) throw new RangeError(`Two headings have the anchor "${id}".`);
        const html = this.parser.parseInline(tokens);
        headings.push({ depth, id, text: html });
        if (depth === 1) return `<h1 id="${id}">${html}</h1>\n`;
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${html}</a></h${depth}>\n`;
      },
      code: (code) => `${block(code)}\n`,
    },
  });
  const html = marked
    .parser(groupTabs(marked.lexer(text)))
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return { html, headings };
}
