import './frame.css'
import { Dialog } from '../../ui/dialog.tsx'
import { caps } from '../../ui/keys.ts'
import { t } from '../../ui/words.ts'
import { type KeyGroup, keyHelp } from '../key-help.ts'
import { useObservable } from '../observable.ts'
import { useSession } from '../session.ts'
import { opens, tabs } from '../tabs.ts'

/** `?`: what the keys do, everywhere and on this screen. */
export default function KeysSheet({ onClose }: { onClose: () => void }) {
  const session = useSession()
  const groups: KeyGroup[] = [
    {
      title: t('Everywhere'),
      keys: [
        [t('Find or do anything'), [caps.mod, 'K']],
        ...tabs
          .filter((tab) => opens(session, tab))
          .map((tab): [string, string[]] => [
            t('Go to {place}', { place: t(tab.label) }),
            ['G', tab.key.toUpperCase()],
          ]),
        [t('Undo'), [caps.mod, 'Z']],
        [t('These keys'), ['?']],
      ],
    },
    {
      title: t('In lists'),
      keys: [
        [t('Down, up'), ['J', 'K']],
        [t('Open'), [caps.enter]],
        [t('Search'), ['/']],
      ],
    },
    ...useObservable(keyHelp),
  ]
  return (
    <Dialog title={t('Keys')} open onClose={onClose} wide>
      <div className="key-groups">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3 className="h3">{title}</h3>
            <dl>
              {keys.map(([says, caps]) => (
                <div key={says}>
                  <dt>{says}</dt>
                  <dd>
                    {caps.map((cap) => (
                      <kbd key={cap}>{cap}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
