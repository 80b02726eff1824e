import type { Page } from 'playwright-core';

/**
 * Returns what is wrong with the layout of a page at its width and height: controls that overlap or are cut off without a way to scroll to
 * them, a page that scrolls sideways, and a grid of rows that is too low.
 */
export const findLayoutFaults = (page: Page): Promise<string[]> => page.evaluate(inspectLayout);

/** Runs in the page, so it uses nothing from outside. */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: the page gets one function
function inspectLayout(): string[] {
  const SLACK = 2;
  const GRID_HEIGHT_MIN = 160;
  const CONTROLS =
    'a[href], button, input, select, textarea, [role=tab], [role=radio], [role=separator][tabindex], [role=searchbox]';

  interface Box {
    readonly left: number;
    readonly top: number;
    readonly right: number;
    readonly bottom: number;
  }
  const boxOf = (element: Element): Box => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const nameOf = (element: Element): string =>
    `${element.tagName.toLowerCase()} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 30)}"`;

  const ancestorsOf = (element: Element): Element[] =>
    element.parentElement === null ? [element] : [element, ...ancestorsOf(element.parentElement)];
  /** The part of a control that can be seen, and whether the rest can be scrolled to. */
  const visibleBox = (element: Element): { readonly box: Box; readonly isCut: boolean } => {
    let box = boxOf(element);
    let isCut = false;
    // The input of a styled control is hidden on purpose; its label is what people use.
    const hidden = [...ancestorsOf(element)].some((parent) => parent.clientWidth <= 1 && parent.clientHeight <= 1);
    if (hidden) return { box: { ...box, right: box.left }, isCut };
    for (let parent = element.parentElement; parent !== null; parent = parent.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(parent);
      if (overflowX !== 'visible' || overflowY !== 'visible') {
        const limits = boxOf(parent);
        const next = {
          left: Math.max(box.left, limits.left),
          top: Math.max(box.top, limits.top),
          right: Math.min(box.right, limits.right),
          bottom: Math.min(box.bottom, limits.bottom),
        };
        const isCutHere = next.right - next.left < box.right - box.left - SLACK;
        const canScroll = overflowX === 'auto' || overflowX === 'scroll';
        if (isCutHere && !canScroll) isCut = true;
        box = next;
      }
      if (position === 'fixed') break;
    }
    return { box, isCut };
  };

  const faults: string[] = [];
  const shown = [...document.querySelectorAll(CONTROLS)].flatMap((element) => {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return [];
    if (element.closest('.visually-hidden, [aria-hidden=true], .frame__skip, [role=grid]') !== null) return [];
    const { box, isCut } = visibleBox(element);
    if (isCut) faults.push(`${nameOf(element)} is cut off`);
    const isSeen = box.right - box.left > SLACK && box.bottom - box.top > SLACK;
    return isSeen ? [{ element, box }] : [];
  });
  for (const [index, one] of shown.entries()) {
    for (const other of shown.slice(index + 1)) {
      if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
      if (width > SLACK && height > SLACK) faults.push(`${nameOf(one.element)} overlaps ${nameOf(other.element)}`);
    }
  }
  for (const scroller of [document.documentElement, document.getElementById('content')]) {
    if (scroller !== null && scroller.scrollWidth > scroller.clientWidth + 1) {
      const { right } = boxOf(scroller);
      const wide = [...scroller.querySelectorAll('*')].filter((element) => boxOf(element).right > right + 1).at(-1);
      const cause = wide === undefined ? '' : `, for ${nameOf(wide)} of ${wide.className}`;
      faults.push(`${scroller.id || 'the page'} scrolls sideways${cause}`);
    }
  }
  const grid = document.querySelector('.result-pane [role=grid]');
  if (grid !== null && grid.clientHeight < GRID_HEIGHT_MIN) faults.push(`the grid is ${grid.clientHeight} px high`);
  return [...new Set(faults)].slice(0, 5);
}
