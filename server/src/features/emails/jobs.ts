import { job } from '../../kernel/work/jobs.ts'
import { listEmailLinks } from './component-queries.ts'
import { examineWritten } from './preview.ts'
import { findEmailRow, updateSize } from './queries.ts'

/** A component was changed: the emails with components have another size now. */
export const measureEmails = job<{ component: string }>(
  'measure_emails',
  () => 'all',
  async (scope) => {
    for (const { id } of await listEmailLinks(scope)) {
      const email = await findEmailRow(scope, id)
      if (!email) continue
      const { sizeBytes } = await examineWritten(scope, email)
      // One saved meanwhile was measured then.
      const { content, variants, from_email, from_name } = email
      const sizesOfVariants: number[] = []
      for (const variant of variants)
        sizesOfVariants.push((await examineWritten(scope, { ...variant, from_email, from_name })).sizeBytes)
      await updateSize(scope, { id, content, variants, sizeBytes, sizesOfVariants })
    }
  },
)
