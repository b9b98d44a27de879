import type { Ref } from 'preact';
import type { Failure } from '../fetch.ts';
import { failureWords } from './failure-words.ts';

/** The error, what to do about it, and the request id for support. */
export function FailureMessage({
  failure,
  innerRef,
  shown = [],
}: {
  readonly failure: Failure;
  readonly innerRef?: Ref<HTMLDivElement>;
  /** Fields that already show their own error. */
  readonly shown?: readonly string[];
}) {
  const own = failureWords(failure);
  const { request_id: id } = failure.error.details;
  return (
    <div class="notice bad" role="alert" tabIndex={-1} ref={innerRef}>
      {own ? (
        <>
          <p>{own.words}</p>
          {own.help && (
            <p>
              <a href={own.help.href}>{own.help.words}</a>
            </p>
          )}
        </>
      ) : (
        <OwnMessage failure={failure} shown={shown} />
      )}
      {id && (
        <details class="fine">
          <summary>For the operator</summary>
          Request <code>{id}</code>
        </details>
      )}
    </div>
  );
}

/** A message of the account pages, which is written for people. */
function OwnMessage({ failure, shown }: { readonly failure: Failure; readonly shown: readonly string[] }) {
  const { message, details } = failure.error;
  const others = (details.errors ?? []).filter(({ field, message: own }) => own !== message && !shown.includes(field));
  return (
    <>
      <p>{message}</p>
      {others.length > 0 && (
        <ul>
          {others.map(({ field, message: own }) => (
            <li key={field}>{own}</li>
          ))}
        </ul>
      )}
    </>
  );
}
