import { type Fault, faultAt, type RawRow, type RecordType, type Wrong } from '#fields'
import { topOf } from './complete.ts'

/** Notes what a rule finds. What could not be read isn't also said to be missing, nor is what it would have led to. */
export const faulter =
  ({ fields }: RecordType, faults: Fault[], known: Fault[]) =>
  (field: string, problem: Wrong, remedy?: string) => {
    if (known.some((fault) => fault.field === field || fields[fault.field]?.lookup?.[0] === field)) return
    faults.push({ ...faultAt(field, problem), ...(remedy && { remedy }) })
  }

/** Calls the items that faults are about by what they are known again by; the items stand in the row as the faults count them. */
export function nameItems({ fields }: RecordType, faults: Fault[], row: RawRow): void {
  for (const fault of faults) {
    const [, list = '', i = ''] = /^(\w+)\[(\d+)\]/.exec(fault.field) ?? []
    const name = fields[list]?.match?.find((one) => one !== 'id') ?? 'name'
    const called = row[list]?.[i]?.[name]
    if (typeof called === 'string' && called.trim() !== '') fault.item ??= called
  }
}

/** Faults in the order of the record's fields, whichever check found them. */
export function inOrder(record: RecordType, faults: Fault[]): Fault[] {
  const order = Object.keys(record.fields)
  const place = (fault: Fault) => (order.indexOf(topOf(fault.field)) + order.length + 1) % (order.length + 1)
  return faults.toSorted((a, b) => place(a) - place(b))
}
