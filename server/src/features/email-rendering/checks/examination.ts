import type { Finding } from '@okaeri/contract/emails/email'
import { addressesIn, type MailAddress } from '../addresses.ts'
import { adviceOn } from './advice.ts'
import { prepareContent } from '../content.ts'
import { brokenDetail, finding, findingOf } from './finding.ts'
import { compileTemplate } from '../liquid.ts'
import { liquidSpans } from './liquid-spans.ts'
import type { MessageData } from '../data/message-data.ts'
import { type Escape, oneLine } from '../parts.ts'
import { preflight, sizeOfRendered } from './preflight.ts'
import { withoutScripts } from './scripts.ts'
import { type Failure, failureOf, TemplateError } from './template-error.ts'
import { variablesUsed } from './variables-used.ts'
import { REVIEW_STEPS, Work } from '../work.ts'

export interface MailToExamine {
  subject: string
  preheader: string
  content: string
  /** The plain-text part, where a member wrote it. */
  plainText?: string | null
  trackingEnabled: boolean
  trackingParameters: { source: string | null; medium: string | null; campaign: string | null }
  contentId: string
  /** In a campaign, tags that only scenarios fill are findings. */
  inCampaign: boolean
  /** Its recipients get codes of their own. */
  hasCoupons?: boolean
  /** Those that can be written, as `namespace.key`. */
  metafields: readonly string[]
  /** As whom. */
  data: MessageData
  publicUrl: string
  publicSender: boolean
  /** The merchant's day on which it would be sent: `2026-11-03`. */
  day: string
}

type Field = 'subject' | 'preheader' | 'content' | 'plain_text'
/** What keeps an email from being saved: one of its templates cannot be read, or costs too much. */
export type Refusal = Failure & { field: Field }

/** A mail as one person would get it, with markers where links and pixel stand. */
export interface ExaminedMail {
  subject: string
  preheader: string
  /** Empty when it cannot be rendered. */
  html: string
  text: string
  links: string[]
  /** Where links lead and pictures come from, as they are written. */
  addresses: MailAddress[]
  sizeBytes: number
  findings: Finding[]
  refusal: Refusal | null
}

/** Prepares, renders and checks a mail; all of it is one piece of work. */
export function examineMail(mail: MailToExamine): ExaminedMail {
  const { data, publicUrl } = mail
  const prepared = prepareContent({
    ...mail,
    html: mail.content,
    metafields: new Set(mail.metafields),
    products: data.products,
  })
  const found = prepared.findings
  const work = new Work(REVIEW_STEPS)
  let refusal: Refusal | null = null
  const attempt = <T>(field: Field, run: () => T): T | null => {
    try {
      return run()
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      const code = findingOf[error.fault]
      if (!found.some((one) => one.code === code)) found.push(finding(code, brokenDetail(error)))
      // What cannot be done with this person's data alone may be saved.
      if (error.fault !== 'broken') refusal ??= { ...failureOf(error), field }
      return null
    }
  }
  for (const field of ['subject', 'preheader', 'content'] as const) refusal ??= refusalOf(field, mail[field])
  const { plainText = null } = mail
  if (plainText !== null) refusal ??= refusalOf('plain_text', plainText)
  const render = (field: Field, source: string, escape: Escape): string | null =>
    attempt(field, () => compileTemplate(source, escape).render(data, work))

  const rendered = render('content', prepared.html, 'html')
  const clean = rendered === null ? null : withoutScripts(rendered)
  for (const script of new Set(clean?.removed)) found.push(finding('script_removed', script))
  const html = clean?.html ?? null
  const subject = render('subject', mail.subject, 'text')
  const preheader = render('preheader', mail.preheader, 'text')
  const made = html === null ? null : render('content', prepared.made, 'text')
  const written = plainText === null ? null : render('plain_text', prepared.text, 'text')
  const sizeBytes = html === null ? null : sizeOfRendered(html, publicUrl)
  const line = subject === null ? null : oneLine(subject)
  const findings = preflight({
    prepared,
    subject: line,
    text: made,
    written,
    data,
    sizeBytes,
    publicSender: mail.publicSender,
  })
  // A template that cannot be read says nothing yet.
  if (prepared.made !== '' || made === '') findings.push(...adviceOn({ ...mail, text: prepared.made }))
  const { event, coupon } = variablesUsed(mail.subject, mail.preheader, mail.content, plainText ?? '')
  if (mail.inCampaign && coupon && !mail.hasCoupons)
    findings.push(finding('coupon_not_set', null, lineOfGroup(mail.content, 'coupon')))
  if (mail.inCampaign && event) findings.push(finding('needs_scenario', 'event', lineOfGroup(mail.content, 'event')))
  return {
    subject: line ?? '',
    preheader: oneLine(preheader ?? ''),
    html: html ?? '',
    text: (plainText === null ? made : written) ?? '',
    links: prepared.links,
    addresses: addressesIn(mail.content, data.store.url),
    sizeBytes: sizeBytes ?? Buffer.byteLength(prepared.html),
    findings,
    refusal,
  }
}

/** The line of the first tag that names it. */
function lineOfGroup(content: string, group: string): number | undefined {
  const names = new RegExp(`\\b${group}\\b`)
  const first = liquidSpans(content).find(({ start, end }) => names.test(content.slice(start, end)))
  return first && content.slice(0, first.start).split('\n').length
}

function refusalOf(field: Field, source: string): Refusal | null {
  try {
    compileTemplate(source, field === 'content' ? 'html' : 'text')
    return null
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { ...failureOf(error), field }
  }
}

/** What was sent, prepared and kept then, as one person would have got it. */
export function renderKept(kept: { subject: string; html: string; data: MessageData }): {
  subject: string
  html: string
} {
  const work = new Work(REVIEW_STEPS)
  const render = (source: string, escape: Escape): string => {
    try {
      return compileTemplate(source, escape).render(kept.data, work)
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      // Broken, or too costly by today's measure: there is nothing to be shown.
      return ''
    }
  }
  return { subject: oneLine(render(kept.subject, 'text')), html: withoutScripts(render(kept.html, 'html')).html }
}
