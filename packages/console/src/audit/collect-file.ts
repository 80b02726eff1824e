/** Bytes after which the parts of a file leave the memory of the page: the browser keeps large blobs on the disk. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Collects a file that arrives in parts. Rejects, and so returns nothing, if the parts end with an error: a file that is not whole is
 * never saved.
 * @param onBytes - called with the number of bytes so far
 */
export async function collectFile(
  parts: AsyncIterable<Uint8Array>,
  type: string,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  const blobs: Blob[] = [];
  let waiting: BlobPart[] = [];
  let [waitingBytes, bytes] = [0, 0];
  for await (const part of parts) {
    waiting.push(part as Uint8Array<ArrayBuffer>);
    waitingBytes += part.length;
    bytes += part.length;
    onBytes(bytes);
    if (waitingBytes < PART_BYTES) continue;
    blobs.push(new Blob(waiting));
    waiting = [];
    waitingBytes = 0;
  }
  return new Blob([...blobs, ...waiting], { type });
}
