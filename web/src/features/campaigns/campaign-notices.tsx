import { Button, Group } from '@mantine/core'
import { type Campaign } from '@okaeri/contract/campaigns/campaign'
import { canaryLimit, type CanaryResult, problemsOf } from '@okaeri/contract/campaigns/canary'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { SendConfirmation } from '../../app/send-confirmation.tsx'
import type { Action } from '../../ui/actions.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type CampaignAction, hasBegun } from './campaign-actions.tsx'

/** What the content kept from people is not tried again; what helps is said where the failures are. */
export function ContentFailed({ campaign: { status, balance } }: { campaign: Campaign }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const count = balance?.failed_by_class.content ?? 0
  if (count === 0 || (status !== 'send_failure' && status !== 'sent')) return null
  return (
    <Notice tone="warning" title={t('contentFailed.title', { count, n: format.number(count) })}>
      {t('contentFailed.text')}
    </Notice>
  )
}

type Actions = Record<CampaignAction, Action>

/** What a person can decide while a campaign waits. */
function decisionsFor(campaign: Campaign, actions: Actions): Action[] {
  const begun = hasBegun(campaign.balance)
  const end = begun ? actions.stop : actions.cancel
  // The rest of a test may get either of the two.
  const either = begun && campaign.ab_phase === 'asks' ? [actions.chooseA, actions.chooseB] : []
  switch (campaign.wait_reason) {
    case 'found_late':
      return [end, ...either, actions.sendLate]
    case 'braked':
    case 'canary_stopped':
      return [actions.stop, ...either, actions.continue]
    case 'canary':
      return [actions.continue]
    case 'coupons_failed':
      return [end, actions.retryCoupons]
    case 'coupons_ended':
      return [end]
    default:
      return []
  }
}

/** What a campaign waits for, in words, with what can be done. */
export function Waiting({ campaign, actions }: { campaign: Campaign; actions: Actions }) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { status, wait_reason: reason, sender } = campaign
  // A running test says it itself.
  if (status !== 'waiting' || reason === null || reason === 'ab_test' || reason === 'ab_undecided') return null
  const isBraked = reason === 'braked'
  const isStopped = isBraked || reason === 'canary_stopped'
  const result = isBraked ? campaign.brake_result : campaign.canary_result
  const pending = campaign.balance?.pending ?? 0
  const decisions = decisionsFor(campaign, actions)
  return (
    <Notice
      tone="warning"
      title={
        reason === 'found_late'
          ? t('lateTitle')
          : isStopped
            ? t(isBraked ? 'canary.brakedTitle' : 'canary.stoppedTitle')
            : t('status.waiting')
      }
      action={
        reason === 'sender_unconfirmed' && sender ? (
          <SendConfirmation purpose="sender" email={sender.email} />
        ) : reason === 'test_mode' ? (
          <TextLink to={paths.settings()} hash="test-mode">
            {t('openTestMode')}
          </TextLink>
        ) : reason === 'line_quota' ? (
          <TextLink to={paths.settings()} search={{ tab: 'line' }}>
            {t('openLineSettings')}
          </TextLink>
        ) : (
          decisions.length > 0 && (
            <Decisions decisions={decisions} filled={[actions.sendLate, actions.continue, actions.retryCoupons]} />
          )
        )
      }
    >
      {t(`wait.${reason}`, {
        sender: sender?.email ?? '',
        people: campaign.test_mode
          ? t('testAddresses')
          : t('review.people', { count: pending, n: format.number(pending) }),
      })}
      {isStopped && result && <CanaryProblems result={result} isBraked={isBraked} />}
      {campaign.waits_until && ` ${t('waitsUntil', { time: format.scheduled(campaign.waits_until) })}`}
    </Notice>
  )
}

const Decisions = ({ decisions, filled }: { decisions: readonly Action[]; filled: readonly Action[] }) => (
  <Group gap="xs">
    {decisions.map((action) => (
      <Button
        key={action.label}
        size="xs"
        variant={filled.includes(action) ? 'filled' : 'default'}
        loading={action.busy ?? false}
        disabled={Boolean(action.disabledReason)}
        onClick={action.onClick}
      >
        {action.label}
      </Button>
    ))}
  </Group>
)

function CanaryProblems({ result, isBraked }: { result: CanaryResult; isBraked: boolean }) {
  const t = useWords('campaigns')
  const format = useFormat()
  return (
    <div>
      {t(isBraked ? 'canary.brakedResult' : 'canary.result', { n: format.number(result.tried) })}
      <ul>
        {problemsOf(result).map((problem) => (
          <li key={problem}>
            {t(`canary.problem.${problem}`, {
              n: format.number(result[problem]),
              limit: format.percent(canaryLimit(problem) * 100),
            })}
          </li>
        ))}
      </ul>
    </div>
  )
}
