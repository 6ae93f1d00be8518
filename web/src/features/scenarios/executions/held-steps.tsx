import { Group } from '@mantine/core'
import { canaryLimit, problemsOf } from '@okaeri/contract/campaigns/canary'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { type HeldStep, releaseHeldStep } from '@okaeri/contract/scenarios/step-circuit-breaker'
import { nodeTitle, summarizeNode } from '@okaeri/contract/scenarios/words'
import { IconPlayerTrackNext } from '@tabler/icons-react'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { type Action, ActionButton } from '../../../ui/actions.tsx'
import { asked } from '../../../ui/confirm.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useFlowSaying } from '../flow-picture/flow-names.ts'

/** Emails that are held back because too much went wrong with the last ones, with why, and what a member can do. */
export function HeldSteps({ scenario, flow, stop }: { scenario: Scenario; flow: Flow; stop: Action }) {
  const saying = useFlowSaying(flow)
  return scenario.held_steps.map((step) => {
    const node = flow.nodes.find(({ id }) => id === step.node_id)
    const name = node && (node.name || summarizeNode(node, saying) || nodeTitle(node, saying.language))
    return <One key={step.node_id} scenario={scenario} step={step} name={name} stop={stop} />
  })
}

function One({
  scenario,
  step: { node_id, since, result, waiting },
  name,
  stop,
}: {
  scenario: Scenario
  step: HeldStep
  name: string | undefined
  stop: Action
}) {
  const t = useWords('scenarios')
  const campaigns = useWords('campaigns')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const release = useAction(releaseHeldStep, { done: { message: t('heldStep.released') } })
  const people = { count: waiting, n: format.number(waiting) }
  return (
    <Notice
      tone="danger"
      title={name ? t('heldStep.title', { name }) : t('heldStep.titleGone')}
      action={
        mayChange && (
          <Group gap="xs">
            {scenario.status === 'active' && <ActionButton action={stop} />}
            <ActionButton
              action={{
                label: t('heldStep.release'),
                icon: <IconPlayerTrackNext size={17} aria-hidden />,
                busy: release.isPending,
                onClick: asked(
                  {
                    title: t('heldStep.releaseTitle', people),
                    body: t('heldStep.releaseBody'),
                    confirmLabel: t('heldStep.release'),
                  },
                  () => release.mutate({ params: { id: scenario.id }, body: { node_id } }),
                ),
              }}
            />
          </Group>
        )
      }
    >
      {t('heldStep.text', { ...people, since: format.dateTime(since) })}
      <div>
        {t('heldStep.result', { n: format.number(result.tried) })}
        <ul>
          {problemsOf(result).map((problem) => (
            <li key={problem}>
              {campaigns(`canary.problem.${problem}`, {
                n: format.number(result[problem]),
                limit: format.percent(canaryLimit(problem) * 100),
              })}
            </li>
          ))}
        </ul>
      </div>
    </Notice>
  )
}
