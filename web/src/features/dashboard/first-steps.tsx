import { Group, Paper, Progress, Text, ThemeIcon, Title } from '@mantine/core'
import { listCampaigns } from '@okaeri/contract/campaigns/routes'
import { listEmails } from '@okaeri/contract/emails/routes'
import { getLineAccount } from '@okaeri/contract/line-accounts/routes'
import { listLineMessages } from '@okaeri/contract/line-messages/routes'
import { listSegments } from '@okaeri/contract/segments/routes'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { isStoreLost, useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/links.tsx'
import classes from './dashboard.module.css'

/** Segments of the store are added automatically: no one here made them. */
const ownSegments = queryOf(listSegments, { query: { limit: 1, origin: 'own' } })
const anyEmail = queryOf(listEmails, { query: { limit: 1 } })
const anyLineMessage = queryOf(listLineMessages, { query: { limit: 1 } })
const lineAccount = queryOf(getLineAccount, {})
const sentCampaign = queryOf(listCampaigns, { query: { limit: 1, status: 'sent', test_mode: 'false' } })
/** What says which steps are done. */
export const firstStepsNeed = [ownSegments, anyEmail, anyLineMessage, lineAccount, sentCampaign] as const

interface Step {
  name: 'store' | 'segment' | 'line' | 'message' | 'campaign'
  done: boolean
  /** Where it is done; the usual way first. */
  starts: { to: string; search?: { tab: string }; label: string }[]
}

/** From nothing to the first campaign: ticked by what is there, and gone when all of it is. */
export function FirstSteps() {
  const t = useWords('dashboard')
  const { store, mayChange } = useMerchant()
  const segments = useQuery(ownSegments).data
  const emails = useQuery(anyEmail).data
  const lineMessages = useQuery(anyLineMessage).data
  const line = useQuery(lineAccount).data?.line_account
  const sent = useQuery(sentCampaign).data
  if (!segments || !emails || !lineMessages || !line || !sent) return null

  const hasEmail = emails.total > 0
  const hasLineMessage = lineMessages.total > 0
  const begin = t('steps.start')
  const email = { to: paths.emailNew(), label: t('steps.email') }
  const lineMessage = { to: paths.lineMessageNew(), label: t('steps.lineMessage') }
  const steps: Step[] = [
    {
      name: 'store',
      done: store?.status === 'connected' || isStoreLost(store),
      starts: [{ to: paths.settings(), search: { tab: 'store' }, label: begin }],
    },
    { name: 'segment', done: segments.total > 0, starts: [{ to: paths.segmentNew(), label: begin }] },
    // Members who connected LINE, or wrote a LINE message, have chosen it; for others LINE is one of two ways.
    ...(line.connected || hasLineMessage
      ? [
          {
            name: 'line' as const,
            done: line.connected,
            starts: [{ to: paths.settings(), search: { tab: 'line' }, label: begin }],
          },
        ]
      : []),
    {
      name: 'message',
      done: hasEmail || hasLineMessage,
      starts: line.connected ? [lineMessage, email] : [email, lineMessage],
    },
    { name: 'campaign', done: sent.total > 0, starts: [{ to: paths.campaignNew(), label: begin }] },
  ]
  const done = steps.filter((step) => step.done).length
  // Who sent to all customers, or to a segment of the store, has arrived without one of their own.
  if (!mayChange || sent.total > 0 || done === steps.length) return null
  const next = steps.find((step) => !step.done)

  return (
    <Paper withBorder p="lg" component="section" aria-label={t('steps.title')}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} size="h4">
          {t('steps.title')}
        </Title>
        <Text size="sm" c="dimmed" className="numbers">
          {t('steps.progress', { done, total: steps.length })}
        </Text>
      </Group>
      <Progress value={(done / steps.length) * 100} size="sm" mb="md" aria-label={t('steps.title')} />
      <ol className={classes.steps}>
        {steps.map((step, at) => (
          <li key={step.name} data-done={step.done || undefined}>
            <ThemeIcon
              size={28}
              radius="xl"
              variant={step.done ? 'filled' : 'default'}
              {...(step.done ? { role: 'img', 'aria-label': t('steps.done') } : { 'aria-hidden': true })}
            >
              {step.done ? <IconCheck size={16} /> : at + 1}
            </ThemeIcon>
            <div className={classes.stepText}>
              <Text fw={600} size="sm">
                {t(`steps.${step.name}`)}
              </Text>
              <Text size="sm" c="dimmed">
                {t(`steps.${step.name}Text`)}
              </Text>
              {step === next && (
                <Group gap="xs" mt={8}>
                  {step.starts.map(({ to, search, label }, at) => (
                    <ButtonLink
                      key={to}
                      to={to}
                      {...(search && { search })}
                      size="xs"
                      variant={at === 0 ? 'filled' : 'default'}
                      aria-label={`${label}: ${t(`steps.${step.name}`)}`}
                    >
                      {label}
                    </ButtonLink>
                  ))}
                </Group>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Paper>
  )
}
