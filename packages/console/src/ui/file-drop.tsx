import type { ReactNode } from 'react';
import { DropZone, FileTrigger } from 'react-aria-components';
import { Button } from './button.tsx';
import { usePlaceForFiles } from './file-drop-on-page.ts';
import './file-drop.css';

interface FileDropProps {
  /** Visible and accessible name of the drop zone, which says what to drop. */
  readonly label: string;
  /** Name of the button that opens the dialog of the system. */
  readonly button: string;
  /** Extensions that the dialog offers, such as `.csv`. Default: all. */
  readonly extensions?: readonly string[];
  readonly onFile: (file: File) => void;
  /** Called if something else than one file is dropped: several files, a folder, or text. */
  readonly onOther: () => void;
  readonly children?: ReactNode;
}

/** Place into which a file is dropped, with a button that chooses one. */
export function FileDrop({ label, button, extensions = [], onFile, onOther, children }: FileDropProps) {
  usePlaceForFiles();
  return (
    <DropZone
      className="file-drop"
      aria-label={label}
      onDrop={({ items }) => {
        const [item] = items;
        if (items.length === 1 && item?.kind === 'file') void item.getFile().then(onFile, onOther);
        else onOther();
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

interface FileButtonProps {
  readonly label: string;
  /** Endings and media types of the files that the browser offers. */
  readonly accept: readonly string[];
  readonly onOpen: (file: File) => void;
}

/** Button that opens a file of the user. */
export function FileButton({ label, accept, onOpen }: FileButtonProps) {
  return (
    <FileTrigger
      acceptedFileTypes={accept}
      onSelect={(files) => {
        const file = files?.[0];
        if (file !== undefined) onOpen(file);
      }}
    >
      <Button>{label}</Button>
    </FileTrigger>
  );
}
