import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import './field-grid.css';

export interface CellFieldProps {
  readonly label: string;
  /** Text that the field begins with. */
  readonly text: string;
  readonly onType: (text: string) => void;
  /** Called with the key that closes the field. */
  readonly onClose: (key: 'Enter' | 'Tab' | 'Escape', isShift: boolean) => void;
  readonly onBlur: () => void;
}

/** Passes the keys that close the field of a cell to the grid. Shift or Alt with Enter begins a new line. */
export function closeOnKey(event: KeyboardEvent, onClose: CellFieldProps['onClose']): void {
  const { key, shiftKey, altKey, nativeEvent } = event;
  // The field has the keys of the grid, such as arrows and Control with Z, for its own text.
  event.stopPropagation();
  if (nativeEvent.isComposing || (key !== 'Enter' && key !== 'Tab' && key !== 'Escape')) return;
  if (key === 'Enter' && (shiftKey || altKey)) return;
  event.preventDefault();
  onClose(key, shiftKey);
}

/** Field for a description in its cell, over the rows below it. */
export function TextCellField({ label, text: initial, onType, onClose, onBlur }: CellFieldProps) {
  const [text, setText] = useState(initial);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  return (
    <textarea
      ref={field}
      className="field-grid__field"
      aria-label={label}
      rows={4}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        onType(target.value);
      }}
      onKeyDown={(event) => closeOnKey(event, onClose)}
      onBlur={onBlur}
    />
  );
}
