import type { ErrorCode } from '../../../infra/contract/errors.ts';
import { limits } from '../../../infra/contract/limits.ts';
import type { Failure } from '../fetch.ts';
import { unreadableWords, type FailureWords } from './unreadable-words.ts';

const again = 'Nothing was charged. Try again in a minute.';
const keys = { href: '/dashboard/keys', words: 'Look at your keys' };
const billing = { href: '/dashboard/billing', words: 'Look at your balance' };
const settings = { href: '/dashboard/settings', words: 'Look at your limits' };
const models = { href: '/dashboard/models', words: 'To your models' };

/** A page speaks to a person, so it never repeats a sentence of the interface, which speaks to programs. */
const words: Readonly<Record<ErrorCode, FailureWords>> = {
  UNAUTHENTICATED: { words: 'Your session has ended. Sign in again; the page keeps what you chose.' },
  KEY_REVOKED: { words: 'The key of this request was revoked.', help: keys },
  KEY_EXPIRED: { words: 'The key of this request has expired.', help: keys },
  INSUFFICIENT_CREDIT: { words: 'Your balance is too low for this.', help: billing },
  BUDGET_EXCEEDED: { words: 'This would exceed the spending cap that you set.', help: settings },
  SCOPE_MISSING: { words: 'You may not do this with this account.', help: keys },
  TENANT_SUSPENDED: { words: 'This account is paused. Ask the operator of this service to resume it.' },
  IP_NOT_ALLOWED: { words: 'The key of this request works from other addresses only.', help: keys },
  CLASSIFIER_NOT_FOUND: {
    words: 'This model is not here any more. It was deleted, it has expired, or it belongs to another account.',
    help: models,
  },
  NOT_FOUND: { words: 'There is nothing at this address.', help: models },
  CONFLICT: { words: 'The same request is still running. Wait until it ends.' },
  PAYLOAD_TOO_LARGE: {
    words: 'This is too much at once, or the storage of your account is full. Choose fewer trials or delete models.',
    help: settings,
  },
  INVALID_REQUEST: { words: 'The service could not use these settings.' },
  TOO_FEW_TRIALS: {
    words:
      `There are too few trials. A model needs at least ${limits.minClasses} classes and ` +
      `${limits.minTrialsPerClass} trials in each of them.`,
  },
  CLASSIFIER_FIT_FAILED: {
    words:
      'No method could be fitted on these trials, and nothing was charged. A longer window, more electrodes or more ' +
      'trials usually help.',
    help: { href: '/docs/epochs', words: 'Read how to choose the window' },
  },
  UNITS_REQUIRED: { words: 'The unit of the signal is not known. Export the recording in microvolts.' },
  IDEMPOTENCY_KEY_REUSED: { words: 'The settings changed while they were sent. Try again.' },
  TASK_UNSUPPORTED: {
    words:
      'This service does not classify emotions, diagnoses, or who a person is. If your task is another one, describe ' +
      'it in other words.',
    help: { href: '/dashboard/terms', words: 'Read what is not allowed' },
  },
  NO_REFERENCE_DATA: { words: 'The service has no recordings of other people for this task. Use your own trials.' },
  RATE_LIMITED: { words: 'These were too many requests in a short time. Wait a few seconds, then try again.' },
  CONCURRENCY_LIMITED: {
    words: 'Too many requests or fits of your account run at the same time. Wait for one to end.',
  },
  USAGE_CAP_EXCEEDED: { words: 'An allowance of your account is used up for now.', help: settings },
  INTERNAL: { words: `The service made a mistake. ${again}` },
  BACKEND_FAILURE: { words: `The model failed on the side of the service. ${again}` },
  POOL_UNAVAILABLE: { words: `The model is starting. ${again}` },
  POOL_SATURATED: { words: `The service is busy. ${again}` },
  SERVING_DISABLED: { words: 'The service is paused for maintenance. Try again later.' },
  BILLING_UNAVAILABLE: { words: `Payments cannot be made just now. ${again}` },
};

/** What is wrong with a field of a form, by the name of the field in the interface. */
const fields: Readonly<Record<string, string>> = {
  description: `Describe the task in at most ${limits.descriptionCharacters} characters.`,
  name: `A name has at most ${limits.nameCharacters} characters.`,
  expires_at: `Choose a day after today, at most ${limits.expiresInDays.max / 365} years from now.`,
  channels: 'The channels do not fit: they have to be those of the model, each once.',
  labels: 'The classes do not fit: choose at least two, with different names.',
  x: 'The trials do not fit: another window or other channels may be needed.',
  sampling_rate_hz: 'The sampling rate of the recording cannot be used.',
  parameters: 'The time before the event cannot be used as a baseline.',
};

/** Words for a field that the interface refused. */
export const fieldWords = (field: string): string => fields[field] ?? words.INVALID_REQUEST.words;

/** Words for a failure; null: the failure is no answer of the interface, and its own message is for people. */
export function failureWords({ isOfInterface, error }: Failure): FailureWords | null {
  if (!isOfInterface) return null;
  const known = Object.hasOwn(words, error.code) ? words[error.code as ErrorCode] : words.INTERNAL;
  if (error.code !== 'INVALID_REQUEST') return known;
  if (error.details.skipped) return unreadableWords(error.details.skipped);
  const root = (error.field ?? '').split(/[.[]/)[0];
  return { ...known, words: fields[root] ?? known.words };
}
