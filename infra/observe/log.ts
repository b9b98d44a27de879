import { pino, type DestinationStream } from 'pino';

/** From the least to the most urgent. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Fields of a line besides its message. No other field is ever written, and never a caller's data. */
export interface LogFields {
  readonly request?: string;
  readonly account?: string;
  readonly model?: string;
  readonly job?: string;
  readonly workflow?: string;
  readonly activity?: string;
  /** Method and path of the route, with its placeholders. */
  readonly route?: string;
  readonly status?: number;
  readonly code?: string | null;
  readonly seconds?: number;
  /** Hexadecimal id of the trace that the line belongs to. */
  readonly trace?: string;
  /** The thrown error: name, message and stack are written, with keys and passwords removed. */
  readonly error?: unknown;
}

/** Log of a process. It never contains a body, a secret, a description or a full key. */
export type Log = Readonly<Record<LogLevel, (words: string, fields?: LogFields) => void>> & {
  /** Whether lines of the level are written at all. */
  writes(level: LogLevel): boolean;
};

const logOf = (least: LogLevel, write: (level: LogLevel, words: string, fields: LogFields) => void): Log => {
  const writes = (level: LogLevel): boolean => logLevels.indexOf(level) >= logLevels.indexOf(least);
  const lines = logLevels.map((level) => [
    level,
    writes(level) ? (words: string, fields: LogFields = {}) => write(level, words, fields) : () => undefined,
  ]);
  return { ...(Object.fromEntries(lines) as Record<LogLevel, (words: string, fields?: LogFields) => void>), writes };
};

/** A log that discards everything. */
export const silentLog: Log = { ...logOf('error', () => undefined), writes: () => false };

/** Lines for a person: the message, ids, and the stack of an unexpected error. */
export const textLog = (line: (text: string) => void, least: LogLevel = 'info'): Log =>
  logOf(least, (_level, words, { error, ...fields }) => {
    const about = Object.entries(fields).filter(([, value]) => value !== undefined && !words.includes(String(value)));
    line(
      clean(words) +
        (about.length > 0 ? ` (${about.map(([name, value]) => `${name} ${value}`).join(', ')})` : '') +
        (error === undefined ? '' : `: ${lineOf(error)}`),
    );
  });

/** One JSON object a line. */
export function jsonLog(destination: DestinationStream, service: string, least: LogLevel = 'info'): Log {
  const logger = pino(
    {
      level: least,
      base: { service },
      formatters: { level: (level) => ({ level }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination,
  );
  return logOf(least, (level, words, { error, ...fields }) =>
    logger[level]({ ...fields, ...(error !== undefined && { error: described(error) }) }, clean(words)),
  );
}

/** `log` until the signal aborts, then nothing: work that a stopping process abandons is not an error. */
export const logUntil = (log: Log, signal: AbortSignal): Log => ({
  ...(Object.fromEntries(
    logLevels.map((level) => [
      level,
      (words: string, fields?: LogFields) => {
        if (!signal.aborted) log[level](words, fields);
      },
    ]),
  ) as Record<LogLevel, Log['info']>),
  writes: (level) => !signal.aborted && log.writes(level),
});

/** Errors whose message is for the caller and may repeat the caller's data. */
const repeating = new Set(['ApiError', 'ApplicationFailure', 'SyntaxError', 'ZodError']);

function described(error: unknown): { name?: string; message: string; stack?: string; cause?: object } {
  if (!(error instanceof Error)) return { message: clean(String(error)) };
  const frames = /\n {4}at [^]*$/.exec(error.stack ?? '')?.[0] ?? '';
  return {
    name: error.name,
    message: repeating.has(error.name) ? '…' : clean(error.message),
    stack: clean(frames.trimStart()),
    ...(error.cause instanceof Error && { cause: described(error.cause) }),
  };
}

function lineOf(error: unknown): string {
  const { name, message, stack } = described(error);
  return [name === undefined ? message : `${name}: ${message}`, ...(stack ? [`    ${stack}`] : [])].join('\n');
}

/** Longest text of one line or one error. */
const longest = 8_000;

/** Patterns of secrets that must never appear in a log, whatever the message. Each takes time linear in the text. */
const secrets: readonly (readonly [RegExp, string])[] = [
  [/(eeg_(?:live|test)_[A-Za-z0-9]{16})_[A-Za-z0-9]{1,64}/g, '$1_…'],
  [/\b(Bearer) [!-~]{8,}/g, '$1 …'],
  [/(:\/\/[^\s:/@]{0,128}):[^\s/@]{1,256}@/g, '$1:…@'],
  [/[A-Za-z0-9+/_-]{200,}={0,2}/g, '…'],
];

/** Removes keys, passwords in addresses, and texts as long as encoded signals. */
const clean = (text: string): string =>
  secrets.reduce((cleaned, [secret, words]) => cleaned.replace(secret, words), text.slice(0, longest));
