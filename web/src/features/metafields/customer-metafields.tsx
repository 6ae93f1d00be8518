import { Button, Group, Select, Stack, TagsInput, Text, Textarea } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import { isDay } from '@okaeri/contract/metafields/birthday'
import type { MetafieldOfCustomer } from '@okaeri/contract/metafields/metafield'
import { changeCustomerMetafields, listCustomerMetafields } from '@okaeri/contract/metafields/routes'
import { metafieldText } from '@okaeri/contract/metafields/text'
import { isListType, memberTypeOf, metafieldTypeName, type SingleType } from '@okaeri/contract/metafields/value-type'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Card, Facts } from '../../ui/pages/detail-page.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { ErrorSummary, LeaveGuard } from '../../ui/pages/edit-page.tsx'
import { Form } from '../../ui/form.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'

/** The card on a customer's page: every metafield with the customer's value, and a form to change them. */
export function CustomerMetafields({ customerId }: { customerId: string }) {
  const t = useWords('metafields')
  const { mayChange } = useMerchant()
  const [editing, setEditing] = useState(false)
  const query = useQuery(queryOf(listCustomerMetafields, { params: { id: customerId } }))
  const metafields = query.data?.metafields
  return (
    <Card
      title={t('customer.title')}
      action={
        mayChange &&
        !editing &&
        metafields &&
        metafields.length > 0 && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={16} aria-hidden />}
            onClick={() => setEditing(true)}
          >
            {t('customer.edit')}
          </Button>
        )
      }
    >
      {!metafields ? (
        query.error ? (
          <LoadFailed error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Loading lines={4} />
        )
      ) : metafields.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('customer.none')}{' '}
          {mayChange && (
            <TextLink to={paths.metafieldNew()} underline="always">
              {t('add')}
            </TextLink>
          )}
        </Text>
      ) : editing ? (
        <Editor customerId={customerId} metafields={metafields} onDone={() => setEditing(false)} />
      ) : (
        <Facts items={metafields.map((one) => ({ label: one.name, value: <Value metafield={one} /> }))} />
      )}
    </Card>
  )
}

function Value({ metafield: { value, value_type: type, readable } }: { metafield: MetafieldOfCustomer }): ReactNode {
  const t = useWords('metafields')
  const language = useLanguage()
  const format = useFormat()
  if (value === null)
    return (
      <Text span inherit c="dimmed">
        {t('customer.noValue')}
      </Text>
    )
  if (!readable)
    return (
      <>
        {value}{' '}
        <Text span size="xs" c="dimmed">
          {t('customer.unreadable')}
        </Text>
      </>
    )
  if (type === 'boolean') return t(value === 'true' ? 'customer.yes' : 'customer.no')
  if (type === 'date' && isDay(value)) return format.calendarDay(value)
  if (type === 'date_time') return format.dateTime(value)
  if (type === 'number_integer' && Number.isSafeInteger(Number(value))) return format.number(Number(value))
  if (type === 'color')
    return (
      <Group gap={6}>
        <span
          aria-hidden
          style={{ width: 14, height: 14, borderRadius: 3, border: '1px solid var(--line)', background: value }}
        />
        {value}
      </Group>
    )
  return (
    <span style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>{metafieldText(type, value, language)}</span>
  )
}

/** The format of types that are not plain text. */
const spellings: Partial<Record<MetafieldOfCustomer['value_type'], string>> = {
  date: '1990-04-01',
  date_time: '2026-04-01T10:00:00+09:00',
  money: '{"amount":"1200.0","currency_code":"JPY"}',
  rating: '{"value":"4.5","scale_min":"1.0","scale_max":"5.0"}',
  dimension: '{"value":25,"unit":"cm"}',
  weight: '{"value":500,"unit":"g"}',
  volume: '{"value":350,"unit":"ml"}',
  color: '#2f6f4f',
  link: '{"text":"","url":"https://"}',
}

interface ValueInputProps {
  metafield: MetafieldOfCustomer
  name: string
  value?: string
  error?: string | undefined
  onChange: (value: string) => void
}

