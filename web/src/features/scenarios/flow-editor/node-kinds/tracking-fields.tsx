import { Collapse, Stack, Switch, Text, TextInput } from '@mantine/core'
import { DEFAULT_TRACKING_SOURCE, NO_PARAMETERS, type TrackingParameters } from '@okaeri/contract/campaigns/campaign'
import { useWords } from '../../../../app/i18n.ts'

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
  const t = useWords('flow')
  return (
    <>
      <Switch
        label={t('tracking.own')}
        checked={tracking !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? NO_PARAMETERS : null)}
      />
      <Collapse expanded={tracking !== null}>
        <Stack gap="xs">
          <Text size="xs" c="dimmed">
            {t('tracking.help')}
          </Text>
          {parameters.map((name) => (
            <TextInput
              key={name}
              label={t(`tracking.${name}`)}
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
