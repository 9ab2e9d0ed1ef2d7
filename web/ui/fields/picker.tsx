import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { Icon } from '../icon.tsx'
import { useRecords } from '../records/context.tsx'
import { type Id, recordNamed, useNames } from '../records/names.ts'
import { t } from '../words.ts'
import type { InputProps } from './field.tsx'

interface Found {
  id: Id
  name: string
}

/** Records of a type by what is typed: the first twenty. */
function useFound(target: string, typed: string): Found[] {
  const { client } = useRecords()
  const record = recordNamed(target)
  const { data } = useQuery({
    queryKey: ['found', target, typed],
    queryFn: async ({ signal }) => {
      const query = { per_page: 20, sort: record.title, ...(typed && { search: typed }) }
      const { rows } = await client.list(record, query, { signal })
      return (rows as { [field: string]: Id }[]).map((row) => ({ id: row.id as Id, name: String(row[record.title]) }))
    },
    placeholderData: keepPreviousData,
  })
  return data ?? []
}

/** One record of another type, found by typing. */
export function RecordPicker({ target, value, onChange, ...given }: InputProps<Id | null> & { target: string }) {
  // What was picked is known by name at once: a name that came later would open the list again.
  const [picked, setPicked] = useState<Found | null>(null)
  const nameOf = useNames({ [target]: value === null ? [] : [value] })
  const chosen = value === null ? '' : picked?.id === value ? picked.name : (nameOf(target, value) ?? '')
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <Search
      {...given}
      target={target}
      text={typed ?? chosen}
      typed={typed ?? ''}
      selected={value}
      onType={setTyped}
      onPick={(found) => {
        setTyped(null)
        setPicked(found)
        onChange(found.id)
      }}
      onLeave={() => {
        if (typed === '') onChange(null)
        setTyped(null)
      }}
    />
  )
}

/** Several records of another type: each with its cross, and a place to type for more. */
export function RecordsPicker({ target, value, onChange, without = value, ...given }: RecordsProps) {
  const nameOf = useNames({ [target]: value })
  const [typed, setTyped] = useState('')
  return (
    <div className="picked">
      {value.map((id) => {
        const name = nameOf(target, id) ?? '…'
        return (
          <span key={id} className="tag word">
            {name}
            <button
              type="button"
              aria-label={t('Take {name} away', { name })}
              onClick={() => onChange(value.filter((one) => one !== id))}
            >
              <Icon name="x" />
            </button>
          </span>
        )
      })}
      <Search
        {...given}
        target={target}
        text={typed}
        typed={typed}
        without={without}
        onType={setTyped}
        onPick={({ id }) => {
          setTyped('')
          onChange([...value, id])
        }}
        onLeave={() => setTyped('')}
      />
    </div>
  )
}

type RecordsProps = InputProps<Id[]> & {
  target: string
  /** What is not offered; what is chosen already. */
  without?: Id[]
}

interface SearchProps extends Omit<InputProps<never>, 'value' | 'onChange'> {
  target: string
  text: string
  typed: string
  /** What is chosen: its list closes when something is. */
  selected?: Id | null
  without?: Id[]
  onType: (text: string) => void
  onPick: (found: Found) => void
  onLeave: () => void
}

function Search({
  target,
  text,
  typed,
  selected = null,
  without = [],
  onType,
  onPick,
  onLeave,
  ...given
}: SearchProps) {
  const found = useFound(target, typed).filter(({ id }) => !without.includes(id))
  return (
    <ComboBox
      aria-label={given.label}
      {...(given.describedBy && { 'aria-describedby': given.describedBy })}
      className="combo"
      menuTrigger="focus"
      allowsEmptyCollection
      isInvalid={given.wrong}
      items={found}
      inputValue={text}
      selectedKey={selected}
      onInputChange={(now) => now !== text && onType(now)}
      onSelectionChange={(key) => {
        const one = found.find(({ id }) => id === key)
        if (one) onPick(one)
      }}
      onBlur={onLeave}
    >
      <span className={given.wrong ? 'input wrong' : 'input'}>
        <Input id={given.id} aria-required={given.required || undefined} dir="auto" />
        <Icon name="search" />
      </span>
      <Popover className="menu combo-list">
        <ListBox<Found> renderEmptyState={() => <span className="it dim">{t('Nothing is called that')}</span>}>
          {({ id, name }) => (
            <ListBoxItem id={id} textValue={name} className={({ isFocused }) => (isFocused ? 'it hot' : 'it')}>
              <span className="clip" dir="auto">
                {name}
              </span>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
