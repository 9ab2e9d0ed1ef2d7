import { Icon } from '../ui/icon.tsx'
import { type Language, languages, speak } from '../ui/language.ts'
import { t } from '../ui/words.ts'
import { Account, Sessions } from './account.tsx'
import { useDistance } from './distance.ts'
import { choose, chosen, type Look } from './look.ts'
import { Card, To } from './parts.tsx'
import { Permissions } from './permissions.tsx'
import { Screen } from './screen.tsx'
import { SignOut } from './sign-out.tsx'
import { Storage } from './storage.tsx'
import { currentPhone, rowOf, useFormats, useShown } from './store.ts'
import { Shift } from './today.tsx'
import { useWay } from './track.tsx'
import { lengthOf } from './way.ts'

export function Me() {
  const { distance } = useDistance()
  const way = useWay()
  return (
    <Screen title={t('Me')} sub={currentPhone().person.user_name}>
      <Shift />
      <Card kind="sec" flush head={<h2>{t('Place')}</h2>}>
        <div className="rows">
          <To to="/me/track">
            <Icon name="route" />
            <span className="w">
              <b>{t('My track')}</b>
              <small>{t('{length} in the last 24 hours, and who looked', { length: distance(lengthOf(way)) })}</small>
            </span>
            <Icon name="right" className="go" />
          </To>
        </div>
      </Card>
      <Tags />
      <Permissions />
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
      <Storage />
      <Sessions />
      <Account />
      <SignOut />
    </Screen>
  )
}

/** What they hold, and until when. */
function Tags() {
  const { date } = useFormats()
  const tags = rowOf(useShown(), 'user', currentPhone().person.user_id)?.tags ?? []
  if (tags.length === 0) return null
  const soon = new Date(Date.now() + 30 * 86_400_000).toISOString()
  const now = new Date().toISOString()
  return (
    <Card kind="sec" flush head={<h2>{t('Tags')}</h2>}>
      <div className="rows">
        {tags.map(({ id, name, expires_at: until }) => (
          <div key={id}>
            <Icon name="tag" />
            <span className="w">
              <b>{name}</b>
              {until && (
                <small className={until < now ? 'bad bold' : until < soon ? 'risk bold' : ''}>
                  {until < now ? t('ended on {date}', { date: date(until) }) : t('until {date}', { date: date(until) })}
                </small>
              )}
            </span>
          </div>
        ))}
      </div>
    </Card>
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
