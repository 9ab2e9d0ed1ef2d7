import { useMemo } from 'react'
import { caps } from '../../ui/keys.ts'
import { t } from '../../ui/words.ts'
import { type Command, useCommands } from '../commands.ts'
import { type KeyGroup, useKeyHelp } from '../key-help.ts'
import type { Desk, Looking } from './desk.ts'
import { dayOf } from './time/zone.ts'

/** What `?` says of the board, and what the palette offers while it is open. */
export function useBoardKeys(desk: Desk, { look, view, scale }: Looking): void {
  const mayPlan = desk.mayPlan && view.at === null
  // biome-ignore lint/correctness/useExhaustiveDependencies: words are of the language of the desk
  const groups = useMemo(() => groupsOf(mayPlan), [mayPlan, desk])
  useKeyHelp(groups)
  const { isList } = view
  const offered = useMemo(
    (): Command[] => [
      {
        id: 'today',
        label: t('Show today'),
        icon: 'calendar',
        shortcut: 'T',
        run: () => look({ day: dayOf(desk.board.live.client.now(), desk.zone) }),
      },
      {
        id: 'list',
        label: isList ? t('Show as a board') : t('Show as a list'),
        icon: 'rows',
        shortcut: 'V',
        run: () => look({ isList: !isList }),
      },
      {
        id: 'past',
        label: t('Show the board as it was'),
        icon: 'history',
        run: () => look({ at: desk.board.live.client.now() }),
      },
      { id: 'print', label: t('Print the board'), icon: 'print', run: () => print() },
      ...(mayPlan
        ? [
            {
              id: 'new-on-board',
              label: t('New job without a time'),
              icon: 'plus' as const,
              run: () => desk.acts.ask({ kind: 'new', at: null }),
            },
            {
              id: 'suggest',
              label: t('Suggest places for the tray'),
              icon: 'route' as const,
              run: () => void desk.suggest.ask(desk.board.jobs.where('tray', 'tray'), scale),
            },
            {
              id: 'publish',
              label: t('Publish what has changed'),
              icon: 'send' as const,
              shortcut: `${caps.mod}${caps.shift}P`,
              run: () => desk.acts.isPublishing.set(true),
            },
            {
              id: 'undo',
              label: t('Undo'),
              icon: 'undo' as const,
              shortcut: `${caps.mod}Z`,
              run: () => void desk.acts.undo(),
            },
          ]
        : []),
    ],
    [desk, look, isList, mayPlan, scale],
  )
  useCommands(offered)
}

function groupsOf(mayPlan: boolean): KeyGroup[] {
  const { mod, shift, alt, enter } = caps
  const look: KeyGroup = {
    title: t('On the board'),
    keys: [
      [t('Card beside, row above or below'), ['←', '→', '↑', '↓']],
      [t('First, last'), ['Home', 'End']],
      [t('Open the details'), [enter]],
      [t('Today'), ['T']],
      [t('Earlier, later'), ['[', ']']],
      [t('Larger, smaller'), ['+', '-']],
      [t('As a list'), ['V']],
      [t('Pin the row to the top'), ['I']],
      [t('Fold the tray'), ['\\']],
    ],
  }
  if (!mayPlan) return [look]
  return [
    look,
    {
      title: t('Move a job'),
      keys: [
        [t('Pick up, put down'), ['Space', enter]],
        [t('In the hand: by 15 min'), ['←', '→']],
        [t('In the hand: by 5 min'), [shift, '←', '→']],
        [t('In the hand: by a day'), [mod, '←', '→']],
        [t('In the hand: to the next who can take it'), [alt, '↑', '↓']],
        [t('In the hand: longer, shorter'), [alt, '←', '→']],
        [t('To a time that is typed'), ['M']],
        [t('Give to'), ['G']],
        [t('Suggest a place'), ['S']],
        [t('Take the worker off'), ['⌫']],
        [t('Back to the tray'), ['U']],
        [t('Copy'), [mod, 'D']],
        [t('Swap two'), ['X']],
        [t('Lock, unlock'), ['L']],
        [t('Publish'), ['P']],
        [t('Publish all'), [mod, shift, 'P']],
        [t('New job here'), ['N']],
        [t('Select all of the row'), [mod, 'A']],
        [t('Redo'), [mod, shift, 'Z']],
      ],
    },
  ]
}
