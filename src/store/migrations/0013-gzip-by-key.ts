import type { Migration } from '../migrate.ts'

/** Keys of clients that can't take gzip. */
export const gzipByKey: Migration = {
  name: '0013-gzip-by-key',
  steps: [{ table: 'api_keys', column: 'gzip_optional', type: 'boolean' }],
}
