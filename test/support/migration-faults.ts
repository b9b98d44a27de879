import type { Migration } from '../../infra/drivers/postgres/migration-files.ts';

const adds = /^\s*(?:ALTER\s+TABLE\s.*?\s)?ADD\s+(?!CONSTRAINT|CHECK|FOREIGN|UNIQUE|PRIMARY)/is;

/** Clauses of a statement that break an older build. */
const breaks: readonly (readonly [(clause: string) => boolean, string])[] = [
  [
    (clause) => /\bDROP\s+(?!TRIGGER\b|DEFAULT\b|NOT\b|INDEX\b|CONSTRAINT\s+\w+_(?:fkey|check\d*)\b)/i.test(clause),
    'drops what an older build may use',
  ],
  [(clause) => /\bRENAME\b/i.test(clause), 'renames what an older build knows by its former name'],
  [(clause) => /\bALTER\s+(?:COLUMN\s+)?\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i.test(clause), 'changes the type of a column'],
  [(clause) => /\bSET\s+NOT\s+NULL\b/i.test(clause), 'refuses rows that an older build writes'],
  [
    (clause) => adds.test(clause) && /\bNOT\s+NULL\b/i.test(clause) && !/\b(?:DEFAULT|GENERATED)\b/i.test(clause),
    'adds a column that an older build leaves empty',
  ],
  [
    (clause) =>
      /\bADD\s+(?:CONSTRAINT|CHECK|FOREIGN|UNIQUE|PRIMARY)\b/i.test(clause) && !/\bNOT\s+VALID\b/i.test(clause),
    'adds a constraint that an older build may break',
  ],
  [(clause) => /\b(?:TRUNCATE|REVOKE)\b/i.test(clause), 'takes away what an older build may use'],
  [
    (clause) => /\bCREATE\s+(?:UNIQUE\s+)?INDEX\b(?!\s+CONCURRENTLY)/i.test(clause),
    'builds an index while it locks a table of older builds: CONCURRENTLY, no transaction',
  ],
];

/** Text in parentheses, nested up to two levels: its commas do not separate clauses. */
const inner = /\((?:[^()]|\([^()]*\))*\)/g;

/**
 * Why a migration that declares itself an expansion is none, or cannot run as declared; empty: no fault found.
 * Comments, function bodies, and changes to a table that the same file creates are skipped.
 */
export function faultsOf({ text, kind, inTransaction }: Migration): string[] {
  const plain = text.replaceAll(/--.*$/gm, '').replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''");
  const made = [...plain.matchAll(/\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/gi)].map(([, name]) => name);
  const concurrent = /\bCONCURRENTLY\b/i.test(plain);
  const faults = concurrent === inTransaction ? ['", no transaction" is for CONCURRENTLY, and for nothing else'] : [];
  if (kind === 'contract') return faults;
  for (const statement of plain.split(';')) {
    const table = /\b(?:ON|ALTER\s+TABLE(?:\s+IF\s+EXISTS)?)\s+(?:ONLY\s+)?(\w+)/i.exec(statement)?.[1];
    if (/^\s*CREATE\s+TABLE\b/i.test(statement) || (table && made.includes(table))) continue;
    for (const clause of statement.replaceAll(inner, '()').split(','))
      for (const [found, why] of breaks) if (found(clause)) faults.push(`${why}: ${clause.trim()}`);
  }
  return faults;
}
