import { Icon } from '../../../ui/icon.tsx'
import { useMenu } from '../../../ui/use-menu.tsx'
import { t } from '../../../ui/words.ts'
import type { RowOrder } from '../board/order.ts'
import { useDesk, useLooking } from '../desk.ts'

/** Over the column of workers: how they are ordered, and by whose clocks the hours are. */
export function Corner() {
  const desk = useDesk()
  const { view, look } = useLooking()
  const orders: { [order in RowOrder]: string } = {
    name: t('By name'),
    free: t('Free first'),
    loaded: t('Most planned first'),
    near: t('Nearest to the open job first'),
  }
  const menu = useMenu(t('Order of the rows'), [
    ...(Object.keys(orders) as RowOrder[]).map((id) => ({
      id,
      label: orders[id],
      ...(id === view.order && { icon: 'check' as const }),
      unless: id === 'near' && view.job === null && t('No job is open.'),
      run: () => look({ order: id }),
    })),
    'line',
    {
      id: 'unpin',
      label: t('Unpin all rows'),
      icon: 'pin',
      unless: view.pins.length === 0 && t('None is pinned.'),
      run: () => look({ pins: [] }),
    },
  ])
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <span className="corner" role="columnheader">
      <button type="button" className="order" {...menu.trigger}>
        {t('Worker')}
        <Icon name="down" size="s" />
      </button>
      {menu.popover}
      <span className="push" />
      <span
        className="dim plain clip"
        title={zone === desk.zone ? undefined : t('Your clock is that of {zone}', { zone })}
      >
        {zone === desk.zone
          ? view.order === 'name'
            ? t('by team')
            : orders[view.order]
          : t('times of {zone}', { zone: desk.zone.split('/').at(-1)?.replaceAll('_', ' ') ?? desk.zone })}
      </span>
    </span>
  )
}
