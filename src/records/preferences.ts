import { choice, type Fields, integer, text } from '#fields'

/** How a person likes the interface, on whatever machine; what is nil is as it comes. */
export const preferences = {
  theme: choice(['light', 'dark'], { about: 'Colours; nil follows the system' }),
  density: choice(['comfortable', 'compact'], { about: 'How close together things stand' }),
  language: text({ max: 35, about: 'BCP 47 tag such as `de`; nil follows the browser' }),
  start_tab: choice(
    ['jobs', 'schedule', 'map', 'reports', 'customers', 'equipment', 'quotes', 'messaging', 'admin', 'phone'],
    { about: 'What opens after signing in' },
  ),
  zoom: integer({ min: 1, max: 1000, about: 'Pixels that an hour has on the board' }),
} satisfies Fields
