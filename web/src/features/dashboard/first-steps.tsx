import { Group, Paper, Progress, Text, ThemeIcon, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { listCampaigns } from '@okaeri/contract/campaigns/routes'
import { listEmails } from '@okaeri/contract/emails/routes'
import { listSegments } from '@okaeri/contract/segments/routes'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/links.tsx'
import classes from './dashboard.module.css'

/** From nothing to the first campaign: ticked by what is there, and gone when all of it is. */
export function FirstSteps() {
  const t = useWords('dashboard')
  const { store, mayChange, member } = useMerchant()
  // Those of the store come by themselves: nobody here made them.
  const segments = useQuery(queryOf(listSegments, { query: { limit: 1, origin: 'own' } }))
  const emails = useQuery(queryOf(listEmails, { query: { limit: 1 } }))
  const sent = useQuery(queryOf(listCampaigns, { query: { limit: 1, status: 'sent', test_mode: 'false' } }))
  // Until it is known they stand as they did the last time: nothing below moves, and whoever is done does not see them flash by.
  const [lastDone, setLastDone] = useLocalStorage({
    // Another merchant may have signed in with this browser.
    key: `first-steps-done-${member.merchant_id}`,
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const known =
    segments.data && emails.data && sent.data
      ? [
          ...(store?.status === 'connected' ? ['store'] : []),
          ...(segments.data.total > 0 ? ['segment'] : []),
          ...(emails.data.total > 0 ? ['email'] : []),
          ...(sent.data.total > 0 ? ['campaign'] : []),
        ].join(' ')
      : null
  useEffect(() => {
    if (known !== null) setLastDone(known)
  }, [known, setLastDone])
  const isDone = (name: string) => (known ?? lastDone).split(' ').includes(name)

  const steps = [
    { name: 'store', done: isDone('store'), to: paths.settings(), search: { tab: 'store' } },
    { name: 'segment', done: isDone('segment'), to: paths.segmentNew() },
    { name: 'email', done: isDone('email'), to: paths.emailNew() },
    { name: 'campaign', done: isDone('campaign'), to: paths.campaignNew() },
  ] as const
  const done = steps.filter((step) => step.done).length
  const hasFailed = segments.isError || emails.isError || sent.isError
  // Who sent to all customers, or to a segment of the store, has arrived without one of their own.
  if (!mayChange || isDone('campaign') || done === steps.length || (known === null && hasFailed)) return null
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
