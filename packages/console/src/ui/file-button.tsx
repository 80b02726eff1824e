import { FileTrigger } from 'react-aria-components';
import { Button } from './button.tsx';

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
