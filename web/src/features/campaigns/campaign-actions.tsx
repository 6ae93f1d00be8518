import { type Campaign, campaignAllows, tooLateToCancel } from '@okaeri/contract/campaigns/campaign'
import {
  cancelCampaign,
  chooseWinner,
  deleteCampaign,
  duplicateCampaign,
  resendUncertain,
  resolveCampaign,
  resyncCampaign,
  retryCampaignCoupons,
  continueCampaign,
  sendLateCampaign,
  stopCampaign,
} from '@okaeri/contract/campaigns/routes'
import {
  IconBan,
  IconChartBar,
  IconChecks,
  IconCopy,
  IconPencil,
  IconPlayerStop,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react'
import { retriable } from '@okaeri/contract/deliveries/delivery'
import { useNavigate } from '@tanstack/react-router'
import { type Formats, useFormat } from '../../app/format.ts'
import { currentLanguage, useWords, type Words } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import type { Action } from '../../ui/actions.tsx'
import { asked, confirmDelete } from '../../ui/confirm.tsx'
import { useAction } from '../../ui/use-action.ts'
import { isRunningTest } from './ab-test/ab-test-notice.tsx'

const icon = { size: 17, 'aria-hidden': true } as const
/** What a campaign changes besides campaigns: its email's and segment's users, the sent counts. */
const areas = ['emails', 'segments', 'reports']

export type CampaignAction =
  | 'edit'
  | 'review'
  | 'report'
  | 'cancel'
  | 'stop'
  | 'duplicate'
  | 'resync'
  | 'resolve'
  | 'sendLate'
  | 'continue'
  | 'chooseA'
  | 'chooseB'
  | 'resend'
  | 'retryCoupons'
  | 'delete'

/** Some recipient was sent something: from then on it is stopped, not cancelled. */
export const hasBegun = (balance: Campaign['balance']): boolean =>
  balance !== null && balance.sent + balance.failed + balance.uncertain > 0

/** The requests behind the actions. */
function useVerbs(options: { onDeleted?: () => void }) {
  const t = useWords('campaigns')
  const navigate = useNavigate()
  const cancel = useAction(cancelCampaign, { done: { message: t('done.cancelled') }, areas })
  const cancelNow = useAction(cancelCampaign, { done: { message: t('done.cancelledNow') }, areas })
  const stop = useAction(stopCampaign, { done: { message: t('done.stopped') }, areas })
  const resync = useAction(resyncCampaign, { done: { message: t('done.resent') }, areas })
  const resolve = useAction(resolveCampaign, { done: { message: t('done.resolved') }, areas })
  const late = useAction(sendLateCampaign, { done: { message: t('done.late') }, areas })
  const rest = useAction(continueCampaign, { done: { message: t('canary.continued') }, areas })
  const restOfTest = useAction(continueCampaign, { done: { message: t('ab.continued') }, areas })
  const choose = useAction(chooseWinner, { done: { message: t('ab.choose.done') }, areas })
  const retry = useAction(retryCampaignCoupons, { done: { message: t('coupon.retried') }, areas })
  const resend = useAction(resendUncertain, { done: { message: t('done.resent') }, areas })
  const remove = useAction(deleteCampaign, {
    done: 'deleted',
    areas,
    ...(options.onDeleted && { onDone: options.onDeleted }),
  })
  const copy = useAction(duplicateCampaign, {
    done: 'duplicated',
    areas,
    onDone: ({ campaign }) => void navigate({ to: paths.campaign(campaign.id) }),
  })
  return { cancel, cancelNow, stop, resync, resolve, late, rest, restOfTest, choose, resend, retry, remove, copy }
}

/** Everything that can be done to a campaign; a forbidden action says why. `onDeleted`: the campaign of the page was deleted. */
export function useCampaignActions(options: { onDeleted?: () => void } = {}) {
  const t = useWords('campaigns')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const verbs = useVerbs(options)
  return (campaign: Campaign): Record<CampaignAction, Action> => {
    const may: May = (verb, reason) =>
      mayChange ? (campaignAllows(verb, campaign.status) ? null : reason) : t('readOnly')
    const about: About = { t, format, verbs, campaign, may, readOnly: !mayChange && t('readOnly') }
    return { ...ownActions(about), ...sendingActions(about), ...repairActions(about), ...testActions(about) }
  }
}

/** Null where the campaign's status and the member's role allow it, else the reason why not. */
type May = (verb: Parameters<typeof campaignAllows>[0], reason: string) => string | null
interface About {
  t: Words<'campaigns'>
  format: Formats
  verbs: ReturnType<typeof useVerbs>
  campaign: Campaign
  may: May
  readOnly: string | false
}

/** What is done to the campaign itself. */
function ownActions({ t, verbs: { copy, resolve, remove }, campaign, may }: About) {
  const { id, name, balance } = campaign
  const params = { id }
  return {
    edit: {
      label: t('do.edit'),
      icon: <IconPencil {...icon} />,
      to: paths.campaignEdit(id),
      disabledReason: may('edit', t('forbidden.edit')),
    },
    review: {
      label: t('do.review'),
      icon: <IconSend {...icon} />,
      to: paths.campaignReview(id),
      disabledReason: may('reserve', t('forbidden.review')),
    },
    report: {
      label: t('do.report'),
      icon: <IconChartBar {...icon} />,
      to: paths.campaignReport(id),
      disabledReason: balance === null && t('forbidden.report'),
    },
    duplicate: {
      label: t('do.duplicate'),
      icon: <IconCopy {...icon} />,
      busy: copy.isPending,
      disabledReason: may('duplicate', t('forbidden.duplicate')),
      onClick: asked(
        { title: t('ask.duplicateTitle', { name }), body: t('ask.duplicateBody'), confirmLabel: t('do.duplicate') },
        () => copy.mutate({ params, body: { language: currentLanguage() } }),
      ),
    },
    resolve: {
      label: t('do.resolve'),
      icon: <IconChecks {...icon} />,
      busy: resolve.isPending,
      disabledReason: may('resolve', t('forbidden.resolve')),
      onClick: asked(
        { title: t('ask.resolveTitle', { name }), body: t('ask.resolveBody'), confirmLabel: t('do.resolve') },
        () => resolve.mutate({ params }),
      ),
    },
    delete: {
      label: t('do.delete'),
      icon: <IconTrash {...icon} />,
      danger: true,
      busy: remove.isPending,
      disabledReason: may('delete', t('forbidden.delete')),
      onClick: () =>
        void confirmDelete(t('ask.deleteTitle', { name }), {
          ...(balance && { body: t('ask.deleteBody') }),
        }).then((sure) => sure && remove.mutate({ params })),
    },
  } satisfies Partial<Record<CampaignAction, Action>>
}

/** What keeps back what has not left. */
function sendingActions({ t, format, verbs: { cancel, cancelNow, stop }, campaign, may }: About) {
  const { id, name, status, balance } = campaign
  const params = { id }
  // Nothing was scheduled where it is sent at once.
  const immediate = campaign.send_type === 'immediate'
  const notBegun = t(immediate ? 'forbidden.cancelNow' : 'forbidden.cancel')
  const cancelReason =
    may('cancel', notBegun) ??
    (hasBegun(balance) ? notBegun : null) ??
    (status === 'reserved' && campaign.scheduled_at && tooLateToCancel(new Date(campaign.scheduled_at), new Date())
      ? t('forbidden.cancelSoon')
      : null)
  const notSentYet = balance?.pending ?? 0
  return {
    cancel: {
      label: t(immediate ? 'do.cancelNow' : 'do.cancel'),
      icon: <IconBan {...icon} />,
      danger: true,
      busy: cancel.isPending || cancelNow.isPending,
      disabledReason: cancelReason,
      onClick: asked(
        {
          title: t(immediate ? 'ask.cancelNowTitle' : 'ask.cancelTitle', { name }),
          body: t(immediate ? 'ask.cancelNowBody' : 'ask.cancelBody'),
          confirmLabel: t(immediate ? 'do.cancelNow' : 'do.cancel'),
          // Beside "cancel the sending" a "cancel" would be a riddle.
          cancelLabel: t(immediate ? 'ask.keepNow' : 'ask.keep'),
          danger: true,
          irreversible: true,
        },
        () => (immediate ? cancelNow : cancel).mutate({ params }),
      ),
    },
    stop: {
      label: t('do.stop'),
      icon: <IconPlayerStop {...icon} />,
      danger: true,
      busy: stop.isPending,
      disabledReason: may('stop', t('forbidden.stop')),
      onClick: asked(
        {
          title: t('ask.stopTitle', { name }),
          body: t('ask.stopBody', { count: notSentYet, n: format.number(notSentYet) }),
          confirmLabel: t('do.stop'),
          danger: true,
          irreversible: true,
        },
        () => stop.mutate({ params }),
      ),
    },
  } satisfies Partial<Record<CampaignAction, Action>>
}

/** What sends what was not sent. */
function repairActions({
  t,
  format,
  verbs: { resync, late, rest, restOfTest, resend, retry },
  campaign,
  may,
  readOnly,
}: About) {
  const { id, name, balance } = campaign
  const params = { id }
  const failed = balance ? retriable(balance) : 0
  const content = balance?.failed_by_class.content ?? 0
  const uncertain = balance?.uncertain ?? 0
  const isTest = campaign.ab_phase !== null && campaign.ab_result === null
  // With a test, only the rest of the campaign is late, and its content is not known yet.
  const decides = isTest && campaign.ab_decides_at !== null
  const dueAt = campaign.ab_decides_at ?? campaign.scheduled_at
  return {
    resync: {
      label: failed > 0 ? t('do.resyncCount', { count: failed, n: format.number(failed) }) : t('do.resync'),
      icon: <IconRefresh {...icon} />,
      busy: resync.isPending,
      disabledReason:
        may('resync', t('forbidden.resync')) ??
        (failed === 0 && t(content > 0 ? 'forbidden.resyncContent' : 'forbidden.resyncNothing')),
      onClick: asked(
        {
          title: t('ask.resyncTitle', { count: failed, n: format.number(failed) }),
          body:
            content > 0
              ? `${t('ask.resyncBody')}\n${t('ask.resyncContent', { count: content, n: format.number(content) })}`
              : t('ask.resyncBody'),
          confirmLabel: t('do.resync'),
        },
        () => resync.mutate({ params }),
      ),
    },
    continue: {
      label: t(isTest ? 'ab.continueTest' : 'canary.continue'),
      icon: <IconSend {...icon} />,
      busy: rest.isPending || restOfTest.isPending,
      disabledReason: may('continue', t('forbidden.review')),
      onClick: isTest
        ? asked({ title: t('ab.continueTitle'), body: t('ab.continueBody'), confirmLabel: t('ab.continueTest') }, () =>
            restOfTest.mutate({ params }),
          )
        : asked(
            {
              title: t('canary.continueAsk', { people: peopleLeft(t, format, balance) }),
              body: t('canary.continueBody'),
              confirmLabel: t('canary.continue'),
            },
            () => rest.mutate({ params }),
          ),
    },
    sendLate: {
      label: t(decides ? 'ab.decideNow' : 'do.sendLate'),
      icon: <IconSend {...icon} />,
      busy: late.isPending,
      disabledReason: may('send_late', t('forbidden.review')),
      onClick: asked(
        {
          title: t('ask.lateTitle', { name }),
          body: t('ask.lateBody', { time: dueAt ? format.scheduled(dueAt) : '—' }),
          confirmLabel: t(decides ? 'ab.decideNow' : 'do.sendLate'),
        },
        () => late.mutate({ params }),
      ),
    },
    retryCoupons: {
      label: t('coupon.retry'),
      icon: <IconRefresh {...icon} />,
      busy: retry.isPending,
      disabledReason: may('retry_coupons', t('forbidden.review')),
      onClick: () => retry.mutate({ params }),
    },
    resend: {
      label: t('do.resend', { count: uncertain, n: format.number(uncertain) }),
      icon: <IconRefresh {...icon} />,
      busy: resend.isPending,
      disabledReason: readOnly,
      onClick: asked(
        {
          title: t('ask.resendTitle', { count: uncertain, n: format.number(uncertain) }),
          body: t('ask.resendBody'),
          confirmLabel: t('ask.resendConfirm', { n: format.number(uncertain) }),
          danger: true,
        },
        () => resend.mutate({ params, body: { uncertain_seen: uncertain } }),
      ),
    },
  } satisfies Partial<Record<CampaignAction, Action>>
}

const peopleLeft = (t: Words<'campaigns'>, format: Formats, balance: Campaign['balance']): string =>
  t('review.people', { count: balance?.pending ?? 0, n: format.number(balance?.pending ?? 0) })

/** Which of the two the rest of a test gets. */
function testActions({ t, format, verbs: { choose }, campaign, may }: About) {
  const { id, balance } = campaign
  const isRunning = isRunningTest(campaign)
  const action = (winner: 'a' | 'b'): Action => ({
    label: t(`ab.choose.${winner}`),
    icon: <IconSend {...icon} />,
    busy: choose.isPending,
    disabledReason: may('choose_winner', t('ab.choose.forbidden')) ?? (!isRunning && t('ab.choose.forbidden')),
    onClick: asked(
      {
        title: t('ab.choose.askTitle', {
          winner: t(`ab.group.${winner}`),
          people: campaign.test_mode ? t('testAddresses') : peopleLeft(t, format, balance),
        }),
        body: t('ab.choose.askBody'),
        confirmLabel: t(`ab.choose.${winner}`),
      },
      () => choose.mutate({ params: { id }, body: { winner } }),
    ),
  })
  return { chooseA: action('a'), chooseB: action('b') } satisfies Partial<Record<CampaignAction, Action>>
}
