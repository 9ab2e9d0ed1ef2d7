import { Menu, MenuItem, MenuTrigger, Popover, Pressable } from 'react-aria-components'
import { Icon } from './icon.tsx'
import { t } from './words.ts'

interface Props {
  label: string
  options: readonly { id: string; label: string }[]
  chosen: readonly string[]
  onChoose: (chosen: string[]) => void
}

/** A filter of several values; it counts those that are chosen. */
export const FilterChip = ({ label, options, chosen, onChoose }: Props) => (
  <MenuTrigger>
    <Pressable>
      <button type="button" className="chip">
        {label}
        {chosen.length > 0 && <b>{t('{chosen} of {all}', { chosen: chosen.length, all: options.length })}</b>}
        <Icon name="down" />
      </button>
    </Pressable>
    <Popover className="menu tall">
      <Menu
        aria-label={label}
        selectionMode="multiple"
        selectedKeys={chosen}
        onSelectionChange={(keys) => onChoose(keys === 'all' ? options.map(({ id }) => id) : [...keys].map(String))}
      >
        {options.map((option) => (
          <MenuItem
            key={option.id}
            id={option.id}
            textValue={option.label}
            className={({ isFocused }) => (isFocused ? 'it hot' : 'it')}
          >
            {({ isSelected }) => (
              <>
                {isSelected ? <Icon name="check" /> : <span className="i" />}
                {option.label}
              </>
            )}
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  </MenuTrigger>
)
