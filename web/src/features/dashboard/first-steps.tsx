import { Group, Paper, Progress, Text, ThemeIcon, Title } from '@mantine/core'
import { listCampaigns } from '@okaeri/contract/campaigns/routes'
import { listEmails } from '@okaeri/contract/emails/routes'
import { listSegments } from '@okaeri/contract/segments/routes'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/links.tsx'
import classes from './dashboard.module.css'

/** Segments of the store are added automatically: no one here made them. */
const ownSegments = queryOf(listSegments, { query: { limit: 1, origin: 'own' } })
const anyEmail = queryOf(listEmails, { query: { limit: 1 } })
const sentCampaign = queryOf(listCampaigns, { query: { limit: 1, status: 'sent', test_mode: 'false' } })
/** What says which steps are done. */
export const firstStepsNeed = [ownSegments, anyEmail, sentCampaign] as const

/** From nothing to the first campaign: ticked by what is there, and gone when all of it is. */
export function FirstSteps() {
  const t = useWords('dashboard')
  const { store, mayChange } = useMerchant()
  const segments = useQuery(ownSegments).data
  const emails = useQuery(anyEmail).data
  const sent = useQuery(sentCampaign).data
  if (!segments || !emails || !sent) return null

  const steps = [
    { name: 'store', done: store?.status === 'connected', to: paths.settings(), search: { tab: 'store' } },
    { name: 'segment', done: segments.total > 0, to: paths.segmentNew() },
    { name: 'email', done: emails.total > 0, to: paths.emailNew() },
    { name: 'campaign', done: sent.total > 0, to: paths.campaignNew() },
  ] as const
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
                <ButtonLink
                  to={step.to}
                  {...('search' in step && { search: step.search })}
                  size="xs"
                  mt={8}
                  aria-label={`${t('steps.start')}: ${t(`steps.${step.name}`)}`}
                >
                  {t('steps.start')}
                </ButtonLink>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Paper>
  )
}
