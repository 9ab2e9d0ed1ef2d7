import { rows } from './rows.ts'

/** A firm that looks after buildings in one city. Everybody and everything here is made up. */
export const company = {
  name: 'Harbour City Services',
  zone: 'Pacific/Auckland',
  city: 'Auckland',
  country: 'New Zealand',
  works: {
    currency: 'NZD',
    settings: { asks_acceptance: true, decline_reasons: ['No vehicle', 'Not on shift', 'Too far away'] },
  },
}

export const groups = rows(`
  North Shore    | Crews north of the bridge
  Central        | The city and the suburbs around it
  West           | From Avondale to the ranges
  South and East | From Onehunga to Howick and Papakura
`)

/** Name, whether it expires, what it means. */
export const tags = rows(`
  Gas fitting            | expires | Licensed to work on gas appliances
  Registered electrician | expires | Holds a practising licence
  Working at height      | expires | Holds a current harness certificate
  First aid              | expires | Workplace first aid, two years
  Confined space         | expires | May enter tanks, pits and ceilings with one exit
  Police vetted          |         | May work at schools and kindergartens during the day
  Site induction         |         | Has been shown around the hospital and the port
`)

const everything = {
  jobs: 'full',
  schedule: 'full',
  map: 'full',
  reports: 'full',
  customers: 'full',
  equipment: 'full',
  quotes: 'full',
  messaging: 'full',
}

/** Those without groups and without admin see what is in no group. */
export const dispatchers = [
  { name: 'Mereana Tautahi', phone: '+64 21 555 0101', groups: [], permissions: { ...everything, admin: 'full' } },
  { name: 'Oluwaseun Adeyemi', phone: '+64 21 555 0102', groups: ['North Shore', 'West'], permissions: everything },
  {
    name: 'Beatriz Carvalho',
    phone: '+64 21 555 0103',
    groups: ['Central', 'South and East'],
    permissions: everything,
  },
]

/**
 * Name · group · home with latitude and longitude · what the phone may do · templates of the worker's jobs · tags, with
 * the days until they expire. Tomasi's first aid has run out, and Priya's gas licence runs out this week.
 */
export const workers = rows(`
  Ana Reyes      | North Shore    | Milford    | -36.7716 | 174.766 | lead | boiler, roof        | Gas fitting 210, Working at height 95, Site induction
  Tomasi Faleolo | North Shore    | Birkenhead | -36.8106 | 174.724 |      | roof                | Working at height 160, First aid -12
  Wei Zhang      | North Shore    | Albany     | -36.7277 | 174.699 |      | switchboard         | Registered electrician 300, Police vetted
  Priya Raman    | Central        | Mount Eden | -36.878  | 174.763 |      | boiler              | Gas fitting 4, First aid 420
  Dmitri Sokolov | Central        | Parnell    | -36.856  | 174.781 | lead | switchboard         | Registered electrician 128, Confined space 60, Site induction
  Fatima Haddad  | Central        | Ponsonby   | -36.853  | 174.744 |      | boiler, roof        | Gas fitting 333, Working at height 41
  Liam O’Connor  | West           | New Lynn   | -36.9085 | 174.685 |      | switchboard, roof   | Registered electrician 77, Working at height 512
  Hana Yoshida   | West           | Titirangi  | -36.9375 | 174.656 |      | boiler              | Gas fitting 145, Police vetted
  Kwame Mensah   | West           | Te Atatū   | -36.845  | 174.652 |      | roof                | Working at height 230, Confined space 19
  Ingrid Solberg | South and East | Howick     | -36.894  | 174.931 | lead | switchboard         | Registered electrician 64, First aid 250
  Mateo Quispe   | South and East | Māngere    | -36.97   | 174.8   |      | roof, boiler        | Working at height 88, Gas fitting 175
  Aroha Ngata    | South and East | Papakura   | -37.065  | 174.944 |      | boiler, switchboard | Gas fitting 399, Registered electrician 201
`)

const phone = { mobile: 'full' }
const lead = { ...phone, mobile_jobs_create: 'full', mobile_jobs_assign: 'full', mobile_invoice: 'read' }
export const phonePermissions = (word = '') => (word === 'lead' ? lead : phone)

/** Who writes what to whom. `job` ties a thread to one of that worker's jobs: the one under way, or the next. */
export const threads: {
  subject: string
  job?: string
  with?: string[]
  lines: [string, string][]
}[] = [
  {
    subject: 'Gate code',
    job: 'Ana Reyes',
    lines: [
      ['Ana Reyes', 'I am at the gate and nobody answers. Is there a code?'],
      ['Oluwaseun Adeyemi', 'It is 4711, then the green button. Please close it behind you.'],
      ['Ana Reyes', 'In. Thanks!'],
    ],
  },
  {
    subject: 'Part is on back order',
    job: 'Dmitri Sokolov',
    lines: [
      ['Dmitri Sokolov', 'The main switch they have is a 63 A, the drawing says 80. I need one from the depot.'],
      ['Beatriz Carvalho', 'Depot has none, the supplier says Thursday. Make it safe and I will book a second visit.'],
      ['Dmitri Sokolov', 'Done. Photo is in the job. The customer knows.'],
      ['Beatriz Carvalho', 'Booked for Friday at eight.'],
    ],
  },
  {
    subject: 'Dog in the yard',
    job: 'Kwame Mensah',
    lines: [
      ['Oluwaseun Adeyemi', 'The customer says the dog is friendly but jumps. Ring first and they will take him in.'],
      ['Kwame Mensah', 'Will do, thanks for telling me.'],
    ],
  },
  {
    subject: 'Gas licence',
    with: ['Mereana Tautahi', 'Priya Raman'],
    lines: [
      ['Mereana Tautahi', 'Priya, your gas licence runs out this week. Have they sent the new card?'],
      ['Priya Raman', 'Test is on Wednesday, they give it the same day. I will send you a photo.'],
    ],
  },
  {
    subject: 'Scissor lift',
    with: ['Tomasi Faleolo', 'Oluwaseun Adeyemi', 'Liam O’Connor'],
    lines: [
      ['Oluwaseun Adeyemi', 'Is the left handrail of the scissor lift still loose? It is booked for Avondale.'],
      ['Tomasi Faleolo', 'It is. I have tagged the lift out.'],
      [
        'Oluwaseun Adeyemi',
        'Thank you. The hire firm comes tomorrow at seven. Liam, take the ladder set for Avondale please.',
      ],
      ['Liam O’Connor', 'Ladder set is in my van.'],
    ],
  },
  {
    subject: 'Friday, half past seven: toolbox talk',
    lines: [
      [
        'Mereana Tautahi',
        'Toolbox talk on Friday at half past seven at the depot. Bring your harness, we check all of them.',
      ],
    ],
  },
]
