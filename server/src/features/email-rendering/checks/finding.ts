import { type Finding, type FindingCode, findings as levels } from '@okaeri/contract/emails/email'
import type { Failure, TemplateFault } from './template-error.ts'

export const finding = (code: FindingCode, detail: string | null = null, line?: number): Finding => ({
  code,
  level: levels[code],
  detail: detail === null ? null : detail.slice(0, 300),
  ...(line !== undefined && { line }),
})

/** `12: tag "fi" not found`: the line, then the reason. */
export const brokenDetail = ({ line, message }: Failure): string => `${line}: ${message}`
export const findingOf = {
  broken: 'template_broken',
  not_offered: 'template_not_offered',
  too_costly: 'template_too_costly',
} as const satisfies Record<TemplateFault, FindingCode>
