import type { Logger } from 'pino'
import type { Config } from '#config'
import type { Mutations } from '#rules/mutations'
import type { Blobs } from '#store/blobs'
import { databaseFile } from '#store/open'
import type { Store } from '#store/store'
import type { Thumbnails } from '#store/thumbnails'
import { autoConfirm } from '#tasks/auto-confirm'
import { backOnShift } from '#tasks/back-on-shift'
import { WebhookDeliveries } from '#tasks/deliver-webhooks'
import { keepTextsIndexed } from '#tasks/index-texts'
import type { KeyUsage } from '#tasks/key-usage'
import { SignInMails } from '#tasks/mail-sign-in-links'
import { makeRecurringJobs } from '#tasks/make-recurring-jobs'
import { createPoster } from '#tasks/post-webhook'
import { purgeExpired } from '#tasks/purge-expired'
import { purgeTelemetry } from '#tasks/purge-telemetry'
import { Notices } from '#tasks/send-notices'
import { sweepLeftovers } from '#tasks/sweep-leftovers'
import { sweepThumbnails } from '#tasks/sweep-thumbnails'
import type { Background } from './app.ts'

interface Parts {
  config: Config
  log: Logger
  store: Store
  mutations: Mutations
  blobs: Blobs
  thumbnails: Thumbnails
  keyUsage: KeyUsage
}

export async function createBackground(parts: Parts): Promise<Background> {
  const { config, log, store, mutations, blobs, keyUsage } = parts
  const post = createPoster(config.MUSTER_WEBHOOK_PRIVATE)
  // Most servers send no mail: a start does without the package.
  const sendMail = config.MUSTER_SMTP_URL ? (await import('#tasks/mailer')).mailer(config) : null
  const webhooks = new WebhookDeliveries({ store, mutations, log }, { post, now: Date.now, random: Math.random })
  const signInMails = new SignInMails({ store, log, config }, sendMail)
  const notices = new Notices({ store, mutations, log, config }, { post, sendMail, now: Date.now })
  let stops: (() => void)[] = []
  return {
    webhooks,
    signInMails,
    notices,
    startTasks() {
      for (const sender of [webhooks, signInMails, notices, keyUsage]) sender.start()
      sweepLeftovers({ config, blobs }, databaseFile(config)).then(
        (swept) => swept.length > 0 && log.info({ swept }, 'removed what a kill had left half done'),
        (err) => log.warn({ err }, 'could not remove what a kill had left'),
      )
      stops = [
        autoConfirm,
        backOnShift,
        keepTextsIndexed,
        makeRecurringJobs,
        purgeExpired,
        purgeTelemetry,
        sweepThumbnails,
      ].map((start) => start(parts))
    },
    async stopTasks() {
      for (const stop of stops) stop()
      for (const sender of [webhooks, signInMails, notices]) await sender.stop()
    },
  }
}
