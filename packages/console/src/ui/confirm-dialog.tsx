import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';

interface ConfirmDialogProps {
  readonly title: string;
  /** Name of the button that goes on. */
  readonly action: string;
  /** Name of the button that changes nothing. */
  readonly keep: string;
  readonly isOpen: boolean;
  /** Whether `children` are still loading, which disables the confirmation. Default: false. */
  readonly isWaiting?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** Consequences of the change. */
  readonly children: ReactNode;
}

/** Asks before a change that takes something away. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, action, keep, isOpen, isWaiting = false, onConfirm, onClose, children } = props;
  return (
    <Dialog role="alertdialog" title={title} isOpen={isOpen} onClose={onClose}>
      {children}
      <DialogActions>
        <Button onPress={onClose}>{keep}</Button>
        <Button
          kind="danger"
          isDisabled={isWaiting}
          onPress={() => {
            onClose();
            onConfirm();
          }}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
