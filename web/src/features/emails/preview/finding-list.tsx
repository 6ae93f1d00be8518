import { Anchor, Text } from '@mantine/core'
import type { Finding } from '@okaeri/contract/emails/email'
import { languageNames } from '@okaeri/contract/locale'
import type { UserSetting } from '@okaeri/contract/merchants/merchant'
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { SendConfirmation } from '../../../app/send-confirmation.tsx'
import { TextLink } from '../../../ui/links.tsx'
import classes from './finding-list.module.css'

/** These are mended in the settings (too). */
const inSettings: readonly Finding['code'][] = [
  'no_sender_name',
  'no_postal_address',
  'no_contact',
  'sender_missing',
  'sender_domain_public',
  'line_not_connected',
  'coupon_needs_store',
  'sender_domain_unverified',
  'sender_dmarc_missing',
]
/** These on its tab of mail. */
const inSettingsOfMail: readonly Finding['code'][] = ['sender_domain_unverified', 'sender_dmarc_missing']
/** These in the campaign. */
const inCampaign: readonly Finding['code'][] = ['coupon_not_set', 'coupon_ends_early', 'coupon_not_shown']
/** Their detail is a number of bytes, which the size meter shows. */
const detailShownElsewhere: readonly Finding['code'][] = ['size_clipped', 'size_near_clipping']

interface FindingListProps {
  findings: readonly Finding[]
  /** Shows a line of the content; without it the line is only named. */
  goToLine?: (line: number) => void
  /** Where the mail can be mended, for pages that are no editor. */
  editorAt?: { to: string; search: Record<string, string | number> }
  /** Where the campaign can be changed whose message it is. */
  campaignAt?: string
  /** For a mail made of blocks: shows one of them. */
  goToBlock?: { nameOf: (id: string) => string | null; show: (id: string) => void }
}

/** What is not written correctly says its line before its reason (`22: unexpected end`), also where it is a line of the subject. */
const placeOf = ({ code, detail, line }: Finding): { line: number | null; detail: string | null } => {
  const [, before, what = ''] = (code.startsWith('template_') && /^(\d+): (.*)$/s.exec(detail ?? '')) || []
  return before ? { line: Number(before), detail: what } : { line: line ?? null, detail }
}

const placeIn = ({ line, block }: Finding): Record<string, string | number> => ({
  ...(line !== undefined && { line }),
  ...(block !== undefined && { block }),
})
/** An empty setting is why: then no tag in the mail would help. */
const isEmptySetting = ({ code }: Finding, { postal_address, staff_email }: UserSetting): boolean =>
  (code === 'no_postal_address' && postal_address === '') || (code === 'no_contact' && !staff_email)

/** Without a place of its own; others are mended where it stands, or in no mail. */
const isMendedInEditor = ({ code, line, block }: Finding): boolean =>
  line === undefined &&
  block === undefined &&
  !inSettingsOfMail.includes(code) &&
  !inCampaign.includes(code) &&
  ![
    'sender_missing',
    'sender_unconfirmed',
    'account_unconfirmed',
    'line_not_connected',
    'line_sample_left',
    'coupon_needs_store',
  ].includes(code)

const tabOf = ({ code }: Finding): { tab?: string } =>
  code === 'line_not_connected' ? { tab: 'line' } : inSettingsOfMail.includes(code) ? { tab: 'mail' } : {}

/** The part of the settings that is meant. */
const sectionOf = ({ code }: Finding): { hash?: string } =>
  code === 'no_postal_address' || code === 'no_contact' ? { hash: 'business-details' } : {}

/** `{{ customer.phone }}` with something to stand there instead. */
const withDefault = (tag: string | null): string => (tag ?? '').replace(/ ?\}\}$/, ' | default: "…" }}')

