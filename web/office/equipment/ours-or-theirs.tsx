import { Link } from '@tanstack/react-router'
import { t } from '../../ui/words.ts'

/** Between what the company owns and what its customers own. */
export const OursOrTheirs = () => (
  <nav className="seg" aria-label={t('Whose')}>
    <Link
      to="/equipment"
      activeOptions={{ exact: true, includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
    >
      {t('Ours')}
    </Link>
    <Link to="/equipment/assets" activeOptions={{ includeSearch: false }} activeProps={{ 'aria-current': 'page' }}>
      {t('Customers’ assets')}
    </Link>
  </nav>
)
