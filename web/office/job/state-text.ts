import { jobStates, type Stated, stateOf } from '../../ui/job-state.ts'
import { t } from '../../ui/words.ts'

/** The state of a job in words: "Under way, step 3 of 5". */
export function stateText(job: Stated & { steps: readonly { completed_at: string | null }[] }): string {
  const state = stateOf(job)
  if (state !== 'started' && state !== 'paused') return t(jobStates[state])
  const done = job.steps.filter(({ completed_at }) => completed_at !== null).length
  return t('{state}, step {step} of {steps}', {
    state: t(jobStates[state]),
    step: Math.min(done + 1, job.steps.length),
    steps: job.steps.length,
  })
}
