import { Icon } from '../ui/icon.tsx'
import { t } from '../ui/words.ts'
import { To } from './parts.tsx'

/** On Today, for those who may. */
export const NewJobTool = () => (
  <To to="/new-job" className="tool" aria-label={t('New job')}>
    <Icon name="plus" />
  </To>
)
