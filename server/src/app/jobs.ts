import { pushConsent } from '../features/consent/index.ts'
import { countSegment } from '../features/segments/index.ts'
import type { Job } from '../kernel/jobs.ts'

/** Everything that is done later, outside a request. A job that is not here is never worked. */
export const jobs = [pushConsent, countSegment] as const satisfies readonly Job<never>[]
