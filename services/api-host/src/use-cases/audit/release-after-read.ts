/** Disposes of a slot when the body has been read, or its reader stops early. */
export async function* releaseAfterRead(body: AsyncIterable<Uint8Array>, slot: Disposable): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    slot[Symbol.dispose]();
  }
}
