import { useEffect, useState } from 'react';

/** Time after the last key before a search begins, in milliseconds. Each search is a request, and most are audit records. */
export const TYPING_MS = 250;

/** Returns a value as it was when it last stayed the same for a moment. */
export function useDebouncedValue<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
