import type { Ref } from 'preact';
import type { Failure } from '../fetch.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

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
  const { message, code, alternatives, details } = failure.error;
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
      {alternatives.length > 0 && (
        <>
          <p>What you can do:</p>
          <ul>
            {alternatives.map((each) => (
              <li key={textOf(each)}>{textOf(each)}</li>
            ))}
          </ul>
        </>
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