/** An input for the value's type; a value it cannot show is edited as text. */
function ValueInput({ metafield, onChange, value = '', ...rest }: ValueInputProps) {
  const t = useWords('metafields')
  const language = useLanguage()
  const { value_type: type } = metafield
  const members = isListType(type) && isPlainText(memberTypeOf(type)) ? membersOf(value) : null
  const inStore = metafield.namespace_type === 'platform' && t('customer.inStore')
  const description = [metafieldTypeName(type, language), members && t('customer.listHelp'), inStore]
    .filter((part) => typeof part === 'string')
    .join(' · ')
  const props = { ...rest, label: metafield.name, description }
  if (members)
    return (
      <TagsInput
        {...props}
        value={members}
        onChange={(next) => onChange(next.length === 0 ? '' : JSON.stringify(next))}
        acceptValueOnBlur
        splitChars={[]}
      />
    )
  if (type === 'boolean')
    return (
      <Select
        {...props}
        clearable
        value={value || null}
        data={[
          { value: 'true', label: t('customer.yes') },
          { value: 'false', label: t('customer.no') },
        ]}
        onChange={(next) => onChange(next ?? '')}
      />
    )
  return (
    <Textarea
      {...props}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      placeholder={spellings[type]}
      autosize
      minRows={1}
      maxRows={6}
    />
  )
}

const isPlainText = (type: SingleType): boolean =>
  type === 'single_line_text_field' || type === 'color' || type === 'url' || type === 'date'

/** The members of a list of texts; null if the value is no such list. */
function membersOf(value: string): string[] | null {
  if (value === '') return []
  try {
    const members: unknown = JSON.parse(value)
    return Array.isArray(members) && members.every((member) => typeof member === 'string') ? members : null
  } catch {
    // No list: it is edited as text.
    return null
  }
}

/** Only changed fields are sent, so the server's positions are mapped to the form's. */
function atTheirFields(error: unknown, placeOf: (index: number) => number | undefined): unknown {
  if (!(error instanceof ApiError)) return error
  const fields = Object.fromEntries(
    Object.entries(error.fields).map(([path, reason]) => {
      const place = placeOf(Number(path.split('.')[1]))
      return [place === undefined ? path : `metafields.${place}.value`, reason]
    }),
  )
  return new ApiError(error.status, error.code, error.reason, error.message, fields)
}

function Editor({
  customerId,
  metafields,
  onDone,
}: {
  customerId: string
  metafields: readonly MetafieldOfCustomer[]
  onDone: () => void
}) {
  const t = useWords('metafields')
  const saved = useMemo(() => ({ metafields: metafields.map(({ value }) => ({ value: value ?? '' })) }), [metafields])
  const form = useEditForm({
    values: saved,
    save: async (values) => {
      const changed = metafields.flatMap(({ setting_id, value }, index) => {
        const typed = values.metafields[index]?.value ?? ''
        return typed === (value ?? '') ? [] : [{ setting_id, value: typed === '' ? null : typed, index }]
      })
      if (changed.length === 0) return
      const body = { metafields: changed.map(({ setting_id, value }) => ({ setting_id, value })) }
      try {
        await call(changeCustomerMetafields, { params: { id: customerId }, body })
      } catch (error) {
        throw atTheirFields(error, (index) => changed[index]?.index)
      }
      await refresh('metafields', 'customers')
    },
    onSaved: onDone,
  })
  const labels = Object.fromEntries(metafields.map(({ name }, index) => [`metafields.${index}.value`, name]))
  return (
    <Form onSubmit={() => form.submit()}>
      <Stack gap="sm">
        <ErrorSummary form={form} labels={labels} />
        {metafields.map((one, index) => (
          <ValueInput key={one.setting_id} metafield={one} {...form.field(`metafields.${index}.value`)} />
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t('customer.cancel')}
          </Button>
          <Button type="submit" loading={form.saving} disabled={!form.dirty}>
            {t('customer.save')}
          </Button>
        </Group>
      </Stack>
      <LeaveGuard form={form} />
    </Form>
  )
}
