import type { Migration, Step } from '../migrate.ts'

const texts = (table: string, on: string[]): Step => ({ table, index: `${table}_search`, as: { on, texts: true } })

/** What lists are searched by is found by its trigrams. SQLite indexes what is there already while it serves. */
export const search: Migration = {
  name: '0024-search',
  steps: [
    texts('absences', ['note']),
    texts('accounts', ['name']),
    texts('api_keys', ['name']),
    texts('assets', ['name', 'model', 'serial', 'notes', 'third_party_id']),
    texts('conflicts', ['path']),
    texts('customers', ['name', 'notes', 'third_party_id']),
    texts('deliveries', ['event_type', 'error']),
    texts('devices', ['name', 'app_version']),
    texts('equipment', ['name', 'model', 'serial', 'notes', 'third_party_id']),
    texts('groups', ['name', 'description']),
    texts('jobs', ['third_party_id', 'template_name', 'notes']),
    texts('messages', ['body', 'from_user_name']),
    texts('pricebooks', ['name', 'description']),
    texts('recurrences', ['name', 'notes']),
    texts('sites', ['name', 'third_party_id', 'access_notes']),
    texts('tags', ['name', 'description']),
    texts('templates', ['name']),
    texts('threads', ['subject', 'summary']),
    texts('users', ['name', 'email', 'phone', 'notes', 'third_party_id']),
    texts('webhooks', ['url', 'description']),
    texts('working_weeks', ['name']),
  ],
}
