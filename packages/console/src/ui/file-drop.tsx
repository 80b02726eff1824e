import type { ReactNode } from 'react';
import { DropZone, FileTrigger } from 'react-aria-components';
import { Button } from './button.tsx';
import './file-drop.css';

interface FileDropProps {
  /** What to drop, for screen readers and everybody. */
  readonly label: string;
  /** Name of the button that opens the dialog of the system. */
  readonly button: string;
  /** Extensions that the dialog offers, such as `.csv`. */
  readonly extensions: readonly string[];
  readonly onFile: (file: File) => void;
  readonly children?: ReactNode;
}

/** Place into which a file is dropped, with a button that chooses one. */
export function FileDrop({ label, button, extensions, onFile, children }: FileDropProps) {
  return (
    <DropZone
      className="file-drop"
      aria-label={label}
      onDrop={async ({ items }) => {
        for (const item of items) if (item.kind === 'file') return onFile(await item.getFile());
      }}
    >
      <p>{label}</p>
      <FileTrigger
        acceptedFileTypes={[...extensions]}
        onSelect={(files) => {
          const file = files?.item(0);
          if (file != null) onFile(file);
        }}
      >
        <Button icon="upload">{button}</Button>
      </FileTrigger>
      {children}
    </DropZone>
  );
}
