import {
  choice,
  decimal,
  eachNamed,
  features,
  flag,
  id,
  integer,
  part,
  type Row,
  record,
  stamp,
  text,
  texts,
} from '#fields'

/** A company that uses this server: one customer of the operator. Everything else belongs to one. (docs/contract.md#accounts) */
export const account = record('account', {
  plural: 'accounts',
  path: null,
  about: 'A company that uses this server.',
  fields: {
    id: id(),
    name: text({ required: true, max: 255, about: 'Name of the company' }),
    time_zone: text({ required: true, max: 64, about: 'IANA name of its time zone' }),
    features: part(
      eachNamed(features, () => flag({ default: true })),
      { default: {}, about: 'Switches that only the operator turns' },
    ),
    units: choice(['km', 'miles'], { default: 'km', about: 'Unit of distances' }),
    currency: text({ max: 3, default: 'USD', about: 'ISO 4217 code of its money' }),
    settings: part(
      {
        asks_acceptance: flag({ default: false, about: 'A published job is assigned only when its worker accepts it' }),
        auto_accept_after: integer({
          min: 0,
          max: 31_536_000,
          about: 'Seconds after which a pending job counts as accepted',
        }),
        auto_decline_after: integer({
          min: 0,
          max: 31_536_000,
          about: 'Seconds after which a pending job counts as declined',
        }),
        decline_reasons: texts('reason', { about: 'What a worker may give as a reason; none means any' }),
        prevent_double_booking: flag({ default: false, about: 'Refuse a job while its worker or equipment is busy' }),
        prevent_outside_working_hours: flag({
          default: false,
          about: "Refuse a job outside of its worker's hours, or while they are away",
        }),
        prevent_off_shift: flag({ default: false, about: 'Refuse a job that is due while its worker is off shift' }),
        travel_factor: decimal({
          min: 1,
          max: 10,
          about: 'How much longer a way is than the great circle; 1.3 unless said',
        }),
        travel_speed_kmh: integer({ min: 1, max: 300, about: 'How fast it goes, in km/h; 40 unless said' }),
        require_second_factor: flag({
          default: false,
          about: 'Who has no second factor may only set one up after signing in',
        }),
      },
      { default: {}, about: 'How this company works' },
    ),
    rescue_key: text({ internal: true, about: 'Private key that opens rescue files, PKCS 8 in base64' }),
    created_at: stamp('When the account was created', { auto: 'created' }),
    updated_at: stamp('When the account was last changed', { auto: 'updated' }),
  },
  allow: { read: 'nobody', write: 'nobody' },
  search: ['name'],
  title: 'name',
  example: { name: 'Acme Field Services', time_zone: 'Pacific/Auckland' },
})

export type Account = Row<typeof account>
