import { Select } from '@mantine/core'
import { ChannelName } from '@okaeri/contract/deliveries/delivery'
import { useWords } from '../../app/i18n.ts'

interface ChannelFilterProps {
  value: ChannelName | undefined
  onChange: (channel: ChannelName | undefined) => void
}

/** For a list in which there may be messages by each of the channels. */
export function ChannelFilter({ value, onChange }: ChannelFilterProps) {
  const t = useWords('deliveries')
  return (
    <Select
      aria-label={t('filterChannel')}
      placeholder={t('allChannels')}
      clearable
      w={{ base: '100%', xs: 180 }}
      value={value ?? null}
      onChange={(channel) => onChange(ChannelName.safeParse(channel).data)}
      data={ChannelName.options.map((channel) => ({ value: channel, label: t(`channel.${channel}`) }))}
    />
  )
}
