/** Reusable buffers of one size: a new allocation for every 256 KiB would keep the garbage collector busy. */
export class BufferPool {
  readonly #bytesEach: number;
  readonly #keptMax: number;
  readonly #free: ArrayBufferLike[] = [];
  readonly #lent = new WeakSet<ArrayBufferLike>();

  constructor(options: { readonly bytesEach: number; readonly keptMax: number }) {
    this.#bytesEach = options.bytesEach;
    this.#keptMax = options.keptMax;
  }

  /** Returns this many uninitialized bytes. A request larger than the pool's buffers gets a one-time allocation. */
  acquire(bytes: number): Uint8Array {
    if (bytes > this.#bytesEach) return Buffer.allocUnsafeSlow(bytes);
    const buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(this.#bytesEach).buffer;
    this.#lent.add(buffer);
    return new Uint8Array(buffer, 0, bytes);
  }

  /** Returns a buffer, or a part of it, to the pool after its last use. Buffers of other origin are ignored. */
  release(bytes: Uint8Array): void {
    if (!this.#lent.delete(bytes.buffer)) return;
    if (this.#free.length < this.#keptMax) this.#free.push(bytes.buffer);
  }
}
