import { VisibleText } from '../ui/visible-text.tsx';
import './quote.css';

/** What somebody has written, such as the reason of a request. */
export function Quote({ text }: { readonly text: string }) {
  return (
    <blockquote className="quote">
      <VisibleText text={text} lines="keep" />
    </blockquote>
  );
}
