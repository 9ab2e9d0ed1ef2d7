import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField,
  Text,
} from 'react-aria-components'
import type { RecordType } from '../../../src/fields/record.ts'
import { customer } from '../../../src/records/customer.ts'
import { equipment } from '../../../src/records/equipment.ts'
import { job } from '../../../src/records/job.ts'
import { user } from '../../../src/records/user.ts'
import { Icon, type IconName, Keys } from '../../ui/icon.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { t } from '../../ui/words.ts'
import { type Command, commands } from '../commands.ts'
import { useObservable } from '../observable.ts'
import { over } from '../over.ts'
import { prefer, preferences } from '../preferences.ts'
import { useSession } from '../session.ts'
import { opens, tabs } from '../tabs.ts'

const foundOfEach = 5

interface Found {
  id: string
  label: string
  more?: string
  icon: IconName
  shortcut?: string
  run: () => void
}

/** ⌘K: go somewhere, find a record, do something. */
export default function Palette({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const acts = useActs(typed.trim())
  const found = useFound(typed.trim())
  const groups = [...found, { title: t('Do'), entries: acts }].filter(({ entries }) => entries.length > 0)
  const runs = new Map(groups.flatMap(({ entries }) => entries.map(({ id, run }) => [id, run] as const)))
  return (
    <ModalOverlay className="scrim palette" isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className="modal">
        <Dialog className="palette-in" aria-label={t('Find or do anything')}>
          <Autocomplete inputValue={typed} onInputChange={setTyped}>
            <SearchField className="palette-field" aria-label={t('Find or do anything')} autoFocus>
              <Icon name="search" />
              <Input placeholder={t('A customer, a job, a person, or what to do')} dir="auto" />
              <Keys>esc</Keys>
            </SearchField>
            <Menu
              className="palette-list"
              aria-label={t('What was found')}
              onAction={(id) => {
                onClose()
                runs.get(String(id))?.()
              }}
              renderEmptyState={() => <span className="it dim">{t('Nothing is called that')}</span>}
            >
              {groups.map(({ title, entries }) => (
                <MenuSection key={title} id={title}>
                  <Header className="cap">{title}</Header>
                  {entries.map(entry)}
                </MenuSection>
              ))}
            </Menu>
          </Autocomplete>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

const entry = ({ id, label, more, icon, shortcut }: Found): ReactNode => (
  <MenuItem key={id} id={id} textValue={label} className={({ isFocused }) => (isFocused ? 'it hot' : 'it')}>
    <Icon name={icon} />
    <Text slot="label" dir="auto">
      {label}
    </Text>
    {more && (
      <Text slot="description" className="dim clip" dir="auto">
        {more}
      </Text>
    )}
    {shortcut && <Keys>{shortcut}</Keys>}
  </MenuItem>
)

/** What can be done, as far as its words begin as what was typed. */
function useActs(typed: string): Found[] {
  const navigate = useNavigate()
  const session = useSession()
  const offered = useObservable(commands)
  const going: Command[] = tabs
    .filter((tab) => opens(session, tab))
    .map(({ id, label, icon, key }) => ({
      id: `go ${id}`,
      label: t('Go to {place}', { place: t(label) }),
      icon,
      shortcut: `G ${key.toUpperCase()}`,
      run: () => void navigate({ to: `/${id}` as string }),
    }))
  const schedule = tabs.find(({ id }) => id === 'schedule')
  if (schedule && opens(session, schedule))
    going.push({
      id: 'go absences',
      label: t('Go to {place}', { place: t('Absences') }),
      icon: 'calendar',
      run: () => void navigate({ to: '/absences' }),
    })
  const theme = preferences().theme === 'dark' ? 'light' : 'dark'
  const own: Command[] = [
    ...offered,
    ...going,
    {
      id: 'theme',
      label: theme === 'dark' ? t('Turn dark') : t('Turn light'),
      icon: theme === 'dark' ? 'moon' : 'sun',
      run: () => prefer({ theme }),
    },
    { id: 'keys', label: t('Show the keys'), icon: 'keyboard', shortcut: '?', run: () => over.set('keys') },
  ]
  const words = typed.toLocaleLowerCase().split(/\s+/)
  return own.filter(({ label }) => words.every((word) => label.toLocaleLowerCase().includes(word)))
}

/** Records by what was typed, of each type that the reader may see. */
function useFound(typed: string): { title: string; entries: Found[] }[] {
  const { client } = useRecords()
  const session = useSession()
  const navigate = useNavigate()
  const kinds: Kind[] = [
    { record: job, title: t('Jobs'), icon: 'jobs', to: '/jobs', more: 'customer_name', page: true },
    { record: customer, title: t('Customers'), icon: 'customers', to: '/customers', page: true },
    { record: user, title: t('People'), icon: 'users', to: '/admin/people', more: 'email' },
    { record: equipment, title: t('Equipment'), icon: 'equipment', to: '/equipment', more: 'model' },
  ]
  const seen = kinds.filter(({ to }) => tabs.some((tab) => to.startsWith(`/${tab.id}`) && opens(session, tab)))
  const answers = useQueries({
    queries: seen.map(({ record }) => ({
      queryKey: ['found', record.name, typed],
      enabled: typed !== '',
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        client.list(record, { search: typed, per_page: foundOfEach }, { signal }),
      placeholderData: keepPreviousData,
    })),
  })
  if (typed === '') return []
  return seen.map(({ record, title, icon, to, more, page }, i) => ({
    title,
    entries: ((answers[i]?.data?.rows ?? []) as { [field: string]: unknown }[]).map((row) => ({
      id: `${record.name} ${row.id}`,
      label: String(row[record.title] ?? row.id),
      ...(more && row[more] ? { more: String(row[more]) } : {}),
      icon,
      run: () =>
        void navigate(
          page ? { to: `${to}/${row.id}` as string } : { to: to as string, search: { open: String(row.id) } as never },
        ),
    })),
  }))
}

interface Kind {
  record: RecordType
  title: string
  icon: IconName
  to: string
  /** The field that tells it from others of the name. */
  more?: string
  /** Has a page of its own. */
  page?: true
}
