import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Field } from '../../../src/fields/index.ts'
import { account } from '../../../src/records/account.ts'
import { ApiError } from '../../client/index.ts'
import { Button } from '../../ui/button.tsx'
import { FieldInput } from '../../ui/fields/field-input.tsx'
import { Verdict } from '../../ui/marks.tsx'
import { toast } from '../../ui/toast.tsx'
import { t } from '../../ui/words.ts'
import { api } from '../api.ts'
import { sessionQuery, useSession } from '../session.ts'
import { Admin } from './admin.tsx'

const asked = ['name', 'time_zone', 'units', 'currency', 'settings'] as const

/** What the company is called, its clocks and money, and how it works. */
export function Screen() {
  const { account: now } = useSession()
  const queries = useQueryClient()
  const [changed, setChanged] = useState<{ [field: string]: unknown }>({})
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.request('PUT', 'account', { body: { account: changed } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
      setChanged({})
      toast({ title: t('The company is saved') })
    },
  })
  const faults = error instanceof ApiError ? error.faults : []
  const faultOf = (path: string) =>
    faults
      .filter(({ field }) => field === path)
      .map(({ message, remedy }) => [message, remedy].filter(Boolean).join('. '))
      .join('. ') || undefined
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    mutate()
  }
  return (
    <Admin>
      <div className="list">
        <header className="bar">
          <h1 className="title">{t('Company')}</h1>
        </header>
        <div className="scroll">
          <form className="settings form-fields" aria-label={t('Company')} noValidate onSubmit={onSubmit}>
            {faults.length > 0 && <Verdict kind="no">{t('Nothing was changed')}</Verdict>}
            {asked.map((name) => (
              <FieldInput
                key={name}
                field={account.fields[name] as Field<unknown>}
                path={name}
                of={account.name}
                value={changed[name] ?? now[name]}
                onChange={(value) => setChanged({ ...changed, [name]: value })}
                faultOf={faultOf}
              />
            ))}
            <div className="line">
              <Button
                kind="primary"
                type="submit"
                busy={isPending}
                unless={Object.keys(changed).length === 0 && t('Nothing is changed yet')}
              >
                {t('Save')}
              </Button>
            </div>
          </form>
        </div>
      </div>
    </Admin>
  )
}
