import type { ReactNode } from 'react'
import type { Field } from '../../../src/fields/kind.ts'
import { expiryOf } from '../expiry.ts'
import { Tag } from '../marks.tsx'
import { t } from '../words.ts'
import { useRecords } from './context.tsx'
import { labelOf } from './labels.ts'
import type { Id, NameOf } from './names.ts'

interface Props {
  field: Field<unknown>
  /** The way to it, for the words in it: `user.permissions`. */
  path: string
  value: unknown
  nameOf: NameOf
}

/** A value as it is read: in a cell of a list, beside its label in a pane. */
export function Value({ field, path, value, nameOf }: Props): ReactNode {
  const { formats } = useRecords()
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return <span className="dim">{t('none')}</span>
  switch (field.kind) {
    case 'flag':
      return value ? t('yes') : <span className="dim">{t('no')}</span>
    case 'instant':
      return formats.dateTime(String(value))
    case 'integer':
      return formats.number(Number(value))
    case 'ref':
      return nameOf(field.target ?? '', value as Id) ?? ''
    case 'links':
      return <DatedNames target={field.target ?? ''} links={value as Dated[]} nameOf={nameOf} />
    case 'ids':
      return <Names target={field.target ?? ''} ids={idsIn(value)} nameOf={nameOf} />
    case 'part':
      return partText(field, path, value as { [name: string]: unknown }) || <span className="dim">{t('none')}</span>
    case 'array':
      return (
        <ul>
          {(value as { [name: string]: unknown }[]).map((item) => (
            <li key={JSON.stringify(item)}>{itemText(field, item)}</li>
          ))}
        </ul>
      )
    case 'texts':
      return (value as string[]).join(', ')
    case 'choice':
      return labelOf(String(value))
    default:
      return <span dir="auto">{String(value)}</span>
  }
}

function Names({ target, ids, nameOf }: { target: string; ids: Id[]; nameOf: NameOf }) {
  const names = ids.map((id) => nameOf(target, id) ?? '').filter(Boolean)
  if (target !== 'tag') return names.join(', ')
  return (
    <span className="line">
      {names.map((name) => (
        <Tag key={name} name={name} />
      ))}
    </span>
  )
}

interface Dated {
  id: Id
  expires_at: string | null
}

/** What is held until a day, with the day and whether that is over or near. */
function DatedNames({ target, links, nameOf }: { target: string; links: Dated[]; nameOf: NameOf }) {
  const { formats } = useRecords()
  const now = Date.now()
  const words = { expired: t('expired'), soon: t('expires soon') }
  return (
    <ul className="dated-names">
      {links.map(({ id, expires_at }) => {
        const state = expiryOf(expires_at, now)
        return (
          <li key={id} className="line">
            <Tag name={nameOf(target, id) ?? '…'} state={state} />
            {expires_at && (
              <span className={state === 'expired' ? 'until bad' : 'until dim'}>
                {state && `${words[state]}, `}
                {t('until {date}', { date: formats.date(expires_at) })}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Ids alone, or what a link says beside them. */
export const idsIn = (value: unknown): Id[] =>
  (value as (Id | { id: Id })[]).map((item) => (typeof item === 'object' ? item.id : item))

/** Of choices those that are not as they are for everybody: "Jobs: changes"; else a contact or a place. */
function partText({ fields = {} }: Field<unknown>, path: string, value: { [name: string]: unknown }): string {
  if (!Object.values(fields).every(({ kind }) => kind === 'choice')) return summaryOf(value)
  const chosen = Object.entries(fields).filter(([name, field]) => value[name] !== field.default)
  return chosen
    .map(([name]) => `${labelOf(`${path}.${name}`)}: ${labelOf(`${path}.${name}.${value[name]}`)}`)
    .join(', ')
}

/** A contact or a place in one line. */
export function summaryOf(part: { [name: string]: unknown }): string {
  const words = (...names: string[]) => names.map((name) => part[name]).filter(Boolean)
  const place = part.formatted_address ?? words('address1', 'suburb', 'city').join(', ')
  const person = words('first_name', 'last_name').join(' ')
  return [person, ...words('mobile', 'phone').slice(0, 1), place].filter(Boolean).join(', ')
}

/** A small object in one line: "Monday 08:00 12:00". */
const itemText = ({ fields = {} }: Field<unknown>, item: { [name: string]: unknown }): string =>
  Object.entries(fields)
    .map(([name, { kind }]) => (kind === 'choice' ? labelOf(String(item[name])) : String(item[name] ?? '')))
    .join(' ')
