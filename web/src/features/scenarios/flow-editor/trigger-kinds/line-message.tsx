import { Radio, Stack, TextInput } from '@mantine/core'
import type { TriggerOf } from '@okaeri/contract/scenarios/trigger'
import { ownWords } from '../../../../app/i18n.ts'
import type { TriggerFormProps } from './trigger-form.tsx'

const useText = ownWords({
  keyword: { ja: 'キーワード', en: 'Keyword' },
  keywordHelp: {
    ja: '全角・半角や大文字・小文字の違いは区別しません。',
    en: 'Not case-sensitive. Full-width and half-width letters are the same.',
  },
  match: { ja: 'メッセージの判定', en: 'Message' },
  matchWhole: { ja: 'キーワードと一致する', en: 'Is the keyword' },
  matchPart: { ja: 'キーワードを含む', en: 'Contains the keyword' },
})

export function LineMessageForm({ trigger, onChange }: TriggerFormProps<TriggerOf<'line_message'>>) {
  const t = useText()
  return (
    <>
      <TextInput
        label={t('keyword')}
        description={t('keywordHelp')}
        maxLength={100}
        value={trigger.keyword}
        onChange={(event) => onChange({ ...trigger, keyword: event.currentTarget.value }, 'keyword')}
      />
      <Radio.Group
        label={t('match')}
        value={trigger.match}
        onChange={(match) => onChange({ ...trigger, match: match === 'part' ? 'part' : 'whole' })}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="whole" label={t('matchWhole')} />
          <Radio value="part" label={t('matchPart')} />
        </Stack>
      </Radio.Group>
    </>
  )
}
