/** Buffers of one size, used again and again: memory from the system for every 256 KiB would keep the collector busy. */
export class BufferPool {
  readonly #bytesEach: number;
  readonly #keptMax: number;
  readonly #free: ArrayBufferLike[] = [];
  readonly #lent = new WeakSet<ArrayBufferLike>();

  constructor(options: { readonly bytesEach: number; readonly keptMax: number }) {
    this.#bytesEach = options.bytesEach;
    this.#keptMax = options.keptMax;
  }

  /** So many bytes of whatever content. What is larger than a buffer of the pool is made for this once. */
  take(bytes: number): Uint8Array {
    if (bytes > this.#bytesEach) return Buffer.allocUnsafeSlow(bytes);
    const buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bytesEach).buffer;
    this.#lent.add(buffer);
    return new Uint8Array(buffer, 0, bytes);
  }

  /** Gives back what nobody reads any more, in whole or in part. What is not of the pool is ignored. */
  give(bytes: Uint8Array): void {
    if (!this.#lent.delete(bytes.buffer)) return;
    if (this.#free.length < this.#keptMax) this.#free.push(bytes.buffer);
  }
}
