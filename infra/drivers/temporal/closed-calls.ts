import type { ConnectionOptions } from '@temporalio/client';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type Call = ReturnType<Interceptor>;
type Listener = NonNullable<Parameters<Call['start']>[1]>;
type Status = Parameters<NonNullable<Listener['onReceiveStatus']>>[0];

/** gRPC's CANCELLED, which is never retried. */
const cancelled = 1;

/** A call that is not sent and ends at once. */
const ended = (): Pick<Call, 'start' | 'sendMessage' | 'sendMessageWithContext' | 'startRead' | 'halfClose'> => ({
  start(metadata, listener) {
    setImmediate(() => {
      listener?.onReceiveMessage?.(null);
      const status: object = { code: cancelled, details: 'The connection was closed.', metadata };
      listener?.onReceiveStatus?.(status as Status);
    });
  },
  sendMessage: () => undefined,
  sendMessageWithContext: () => undefined,
  startRead: () => undefined,
  halfClose: () => undefined,
});

/**
 * Ends calls on a closed connection with CANCELLED. It must come after the interceptor that retries calls: a retry that
 * waits while the connection is closed would throw out of a timer, which ends the process.
 */
export const endWhenClosed =
  (isClosed: () => boolean): Interceptor =>
  (options, next) =>
    (isClosed() ? ended() : next(options)) as Call;
