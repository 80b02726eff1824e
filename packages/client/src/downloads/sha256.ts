/** Incremental hash. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** Returns the hash in lower-case hex. May be called once. */
  digest(): string;
  /** Returns another hash of the bytes so far. */
  copy?(): Hasher;
}

const BLOCK_BYTES = 64;
const LENGTH_OFFSET = 56;

/** First 32 bits of the fractional part of a root of a prime (FIPS 180-4 sections 4.2.2 and 5.3.3). */
const fractionBits = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32) | 0;

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes;
}

const PRIMES = firstPrimes(64);
const ROUND_CONSTANTS = Int32Array.from(PRIMES, (prime) => fractionBits(Math.cbrt(prime)));
const INITIAL_STATE = Int32Array.from(PRIMES.slice(0, 8), (prime) => fractionBits(Math.sqrt(prime)));

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
const at = (words: Int32Array, index: number): number => words[index] as number;

function expandSchedule(schedule: Int32Array, view: DataView, offset: number): void {
  for (let index = 0; index < 16; index += 1) schedule[index] = view.getInt32(offset + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [at(schedule, index - 15), at(schedule, index - 2)];
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[index] = (at(schedule, index - 16) + small + at(schedule, index - 7) + large) | 0;
  }
}

/** Mixes one block into the state (FIPS 180-4 section 6.2.2). */
function compress(state: Int32Array, schedule: Int32Array): void {
  let [a, b, c, d] = [at(state, 0), at(state, 1), at(state, 2), at(state, 3)];
  let [e, f, g, h] = [at(state, 4), at(state, 5), at(state, 6), at(state, 7)];
  for (let round = 0; round < 64; round += 1) {
    const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + mixed + ((e & f) ^ (~e & g)) + at(ROUND_CONSTANTS, round) + at(schedule, round)) | 0;
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let index = 0; index < 8; index += 1) state[index] = at(state, index) + (mixed[index] as number);
}

/** Bytes of a hash so far: the state behind its whole blocks, and the rest. */
interface HashState {
  readonly words: Int32Array;
  readonly rest: Uint8Array;
  readonly restLength: number;
  readonly total: number;
}

/** Creates a SHA-256 in JavaScript, because the Web Crypto API cannot hash a stream. Node.js uses its own (src/node). */
export const createSha256 = (): Required<Hasher> =>
  continueSha256({ words: INITIAL_STATE, rest: new Uint8Array(BLOCK_BYTES), restLength: 0, total: 0 });

function continueSha256(begun: HashState): Required<Hasher> {
  const state = begun.words.slice();
  const schedule = new Int32Array(64);
  const rest = begun.rest.slice();
  const restView = new DataView(rest.buffer);
  let { restLength, total } = begun;

  const addBlock = (view: DataView, offset: number): void => {
    expandSchedule(schedule, view, offset);
    compress(state, schedule);
  };
  const update = (bytes: Uint8Array): void => {
    total += bytes.length;
    let offset = 0;
    if (restLength > 0) {
      offset = Math.min(BLOCK_BYTES - restLength, bytes.length);
      rest.set(bytes.subarray(0, offset), restLength);
      restLength += offset;
      if (restLength < BLOCK_BYTES) return;
      addBlock(restView, 0);
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (; offset + BLOCK_BYTES <= bytes.length; offset += BLOCK_BYTES) addBlock(view, offset);
    rest.set(bytes.subarray(offset));
    restLength = bytes.length - offset;
  };
  return {
    update,
    copy: () => continueSha256({ words: state, rest, restLength, total }),
    digest: () => {
      const bits = BigInt(total) * 8n;
      const zeros = (LENGTH_OFFSET - 1 - restLength + BLOCK_BYTES) % BLOCK_BYTES;
      const padding = new Uint8Array(1 + zeros + 8);
      padding[0] = 0x80;
      new DataView(padding.buffer).setBigUint64(1 + zeros, bits);
      update(padding);
      return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
    },
  };
}
