import { pino } from 'pino';
import type { Config } from '../drivers/config.ts';
import { jsonLog, textLog, type Log } from '../observe/log.ts';
import { createTerminal } from './terminal.ts';

/** The log of a process, and a function that writes its last lines. */
export interface ProcessLog {
  readonly log: Log;
  flush(): Promise<void>;
}

/** Most bytes buffered for a slow reader; further lines are dropped to limit memory. */
const longestWait = 16 * 1024 * 1024;

/**
 * Text on a terminal, else JSON lines; LOG_FORMAT and LOG_LEVEL override this. JSON lines are buffered and written
 * asynchronously, so that a slow reader does not block the process.
 */
export function createProcessLog({ logFormat, logLevel }: Config, service: string): ProcessLog {
  if ((logFormat ?? (process.stdout.isTTY ? 'text' : 'json')) === 'text')
    return { log: textLog(createTerminal().line, logLevel), flush: async () => undefined };
  const destination = pino.destination({ fd: 1, sync: false, maxLength: longestWait });
  return {
    log: jsonLog(destination, service, logLevel),
    async flush() {
      destination.flushSync();
    },
  };
}
