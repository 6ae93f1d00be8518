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
import { useCounted } from '../counted.ts'

export type Answer = 'stay' | 'move'

/** Before a flow is saved, asks what to do with running executions; null: do not save. Does not ask if there are none. */
export async function askToMove(
  scenarioId: string,
  body: { flow: Flow } | { form: FormValues; conditions: FormConditions },
): Promise<Answer | null> {
  const { moving } = await call(previewMove, { params: { id: scenarioId }, body })
  if (moving.on_their_way === 0) return 'stay'
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
          <MoveQuestion moving={moving} answer={answer} />
        </MerchantProvider>
      ),
    })
  })
}

function MoveQuestion({ moving, answer }: { moving: MovePreview; answer: (given: Answer | null) => void }) {
  const t = useWords('scenarios')
  const ui = useWords('ui')
  const format = useFormat()
  const { inWords } = useCounted()
  const [chosen, setChosen] = useState<Answer>('stay')
  const { on_their_way: all, exact, go_on: goOn, at_removed: removed, would_repeat: repeat } = moving
  const counted = (count: number) => ({ count, n: format.number(count) })
  return (
    <Stack gap="md">
      <Text size="sm">{t('moving.body', inWords(all))}</Text>
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
