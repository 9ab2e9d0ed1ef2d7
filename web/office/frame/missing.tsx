import { Link } from '@tanstack/react-router'
import { Empty } from '../../ui/told.tsx'
import { t } from '../../ui/words.ts'
import type { Tab } from '../tabs.ts'

/** Which right is missing, and who can give it. */
const MissingRight = ({ tab }: { tab: Tab }) => (
  <Page title={t('This needs the right “{right}”', { right: t(tab.label) })}>
    {t('An admin of your company can give it to you, under Admin, People.')}
  </Page>
)

/** `data` is the tab that a person's rights do not open, where it is that. */
export const NotFound = ({ data }: { data?: unknown }) => (isTab(data) ? <MissingRight tab={data} /> : <Missing />)

const isTab = (data: unknown): data is Tab => typeof data === 'object' && data !== null && 'permission' in data

const Missing = () => (
  <Page title={t('There is no such page')}>{t('The address may be mistyped, or what it showed is gone.')}</Page>
)

const Page = ({ title, children }: { title: string; children: string }) => (
  <main className="main lone" id="main">
    <Empty
      page
      title={title}
      actions={
        <Link className="btn" to="/">
          {t('Back to the start')}
        </Link>
      }
    >
      {children}
    </Empty>
  </main>
)
