import { type FieldError, fieldError, type RawRow, type RecordType, type ValidationError } from '#fields'
import { topLevelField } from './merge-draft.ts'

/** Notes what a rule finds. What could not be read isn't also said to be missing, nor is what it would have led to. */
export function errorCollector({ fields }: RecordType, errors: FieldError[], known: FieldError[]) {
  const reported = new Set(known.flatMap(({ field }) => [field, fields[field]?.lookup?.[0] ?? field]))
  return (field: string, problem: ValidationError, remedy?: string) => {
    if (!reported.has(field) && !reported.has(field.split('.', 1)[0] ?? ''))
      errors.push({ ...fieldError(field, problem), ...(remedy !== undefined && { remedy }) })
  }
}

/** Calls the items that faults are about by what they are known again by; the items stand in the row as the faults count them. */
export function nameItems({ fields }: RecordType, errors: FieldError[], row: RawRow): void {
  for (const error of errors) {
    const [, list = '', i = ''] = /^(\w+)\[(\d+)\]/.exec(error.field) ?? []
    const name = fields[list]?.match?.find((one) => one !== 'id') ?? 'name'
    const called = row[list]?.[i]?.[name]
    if (typeof called === 'string' && called.trim() !== '') error.item ??= called
  }
}

/** Faults in the order of the record's fields, whichever check found them. */
export function sortErrors(record: RecordType, errors: FieldError[]): FieldError[] {
  const order = Object.keys(record.fields)
  const place = (error: FieldError) =>
    (order.indexOf(topLevelField(error.field)) + order.length + 1) % (order.length + 1)
  return errors.toSorted((a, b) => place(a) - place(b))
}
