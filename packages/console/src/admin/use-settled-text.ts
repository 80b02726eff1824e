import { useEffect, useState } from 'react';

/** Longest pause between two keys of a word, in milliseconds. */
const PAUSE_MS = 300;

/** Returns the input as it was when the user last paused. A list that is read at each key would write an audit record at each key. */
export function useSettledText(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
