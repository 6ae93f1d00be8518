import { Button, Group } from '@mantine/core'
import type { Campaign } from '@okaeri/contract/campaigns/campaign'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import type { Action } from '../../../ui/actions.tsx'
import { Notice } from '../../../ui/notice.tsx'

interface AbNoticeProps {
  campaign: Campaign
  actions: { chooseA: Action; chooseB: Action }
}

export const isRunningTest = ({ ab_phase: phase }: Campaign): boolean =>
  phase === 'sending' || phase === 'testing' || phase === 'asks'

/** While a test runs: what happens when, and the choice that need not wait for it. What holds it besides has a notice of its own. */
export function AbNotice({ campaign, actions }: AbNoticeProps) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { ab_phase: phase, ab_test: test, wait_reason } = campaign
  const isHeld = wait_reason === 'found_late' || wait_reason === 'canary_stopped' || wait_reason === 'braked'
  if (!test || isHeld || (phase !== 'sending' && phase !== 'testing' && phase !== 'asks')) return null
  const pending = campaign.balance?.pending ?? 0
  const asks = phase === 'asks'
  return (
    <Notice
      tone={asks ? 'warning' : 'info'}
      title={asks ? t('ab.asksTitle') : t('ab.title')}
      action={
        <Group gap="xs">
          {[actions.chooseA, actions.chooseB].map((action) => (
            <Button
              key={action.label}
              size="xs"
              variant={asks ? 'filled' : 'default'}
              loading={action.busy ?? false}
              disabled={Boolean(action.disabledReason)}
              onClick={action.onClick}
            >
              {action.label}
            </Button>
          ))}
        </Group>
      }
    >
      {t(`ab.now.${phase === 'testing' && test.decides_by === 'person' ? 'testingPerson' : phase}`, {
        count: test.hours,
        hours: format.number(test.hours),
        time: campaign.ab_decides_at ? format.scheduled(campaign.ab_decides_at) : '',
        people: campaign.test_mode
          ? t('testAddresses')
          : t('review.people', { count: pending, n: format.number(pending) }),
      })}
    </Notice>
  )
}

/** In a line: that it is a test, and how far. Null without one. */
export function useAbState(): (campaign: Campaign) => string | null {
  const t = useWords('campaigns')
  const format = useFormat()
  return ({ ab_phase: phase, ab_test: test, ab_decides_at: at, ab_result: result }) => {
    if (!phase || !test) return null
    const word = phase === 'testing' && test.decides_by === 'person' ? 'testingPerson' : phase
    return t(`ab.short.${word}`, {
      time: at ? format.dateTime(at) : '',
      winner: result ? t(`ab.group.${result.winner}`) : '',
    })
  }
}
