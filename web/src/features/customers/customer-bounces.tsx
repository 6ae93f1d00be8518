import { Button, Stack, Text } from '@mantine/core'
import type { Bounce } from '@okaeri/contract/bounces/bounce'
import { listCustomerBounces } from '@okaeri/contract/bounces/routes'
import type { Suppression } from '@okaeri/contract/consent/suppression'
import type { Customer } from '@okaeri/contract/customers/customer'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Card } from '../../ui/pages/detail-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoadFailed } from '../../ui/states.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import classes from './customer-bounces.module.css'
import { LiftSuppressionDialog } from './suppression-list.tsx'

const useBounces = (customerId: string) => useQuery(queryOf(listCustomerBounces, { params: { id: customerId } }))

/** Why the address gets no mail, what shows it, and the way to let mail go there again. */
export function SuppressedNotice({ customer }: { customer: Customer }) {
  const t = useWords('customers')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const [lifting, setLifting] = useState<Suppression | null>(null)
  const suppression = useBounces(customer.id).data?.suppression
  if (!customer.suppressed) return null
  return (
    <>
      <Notice
        tone="warning"
        title={t('suppressedTitle')}
        action={
          suppression && mayChange ? (
            <Button size="xs" variant="default" onClick={() => setLifting(suppression)}>
              {t('allowAgain')}
            </Button>
          ) : (
            <TextLink to={paths.suppressions()} search={{ q: customer.email?.toLowerCase() }}>
              {t('suppressionList')}
            </TextLink>
          )
        }
      >
        <Text size="sm">{t(`suppressed.${customer.suppressed}`)}</Text>
        {suppression && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {[format.dateTime(suppression.created_at), suppression.detail, suppression.proof]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        )}
      </Notice>
      {lifting && <LiftSuppressionDialog row={lifting} onClose={() => setLifting(null)} />}
    </>
  )
}

const tones = { hard: 'danger', soft: 'neutral', full: 'neutral', blocked: 'warning', complaint: 'danger' } as const

/** Mails that came back from the customer's address, each with its proof; nothing where none did. */
export function BounceCard({ customerId }: { customerId: string }) {
  const t = useWords('customers')
  const { data, error, refetch } = useBounces(customerId)
  if (error && !data)
    return (
      <Card title={t('bounces.title')}>
        <LoadFailed error={error} retry={() => void refetch()} />
      </Card>
    )
  if (!data || data.bounces.length === 0) return null
  return (
    <Card title={t('bounces.title')}>
      <Stack gap="md">
        {data.bounces.map((bounce) => (
          <OneBounce key={bounce.id} bounce={bounce} />
        ))}
      </Stack>
    </Card>
  )
}

function OneBounce({ bounce }: { bounce: Bounce }) {
  const t = useWords('customers')
  const format = useFormat()
  return (
    <div className={classes.bounce}>
      <div className={classes.head}>
        <StatusBadge tone={tones[bounce.kind]}>{t(`bounces.kinds.${bounce.kind}`)}</StatusBadge>
        <Text size="sm" c="dimmed">
          {format.dateTime(bounce.at)}
        </Text>
      </div>
      {bounce.doubted && <Text size="sm">{t('bounces.doubted')}</Text>}
      {bounce.kind === 'blocked' && <Text size="sm">{t('bounces.blocked')}</Text>}
      {bounce.diagnostic && (
        <Text size="sm" className={classes.words}>
          {bounce.diagnostic}
        </Text>
      )}
      {bounce.server && (
        <Text size="xs" c="dimmed" className={classes.words}>
          {t('bounces.server', { server: bounce.server })}
        </Text>
      )}
      {bounce.evidence && (
        <details>
          <summary className={classes.summary}>{t('bounces.evidence')}</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
          <pre className={classes.evidence} tabIndex={0}>
            {bounce.evidence}
          </pre>
        </details>
      )}
    </div>
  )
}
