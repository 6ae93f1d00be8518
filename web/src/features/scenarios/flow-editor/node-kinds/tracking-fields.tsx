import { Collapse, Stack, Switch, Text, TextInput } from '@mantine/core'
import { DEFAULT_TRACKING_SOURCE, NO_PARAMETERS, type TrackingParameters } from '@okaeri/contract/campaigns/campaign'
import { ownWords } from '../../../../app/i18n.ts'

const useText = ownWords({
  own: { ja: 'このステップだけUTMパラメーターを変える', en: 'Override UTM parameters for this step' },
  help: {
    ja: '空欄の項目には初期設定が使われます。utm_contentは自動で付きます。',
    en: 'Leave blank to use your defaults. utm_content is set automatically.',
  },
  source: { ja: 'utm_source', en: 'utm_source' },
  medium: { ja: 'utm_medium', en: 'utm_medium' },
  campaign: { ja: 'utm_campaign', en: 'utm_campaign' },
})

const MAX_PARAMETER = 100
const parameters = ['source', 'medium', 'campaign'] as const

interface TrackingFieldsProps {
  /** What stands where none is given. */
  medium: string
  tracking: TrackingParameters | null
  /** `typing`: the field in which someone types. */
  onChange: (tracking: TrackingParameters | null, typing?: string) => void
}

/** The parameters of the links in what a step sends. */
export function TrackingFields({ medium, tracking, onChange }: TrackingFieldsProps) {
  const t = useText()
  return (
    <>
      <Switch
        label={t('own')}
        checked={tracking !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? NO_PARAMETERS : null)}
      />
      <Collapse expanded={tracking !== null}>
        <Stack gap="xs">
          <Text size="xs" c="dimmed">
            {t('help')}
          </Text>
          {parameters.map((name) => (
            <TextInput
              key={name}
              label={t(name)}
              placeholder={{ source: DEFAULT_TRACKING_SOURCE, medium, campaign: '' }[name]}
              maxLength={MAX_PARAMETER}
              value={tracking?.[name] ?? ''}
              onChange={(event) => {
                const text = event.currentTarget.value
                onChange({ ...(tracking ?? NO_PARAMETERS), [name]: text.trim() === '' ? null : text }, name)
              }}
            />
          ))}
        </Stack>
      </Collapse>
    </>
  )
}
