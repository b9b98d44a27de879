import { parseArgs } from 'node:util';
import { ApiError } from '../../contract/errors.ts';
import { AccountError } from '../../records/accounts/account-error.ts';
import { databaseClock } from '../../drivers/postgres/transaction.ts';
import { isUnreachable } from '../../drivers/postgres/errors.ts';
import { accountCommands } from './accounts.ts';
import type { AdminContext, Command } from './command.ts';
import { deploymentCommands } from './deployments.ts';
import { linkCommands } from './links.ts';
import { modelCommands } from './models.ts';
import { objectCommands } from './objects.ts';
import { AdminError, type Options } from './options.ts';
import { secretCommands } from './secrets.ts';
import { serviceCommands } from './service.ts';
import { signUpCommands } from './sign-up.ts';

const commands: Readonly<Record<string, Command>> = {
  ...accountCommands,
  ...linkCommands,
  ...signUpCommands,
  ...serviceCommands,
  ...modelCommands,
  ...objectCommands,
  ...secretCommands,
  ...deploymentCommands,
};

export interface AdminOutcome {
  /** One JSON object for stdout, or nothing. */
  readonly out: string | null;
  /** Lines for stderr. */
  readonly errors: readonly string[];
  readonly exitCode: 0 | 1 | 2;
}

/** Usage text of `admin`: one line per command. */
const adminUsage = (): string[] => Object.entries(commands).map(([name, { usage }]) => `${name} ${usage}`.trim());

/**
 * Runs one admin command. `open` is called only for a valid command. Exit code 2: the command line is invalid; 1: the
 * command failed, or a check found a problem.
 */
export async function runAdmin(
  argv: readonly string[],
  open: () => Promise<Omit<AdminContext, 'at'> & { close(): Promise<void> }>,
): Promise<AdminOutcome> {
  if (argv.length === 0 || ['help', '--help', '-h'].includes(argv[0]!))
    return { out: JSON.stringify({ commands: adminUsage() }, null, 2), errors: [], exitCode: 0 };
  const words = commands[argv.slice(0, 3).join(' ')] ? 3 : 2;
  const name = argv.slice(0, words).join(' ');
  const command = commands[name];
  if (!command) return refuse([`There is no command "${name}". Commands:`, ...adminUsage().map((line) => `  ${line}`)]);
  const usage = `Usage: npm run -s admin -- ${name} ${command.usage}`.trim();
  let options: Options;
  try {
    options = parseArgs({ args: argv.slice(words), options: command.options, strict: true, allowPositionals: false })
      .values as Options;
  } catch (error) {
    return refuse([(error as Error).message, usage]);
  }
  return await perform(command, options, usage, open);
}

const refuse = (errors: readonly string[]): AdminOutcome => ({ out: null, errors, exitCode: 2 });

async function perform(
  command: Command,
  options: Options,
  usage: string,
  open: Parameters<typeof runAdmin>[1],
): Promise<AdminOutcome> {
  let database: Awaited<ReturnType<typeof open>> | null = null;
  try {
    database = await open();
    const at = await databaseClock(database.pool);
    const { failed, ...result } = await command.run({ ...database, at }, options);
    return { out: JSON.stringify(result), errors: failed ?? [], exitCode: failed ? 1 : 0 };
  } catch (error) {
    if (error instanceof AdminError) return { out: null, errors: [error.message, usage], exitCode: 1 };
    if (error instanceof AccountError || error instanceof ApiError)
      return { out: null, errors: [error.message], exitCode: 1 };
    if (isUnreachable(error))
      return { out: null, errors: [`The database cannot be reached: ${(error as Error).message}.`], exitCode: 1 };
    return { out: null, errors: [(error as Error).message], exitCode: 1 };
  } finally {
    await database?.close();
  }
}
