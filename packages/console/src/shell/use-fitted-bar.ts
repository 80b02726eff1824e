import { type RefObject, useLayoutEffect, useState } from 'react';

/** Steps in which the bar leaves things out before it leaves out links: shortcuts, then names of user and tenant. */
const STEP_MAX = 2;
/** The step of a phone, whose pages are in a bar of their own. */
const STEP_ON_PHONES = 1;

const isTooNarrow = (element: Element): boolean => element.scrollWidth > element.clientWidth + 1;

/** Shows the first links, and "More" if there are others. */
function showLinks(bar: HTMLElement, count: number): void {
  const links = [...bar.querySelectorAll<HTMLElement>('[data-page]')];
  for (const [index, link] of links.entries()) link.hidden = index >= count;
  for (const more of bar.querySelectorAll<HTMLElement>('[data-more]')) more.hidden = count >= links.length;
}

/** Uses the first step in which everything has room, and then as many links as have room. Returns their number. */
function fit(bar: HTMLElement): number {
  const isPhone = getComputedStyle(bar).display === 'contents';
  const fits = (): boolean =>
    !(isPhone ? [...bar.querySelectorAll('[data-navigation]')] : [bar, ...bar.children]).some(isTooNarrow);
  const count = bar.querySelectorAll('[data-page]').length;
  showLinks(bar, count);
  for (let step = isPhone ? STEP_ON_PHONES : 0; step <= (isPhone ? STEP_ON_PHONES : STEP_MAX); step += 1) {
    bar.dataset['step'] = String(step);
    if (fits()) return count;
  }
  for (let shown = count - 1; shown > 1; shown -= 1) {
    showLinks(bar, shown);
    if (fits()) return shown;
  }
  showLinks(bar, 1);
  return 1;
}

/** Fits the bar of the frame to its width, again for another width, language or set of pages. Returns the number of links that have room. */
export function useFittedBar(bar: RefObject<HTMLElement | null>): number {
  const [fitted, setFitted] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const element = bar.current;
    if (element === null) return undefined;
    // The elements are as measured before React renders the same.
    const update = (): void => setFitted(fit(element));
    update();
    const sizes = new ResizeObserver(update);
    sizes.observe(element);
    // On a phone the bar itself has no box.
    for (const navigation of element.querySelectorAll('[data-navigation]')) sizes.observe(navigation);
    const contents = new MutationObserver(update);
    contents.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      sizes.disconnect();
      contents.disconnect();
    };
  }, [bar]);
  return fitted;
}
