import { z } from 'zod';

/** Context of a validation that stops when it has found this many violations in elements of lists. */
export interface ViolationLimit {
  readonly async: false;
  violationsLeft?: number;
  abortEarly?: boolean;
}

/** Marks an element that was not checked, because the limit was reached before it. */
export const NOT_CHECKED = 'not checked';

const counted = new WeakSet<z.ZodType>();

/**
 * A list in a request. 64 KiB can have 30,000 elements with several violations each, which take 100 ms to find, so a validation with a
 * `ViolationLimit` checks no further elements when it is reached.
 */
export function listOf<S extends z.ZodType>(element: S, params: { readonly error: string }): z.ZodArray<S> {
  if (!counted.has(element)) countViolations(element);
  return z.array(element, params);
}

/** Changes the schema itself: a copy would not have its name in OpenAPI. */
function countViolations(element: z.ZodType): void {
  counted.add(element);
  const { run } = element._zod;
  element._zod.run = (payload, given) => {
    const context = given as ViolationLimit;
    if (context.violationsLeft === undefined) return run(payload, given);
    if (context.violationsLeft <= 0) {
      payload.issues.push({ code: 'custom', message: NOT_CHECKED, input: payload.value, continue: false });
      return payload;
    }
    const before = context.violationsLeft;
    const result = run(payload, given);
    if (result instanceof Promise) throw new z.core.$ZodAsyncError();
    // Elements of lists within this one have counted theirs.
    context.violationsLeft = Math.min(context.violationsLeft, before - result.issues.length);
    // Lists and objects that begin later end with their first violation.
    if (context.violationsLeft <= 0) context.abortEarly = true;
    return result;
  };
}
