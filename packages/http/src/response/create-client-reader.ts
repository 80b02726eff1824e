import type { ServerResponse } from 'node:http';
import type { ClientReader } from '../model/client-reader.ts';

export const createClientReader = (res: ServerResponse): ClientReader => ({
  get takenBytes() {
    const { socket } = res;
    return socket === null ? 0 : (bytesTakenWithPartialWrite(socket) ?? socket.bytesWritten - socket.writableLength);
  },
  get isBehind() {
    return res.writableNeedDrain;
  },
});

/**
 * Returns the bytes accepted so far, including a part of the current write. Node counts a write only when all of it is accepted,
 * and one write may be a quarter of a megabyte. Its own timeouts use the remainder of the write (lib/net.js, `_onTimeout`), which
 * has no public property. Returns undefined if these internals are missing; then only whole writes count.
 */
function bytesTakenWithPartialWrite(socket: object): number | undefined {
  const dispatched: unknown = Reflect.get(socket, '_bytesDispatched');
  const handle: unknown = Reflect.get(socket, '_handle');
  const left: unknown =
    typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'writeQueueSize') : undefined;
  return typeof dispatched === 'number' && typeof left === 'number' ? dispatched - left : undefined;
}
