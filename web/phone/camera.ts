import { currentPhone, type Job } from './store.ts'

/**
 * While the camera of the phone is open, a phone that is short of memory ends the app, and the photo never comes. So it is
 * written down before, and told when the app starts again.
 */
interface Opened {
  jobId: string
  fieldId: string
}

/** The draft that is there as long as the photo is not. */
export const cameraDraft = 'camera'
let isOpenedHere = false

const read = async () => (await currentPhone().draft(cameraDraft)) as Opened | undefined

export function openedCamera({ id }: Job, fieldId: string): void {
  isOpenedHere = true
  void currentPhone().keepDraft(cameraDraft, { jobId: String(id), fieldId } satisfies Opened)
}

export const closedCamera = (): Promise<void> => currentPhone().keepDraft(cameraDraft, undefined)

/** Whether the app was ended while this field waited for its photo; told once. */
export async function wasCameraOpen(fieldId: string): Promise<boolean> {
  const opened = isOpenedHere ? undefined : await read()
  if (opened?.fieldId !== fieldId) return false
  await closedCamera()
  return true
}

/** The job to which the photo was to come, where the app was ended; null where it wasn't. */
export const jobOfCamera = async (): Promise<string | null> => (await read())?.jobId ?? null
