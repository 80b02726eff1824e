import { createSha256 } from '@sluice/client';

/**
 * Hashes a file in constant memory. Returns the SHA-256 in lower-case hex.
 * @param onBytes - called with the number of bytes of each part
 * @throws DOMException if the file cannot be read, such as a folder or one that has changed
 */
export async function hashFile(file: Blob, onBytes: (bytes: number) => void): Promise<string> {
  const hash = createSha256();
  const reader = file.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return hash.digest();
    hash.update(value);
    onBytes(value.length);
  }
}
