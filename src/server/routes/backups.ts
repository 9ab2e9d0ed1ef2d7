import { backup } from '#records/backup'
import { printAll } from '../http/print-all.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import type { Route } from '../http/router.ts'

/** The backups of the server, and which was proven last. (docs/api/administration.md) */
export const backupRoute = (): Route => ({
  path: '/backups',
  record: backup,
  wireNames: backup,
  responseSchema: { about: backup.about, fields: backup.fields },
  isList: true,
  docs: {
    GET: { id: 'listBackups', about: 'The backups of the server, the newest first, and which was proven last.' },
  },
  methods: { GET: list },
})

async function list(request: ApiRequest): Promise<ApiResponse> {
  return printAll(request, backup, await request.app.backups())
}
