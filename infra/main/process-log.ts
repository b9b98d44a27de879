import { pino } from 'pino';
import type { Config } from '../drivers/config.ts';
import { jsonLog, textLog, type Log } from '../observe/log.ts';
import { createTerminal } from './terminal.ts';

/** The log of a process of its own, and what writes its last lines. */
export interface ProcessLog {
  readonly log: Log;
  flush(): Promise<void>;
}

/** Bytes that wait for a slow reader at most; lines beyond them are lost, and memory is not. */
const longestWait = 16 * 1024 * 1024;

/**
 * Text on a terminal, else JSON lines; LOG_FORMAT and LOG_LEVEL say otherwise. JSON lines are collected and written
 * beside the work, so that a slow reader holds nobody up.
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
