import { useEffect, useState } from 'react';

/** Time without input after which the user counts as away. */
const AWAY_AFTER_MS = 120_000;
const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const;

/**
 * Returns whether the user has done something on the page a short while ago. A page that asks again and again stops while its user is away:
 * each request is a use of the session, which would never be idle.
 */
export function useIsPresent(): boolean {
  const [isPresent, setPresent] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onInput = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => setPresent(false), AWAY_AFTER_MS);
      setPresent(true);
    };
    onInput();
    for (const name of INPUT_EVENTS) window.addEventListener(name, onInput, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const name of INPUT_EVENTS) window.removeEventListener(name, onInput);
    };
  }, []);
  return isPresent;
}
