import { instant, integer, text } from '#fields'
import { thread } from '#records/thread'
import { user } from '#records/user'
import { grants } from '../abilities.ts'
import { MAX_REPORT_ROWS, type Report } from './report.ts'

export const expiringTags: Report = {
  name: 'expiring_tags',
  about: 'Tags of people that expire in the period, the soonest first; `id` and `name` are the person’s',
  days: 60,
  by: ['tag'],
  ofJobs: false,
  columns: {
    tag_id: integer({ about: 'Id of the tag' }),
    tag_name: text({ about: 'Name of the tag' }),
    expires_at: instant({ about: 'Until when they hold it' }),
  },
  async rows({ store }, { from, to }) {
    const enabled = { field: 'enabled' as const, op: '=' as const, value: 1 }
    const people = await store.list(user, { filters: [enabled], limit: MAX_REPORT_ROWS }, ['id', 'name', 'tags'])
    return people
      .flatMap(({ id, name, tags }) =>
        tags.map((tag) => ({ id, name, tag_id: tag.id, tag_name: tag.name, expires_at: tag.expires_at })),
      )
      .filter(({ expires_at: at }) => at !== null && at >= from && at < to)
      .sort((a, b) => ((a.expires_at ?? '') < (b.expires_at ?? '') ? -1 : 1))
  },
}

export const unansweredThreads: Report = {
  name: 'unanswered',
  about: 'Threads whose last message is from somebody without the Messaging tab, the oldest first',
  days: -30,
  by: ['thread'],
  ofJobs: false,
  reads: thread,
  columns: {
    thread_id: text({ about: 'Id of the thread' }),
    subject: text({ about: 'Its subject' }),
    job_id: integer({ about: 'Id of the job that it is about' }),
    last_reply_at: instant({ about: 'Since when it waits' }),
  },
  async rows({ store }, { from, to }) {
    const threads = await store.list(
      thread,
      {
        filters: [
          { field: 'last_reply_at', op: '>=', value: from },
          { field: 'last_reply_at', op: '<', value: to },
        ],
        sort: { field: 'last_reply_at', down: false },
        limit: MAX_REPORT_ROWS,
        shallow: true,
      },
      ['id', 'subject', 'job_id', 'last_reply_at', 'last_reply_user_id'],
    )
    const ids = [...new Set(threads.flatMap(({ last_reply_user_id: id }) => id ?? []))]
    const authors = await store.list(user, { filters: [{ field: 'id', op: 'in', value: ids }], limit: ids.length }, [
      'id',
      'name',
      'permissions',
    ])
    const byId = new Map(authors.map((author) => [author.id, author]))
    return threads.flatMap(({ id, subject, job_id, last_reply_at, last_reply_user_id }) => {
      const author = byId.get(last_reply_user_id ?? 0)
      if (!author || grants(author.permissions, 'messaging', 'write')) return []
      return [{ id: author.id, name: author.name, thread_id: id, subject, job_id, last_reply_at }]
    })
  },
}
