import { Badge, Code, CopyButton, Group, Stack, Text, UnstyledButton } from '@mantine/core'
import type { DomainRecord } from '@okaeri/contract/sender-domains/domain'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx'
import classes from './domain-record.module.css'

/** One record: what it is for, how it stands, what to publish and what is there instead. */
export function DomainRecordRow({ record }: { record: DomainRecord }) {
  const t = useWords('senderDomains')
  const format = useFormat()
  const detailsId = useId()
  const { kind, state, note, required, last_found_at } = record
  const isFine = state === 'found'
  const [open, setOpen] = useState<boolean | null>(null)
  const shown = open ?? !isFine
  return (
    <li className={classes.record}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <Text fw={600} size="sm">
            {t(`record.${kind}`)}
          </Text>
          <Badge variant="light" color={required ? 'blue' : 'gray'} tt="none" size="sm">
            {t(required ? 'required' : 'recommended')}
          </Badge>
        </Group>
        <Group gap="sm">
          <StatusBadge tone={toneOf(record)}>{t(`state.${state}`)}</StatusBadge>
          <UnstyledButton
            className={classes.toggle}
            aria-expanded={shown}
            aria-controls={shown ? detailsId : undefined}
            aria-label={`${t(`record.${kind}`)}: ${t(shown ? 'hideDetails' : 'details')}`}
            onClick={() => setOpen(!shown)}
          >
            {t(shown ? 'hideDetails' : 'details')}
          </UnstyledButton>
        </Group>
      </Group>
      {note && <Text size="sm">{t(`note.${note}`)}</Text>}
      {!isFine && last_found_at && (
        <Text size="sm" c="dimmed">
          {t('lastFound', { time: format.dateTime(last_found_at) })}
        </Text>
      )}
      {shown && (
        <Stack gap="xs" id={detailsId}>
          <Text size="sm" c="dimmed">
            {t(kind === 'tracking' && record.expected !== null ? 'about.own_tracking' : `about.${kind}`)}
          </Text>
          <Details record={record} />
        </Stack>
      )}
    </li>
  )
}

function Details({ record: { type, name, expected, state, found } }: { record: DomainRecord }) {
  const t = useWords('senderDomains')
  return (
    <dl className={classes.values}>
      <Line label={t('type')}>
        <Code>{type}</Code>
      </Line>
      <Line label={t('recordName')}>
        <Copied value={name} label={t('copyName')} />
      </Line>
      {expected !== null && (
        <Line label={t('value')}>
          <Copied value={expected} label={t('copyValue')} />
        </Line>
      )}
      {found.length > 0 && (state !== 'found' || expected === null || !found.includes(expected)) && (
        <Line label={t('found')}>
          <Stack gap={4}>
            {found.map((value) => (
              <Code key={value} className={classes.value}>
                {value}
              </Code>
            ))}
          </Stack>
        </Line>
      )}
    </dl>
  )
}

const Line = ({ label, children }: { label: string; children: ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

function Copied({ value, label }: { value: string; label: string }) {
  const t = useWords('senderDomains')
  return (
    <div className={classes.copied}>
      <Code className={classes.value}>{value}</Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <UnstyledButton className={classes.copy} onClick={copy}>
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            {copied ? t('copied') : label}
          </UnstyledButton>
        )}
      </CopyButton>
    </div>
  )
}

const toneOf = ({ state, required, last_found_at }: DomainRecord): Tone => {
  if (state === 'found') return 'success'
  if (state === 'unchecked' || state === 'unanswered') return 'neutral'
  return required || last_found_at ? 'danger' : 'warning'
}
