import type { ReactNode } from 'react'
import type { RecordType, Shown } from '../../src/fields/index.ts'
import { Button } from '../ui/button.tsx'
import { useRecords } from '../ui/records/context.tsx'
import type { Id } from '../ui/records/names.ts'
import type { FormField, FormProps } from '../ui/records/record-form.tsx'
import { type ListProps, RecordList } from '../ui/records/record-list.tsx'
import { RecordPane } from '../ui/records/record-pane.tsx'
import { Empty } from '../ui/told.tsx'
import { t } from '../ui/words.ts'
import { useListSearch } from './list-search.ts'
import { OpenLink } from './open-link.tsx'

interface Props<R extends RecordType>
  extends Pick<FormProps<R>, 'given' | 'inputs'>,
    Omit<ListProps<R>, 'search' | 'onSearch' | 'link' | 'isOpen' | 'empty'> {
  /** What its form asks for, and its pane says. */
  form: readonly FormField[]
  /** "New tag". */
  newTitle: string
  /** What it is good for, where there is none yet. */
  about: string
  /** Where rows lead; without it to the pane beside the list. */
  linkTo?: (row: Shown<R>, name: ReactNode) => ReactNode
  pane?: (row: Shown<R>) => ReactNode
}

/** A list, and one of its entries beside it: what there is to most records. The address holds both. */
export function RecordScreen<R extends RecordType>({
  form,
  newTitle,
  about,
  linkTo,
  pane,
  actions,
  given,
  inputs,
  ...list
}: Props<R>) {
  const [search, onSearch] = useListSearch()
  const { mayChange } = useRecords()
  const { open } = search
  const add = mayChange(list.record) && !list.record.without?.includes('create') && (
    <Button kind="primary" icon="plus" onClick={() => onSearch({ open: 'new', edit: undefined })}>
      {newTitle}
    </Button>
  )
  const toPane = (row: Shown<R>, name: ReactNode) => <OpenLink id={(row as { id: Id }).id}>{name}</OpenLink>
  return (
    <div className={open ? 'with-pane' : 'list'}>
      <div className="list">
        <RecordList
          {...list}
          search={search}
          onSearch={onSearch}
          link={linkTo ?? toPane}
          isOpen={(row) => String((row as { id: Id }).id) === open}
          actions={
            <>
              {actions}
              {add}
            </>
          }
          empty={
            <Empty title={t('Nothing is here yet')} actions={add}>
              {about}
            </Empty>
          }
        />
      </div>
      {open && (
        <RecordPane
          record={list.record}
          id={open === 'new' ? 'new' : idOf(open)}
          fields={form}
          newTitle={newTitle}
          given={given}
          inputs={inputs}
          onOpen={(id) => onSearch({ open: String(id), edit: undefined })}
          onClose={() => onSearch({ open: undefined, edit: undefined })}
          edit={search.edit}
          onEdit={(edit) => onSearch({ edit })}
          {...(pane && { children: pane })}
        />
      )}
    </div>
  )
}

const idOf = (text: string): Id => (/^\d+$/.test(text) ? Number(text) : text)
