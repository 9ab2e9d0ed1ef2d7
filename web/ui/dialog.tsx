import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'

interface Props {
  /** The fact, not "Error". */
  title: ReactNode
  open: boolean
  /** Esc, and a click beside it: always the safe way. */
  onClose: () => void
  children: ReactNode
  /** Buttons, the best way out last and primary. */
  foot?: ReactNode
  /** `sheet` stands at the end side and is as high as the window. */
  as?: 'dialog' | 'sheet'
  alert?: boolean
  /** For what stands in columns. */
  wide?: boolean
}

export const Dialog = ({ title, open, onClose, children, foot, as = 'dialog', alert, wide }: Props) => (
  <ModalOverlay
    className={as === 'sheet' ? 'scrim aside' : 'scrim'}
    isOpen={open}
    onOpenChange={(now) => !now && onClose()}
    isDismissable
  >
    <Modal className="modal">
      <AriaDialog
        className={['dialog', as === 'sheet' && 'aside', wide && 'wide'].filter(Boolean).join(' ')}
        role={alert ? 'alertdialog' : 'dialog'}
      >
        <header>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
        </header>
        <div className="in">{children}</div>
        {foot && <footer>{foot}</footer>}
      </AriaDialog>
    </Modal>
  </ModalOverlay>
)
