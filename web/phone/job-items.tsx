import { useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { count, itemName } from './acts.ts'
import { anchorOf, TwoValues, useDisputes } from './conflict.tsx'
import { Mark } from './fields.tsx'
import { NumberInput } from './inputs.tsx'
import { Card } from './parts.tsx'
import { currentPhone, type Item, type Job, rowOf, rowsOf, useFormats, useShown } from './store.ts'

/** What is used and charged: planned by the office, counted here. */
export function Items({ job }: { job: Job }) {
  const [open, setOpen] = useState<Item | null>(null)
  const disputes = useDisputes(job)
  if (job.line_items.length === 0) return null
  const use = (item: Item, value: string | null) => currentPhone().act([count(job, item, value)], placeOf(job, item))
  return (
    <Card
      kind="sec"
      flush
      head={
        <>
          <h2 id="items">{t('Parts and labour')}</h2>
          <span className="end">{t('used')}</span>
        </>
      }
    >
      <ul>
        {job.line_items.map((item) => {
          const dispute = disputes.find((one) => anchorOf(one) === `i-${item.id}`)
          if (dispute)
            return (
              <li key={item.id}>
                <TwoValues dispute={dispute} />
              </li>
            )
          return <Line key={item.id} job={job} item={item} onUse={use} onOpen={() => setOpen(item)} />
        })}
      </ul>
      {open && (
        <NumberInput
          place={placeOf(job, open)}
          title={itemName(open)}
          value={open.actual_quantity}
          onClose={() => setOpen(null)}
          onSave={(value) => {
            setOpen(null)
            void use(open, value)
          }}
        />
      )}
    </Card>
  )
}

const placeOf = (job: Job, item: Item) => `jobs/${job.id}/line_items/${item.id}`

interface LineProps {
  job: Job
  item: Item
  onUse: (item: Item, value: string) => unknown
  onOpen: () => void
}

function Line({ job, item, onUse, onOpen }: LineProps) {
  const shown = useShown()
  const { number } = useFormats()
  const name = itemName(item)
  const used = Number(item.actual_quantity ?? 0)
  const [account] = rowsOf(shown, 'account')
  const seesPrices = rowOf(shown, 'user', currentPhone().person.user_id)?.permissions?.mobile_invoice !== 'none'
  const price = seesPrices && item.price ? `${account?.currency ?? ''} ${item.price}` : null
  return (
    <li className="item" id={`i-${item.id}`}>
      <span className="w">
        <b>{name}</b>
        <small>{[item.description && item.code, price].filter(Boolean).join(' · ')}</small>
        {item.quantity && <small>{t('planned {count}', { count: number(Number(item.quantity)) })}</small>}
        <Mark job={job} path={`line_items[${item.id}].actual_quantity`} />
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a line */}
      <span className="stepper" role="group" aria-label={t('Used: {name}', { name })}>
        <button
          type="button"
          aria-label={t('One less: {name}', { name })}
          onClick={() => used > 0 && onUse(item, String(Math.max(0, used - 1)))}
        >
          <Icon name="minus" />
        </button>
        <button type="button" aria-label={t('{count} used: {name}', { count: number(used), name })} onClick={onOpen}>
          <output>{number(used)}</output>
        </button>
        <button
          type="button"
          aria-label={t('One more: {name}', { name })}
          onClick={() => onUse(item, String(used + 1))}
        >
          <Icon name="plus" />
        </button>
      </span>
    </li>
  )
}
