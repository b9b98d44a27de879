/** A request of a client. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: any;
}

/** An invented answer of a service: a status and a body, or no answer (`throws`, or `hangs` until aborted). */
export type MadeUp =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | { readonly throws: Error }
  | { readonly hangs: true };

/** A `fetch` that records the requests and answers with `answer`. */
export function fakeFetch(answer: (request: SentRequest, index: number) => MadeUp) {
  const sent: SentRequest[] = [];
  const fetch = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const headers = init.headers as Record<string, string>;
    sent.push({ url: url instanceof Request ? url.url : url.toString(), method: init.method ?? 'GET', headers, body });
    const made = answer(sent.at(-1)!, sent.length - 1);
    if ('throws' in made) throw made.throws;
    if ('hangs' in made)
      return new Promise((_, reject) =>
        init.signal!.addEventListener('abort', () => reject(init.signal!.reason as Error), { once: true }),
      );
    const text = typeof made.body === 'string' ? made.body : JSON.stringify(made.body ?? {});
    return new Response(text, { status: made.status, headers: made.headers });
  };
  return { sent, fetch };
}

/** The error object of the service. */
export const refusal = (code: string, type = 'api_error', change: object = {}) => ({
  type,
  code,
  message: `${code} in words.`,
  field: '',
  alternatives: [],
  details: { request_id: 'req_1' },
  ...change,
});
