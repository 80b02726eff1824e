/** Node.js keeps the connection pool of its `fetch` here (undici, lib/global.js). Other runtimes do not have it. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

interface Dispatcher {
  dispatch(options: object, handler: unknown): boolean;
}

const isDispatcher = (value: unknown): value is Dispatcher =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, 'dispatch') === 'function';

/**
 * Returns a dispatcher that passes requests to the one of the process without two of its time limits: undici ends a request without headers
 * after 300 s, and a body after 300 s of silence (`headersTimeout`, `bodyTimeout`). A download is silent until its first row. Proxies and
 * connections of the process stay in use.
 */
const withLimits = (limits: object): Dispatcher => ({
  dispatch: (options, handler) => {
    const global: unknown = Reflect.get(globalThis, GLOBAL_DISPATCHER);
    if (!isDispatcher(global)) throw new TypeError('The fetch of this version of Node.js is not supported.');
    return global.dispatch({ ...options, ...limits }, handler);
  },
});

/** The client has time limits of its own until the headers. */
const WITHOUT_HEADERS_LIMIT = withLimits({ headersTimeout: 0 });
const WITHOUT_LIMITS = withLimits({ headersTimeout: 0, bodyTimeout: 0 });

/**
 * Returns members of `RequestInit` that lift the time limits of Node's own `fetch`; empty where it has none.
 * @param isStream - whether the body may be silent for long
 */
export function liftTimeLimits(isStream: boolean): object {
  const global: unknown = Reflect.get(globalThis, GLOBAL_DISPATCHER);
  if (!isDispatcher(global)) return {};
  return { dispatcher: isStream ? WITHOUT_LIMITS : WITHOUT_HEADERS_LIMIT };
}
