/** Returns whether a description may have Markdown at all. One that has none needs no reader, and no wait for it. */
export const mayBeMarkdown = (text: string): boolean => /[*_`[\\]|https?:|www\.|@|^\s*(?:[-+]|\d+[.)])\s/im.test(text);
