import { enterSegment } from '@okaeri/contract/scenarios/entering-routes'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { getSegment, getTargetCounts } from '@okaeri/contract/segments/routes'
import { call } from '../../../api/call.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { toast } from '../../../ui/toast.ts'
import { useAction } from '../../../ui/use-action.ts'
import { useCounted } from '../counted.ts'

/** Lets a segment enter a scenario, after a member has seen how many customers it has. */
export function useEnterSegment() {
  const t = useWords('scenarios')
  const { number: n } = useFormat()
  const { setting } = useMerchant()
  const { inWords } = useCounted()
  const enter = useAction(enterSegment, {
    onDone: ({ entering }) => toast.done(t('done.entering', { count: entering, n: n(entering) })),
  })
  const ask = async (scenario: Scenario, segmentId: string) => {
    const params = { id: segmentId }
    const sendToAll = scenario.include_all_customers
    const found = await Promise.all([
      call(getSegment, { params }),
      // Counted again, for the members of this moment.
      call(getTargetCounts, { params, query: { send_to_all: String(sendToAll) } }),
    ]).catch(toast.failed)
    if (!found) return
    const [{ customer_segment: segment }, { target_counts: people }] = found
    if (people.total === 0) return toast.error(t('ask.segmentEmpty', { segment: segment.name }))
    const notMailable = people.total - people.reachable
    const before = scenario.execution_count
    const sure = await confirm({
      title: t('ask.segmentTitle', { count: people.total, n: n(people.total), name: scenario.name }),
      body: [
        t('ask.segmentBody', { segment: segment.name }),
        notMailable > 0 &&
          t('ask.segmentNotMailable', { count: notMailable, n: n(notMailable), m: n(people.reachable) }),
        people.reachable_by_line > 0 && t('ask.segmentByLine', { n: n(people.reachable_by_line) }),
        before > 0 && t('ask.segmentBefore', inWords(before)),
        setting.test_mode && t('ask.enableTestMode'),
      ]
        .filter(Boolean)
        .join('\n'),
      confirmLabel: t('ask.segmentConfirm'),
    })
    if (sure) enter.mutate({ params: { id: scenario.id }, body: { people_seen: people.total } })
  }
  return { ask, busy: enter.isPending }
}
