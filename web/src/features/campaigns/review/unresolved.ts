import type { Finding, FindingCode } from '@okaeri/contract/emails/email'
import type { Locale } from '@okaeri/contract/locale'

/** Their detail is a number of bytes, which the page behind the dialog shows. */
const bytes: readonly FindingCode[] = ['size_clipped', 'size_near_clipping']

/** What is confirmed before sending: each finding separately. Two links that lead nowhere are two things to confirm. */
export function unresolvedOf(
  findings: readonly Pick<Finding, 'code' | 'detail' | 'language'>[],
): { key: string; code: FindingCode; detail: string | null; language?: Locale }[] {
  const rows = findings.map(({ code, detail, language }) => ({
    code,
    detail: bytes.includes(code) ? null : detail || null,
    ...(language && { language }),
  }))
  const byKey = new Map(
    rows.map((row) => [`${row.code} ${row.detail ?? ''}${row.language ? ` ${row.language}` : ''}`, row]),
  )
  return [...byKey].map(([key, row]) => ({ key, ...row }))
}
