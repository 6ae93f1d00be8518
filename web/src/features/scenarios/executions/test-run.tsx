import { Button, Group, Radio, Select, Stack, Text } from '@mantine/core'
import { testScenario } from '@okaeri/contract/scenarios/entering-routes'
import { listEvents, type ScenarioEvent } from '@okaeri/contract/scenarios/event'
import type { Scenario } from '@okaeri/contract/scenarios/scenario'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { queryOf } from '../../../api/queries.ts'
import { useFormat } from '../../../app/format.ts'
import { useWords } from '../../../app/i18n.ts'
import { useMerchant } from '../../../app/merchant.tsx'
import { paths } from '../../../app/paths.ts'
import { useErrorText } from '../../../app/reasons.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextLink } from '../../../ui/links.tsx'
import { useNothingFound } from '../../../ui/nothing-found.ts'
import { Notice } from '../../../ui/notice.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { CustomerPicker } from '../../emails/customer-picker.tsx'
import { subjectText } from './execution-words.ts'

const EVENTS_SHOWN = 50

interface TestRunProps {
  scenario: Scenario
  opened: boolean
  onClose: () => void
}

export function TestRun({ opened, onClose, scenario }: TestRunProps) {
  const t = useWords('scenarios')
  return (
    <Dialog opened={opened} onClose={onClose} title={t('test.title')} size="lg">
      <TestRunForm scenario={scenario} onClose={onClose} />
    </Dialog>
  )
}

function TestRunForm({ scenario, onClose }: Omit<TestRunProps, 'opened'>) {
  const t = useWords('scenarios')
  const ui = useWords('ui')
  const format = useFormat()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const { testEmails } = useMerchant()
  const { kind } = scenario.trigger
  const events = useQuery(queryOf(listEvents, { query: { kind, limit: EVENTS_SHOWN } }))
  const nothingFound = useNothingFound(events)
  const some = events.data?.data ?? []
  const none = events.data !== undefined && some.length === 0
  const [chosen, setChosen] = useState<'event' | 'customer' | null>(null)
  const by = chosen ?? (none ? 'customer' : 'event')
  const [eventId, setEventId] = useState<string | null>(null)
  const [customerId, setCustomerId] = useState<string | null>(null)
  const [asked, setAsked] = useState(false)
  const start = useAction(testScenario, {
    done: { message: t('test.started') },
    onDone: ({ execution_id }) => {
      onClose()
      void navigate({ to: paths.execution(execution_id) })
    },
  })
  const nothing = by === 'event' ? eventId === null : customerId === null
  const submit = () => {
    setAsked(true)
    if (nothing) return
    start.mutate({
      params: { id: scenario.id },
      body: by === 'event' ? { event_id: eventId } : { customer_id: customerId },
    })
  }
  const nameOf = ({ customer_name, guest_id, occurred_at, subject }: ScenarioEvent): string =>
    [customer_name ?? (guest_id ? t('history.guest') : null), subjectText(subject), format.dateTime(occurred_at)]
      .filter(Boolean)
      .join(' · ')

  return (
    <Stack gap="md">
      <Text size="sm">
        {testEmails.length > 0 ? t('test.intro', { emails: format.list(testEmails) }) : t('test.introNone')}{' '}
        {testEmails.length === 0 && (
          <TextLink to={paths.settings()} hash="test-mode" underline="always">
            {t('test.setAddresses')}
          </TextLink>
        )}
      </Text>
      <Radio.Group
        label={t('test.with')}
        value={by}
        onChange={(value) => {
          setChosen(value === 'customer' ? 'customer' : 'event')
          setAsked(false)
        }}
      >
        <Group mt={6} gap="lg">
          <Radio value="event" label={t('test.withEvent')} />
          <Radio value="customer" label={t('test.withCustomer')} />
        </Group>
      </Radio.Group>
      {none && (
        <Notice tone="warning" title={t('test.none')}>
          {t('test.noneText')}
        </Notice>
      )}
      {by === 'event' ? (
        <Select
          label={t('test.event')}
          placeholder={t('test.eventPlaceholder')}
          searchable
          value={eventId}
          onChange={setEventId}
          error={events.error && !events.data ? errorText(events.error) : asked && nothing && t('test.none')}
          nothingFoundMessage={nothingFound}
          data={some.map((event) => ({ value: event.id, label: nameOf(event) }))}
        />
      ) : (
        <>
          <CustomerPicker
            label={t('test.customer')}
            placeholder={t('test.customerPlaceholder')}
            value={customerId}
            onChange={(id) => setCustomerId(id)}
          />
          {asked && (nothing || start.error) && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {nothing ? t('test.noCustomer') : errorText(start.error)}
            </Text>
          )}
        </>
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          {ui('cancel')}
        </Button>
        <Button onClick={submit} loading={start.isPending}>
          {t('test.start')}
        </Button>
      </Group>
    </Stack>
  )
}
