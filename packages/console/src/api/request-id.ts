/** Keeps the id of the last request of a call, which leads to its audit record. */
export interface KeptRequestId {
  readonly onResponse: (response: Response) => void;
  /** Id of the request. Empty until a response has arrived. */
  readonly id: string;
}

/** Returns an option for a call of the client that keeps the id of its request. */
export function keepRequestId(): KeptRequestId {
  let id = '';
  return {
    onResponse({ headers }) {
      id = headers.get('x-request-id') ?? '';
    },
    get id() {
      return id;
    },
  };
}
