import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './icon.tsx'
import { t } from './words.ts'

export interface Column<Row> {
  id: string
  head: ReactNode
  cell: (row: Row, index: number) => ReactNode
  /** In pixels; without it the column takes what is left. */
  width?: number
  /** Numbers stand at the end. */
  numeric?: boolean
  /** The head is written upwards: many narrow columns. */
  upright?: boolean
  /** May be sorted by, under this name. */
  sort?: string
}

interface Props<Row> {
  label: string
  columns: Column<Row>[]
  total: number
  /** Undefined while it is on its way. */
  rowAt: (index: number) => Row | undefined
  /** What is looked at, so that it can be asked for. */
  onRange?: (first: number, last: number) => void
  /** `name`, or `-name` for the largest first. */
  sort?: string | undefined
  onSort?: (sort: string) => void
  isOpen?: (row: Row) => boolean
  /** In pixels; without it that of the density. */
  rowHeight?: number
  /** Rows can be selected, to do something with several of them. */
  selection?: Selection<Row>
}

export interface Selection<Row> {
  isSelected: (row: Row) => boolean
  /** Selects a row, or takes it out; `range` does the same to all since the one before. */
  onSelect: (index: number, range: boolean) => void
  all: boolean | 'some'
  onSelectAll: () => void
  nameOf: (row: Row) => string
}

/**
 * Rows of which only those in view are drawn, under a head that stays. The first cell of a row holds its link; J and K,
 * and the arrows, go from one to the next.
 */
export function Table<Row>(props: Props<Row>) {
  const { label, total, rowAt, onRange, sort, onSort, isOpen, rowHeight, selection } = props
  const columns = selection ? [selectColumn(selection), ...props.columns] : props.columns
  const scroll = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight ?? rowOfDensity(),
    overscan: 12,
  })
  const seen = rows.getVirtualItems()
  const [first, last] = [seen[0]?.index ?? 0, seen.at(-1)?.index ?? 0]
  useEffect(() => onRange?.(first, last), [first, last, onRange])

  function onKeyDown(event: KeyboardEvent) {
    const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key]
    const row = (event.target as Element).closest('tr[data-index]')
    if (event.key === 'x' && row && selection) {
      event.preventDefault()
      selection.onSelect(Number(row.getAttribute('data-index')), false)
    }
    if (!step || !row || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const next = Math.min(Math.max(Number(row.getAttribute('data-index')) + step, 0), total - 1)
    rows.scrollToIndex(next)
    requestAnimationFrame(() =>
      scroll.current
        ?.querySelector<HTMLElement>(`tr[data-index="${next}"] :is(a, button:not([role="checkbox"]))`)
        ?.focus(),
    )
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the links inside come through here
    <div className="scroll" ref={scroll} onKeyDown={onKeyDown}>
      <table className="table" aria-label={label} aria-rowcount={total + 1}>
        <colgroup>
          {columns.map(({ id, width }) => (
            <col key={id} style={width === undefined ? {} : { width }} />
          ))}
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.id} column={column} sort={sort} {...(onSort && { onSort })} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap height={seen[0]?.start ?? 0} columns={columns.length} />
          {seen.map(({ index }) => {
            const row = rowAt(index)
            return (
              <tr
                key={index}
                data-index={index}
                aria-rowindex={index + 2}
                className={row && (isOpen?.(row) || selection?.isSelected(row)) ? 'on' : ''}
              >
                {columns.map(({ id, numeric, cell }) => (
                  <td key={id} className={numeric ? 'num' : ''}>
                    {row ? cell(row, index) : <span className="skel" style={{ height: 10, width: '60%' }} />}
                  </td>
                ))}
              </tr>
            )
          })}
          <Gap height={rows.getTotalSize() - (seen.at(-1)?.end ?? 0)} columns={columns.length} />
        </tbody>
      </table>
    </div>
  )
}

function selectColumn<Row>({ isSelected, onSelect, all, onSelectAll, nameOf }: Selection<Row>): Column<Row> {
  return {
    id: 'select',
    width: 48,
    head: <SelectBox label={t('Select all')} isOn={all} onClick={onSelectAll} />,
    cell: (row, index) => (
      <SelectBox
        label={t('Select {name}', { name: nameOf(row) })}
        isOn={isSelected(row)}
        onClick={(event) => onSelect(index, event.shiftKey)}
      />
    ),
  }
}

const SelectBox = ({ label, isOn, onClick }: SelectBoxProps) => (
  // biome-ignore lint/a11y/useSemanticElements: Shift with a click selects several, which an input does not tell
  <button
    type="button"
    className="tick"
    role="checkbox"
    aria-label={label}
    aria-checked={isOn === 'some' ? 'mixed' : isOn}
    onClick={onClick}
  >
    <span className="check" data-on={isOn === 'some' ? 'some' : isOn || undefined}>
      {isOn === true && <Icon name="check" />}
    </span>
  </button>
)
interface SelectBoxProps {
  label: string
  isOn: boolean | 'some'
  onClick: (event: MouseEvent) => void
}

const rowOfDensity = () =>
  Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--table-row'), 10)

/** Stands for the rows that aren't drawn. */
const Gap = ({ height, columns }: { height: number; columns: number }) =>
  height > 0 && (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row is not focusable
    <tr aria-hidden="true">
      <td className="gap" colSpan={columns} style={{ height }} />
    </tr>
  )

function Head<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort?: string | undefined
  onSort?: (sort: string) => void
}) {
  const { head, numeric, upright, sort: name } = column
  const order = name && sort === name ? 'ascending' : name && sort === `-${name}` ? 'descending' : undefined
  if (!name || !onSort)
    return (
      <th className={numeric ? 'num' : upright ? 'upright' : ''}>
        <span>{head}</span>
      </th>
    )
  return (
    <th className={numeric ? 'num' : ''} aria-sort={order ?? 'none'}>
      <button type="button" title={t('Sort by this')} onClick={() => onSort(order === 'ascending' ? `-${name}` : name)}>
        {head}
        {order && <Icon name={order === 'ascending' ? 'down' : 'up'} />}
      </button>
    </th>
  )
}
