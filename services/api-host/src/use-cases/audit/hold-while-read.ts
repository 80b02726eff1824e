/** Keeps a place until the last chunk is taken, or nobody wants more. */
export async function* holdWhileRead(body: AsyncIterable<Uint8Array>, place: Disposable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    place[Symbol.dispose]();
  }
}
