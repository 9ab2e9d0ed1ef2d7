import { ApiError, type Client } from '../../client/index.ts'
import { toast } from '../toast.tsx'
import { t } from '../words.ts'

/** Puts back what a request has done, or says why not. */
export async function undo(client: Client, callId: string): Promise<void> {
  try {
    await client.request('POST', `calls/${callId}/reversal`)
    toast({ title: t('Put back') })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast({ kind: 'failed', title: t('That can’t be put back'), detail: error.message })
  }
}
