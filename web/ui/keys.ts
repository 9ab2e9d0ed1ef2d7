const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Key caps are signs on Macs, and words elsewhere. */
export const caps = isMac
  ? { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵' }
  : { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: '↵' }

/** Keys that are pressed together, as this platform writes them: "⌘K", "Ctrl+K". */
export const together = (...keys: string[]): string => keys.join(isMac ? '' : '+')
