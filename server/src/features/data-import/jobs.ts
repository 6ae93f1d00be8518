import { job } from '../../kernel/work/jobs.ts'
import type { MerchantScope } from '../../kernel/merchant-scope.ts'
import { findMember } from '../merchants/index.ts'
import { endMail } from './mail.ts'
import { findImport, type ImportRow } from './queries.ts'
import { runImport } from './import-run.ts'

/** The time slice of one import, so that a large one does not delay another merchant's. */
const SLICE_MS = 15_000

/** Continues an import from its position. Two at once do not both write: each batch begins where the previous one ended. */
export const continueImport = job<{ importId: string }>(
  'continue_import',
  ({ importId }) => importId,
  async (scope, { importId }) => {
    const row = await runImport(scope, importId, { sliceMs: SLICE_MS })
    if (row?.status === 'running') await scope.transaction((scope) => continueImportLater(scope, importId))
    else if (row) await scope.transaction((scope) => mailImportEndLater(scope, row))
  },
)
export const continueImportLater = (scope: MerchantScope, importId: string): Promise<void> =>
  scope.context.jobs.later(scope, continueImport, { importId })

/** A mail to the member who began it, in their language. If the job fails between sending and recording, it is sent twice. */
export const mailImportEnd = job<{ importId: string }>(
  'mail_import_end',
  ({ importId }) => importId,
  async (scope, { importId }) => {
    const row = await findImport(scope, importId)
    if (!row?.member_id) return
    const member = await findMember(scope, row.member_id)
    // Who was removed meanwhile gets nothing.
    if (!member?.email_confirmed_at) return
    const link = `${scope.context.settings.publicUrl}/_app/data/import/${importId}`
    await scope.context.integrations.systemMail.send({ to: member.email, ...endMail(member.language, row, link) })
  },
)
export const mailImportEndLater = (scope: MerchantScope, { id }: Pick<ImportRow, 'id'>): Promise<void> =>
  scope.context.jobs.later(scope, mailImportEnd, { importId: id })
