import type { ServerResponse } from 'node:http';

/** How a client takes the body of a response. */
export interface ClientReader {
  /** Bytes that the kernel has taken from the connection so far. Only differences mean anything. */
  readonly takenBytes: number;
  /** The response has more to send than the client takes. */
  readonly isBehind: boolean;
}

export const createClientReader = (res: ServerResponse): ClientReader => ({
  get takenBytes() {
    const { socket } = res;
    return socket === null ? 0 : (takenInPart(socket) ?? socket.bytesWritten - socket.writableLength);
  },
  get isBehind() {
    return res.writableNeedDrain;
  },
});

/**
 * Node counts a write when all of it is taken, and one may be a quarter of a megabyte. Its own time-outs look at what is left of
 * a write (lib/net.js, `_onTimeout`), which no public property shows. Undefined where these are not there: whole writes count then.
 */
function takenInPart(socket: object): number | undefined {
  const dispatched: unknown = Reflect.get(socket, '_bytesDispatched');
  const handle: unknown = Reflect.get(socket, '_handle');
  const left: unknown =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : undefined;
  return typeof dispatched === 'number' && typeof left === 'number' ? dispatched - left : undefined;
}
