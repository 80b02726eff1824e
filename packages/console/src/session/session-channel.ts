/** Message to the other tabs of the browser. */
export type SessionMessage =
  | { readonly kind: 'signed-in'; readonly tenant: string; readonly accountId: string }
  | { readonly kind: 'signed-out'; readonly tenant: string };

/** Connection to the other tabs of this origin. */
export interface SessionChannel {
  send(message: SessionMessage): void;
  /** Returns the function that stops listening. */
  listen(receive: (message: SessionMessage) => void): () => void;
}

const NAME = 'sluice-session';

/** Opens the channel between tabs. Messages of other tenants on the same address are dropped. */
export function openSessionChannel(tenant: string): SessionChannel {
  const channel = new BroadcastChannel(NAME);
  return {
    send: (message) => channel.postMessage(message),
    listen(receive) {
      const onMessage = ({ data }: MessageEvent<SessionMessage>): void => {
        if (data.tenant === tenant) receive(data);
      };
      channel.addEventListener('message', onMessage);
      return () => channel.removeEventListener('message', onMessage);
    },
  };
}
