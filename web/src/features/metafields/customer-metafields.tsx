import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { ApiError } from '@okaeri/contract/client'
import type { MetafieldOfCustomer } from '@okaeri/contract/metafields/metafield'
import { changeCustomerMetafields, listCustomerMetafields } from '@okaeri/contract/metafields/routes'
import { metafieldText } from '@okaeri/contract/metafields/text'
import { metafieldTypeName } from '@okaeri/contract/metafields/value-type'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useLanguage, useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Card, Facts } from '../../ui/detail-page.tsx'
import { useEditForm } from '../../ui/edit-form.ts'
import { ErrorSummary, LeaveGuard } from '../../ui/edit-page.tsx'
import { TextLink } from '../../ui/links.tsx'
import { Loading, LoadFailed } from '../../ui/states.tsx'

/** The card of a customer's page: every kept metafield with the customer's value, and a form to change them. */
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
          <TextLink to={paths.metafieldNew()} underline="always">
            {t('add')}
          </TextLink>
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

/** Only what was changed is sent: the server's places are moved to the form's. */
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
  const language = useLanguage()
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
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <Stack gap="sm">
        <ErrorSummary form={form} labels={labels} />
        {metafields.map((one, index) => {
          const type = metafieldTypeName(one.value_type, language)
          const note = [type, one.namespace_type === 'platform' && t('customer.inStore')].filter(Boolean).join(' · ')
          const props = { label: one.name, description: note, ...form.field(`metafields.${index}.value`) }
          return one.value_type === 'boolean' ? (
            <Select
              key={one.setting_id}
              {...props}
              clearable
              data={[
                { value: 'true', label: t('customer.yes') },
                { value: 'false', label: t('customer.no') },
              ]}
              onChange={(value) => props.onChange(value ?? '')}
            />
          ) : (
            <Textarea key={one.setting_id} {...props} autosize minRows={1} maxRows={6} />
          )
        })}
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
    </form>
  )
}
