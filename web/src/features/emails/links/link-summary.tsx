import { Button, Group, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useWords } from '../../../app/i18n.ts'
import { paths } from '../../../app/paths.ts'
import { TextLink } from '../../../ui/links.tsx'
import type { useLinkChecks } from './link-checks.ts'
import { sumUp } from './link-states.ts'

interface LinkSummaryProps {
  emailId: string
  /** The campaign whose review it is part of. */
  campaignId?: string
  checks: ReturnType<typeof useLinkChecks>
}

/** How many links of a mail answer, in one line, and the way to all of them. */
export function LinkSummary({ emailId, campaignId, checks }: LinkSummaryProps) {
  const t = useWords('emails')
  const { addresses, isChecking } = checks
  if (!addresses || addresses.length === 0) return null
  const { total, dead, unknown } = sumUp(addresses)
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm" role="status">
        {isChecking
          ? t('links.checking')
          : [
              t('links.total', { count: total }),
              dead > 0 && t('links.dead', { count: dead }),
              unknown > 0 && t('links.unknown', { count: unknown }),
            ]
              .filter(Boolean)
              .join(' · ')}
      </Text>
      <Group gap="xs">
        <TextLink to={paths.emailLinks(emailId)} search={campaignId ? { campaign: campaignId } : {}} fz="sm">
          {t('links.all')}
        </TextLink>
        <CheckAgain checks={checks} />
      </Group>
    </Group>
  )
}

export function CheckAgain({ checks }: { checks: ReturnType<typeof useLinkChecks> }) {
  const t = useWords('emails')
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={checks.isChecking}
      onClick={checks.checkAgain}
    >
      {t('links.again')}
    </Button>
  )
}
