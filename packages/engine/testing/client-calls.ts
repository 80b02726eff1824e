import * as nodeApi from '@duckdb/node-api';

/** A call of a method of DuckDB's client for Node.js. */
export interface ClientCall {
  /** Class and method, such as `DuckDBConnection.run`. */
  readonly name: string;
  readonly target: unknown;
  readonly args: readonly unknown[];
}

interface RecordOptions {
  /** Returns whether a call is prevented: it is recorded and throws, and the engine never sees it. */
  isPrevented(call: ClientCall): boolean;
}

type Method = (this: unknown, ...args: readonly unknown[]) => unknown;

/**
 * Records the calls of every method of every class of DuckDB's client in this process, until it is disposed of. The real methods do
 * the work.
 */
export class ClientCalls implements Disposable {
  readonly #isPrevented: RecordOptions['isPrevented'];
  readonly #restorations: (() => void)[] = [];
  #calls: ClientCall[] = [];

  constructor({ isPrevented }: RecordOptions) {
    this.#isPrevented = isPrevented;
    for (const [name, exported] of Object.entries(nodeApi)) {
      if (typeof exported !== 'function') continue;
      this.#record(name, exported);
      this.#record(name, exported.prototype as object | undefined);
    }
  }

  /** Returns the calls since the last `take`. */
  take(): readonly ClientCall[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  #record(className: string, holder: object | undefined): void {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(holder ?? {}))) {
      if (name === 'constructor' || name === 'prototype' || typeof descriptor.value !== 'function') continue;
      const recorded = this.#recorded(`${className}.${name}`, descriptor.value as Method);
      Object.defineProperty(holder, name, { ...descriptor, value: recorded });
      this.#restorations.push(() => Object.defineProperty(holder, name, descriptor));
    }
  }

  #recorded(name: string, method: Method): Method {
    const make = (call: ClientCall): unknown => {
      this.#calls.push(call);
      if (this.#isPrevented(call)) throw new Error(`${name} must not be called with these arguments`);
      return Reflect.apply(method, call.target, call.args);
    };
    return function recorded(...args) {
      return make({ name, target: this, args });
    };
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restorations) restore();
  }
}

/** Returns the strings within arguments, at any depth. */
export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
