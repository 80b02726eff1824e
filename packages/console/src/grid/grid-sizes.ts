import type { TextSizes } from './column-widths.ts';

/** Sizes of the grid in pixels, as grid.css takes them from the theme. */
export interface GridSizes {
  readonly rowHeight: number;
  readonly headerHeight: number;
  /** Width of the column of row numbers. */
  readonly gutter: number;
  readonly text: TextSizes;
}

/** Custom properties of grid.css are multiples of the size of the root's font. */
const inPixels = (style: CSSStyleDeclaration, name: string, rem: number): number =>
  Number.parseFloat(style.getPropertyValue(name)) * rem;

function characterWidth(font: string): number {
  const context = document.createElement('canvas').getContext('2d');
  if (context === null) throw new Error('This browser has no canvas to measure text.');
  context.font = font;
  const sample = '0123456789abcdefghij';
  return context.measureText(sample).width / sample.length;
}

/** Reads the sizes that the style sheets give to the grid, which follow the user's font size. */
export function readGridSizes(): GridSizes {
  const style = getComputedStyle(document.documentElement);
  const rem = Number.parseFloat(style.fontSize);
  const font = (family: string) => `${inPixels(style, '--text-s', rem)}px ${style.getPropertyValue(family)}`;
  return {
    rowHeight: Math.round(inPixels(style, '--grid-row', rem)),
    headerHeight: Math.round(inPixels(style, '--grid-head', rem)),
    gutter: Math.round(inPixels(style, '--grid-gutter', rem)),
    text: {
      character: characterWidth(font('--font-code')),
      // Names of columns are bold, and would be cut off in the width of plain text.
      headerCharacter: characterWidth(`${style.getPropertyValue('--weight-strong')} ${font('--font-body')}`),
      padding: inPixels(style, '--grid-padding', rem),
    },
  };
}
