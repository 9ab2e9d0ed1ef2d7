import { present, type RawRow } from '#fields'
import { makeAll } from './actors.ts'
import { assets as assetRows, customers as customerRows, equipment as equipmentRows } from './customers.ts'
import type { Desk } from './desk.ts'
import type { People } from './make-people.ts'
import { company } from './people.ts'
import { byName, plainName } from './rows.ts'
import { pricebooks, type TemplateName, templateNames, templates } from './work.ts'

export interface Things {
  customers: RawRow[]
  /** Each with the template of its jobs as `kind`. */
  assets: RawRow[]
  equipment: RawRow[]
  templates: Map<TemplateName, RawRow>
}

/** What the parts of the demo after this one are made from. */
export type Town = Desk & People & Things

/** Pricebooks, customers, their assets, equipment, templates. */
export async function makeThings({ chief, groupIds, tagIds }: People): Promise<Things> {
  const make = (path: string, name: string, drafts: RawRow[]) => makeAll(chief.ask, path, name, drafts)
  const draftOfBook = ([name, { about, items }]: [string, (typeof pricebooks)['Electrical']]) => ({
    name,
    description: about,
    pricebook_items: items.map(([code, description, price]) => ({ code, description, price })),
  })
  const books = byName(await make('/pricebooks', 'pricebook', Object.entries(pricebooks).map(draftOfBook)))

  const customers = await make('/customers', 'customer', customerRows.map(draftOfCustomer))
  const assets = await make('/assets', 'asset', assetRows.map(draftOfAsset(byName(customers))))

  const draftOfEquipment = ([name, model, serial, tag, group]: string[], i: number) => ({
    name,
    model,
    serial: serial || null,
    third_party_id: `eq-${i + 1}`,
    tag_ids: tagIds([tag]),
    group_ids: groupIds([group]),
  })
  const equipmentMade = await make('/equipment', 'equipment', equipmentRows.map(draftOfEquipment))

  const draftOfTemplate = (key: TemplateName) => {
    const { name, seconds, tag, pricebook, steps, fields } = templates[key]
    return {
      name,
      planned_duration: seconds,
      tag_ids: tagIds([tag]),
      pricebook_id: books.get(pricebook)?.id,
      steps: steps.map((step) => ({ name: step })),
      custom_fields: fields,
    }
  }
  const templatesMade = await make('/templates', 'template', templateNames.map(draftOfTemplate))

  return {
    customers,
    assets: assets.map((row, i) => ({ ...row, kind: assetRows[i]?.[4] })),
    equipment: equipmentMade,
    templates: new Map(templateNames.map((name, i) => [name, present(templatesMade[i])])),
  }

  function draftOfCustomer([name = '', person = '', phone, ...place]: string[], i: number): RawRow {
    const [street, suburb, post_code, lat, lng, group, notes] = place
    const [first_name = '', ...last] = person.split(' ')
    const domain = `${plainName(name, '-')}.example`
    const { city, country } = company
    const formatted_address = `${street}, ${suburb} ${post_code}`
    const location = { address1: street, suburb, city, post_code, country, formatted_address, lat, lng }
    const site = { first_name, last_name: last.join(' '), phone, email: `${plainName(first_name)}@${domain}`, location }
    return {
      name,
      third_party_id: `c-${1001 + i}`,
      notes: notes || null,
      group_ids: groupIds([group]),
      delivery_contact: site,
      billing_contact: i % 3 === 0 ? { first_name: 'Accounts', email: `accounts@${domain}`, location } : null,
      pricebook_id: i % 4 === 1 ? books.get('Electrical')?.id : null,
    }
  }
}

const draftOfAsset =
  (customers: Map<string, RawRow>) =>
  ([owner = '', name, model, serial, , disabled]: string[], i: number): RawRow => {
    const customer = customers.get(owner)
    return {
      name,
      model,
      serial: serial || null,
      third_party_id: `asset-${i + 1}`,
      customer_id: customer?.id,
      group_ids: customer?.group_ids,
      enabled: disabled !== 'disabled',
      location: customer?.delivery_contact.location,
    }
  }
