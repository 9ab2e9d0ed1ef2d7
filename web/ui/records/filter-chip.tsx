import { useQuery } from '@tanstack/react-query'
import type { Field } from '../../../src/fields/kind.ts'
import { Icon } from '../icon.tsx'
import type { Entry } from '../menu.tsx'
import { useMenu } from '../use-menu.tsx'
import { t } from '../words.ts'
import { useRecords } from './context.tsx'
import { labelOf } from './labels.ts'
import { recordNamed } from './names.ts'

interface Props {
  field: Field<unknown>
  label: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** A filter by one field: a chip that opens the list of its values, and says the one that is chosen. */
export function FilterChip({ field, label, value, onChange }: Props) {
  const options = useOptions(field)
  const entries: Entry[] = [
    { id: 'all', label: t('All'), ...(value === undefined && { icon: 'check' }), run: () => onChange(undefined) },
    'line',
    ...options.map(([id, name]) => ({
      id: `is ${id}`,
      label: name,
      ...(id === value && { icon: 'check' as const }),
      run: () => onChange(id),
    })),
  ]
  const menu = useMenu(label, entries)
  const chosen = options.find(([id]) => id === value)?.[1]
  return (
    <>
      <button type="button" className="chip" aria-pressed={value !== undefined} {...menu.trigger}>
        {label}
        {chosen && <b>{chosen}</b>}
        <Icon name="down" />
      </button>
      {menu.popover}
    </>
  )
}

const most = 200

/** What may be chosen: yes and no, the words of a choice, the first records that it may lead to. */
function useOptions(field: Field<unknown>): (readonly [value: string, label: string])[] {
  const { client } = useRecords()
  const target = field.target ? recordNamed(field.target) : null
  const { data } = useQuery({
    queryKey: ['options', target?.name],
    enabled: target !== null,
    queryFn: async ({ signal }) => {
      if (!target) return []
      const { rows } = await client.list(target, { sort: target.title, per_page: most }, { signal })
      return (rows as { [name: string]: unknown }[]).map((row) => [String(row.id), String(row[target.title])] as const)
    },
  })
  if (field.kind === 'flag') return [['true', t('yes')] as const, ['false', t('no')] as const]
  if (field.kind === 'choice')
    return ((field.schema.enum ?? []) as string[]).map((word) => [word, labelOf(word)] as const)
  return data ?? []
}
