import { useEffect, useState } from 'react'
import { type Language, languages, speak } from '../ui/language.ts'
import { t } from '../ui/words.ts'
import { choose, chosen, type Look } from './look.ts'
import { Act, Card, Sheet, Side } from './parts.tsx'
import { kilobytes } from './receipts.tsx'
import { go } from './route.ts'
import { Screen } from './screen.tsx'
import { currentPhone, signOut, useFormats, useShown } from './store.ts'
import { Shift } from './today.tsx'

export function Me() {
  const { entries } = useShown()
  const { number } = useFormats()
  const [asks, setAsks] = useState(false)
  const waiting = entries.filter(({ state }) => state !== 'received').length
  const { used, isSafe } = useStorage()
  const leave = async () => {
    await signOut()
    go('/', 'instead')
  }
  return (
    <Screen title={t('Me')} sub={currentPhone().person.user_name}>
      <Shift />
      <Card kind="sec" head={<h2>{t('Look')}</h2>}>
        <Choice
          name="theme"
          title={t('Light or dark')}
          options={{ auto: t('As the phone'), light: t('Light'), dark: t('Dark') }}
        />
        <Choice name="contrast" title={t('Outdoor contrast')} options={{ normal: t('Off'), sun: t('On') }} />
        <Choice name="text" title={t('Text size')} options={{ '100': '100 %', '150': '150 %', '200': '200 %' }} />
        <Choice
          name="maps"
          title={t('Navigate with')}
          options={{ phone: t('The phone’s own'), apple: 'Apple', google: 'Google' }}
        />
        <Choice name="language" title={t('Language')} options={languages} />
      </Card>
      <Card kind="sec" head={<h2>{t('On this phone')}</h2>}>
        <p>
          {isSafe
            ? t('The browser keeps it safe.')
            : t('The browser may clear it when the phone is full. Add Muster to the home screen.')}
        </p>
        {used !== null && <p className="two-ink">{t('{used} used', { used: kilobytes(used, number) })}</p>}
        {!('serviceWorker' in navigator) && (
          <p className="bad">{t('This phone can’t work offline: the address is not https.')}</p>
        )}
      </Card>
      <div className="ends">
        <button type="button" className="btn block" onClick={() => (waiting > 0 ? setAsks(true) : leave())}>
          {t('Sign out')}
        </button>
      </div>
      {asks && (
        <Sheet
          title={t(
            '{waiting, plural, one {# entry is still waiting.} other {# entries are still waiting.}} Sign out anyway?',
            { waiting },
          )}
          sub={t('They stay on this phone and go when you sign in again. Nobody else sees them.')}
          onClose={() => setAsks(false)}
          acts={
            <>
              <Side wide onAct={leave}>
                {t('Sign out')}
              </Side>
              <Act mid onAct={() => setAsks(false)}>
                {t('Stay signed in')}
              </Act>
            </>
          }
        >
          <span />
        </Sheet>
      )}
    </Screen>
  )
}

function Choice({ name, title, options }: { name: keyof Look; title: string; options: { [value: string]: string } }) {
  return (
    <fieldset style={{ border: 0, padding: 0, margin: 0 }}>
      <legend className="lab">{title}</legend>
      <div className="quick">
        {Object.entries(options).map(([value, words]) => (
          <button
            type="button"
            className="btn"
            key={value}
            aria-pressed={chosen()[name] === value}
            onClick={async () => {
              choose(name, value)
              if (name === 'language') await speak(value as Language)
            }}
          >
            {words}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

/** What the browser says of its room for this. */
function useStorage() {
  const [room, setRoom] = useState<{ used: number | null; isSafe: boolean }>({ used: null, isSafe: false })
  useEffect(() => {
    void Promise.all([navigator.storage?.estimate?.(), navigator.storage?.persisted?.()]).then(
      ([estimate, isSafe = false]) => setRoom({ used: estimate?.usage ?? null, isSafe }),
    )
  }, [])
  return room
}
