import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { mayBeMarkdown } from './may-be-markdown.ts';
import { VisibleText } from './visible-text.tsx';
import './markdown.css';

/** An element that React does not place, such as a tooltip of the editor. */
interface OwnElement {
  readonly dom: HTMLElement;
  readonly destroy: () => void;
}

/** Loads the reader of Markdown if a text needs it. Undefined: it does not, or the reader cannot be loaded. */
async function loadBlocks(text: string) {
  if (!mayBeMarkdown(text)) return undefined;
  return await import('./markdown/markdown-blocks.tsx').then(
    ({ MarkdownBlocks }) => MarkdownBlocks,
    () => undefined,
  );
}

/** Returns an element with a description, as `Markdown` shows it. It is complete, so that its size can be measured. */
export async function markdownElement(text: string): Promise<OwnElement> {
  const Blocks = await loadBlocks(text);
  const dom = document.createElement('div');
  const root = createRoot(dom);
  const content =
    Blocks === undefined ? (
      <div className="markdown">
        <p>
          <VisibleText text={text} lines="preserve" />
        </p>
      </div>
    ) : (
      <Blocks text={text} />
    );
  flushSync(() => root.render(content));
  return { dom, destroy: () => root.unmount() };
}
