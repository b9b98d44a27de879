import type { ConnectionOptions } from '@temporalio/client';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type Call = ReturnType<Interceptor>;
type Listener = NonNullable<Parameters<Call['start']>[1]>;
type Status = Parameters<NonNullable<Listener['onReceiveStatus']>>[0];

/** gRPC's CANCELLED, which no one tries again. */
const cancelled = 1;

/** A call that is not sent: it ends at once. */
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
 * Calls of a connection that was closed end with CANCELLED. It belongs behind the interceptor that repeats calls: a
 * repetition that waits for its turn while the connection is closed would throw out of a timer, which ends the process.
 */
export const endWhenClosed =
  (isClosed: () => boolean): Interceptor =>
  (options, next) =>
    (isClosed() ? ended() : next(options)) as Call;
