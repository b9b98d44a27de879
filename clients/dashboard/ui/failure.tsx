import type { Ref } from 'preact';
import type { Failure } from '../fetch.ts';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** What went wrong, what can be done about it, and the id to name when asking for help. */
export function FailureMessage({
  failure,
  innerRef,
  shown = [],
}: {
  readonly failure: Failure;
  readonly innerRef?: Ref<HTMLDivElement>;
  /** Fields that say their own error. */
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
