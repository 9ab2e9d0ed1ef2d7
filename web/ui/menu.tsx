import type { ReactNode, RefObject } from 'react'
import { Menu as AriaMenu, Header, MenuItem, MenuSection, Popover, Separator, Text } from 'react-aria-components'
import { Icon, type IconName, Keys } from './icon.tsx'

export type Entry =
  | {
      id: string
      label: string
      icon?: IconName
      /** The key that does the same. */
      shortcut?: string
      /** Why it can't be done now: it stays, grey, and says so. */
      unless?: string | null | false | undefined
      run: () => void
    }
  | 'line'
  | { caption: string }

/** The menu that a button has opened, under it. See `useMenu`. */
export const Menu = ({ trigger, entries, label, onClose }: MenuProps) => (
  <Popover className="menu" isOpen onOpenChange={(open) => !open && onClose()} triggerRef={trigger}>
    <Entries entries={entries} label={label} onClose={onClose} />
  </Popover>
)
export interface MenuProps {
  trigger: RefObject<HTMLElement | null>
  entries: Entry[]
  label: string
  onClose: () => void
}

/** The menu of something that was clicked with the other button, or whose menu key was pressed. */
export function ContextMenu({ at, entries, label, onClose }: ContextProps) {
  return (
    <Popover
      className="menu"
      isOpen={at !== null}
      onOpenChange={(open) => !open && onClose()}
      triggerRef={{ current: at?.element ?? null }}
      placement="bottom start"
      {...(at && {
        offset: at.y - at.element.getBoundingClientRect().bottom,
        crossOffset: at.x - at.element.getBoundingClientRect().left,
      })}
    >
      <Entries entries={entries} label={label} onClose={onClose} />
    </Popover>
  )
}
interface ContextProps {
  /** What it is about, and where it was pointed at; null while it is closed. */
  at: { element: Element; x: number; y: number } | null
  entries: Entry[]
  label: string
  onClose: () => void
}

function Entries({ entries, label, onClose }: { entries: Entry[]; label: string; onClose: () => void }) {
  const runs = new Map(
    entries.flatMap((entry) => (typeof entry === 'object' && 'run' in entry ? [[entry.id, entry]] : [])),
  )
  return (
    <AriaMenu
      aria-label={label}
      autoFocus="first"
      onClose={onClose}
      onAction={(key) => runs.get(String(key))?.run()}
      disabledKeys={[...runs.values()].filter(({ unless }) => unless).map(({ id }) => id)}
    >
      {entries.map(item)}
    </AriaMenu>
  )
}

function item(entry: Entry, at: number): ReactNode {
  if (entry === 'line') return <Separator key={`line-${at}`} />
  if ('caption' in entry)
    return (
      <MenuSection key={entry.caption}>
        <Header className="cap">{entry.caption}</Header>
      </MenuSection>
    )
  const { id, label, icon, shortcut, unless } = entry
  return (
    <MenuItem
      key={id}
      id={id}
      textValue={label}
      className={({ isFocused }) => `it${isFocused ? ' hot' : ''}${unless ? ' off' : ''}`}
    >
      {icon ? <Icon name={icon} /> : <span className="i" />}
      <Text slot="label">{label}</Text>
      {shortcut && <Keys>{shortcut}</Keys>}
      {unless && (
        <Text slot="description" className="why">
          {unless}
        </Text>
      )}
    </MenuItem>
  )
}
