import type { ErrorCode } from '../../infra/contract/errors.ts';

/** How a caller fixes each error, in one or two sentences of markdown. */
export const errorFixes: Readonly<Record<ErrorCode, string>> = {
  UNAUTHENTICATED:
    'Send `Authorization: Bearer` and the whole key, as it was shown once. A lost key cannot be recovered: make a new one.',
  KEY_REVOKED: 'Deploy the key that replaced it, or make a new one in the [dashboard](/dashboard/keys).',
  KEY_EXPIRED: 'Make a new key in the [dashboard](/dashboard/keys); an expired one cannot be extended.',
  INSUFFICIENT_CREDIT:
    'Ask the operator of the service for credit; the message gives the balance and the amount needed. While you try things out, use a test key.',
  BUDGET_EXCEEDED:
    'Raise the cap in the [dashboard](/dashboard/settings), or wait for the next UTC day or month; it is your own cap.',
  SCOPE_MISSING: 'Use a key with the permission that the message names. The permissions of a key never change.',
  TENANT_SUSPENDED: 'Contact the operator of the service. Your models stay, and hosting is free during the pause.',
  IP_NOT_ALLOWED: 'Call from an address that the key allows, or make a key that allows yours.',
  CLASSIFIER_NOT_FOUND:
    'Check the id and the account of the key. If `details.status` is `expired` or `deleted`, create the model again.',
  NOT_FOUND: 'Compare path and method with the [reference](/docs/api); every path begins with `/v1`.',
  CONFLICT:
    'Wait the seconds of `Retry-After` and send the same request again: it is answered once it has ended. ' +
    'Or ask for a [job](/docs/jobs).',
  PAYLOAD_TOO_LARGE:
    'Send fewer trials at a time: predictions in several requests, a fit as a [deferred fit](/docs/deferred-fits). ' +
    'Base64 takes a third of the bytes of nested lists. If a [quota](/docs/limits#of-an-account) is full, ' +
    '`details.quota` names it: delete what the message names, or wait until it expires.',
  INVALID_REQUEST:
    'Read `details.errors`: each names its field, what is wrong and, where one fix is sure, the fix in `alternatives`.',
  TOO_FEW_TRIALS:
    'Record more trials of the classes that the message counts, or leave a class out. A [fit](/docs/deferred-fits#fit) ' +
    'leaves out the classes of `ignore_classes`.',
  CLASSIFIER_FIT_FAILED:
    'Read the reason of each method in the message: most often trials are flat, or most of a class is broken. ' +
    'The [estimate](/docs/billing#estimates) of the same body shows what to leave out. Where the message says that the fit ' +
    'ended its process, send fewer trials or channels. A [job](/docs/jobs) that was cancelled ends with this code, too.',
  UNITS_REQUIRED: 'Send the unit that the numbers are in. MNE holds volts: `"units": "V"`.',
  IDEMPOTENCY_KEY_REUSED: 'Make a new key for every new request; only a retry of the same body has the same one.',
  TASK_UNSUPPORTED:
    'The service does not support tasks of this kind. If it misread your words, describe what the participant does.',
  NO_REFERENCE_DATA:
    'Choose one of `alternatives`, the nearest tasks that there are, or record trials and [create](/docs/quickstart) with them. ' +
    'Where the recordings cannot be prepared, the message says what the operator must do.',
  RATE_LIMITED: 'Wait the seconds of `Retry-After`. More trials in one request take fewer requests.',
  CONCURRENCY_LIMITED: 'Wait the seconds of `Retry-After`, and send fewer requests at the same time.',
  USAGE_CAP_EXCEEDED: 'Wait until the next UTC day or month, as `Retry-After` says, or ask the operator for more.',
  INTERNAL: 'Send it again with the same `Idempotency-Key`. If it fails again, give the operator `details.request_id`.',
  BACKEND_FAILURE:
    'Send it again with the same `Idempotency-Key`. If it fails again, give the operator `details.request_id`.',
  POOL_UNAVAILABLE: 'Wait the seconds of `Retry-After` and send it again with the same `Idempotency-Key`.',
  POOL_SATURATED: 'Wait the seconds of `Retry-After`, longer each time, and send it again.',
  SERVING_DISABLED: 'Wait the seconds of `Retry-After`; the [status](/v1/status) gives the reason of the pause.',
  BILLING_UNAVAILABLE: 'Wait the seconds of `Retry-After` and send it again; nothing was charged.',
};
