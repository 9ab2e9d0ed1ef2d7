import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router'
import { ApiError } from '../client/index.ts'
import { Failed } from './frame/failed.tsx'
import { Frame } from './frame/frame.tsx'
import { NotFound } from './frame/missing.tsx'
import { parseSearch, stringifySearch } from './search.ts'
import { queries, sessionQuery } from './session.ts'
import { opens, tabs } from './tabs.ts'

const root = createRootRoute({ notFoundComponent: NotFound })

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ to }: { to?: unknown }): { to?: string } => (typeof to === 'string' ? { to } : {}),
  component: lazyRouteComponent(() => import('./sign-in/sign-in.tsx'), 'SignIn'),
})

const forgotten = createRoute({
  getParentRoute: () => root,
  path: '/forgotten',
  component: lazyRouteComponent(() => import('./sign-in/forgotten.tsx'), 'Forgotten'),
})

const welcome = createRoute({
  getParentRoute: () => root,
  path: '/welcome',
  component: lazyRouteComponent(() => import('./sign-in/welcome.tsx'), 'Welcome'),
})

/** Everything that is for who is signed in. */
const frame = createRoute({
  getParentRoute: () => root,
  id: 'frame',
  component: Frame,
  notFoundComponent: NotFound,
  errorComponent: Failed,
  beforeLoad: async ({ location }) => {
    try {
      const session = await queries.ensureQueryData(sessionQuery)
      // The server answers nothing else until it is set up.
      if (session.second_factor === 'missing' && location.pathname !== '/second-factor')
        throw redirect({ to: '/second-factor' })
      return { session }
    } catch (error) {
      if (error instanceof ApiError && error.status === 401)
        throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { to: location.href } })
      throw error
    }
  },
})

/** The first tab that they may see; who has none is a worker. */
const start = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: ({ context: { session } }) => {
    const first = tabs.find((tab) => opens(session, tab))
    if (first) throw redirect({ to: `/${first.id}` as string })
    throw redirect({ href: new URL('phone', document.baseURI).href })
  },
})

/** A screen of a tab; without its right there is a page that says so. */
const screen = <const Path extends string>(
  tab: string,
  path: Path,
  load: () => Promise<{ Screen: () => React.ReactNode }>,
) =>
  createRoute({
    getParentRoute: () => frame,
    path,
    beforeLoad: ({ context: { session } }) => {
      const wanted = tabs.find(({ id }) => id === tab)
      if (wanted && !opens(session, wanted)) throw notFound({ data: wanted })
    },
    component: lazyRouteComponent(load, 'Screen'),
  })

const screens = [
  screen('schedule', '/schedule', () => import('./schedule/schedule.tsx')),
  screen('jobs', '/jobs', () => import('./jobs/jobs.tsx')),
  screen('jobs', '/jobs/recurring', () => import('./jobs/recurring/recurring.tsx')),
  screen('jobs', '/jobs/$id', () => import('./jobs/page/job-page.tsx')),
  screen('messages', '/messages', () => import('./messages/messages.tsx')),
  screen('customers', '/customers', () => import('./customers/customers.tsx')),
  screen('customers', '/customers/$id', () => import('./customers/customer-page.tsx')),
  screen('equipment', '/equipment', () => import('./equipment/equipment.tsx')),
  screen('equipment', '/equipment/assets', () => import('./equipment/assets.tsx')),
  screen('reports', '/reports', () => import('./reports/reports.tsx')),
  screen('reports', '/reports/$name', () => import('./reports/reports.tsx')),
  screen('admin', '/admin', () => import('./admin/people.tsx')),
  screen('admin', '/admin/people', () => import('./admin/people.tsx')),
  screen('admin', '/admin/groups', () => import('./admin/groups.tsx')),
  screen('schedule', '/absences', () => import('./working-time/absences.tsx')),
  screen('admin', '/admin/working-weeks', () => import('./admin/working-weeks.tsx')),
  screen('admin', '/admin/account', () => import('./admin/account.tsx')),
  screen('admin', '/admin/phones', () => import('./admin/phones.tsx')),
  screen('admin', '/admin/tags', () => import('./admin/tags.tsx')),
]

const secondFactor = createRoute({
  getParentRoute: () => frame,
  path: '/second-factor',
  component: lazyRouteComponent(() => import('./frame/second-factor.tsx'), 'Screen'),
})

const me = createRoute({
  getParentRoute: () => frame,
  path: '/me',
  component: lazyRouteComponent(() => import('./frame/me.tsx'), 'Screen'),
})

/** Whoever is signed in keeps the frame where there is no page. */
const elsewhere = createRoute({ getParentRoute: () => frame, path: '$', component: NotFound })

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    forgotten,
    welcome,
    frame.addChildren([start, secondFactor, me, ...screens, elsewhere]),
  ]),
  // Behind a path of a proxy the server says so in <base>.
  basepath: new URL(document.baseURI).pathname.replace(/\/$/, ''),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