/** What the check before sending found, the worst first, each with what to do about it. */
export function FindingList({ findings, goToLine, goToBlock, editorAt, campaignAt }: FindingListProps) {
  const t = useWords('emails')
  const format = useFormat()
  const { setting } = useMerchant()
  if (findings.length === 0) {
    return (
      <div className={classes.finding} data-level="none">
        <IconCircleCheck size={20} aria-hidden className={classes.icon} />
        <Text size="sm">{t('findings.none')}</Text>
      </div>
    )
  }
  const sorted = findings.toSorted((a, b) => Number(a.level === 'warns') - Number(b.level === 'warns'))
  return (
    <ul className={classes.list}>
      {sorted.map((finding, at) => {
        const { line, detail } = placeOf(finding)
        const block = finding.block === undefined ? null : (goToBlock?.nameOf(finding.block) ?? null)
        const Icon = finding.level === 'blocks' ? IconCircleX : IconAlertTriangle
        return (
          <li key={`${finding.code}-${at}`} className={classes.finding} data-level={finding.level}>
            <Icon size={20} aria-hidden className={classes.icon} />
            <div className={classes.words}>
              <div className={classes.title}>
                <span className={classes.level}>{t(`findings.${finding.level}`)}</span>
                {finding.language && <span className={classes.level}>{languageNames[finding.language]}</span>}
                {t(`finding.${finding.code}.title`)}
              </div>
              <div>{t(`finding.${finding.code}.what`, { tag: withDefault(detail) })}</div>
              {(line !== null || block !== null || detail || finding.bytes !== undefined) &&
                !detailShownElsewhere.includes(finding.code) && (
                  <div className={classes.place}>
                    {line !== null &&
                      (!editorAt || finding.line === undefined) &&
                      (finding.line !== undefined && goToLine ? (
                        <Anchor component="button" type="button" size="sm" onClick={() => goToLine(line)}>
                          {t('findings.goToLine', { line })}
                        </Anchor>
                      ) : (
                        <span>{t('findings.line', { line })}</span>
                      ))}
                    {editorAt && (finding.line !== undefined || finding.block !== undefined) && (
                      <TextLink to={editorAt.to} search={{ ...editorAt.search, ...placeIn(finding) }} fz="sm">
                        {finding.line === undefined
                          ? t('findings.openBlock')
                          : t('findings.goToLine', { line: finding.line })}
                      </TextLink>
                    )}
                    {finding.people !== undefined && (
                      <strong>
                        {t(finding.code === 'coupon_too_few' ? 'findings.usesLeft' : 'findings.people', {
                          count: finding.people,
                          n: format.number(finding.people),
                        })}
                      </strong>
                    )}
                    {finding.bytes !== undefined && <strong>{format.bytes(finding.bytes)}</strong>}
                    {block !== null && finding.block !== undefined && (
                      <Anchor
                        component="button"
                        type="button"
                        size="sm"
                        onClick={() => goToBlock?.show(finding.block ?? '')}
                      >
                        {t('findings.showBlock', { name: block })}
                      </Anchor>
                    )}
                    {detail && <code className={classes.detail}>{detail}</code>}
                  </div>
                )}
              {finding.code === 'sender_unconfirmed' && finding.detail && (
                <div>
                  <SendConfirmation purpose="sender" email={finding.detail} />
                </div>
              )}
              {editorAt && isMendedInEditor(finding) && !isEmptySetting(finding, setting) && (
                <div>
                  <TextLink to={editorAt.to} search={editorAt.search}>
                    {t('findings.edit')}
                  </TextLink>
                </div>
              )}
              {campaignAt && inCampaign.includes(finding.code) && (
                <div>
                  <TextLink to={campaignAt}>{t('findings.campaign')}</TextLink>
                </div>
              )}
              {inSettings.includes(finding.code) && (
                <div>
                  <TextLink to={paths.settings()} search={tabOf(finding)} {...sectionOf(finding)} target="_blank">
                    {t('findings.settings')}
                  </TextLink>
                </div>
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
