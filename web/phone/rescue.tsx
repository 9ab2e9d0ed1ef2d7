import { useState } from 'react'
import { t } from '../ui/words.ts'
import { Card } from './parts.tsx'
import { currentPhone } from './store.ts'

/** For a phone that is about to die: what waits as one sealed file, and a colleague’s handed in. */
export function RescueCard({ waiting }: { waiting: number }) {
  const [said, say] = useState<string | null>(null)
  return (
    <Card kind="sec" head={<h2>{t('Is the phone about to die?')}</h2>}>
      <p>
        {t(
          'Save what is waiting as one sealed file and give it to a colleague. It reaches the office without this phone.',
        )}
      </p>
      <div className="btns">
        {waiting > 0 && (
          <button type="button" className="btn strong" onClick={async () => say(await save())}>
            {t('Save what is waiting')}
          </button>
        )}
        <label className="btn">
          {t('Hand in a colleague’s file')}
          <input
            type="file"
            className="vh"
            onChange={async ({ target }) => {
              const [file] = target.files ?? []
              if (file) say(await handIn(file))
              target.value = ''
            }}
          />
        </label>
      </div>
      <p role="status">{said}</p>
    </Card>
  )
}

/** By the phone’s own share sheet, else as a download. */
export async function save(): Promise<string> {
  const blob = await currentPhone().save()
  if (!blob) return t('Nothing could be saved: this phone has had no connection yet')
  const name = `${currentPhone().person.user_name} ${new Date().toISOString().slice(0, 10)}.rescue`
  const file = new File([blob], name, { type: blob.type })
  if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] }).catch(() => {})
  else {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = name
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return t('Saved. It stays on this phone too, until the office has it.')
}

async function handIn(file: File): Promise<string> {
  try {
    const { taken, refused } = await currentPhone().handIn(file)
    return refused > 0
      ? t('The office has {taken} of it, and did not take {refused}.', { taken, refused })
      : t('The office has all of it.')
  } catch (error) {
    return (error as Error).message || t('It could not be handed in')
  }
}
