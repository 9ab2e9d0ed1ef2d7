import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { LabeledField } from '../../../ui/fields/field.tsx'
import { NumberInput, TextInput } from '../../../ui/fields/plain.tsx'
import { useRecords } from '../../../ui/records/context.tsx'
import { useNames } from '../../../ui/records/names.ts'
import { t } from '../../../ui/words.ts'
import { Form, InPlace } from '../../job/in-place.tsx'
import { type Job, useOpenJob } from '../../job/open-job.ts'
import { Section } from '../../job/section.tsx'
import { sumOf, totalOf } from './sums.ts'

export type Item = Job['line_items'][number]

/** What is used and charged, with sums: of what was used, and until then of what is planned. */
export function Items() {
  const { job, mayChange } = useOpenJob()
  const { formats } = useRecords()
  const [adding, setAdding] = useState(false)
  const nameOf = useNames({ pricebook: job.pricebook_id ? [job.pricebook_id] : [] })
  const pricebook = job.pricebook_id && nameOf('pricebook', job.pricebook_id)
  return (
    <Section
      title={t('Items')}
      beside={pricebook && t('Price book: {name}', { name: pricebook })}
      end={
        mayChange && (
          <Button small kind="quiet" icon="plus" onClick={() => setAdding(true)}>
            {t('Item')}
          </Button>
        )
      }
    >
      {job.line_items.length === 0 && !adding && <p className="dim">{t('none')}</p>}
      {job.line_items.length > 0 && (
        <div className="wide">
          <table className="table auto">
            <thead>
              <tr>
                <th>{t('Code')}</th>
                <th>{t('What')}</th>
                <th className="num">{t('Planned')}</th>
                <th className="num">{t('Used')}</th>
                <th className="num">{t('Price')}</th>
                <th className="num">{t('Sum')}</th>
                {mayChange && (
                  <th>
                    <span className="vh">{t('Take away')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {job.line_items.map((item) => (
                <Row key={item.id} item={item} />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <td colSpan={5} className="num dim">
                  {t('Without tax')}
                </td>
                <td className="num">
                  <b>{formats.money(totalOf(job.line_items))}</b>
                </td>
                {mayChange && <td />}
              </tr>
            </tfoot>
          </table>
        </div>
      )}
      {adding && <NewItem onClose={() => setAdding(false)} />}
    </Section>
  )
}

function Row({ item }: { item: Item }) {
  const { path, mayChange, send, changeList } = useOpenJob()
  const { formats } = useRecords()
  const { id, code, description, quantity, actual_quantity: used, price } = item
  const name = code ?? description ?? String(id)
  const sum = sumOf(item)
  return (
    <tr>
      <td className="dim">{code}</td>
      <td className="what" dir="auto">
        {description}
      </td>
      <td className="num">{quantity}</td>
      <td className="num">
        <InPlace
          label={t('Used of {name}', { name })}
          value={used}
          save={async (value, seen) => {
            if (value !== seen)
              await send({
                method: 'PATCH',
                path: `${path}/line_items/${id}`,
                body: { line_item: { actual_quantity: value }, base: { actual_quantity: seen } },
                says: t('{what} is saved', { what: name }),
              })
          }}
          form={(value, set) => (
            <LabeledField label={t('Used of {name}', { name })}>
              {(given) => (
                <NumberInput {...given} value={value} onChange={(now) => set(now === null ? null : String(now))} />
              )}
            </LabeledField>
          )}
        >
          {used ?? <span className="dim">–</span>}
        </InPlace>
      </td>
      <td className="num">{price !== null && formats.money(Number(price))}</td>
      <td className="num">{sum !== null && formats.money(sum)}</td>
      {mayChange && (
        <td>
          <Button
            small
            kind="quiet"
            icon="x"
            aria-label={t('Take {name} away', { name })}
            onClick={() =>
              void changeList(
                'line_items',
                (items) => items.filter((one) => one.id !== id),
                t('{what} is taken away', { what: name }),
              )
            }
          />
        </td>
      )}
    </tr>
  )
}

type NewItemDraft = Pick<Item, 'code' | 'description' | 'quantity' | 'price'>

function NewItem({ onClose }: { onClose: () => void }) {
  const { changeList } = useOpenJob()
  const [item, setItem] = useState<NewItemDraft>({ code: null, description: null, quantity: '1', price: null })
  const input = (name: keyof NewItemDraft, label: string, isNumber = false) => (
    <LabeledField label={label}>
      {(given) =>
        isNumber ? (
          <NumberInput
            {...given}
            value={item[name]}
            onChange={(now) => setItem({ ...item, [name]: now === null ? null : String(now) })}
          />
        ) : (
          <TextInput {...given} value={item[name]} onChange={(now) => setItem({ ...item, [name]: now })} />
        )
      }
    </LabeledField>
  )
  return (
    <Form
      label={t('New item')}
      act={t('Add')}
      onClose={onClose}
      save={async () => {
        const says = t('{what} is added', { what: item.code ?? item.description ?? t('Item') })
        if (await changeList('line_items', (items) => [...items, item], says)) onClose()
      }}
    >
      <div className="four">
        {input('code', t('Code'))}
        {input('description', t('What'))}
        {input('quantity', t('Planned'), true)}
        {input('price', t('Price of one'), true)}
      </div>
    </Form>
  )
}
