import { errorTable, type ErrorCode } from '../../infra/contract/errors.ts';
import { examples } from '../contract/examples.ts';
import { errorsOf, type Operation } from '../contract/operation.ts';
import { version } from '../contract/version.ts';
import { fieldTable, limitsOf, typeOf, type Schema } from './field-table.ts';
import { escape, prose } from './markup.ts';
import { style } from './style.ts';

export interface DescribedInterface {
  readonly info: { readonly description: string };
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Long numbers and base64 are cut for the eye; the whole example is in /openapi.json. */
function shown(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return value.length > 90 ? `${value.slice(0, 80)}… (${value.length} characters)` : value;
  if (Array.isArray(value)) {
    const most = depth > 1 ? 3 : 4;
    const part = value.slice(0, value.length > 8 ? most : 8).map((item) => shown(item, depth + 1));
    return value.length > part.length ? [...part, `… ${value.length - part.length} more`] : part;
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item, depth)]));
  return value;
}

function exampleOf({ method, path, examples: names = [] }: Operation): string {
  return names
    .map((name) => {
      const { summary, value, status } = examples[name];
      const json = JSON.stringify(shown(value), null, 2).replace(
        /\[\s+(-?[\d.]+,\s+)+(-?[\d.]+|"…[^"]*")\s+\]/g,
        (list) => list.replace(/\s+/g, ' '),
      );
      return `<details><summary>${escape(summary)} <small>→ ${status}</small></summary><pre>curl -X ${method.toUpperCase()} "$BASE_URL${escape(path)}" \\
  -H "Authorization: Bearer $API_KEY" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: $(uuidgen)" -d '${escape(json)}'</pre></details>`;
    })
    .join('');
}

const codeLink = (code: ErrorCode): string => `<a href="/docs/errors#${code}"><code>${code}</code></a>`;

function section(operation: Operation, schemas: Readonly<Record<string, Schema>>): string {
  const answers = Object.entries(operation.answers)
    .map(([status, { words }]) => `<li><b>${status}</b> ${prose(words)}</li>`)
    .join('');
  const query = operation.query
    ?.map(
      ({ name, schema, words }) =>
        `<li><code>${name}</code> ${escape(typeOf(schema as Schema))} ${escape(limitsOf(schema as Schema))}: ${prose(words)}</li>`,
    )
    .join('');
  return `<section id="${operation.id}"><h2><span class="${operation.method}">${operation.method.toUpperCase()}</span> ${escape(operation.path)}</h2>
    <p>${prose(operation.description)}</p>
    <p class="key">${operation.scopes ? `Needs a key with the permission ${operation.scopes.map((scope) => `<code>${scope}</code>`).join(' or ')}.` : 'Needs no key.'}
    ${operation.idempotent ? 'Takes an <code>Idempotency-Key</code>.' : ''}</p>
    ${query ? `<h3>Query</h3><ul>${query}</ul>` : ''}
    ${bodyNames(operation)
      .map((name) => `<h3>Body: ${name}</h3>${fieldTable(schemas[name])}`)
      .join('')}
    ${exampleOf(operation)}
    <h3>Answers</h3><ul>${answers}</ul><p class="codes">${errorsOf(operation).map(codeLink).join(' ')}</p></section>`;
}

const frame = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${style}</style></head><body>${body}</body></html>`;

const bodyNames = ({ requests = [] }: Operation): string[] => requests.map((schema) => String(schema.meta()?.id));
const answerNames = [
  'TaskModel',
  'TrainingReport',
  'SignalReport',
  'Estimate',
  'ZeroShotEstimate',
  'TaskModelPreparing',
  'Preparation',
  'ReferenceEvidence',
  'Prior',
  'Finding',
  'PredictionList',
  'TaskModelList',
  'Usage',
  'Error',
];

/** The reference page, made from the interface description: one self-contained HTML page. */
export function referencePage(document: DescribedInterface, operations: readonly Operation[]): string {
  const { schemas } = document.components;
  const menu = operations
    .map(({ id, method, path }) => `<li><a href="#${id}">${method.toUpperCase()} ${escape(path)}</a></li>`)
    .join('');
  return frame(
    'EEG task classifiers: reference',
    `<nav><h1>EEG task classifiers</h1><p>Interface ${version} · <a href="/openapi.json">openapi.json</a> · <a href="/docs/errors">errors</a></p><ul>${menu}</ul></nav>
    <main><section><p>${prose(document.info.description)}</p><p>Send <code>Authorization: Bearer &lt;API_KEY&gt;</code>. Every answer carries <code>X-Request-Id</code>, and every authenticated one
    <code>x-ratelimit-limit-requests</code>, <code>x-ratelimit-remaining-requests</code> and <code>x-ratelimit-reset-requests</code>.</p></section>
    ${operations.map((operation) => section(operation, schemas)).join('')}
    <section><h2>Objects</h2>${answerNames.map((name) => `<h3 id="${name}">${name}</h3>${fieldTable(schemas[name])}`).join('')}</section></main>`,
  );
}

/** Every error code with its status, type, meaning and what a client does about it: the error table as a page. */
export function errorsPage(): string {
  const rows = Object.entries(errorTable).map(
    ([
      code,
      { status, type, meaning, retry, retryAfter },
    ]) => `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${type}</td>
    <td>${prose(meaning)}</td><td>${retry ? (retryAfter ? 'after Retry-After' : 'with back-off') : 'not unchanged'}</td></tr>`,
  );
  return frame(
    'EEG task classifiers: errors',
    `<main><h1>Errors</h1><p><a href="/docs">Reference</a>. Every error is one object with <code>type</code>, <code>code</code>, <code>message</code>, <code>field</code>,
    <code>alternatives</code> and <code>details</code>. An entry of <code>alternatives</code> is a value to send as <code>field</code>, or an object to merge into the body (null removes a field); without <code>field</code> it is advice.</p>
    <table><thead><tr><th>Code</th><th>Status</th><th>Type</th><th>Meaning</th><th>Retry</th></tr></thead><tbody>${rows.join('')}</tbody></table>
    <p>Wait the <code>Retry-After</code> seconds; where it is absent, 1 s, 2 s, 4 s and so on, five attempts at most. Connection errors and timeouts are retried the same way, with the same <code>Idempotency-Key</code>.</p></main>`,
  );
}
