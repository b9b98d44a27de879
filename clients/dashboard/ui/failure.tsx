import type { Ref } from 'preact';
import type { Failure } from '../fetch.ts';

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
  const { message, code, details } = failure.error;
  const others = (details.errors ?? []).filter(({ field, message: own }) => own !== message && !shown.includes(field));
  return (
    <div class="notice bad" role="alert" tabIndex={-1} ref={innerRef}>
      <p>{message}</p>
      {others.length > 0 && (
        <ul>
          {others.map(({ field, message: own }) => (
            <li key={field}>
              <code>{field}</code>: {own}
            </li>
          ))}
        </ul>
      )}
      <p class="fine">
        <code>{code}</code>
        {details.request_id && (
          <>
            {' '}
            Request <code>{details.request_id}</code>
          </>
        )}
      </p>
    </div>
  );
}
