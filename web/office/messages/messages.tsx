import './messages.css'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { caps } from '../../ui/keys.ts'
import { Badge } from '../../ui/marks.tsx'
import { useRecords } from '../../ui/records/context.tsx'
import { SearchBox } from '../../ui/records/record-list.tsx'
import { Empty } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import { useCommands } from '../commands.ts'
import { type KeyGroup, useKeyHelp } from '../key-help.ts'
import { useListSearch } from '../list-search.ts'
import { atOnce, threadsQuery } from '../threads.ts'
import { useKeys } from '../use-keys.ts'
import { Conversation } from './conversation.tsx'
import { NewMessage } from './new-message.tsx'
import { ThreadLine } from './thread-line.tsx'

const filters = ['unread', 'jobs'] as const

/** Threads with those that were not read, and one of them beside; all of it by keyboard. */
export function Screen() {
  const [search, onSearch] = useListSearch()
  const { client, formats } = useRecords()
  const [writing, setWriting] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  const [most, setMost] = useState(atOnce)
  const { data, error } = useQuery(threadsQuery(client, search.search, most))
  const write = useCallback(() => setWriting(true), [])
  useOffers(write)
  useKeys({ n: write, r: () => document.querySelector<HTMLElement>('.conversation textarea')?.focus() })
  if (error) throw error
  const threads = data?.rows ?? []
  const unread = threads.filter(({ unread }) => unread > 0)
  // What is being read stays where it is, though it is not unread any more.
  const shown =
    search.only === 'unread'
      ? threads.filter((thread) => unread.includes(thread) || thread.id === search.thread)
      : search.only === 'jobs'
        ? threads.filter(({ job_id }) => job_id !== null)
        : threads
  const open = threads.find(({ id }) => id === search.thread)
  const words = { unread: t('Unread'), jobs: t('About jobs') }
  return (
    <main className="main" id="main">
      <header className="bar">
        <h1 className="title">{t('Messages')}</h1>
        {unread.length > 0 && <Badge hot count={formats.number(unread.length)} />}
        <span className="push" />
        <SearchBox
          value={search.search ?? ''}
          hint={t('Search messages')}
          onChange={(text) => onSearch({ search: text || undefined })}
        />
        <Button kind="primary" icon="plus" shortcut="N" onClick={() => setWriting(true)}>
          {t('New message')}
        </Button>
      </header>
      <div className={search.thread ? 'mail open' : 'mail'}>
        <nav className="threads" aria-label={t('Threads')}>
          <div className="chips">
            <button
              type="button"
              className="chip"
              aria-pressed={!search.only}
              onClick={() => onSearch({ only: undefined })}
            >
              {t('All')}
            </button>
            {filters.map((name) => (
              <button
                key={name}
                type="button"
                className="chip"
                aria-pressed={search.only === name}
                onClick={() => onSearch({ only: search.only === name ? undefined : name })}
              >
                {words[name]}
                {name === 'unread' && unread.length > 0 && <b>{formats.number(unread.length)}</b>}
              </button>
            ))}
          </div>
          <div className="scroll">
            <ul ref={list} onKeyDown={(event) => goAlong(event, list.current)}>
              {shown.map((thread) => (
                <ThreadLine key={thread.id} thread={thread} isOpen={thread.id === search.thread} />
              ))}
            </ul>
            {data?.more && (
              <Button kind="quiet" onClick={() => setMost(most + atOnce)}>
                {t('Show earlier threads')}
              </Button>
            )}
            {data && shown.length === 0 && <p className="sec dim">{t('No threads here.')}</p>}
          </div>
        </nav>
        {search.thread ? (
          <Conversation
            key={search.thread}
            id={search.thread}
            known={open}
            onBack={() => onSearch({ thread: undefined })}
          />
        ) : (
          <div className="blank">
            <Empty title={t('No thread is open')}>{t('Choose one, or write a new message with N.')}</Empty>
          </div>
        )}
      </div>
      {writing && (
        <NewMessage
          onClose={() => setWriting(false)}
          onSent={(thread) => {
            setWriting(false)
            onSearch({ thread, only: undefined, search: undefined })
          }}
        />
      )}
    </main>
  )
}

/** J and K, and the arrows, go from thread to thread. */
function goAlong(event: KeyboardEvent, list: HTMLUListElement | null) {
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const links = [...(list?.querySelectorAll('a') ?? [])]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  links[Math.min(Math.max(at + step, 0), links.length - 1)]?.focus()
}

/** What the palette and the sheet of keys say of this screen. */
function useOffers(write: () => void) {
  useCommands(
    useMemo(
      () => [{ id: 'message', label: t('New message'), icon: 'messages' as const, shortcut: 'N', run: write }],
      [write],
    ),
  )
  useKeyHelp(
    useMemo(() => {
      const keys: KeyGroup['keys'] = [
        [t('New message'), ['N']],
        [t('Answer'), ['R']],
        [t('Send'), [caps.mod, caps.enter]],
      ]
      return [{ title: t('In messages'), keys }]
    }, []),
  )
}
