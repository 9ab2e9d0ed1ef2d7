import type { Column } from '#fields'
import type { Index, Table } from './schema.ts'

/** SQL that makes tables; the two dialects differ in their type names, in a suffix, and in how they index texts. */
export function ddl(
  types: { [column in Column]: string },
  suffix: (table: Table) => string,
  indexTexts: (table: string, name: string, columns: string[]) => string[],
) {
  const typed = (type: string) => `${types[type.replace('!', '') as Column]}${type.endsWith('!') ? ' not null' : ''}`
  const addIndex = (table: string, name: string, index: Index) => {
    if (index.texts) return indexTexts(table, name, index.on)
    return [
      `create ${index.unique ? 'unique ' : ''}index ${quote(name)} on ${quote(table)} (${index.on
        .map((column, i) => (index.caseless && i === index.on.length - 1 ? `lower(${quote(column)})` : quote(column)))
        .join(
          ', ',
        )})${index.living ? ' where deleted_at is null' : index.given ? ` where ${quote(index.given)} is not null` : ''}`,
    ]
  }
  return {
    createTable: (table: Table) => [
      `create table ${quote(table.name)} (\n${Object.entries(table.columns)
        .map(([name, type]) => `  ${quote(name)} ${typed(type)},\n`)
        .join('')}  primary key (${table.key.map(quote).join(', ')})\n)${suffix(table)}`,
      ...Object.entries(table.indexes).flatMap(([name, index]) => addIndex(table.name, name, index)),
    ],
    addColumn: (table: string, name: string, type: string) => [
      `alter table ${quote(table)} add column ${quote(name)} ${typed(type)}`,
    ],
    addIndex,
  }
}

export const quote = (name: string) => `"${name}"`
