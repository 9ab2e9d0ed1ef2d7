import type { RawRow } from '#fields'
import { asset } from '#records/asset'
import { customer } from '#records/customer'
import { equipment } from '#records/equipment'
import { pricebook } from '#records/pricebook'
import { template } from '#records/template'
import { assets as assetRows, customers as customerRows, equipment as equipmentRows } from './customers.ts'
import { byName, type Desk, plainName } from './make.ts'
import type { People } from './make-people.ts'
import { company } from './people.ts'
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
export async function makeThings({ keepAll }: Desk, { chief, groupIds, tagIds }: People): Promise<Things> {
  const by = { by: chief }
  const draftOfBook = ([name, { about, items }]: [string, (typeof pricebooks)['Electrical']]) => ({
    name,
    description: about,
    pricebook_items: items.map(([code, description, price]) => ({ code, description, price })),
  })
  const books = byName(await keepAll(Object.entries(pricebooks), pricebook, draftOfBook, by))

  const customers = await keepAll(customerRows, customer, draftOfCustomer, by)
  const assets = await keepAll(assetRows, asset, draftOfAsset(byName(customers)), by)

  const draftOfEquipment = ([name, model, serial, tag, group]: string[], i: number) => ({
    name,
    model,
    serial: serial || null,
    third_party_id: `eq-${i + 1}`,
    tag_ids: tagIds([tag]),
    group_ids: groupIds([group]),
  })
  const equipmentKept = await keepAll(equipmentRows, equipment, draftOfEquipment, by)

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
  const templatesKept = await keepAll(templateNames, template, draftOfTemplate, by)

  return {
    customers,
    assets: assets.map((row, i) => ({ ...row, kind: assetRows[i]?.[4] })),
    equipment: equipmentKept,
    templates: new Map(templateNames.map((name, i) => [name, templatesKept[i] as RawRow])),
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
