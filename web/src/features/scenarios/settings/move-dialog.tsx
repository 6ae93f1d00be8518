import { Button, Group, List, Radio, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { Flow } from '@okaeri/contract/scenarios/flow/flow'
import { previewMove, type MovePreview } from '@okaeri/contract/scenarios/flow/moving'
import type { FormConditions, FormValues } from '@okaeri/contract/scenarios/scenario'
import { useState } from 'react'
import { call } from '../../../api/call.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords, word } from '../../../app/i18n.ts'
import { MerchantProvider } from '../../../app/merchant.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { useCounted } from '../counted.ts'

export type Answer = 'stay' | 'move'

/** Before a flow is saved, asks what to do with running executions; null: do not save. Does not ask if there are none. */
export async function askToMove(
  scenarioId: string,
  body: { flow: Flow } | { form: FormValues; conditions: FormConditions },
  live: LiveChange | null = null,
): Promise<Answer | null> {
  const { moving } = await call(previewMove, { params: { id: scenarioId }, body })
  if (moving.on_their_way === 0) return live && !(await askToChange(live)) ? null : 'stay'
  return new Promise((resolve) => {
    const id = `move ${scenarioId}`
    const answer = (given: Answer | null) => {
      resolve(given)
      modals.close(id)
    }
    modals.open({
      modalId: id,
      title: word('scenarios', 'moving.title'),
      centered: true,
      size: 'lg',
      closeButtonProps: { 'aria-label': word('ui', 'close') },
      onClose: () => resolve(null),
      // Dialogs hang above the shell, which already provides the merchant.
      children: (
        <MerchantProvider loading={null} failed={() => null}>
          <MoveQuestion moving={moving} live={live} answer={answer} />
        </MerchantProvider>
      ),
    })
  })
}

/** What was changed of an active scenario, by the names people know. */
export interface LiveChange {
  changed: string
  /** Settings that are read when a message is sent, so that they apply to running executions too. */
  reachesRunning: boolean
}

/** Before a change of an active scenario is saved: what changes, and for whom. */
export const askToChange = ({ changed, reachesRunning }: LiveChange): Promise<boolean> =>
  confirm({
    title: word('scenarios', 'moving.liveTitle'),
    body: [
      word('scenarios', 'moving.changed', { names: changed }),
      word('scenarios', 'moving.liveEntering'),
      ...(reachesRunning ? [word('scenarios', 'moving.liveRunning')] : []),
    ].join('\n'),
    confirmLabel: word('scenarios', 'moving.liveSave'),
  })

interface MoveQuestionProps {
  moving: MovePreview
  live: LiveChange | null
  answer: (given: Answer | null) => void
}
function MoveQuestion({ moving, live, answer }: MoveQuestionProps) {
  const t = useWords('scenarios')
  const ui = useWords('ui')
  const format = useFormat()
  const { inWords } = useCounted()
  const [chosen, setChosen] = useState<Answer>('stay')
  const { on_their_way: all, exact, go_on: goOn, at_removed: removed, would_repeat: repeat } = moving
  const counted = (count: number) => ({ count, n: format.number(count) })
  return (
    <Stack gap="md">
      {live && <Text size="sm">{t('moving.changed', { names: live.changed })}</Text>}
      <Text size="sm">{t('moving.body', inWords(all))}</Text>
      {live?.reachesRunning && <Text size="sm">{t('moving.liveRunning')}</Text>}
      <Radio.Group
        aria-label={t('moving.title')}
        value={chosen}
        onChange={(value) => setChosen(value === 'move' ? 'move' : 'stay')}
      >
        <Stack gap="sm">
          <Radio value="stay" label={t('moving.stay')} description={t('moving.stayText')} />
          <Radio
            value="move"
            label={t('moving.move')}
            description={t(goOn === 0 ? 'moving.nobodyMoves' : 'moving.moveText')}
            disabled={goOn === 0}
          />
        </Stack>
      </Radio.Group>
      {chosen === 'move' && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {t(exact ? 'moving.what' : 'moving.whatOfSome', { n: format.number(all) })}
          </Text>
          <List size="sm">
            <List.Item>{t('moving.goOn', counted(goOn))}</List.Item>
            {removed > 0 && <List.Item>{t('moving.removed', counted(removed))}</List.Item>}
            {repeat > 0 && <List.Item>{t('moving.repeat', counted(repeat))}</List.Item>}
          </List>
        </div>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={() => answer(null)}>
          {ui('cancel')}
        </Button>
        <Button onClick={() => answer(chosen)}>{t(chosen === 'move' ? 'moving.saveAndMove' : 'moving.save')}</Button>
      </Group>
    </Stack>
  )
}
