import { useEffect, useState } from 'react';

type Politeness = 'polite' | 'assertive';

interface Announcement {
  readonly text: string;
  readonly politeness: Politeness;
}

const ANNOUNCED = 'sluice:announced';
/** Screen readers announce the same message again only if it was gone in between. */
const CLEAR_MS = 1000;

/**
 * Announces a message to users of screen readers, without a place on the page. For what others see elsewhere, such as the end of a run.
 * @param politeness - `assertive` interrupts: for failures only
 */
export function announce(text: string, politeness: Politeness = 'polite'): void {
  window.dispatchEvent(new CustomEvent<Announcement>(ANNOUNCED, { detail: { text, politeness } }));
}

/** The two regions that screen readers watch. The frame of the page has them once. */
export function LiveRegions() {
  const [shown, setShown] = useState<Readonly<Record<Politeness, string>>>({ polite: '', assertive: '' });
  useEffect(() => {
    const timers = new Map<Politeness, ReturnType<typeof setTimeout>>();
    const show = (event: Event): void => {
      const { text, politeness } = (event as CustomEvent<Announcement>).detail;
      clearTimeout(timers.get(politeness));
      setShown((before) => ({ ...before, [politeness]: text }));
      timers.set(
        politeness,
        setTimeout(() => setShown((before) => ({ ...before, [politeness]: '' })), CLEAR_MS),
      );
    };
    window.addEventListener(ANNOUNCED, show);
    return () => {
      window.removeEventListener(ANNOUNCED, show);
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, []);
  return (
    <div className="visually-hidden">
      <div aria-live="polite">{shown.polite}</div>
      <div aria-live="assertive">{shown.assertive}</div>
    </div>
  );
}
