import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { addSuppression, liftSuppression, listSuppressions } from '@okaeri/contract/consent/routes'
import type { Suppression } from '@okaeri/contract/consent/suppression'
import { IconMailOff, IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { type EditForm, useEditForm } from '../../ui/edit/edit-form.ts'
import { Form } from '../../ui/form.tsx'
import { TextLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { SuppressionSearch } from './search.ts'

const reasons = ['hard_bounce', 'soft_bounce', 'complaint', 'manual'] as const

/** Suppressed addresses: why, with what proof, since when, and who lifted the suppression. */
export function SuppressionList() {
  const t = useWords('customers')
  const ui = useWords('ui')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const list = useListState(SuppressionSearch)
  const { state, reason } = list.search
  const [adding, setAdding] = useState<{ email: string } | null>(null)
  const [lifting, setLifting] = useState<Suppression | null>(null)
  const query = useQuery({
    ...queryOf(listSuppressions, { query: { ...list.query, ...(state && { state }), ...(reason && { reason }) } }),
    placeholderData: keepPreviousData,
  })
  const forbidden = !mayChange && t('viewerMayNot')
  return (
    <>
      <ListPage<Suppression>
        title={t('suppressions.title')}
        description={t('suppressions.description')}
        headerActions={
          mayChange && (
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAdding({ email: '' })}>
              {t('suppressions.add')}
            </Button>
          )
        }
        list={list}
        query={query}
        searchPlaceholder={t('suppressions.search')}
        tabs={{
          param: 'state',
          label: t('suppressions.state'),
          items: [
            { value: 'in_force', label: t('suppressions.inForce') },
            { value: 'lifted', label: t('suppressions.lifted') },
          ],
        }}
        filters={
          <Select
            aria-label={t('suppressions.reason')}
            w={{ base: '100%', xs: 240 }}
            value={reason ?? ''}
            data={[
              { value: '', label: ui('labelled', { label: t('suppressions.reason'), value: t('any') }) },
              ...reasons.map((value) => ({ value, label: t(`suppressions.reasons.${value}`) })),
            ]}
            onChange={(value) => list.set({ reason: value || undefined })}
          />
        }
        columns={[
          {
            accessor: 'address',
            title: t('suppressions.address'),
            sortable: true,
            phone: 'title',
            render: (row) => (
              <>
                <Text span size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {row.address}
                </Text>
                {row.customer_id && (
                  <Text size="sm">
                    <TextLink to={paths.customer(row.customer_id)}>{row.customer_name || t('noName')}</TextLink>
                  </Text>
                )}
              </>
            ),
          },
          {
            accessor: 'state',
            title: t('suppressions.state'),
            width: 150,
            render: (row) =>
              row.lifted_at ? (
                <StatusBadge tone="neutral">{t('suppressions.lifted')}</StatusBadge>
              ) : (
                <StatusBadge tone="warning">{t('suppressions.inForce')}</StatusBadge>
              ),
          },
          {
            accessor: 'reason',
            title: t('suppressions.reason'),
            render: (row) => <Why row={row} />,
          },
          {
            accessor: 'created_at',
            title: t('suppressions.since'),
            sortable: true,
            width: 170,
            render: (row) => format.dateTime(row.created_at),
          },
        ]}
        rowName={(row) => row.address}
        rowActions={(row) => [
          row.lifted_at
            ? {
                label: t('suppressions.again'),
                disabledReason: forbidden,
                onClick: () => setAdding({ email: row.address }),
              }
            : { label: t('suppressions.lift'), disabledReason: forbidden, onClick: () => setLifting(row) },
        ]}
        empty={{ icon: IconMailOff, title: t('suppressions.emptyTitle'), text: t('suppressions.emptyText') }}
      />
      {adding && <Add email={adding.email} onClose={() => setAdding(null)} />}
      {lifting && <LiftSuppressionDialog row={lifting} onClose={() => setLifting(null)} />}
    </>
  )
}

function Why({ row }: { row: Suppression }) {
  const t = useWords('customers')
  const format = useFormat()
  const small = (text: ReactNode) => (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Text>
  )
  return (
    <>
      <Text size="sm">{t(`suppressions.reasons.${row.reason}`)}</Text>
      {row.detail && small(row.detail)}
      {row.proof && small(row.proof)}
      {row.added_by && small(t('suppressions.addedBy', { who: row.added_by }))}
      {row.lifted_at && small(t('suppressions.liftedAt', { time: format.dateTime(row.lifted_at) }))}
      {row.lifted_by && small(t('suppressions.liftedBy', { who: row.lifted_by, reason: row.lift_reason ?? '' }))}
    </>
  )
}

function Question(props: {
  title: string
  text: string
  form: EditForm
  confirmLabel: string
  onClose: () => void
  children: ReactNode
}) {
  const ui = useWords('ui')
  return (
    <Dialog opened onClose={props.onClose} title={props.title}>
      <Form onSubmit={() => props.form.submit()}>
        <Stack gap="md">
          <Text size="sm">{props.text}</Text>
          {props.children}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={props.onClose}>
              {ui('cancel')}
            </Button>
            <Button type="submit" loading={props.form.saving}>
              {props.confirmLabel}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  )
}

function Add({ email, onClose }: { email: string; onClose: () => void }) {
  const t = useWords('customers')
  const form = useEditForm({
    values: { email, detail: '' },
    schema: addSuppression.body,
    save: async (body) => {
      await call(addSuppression, { body })
      await refresh('consent', 'customers', 'segments')
    },
    onSaved: onClose,
  })
  return (
    <Question
      title={t('suppressions.addTitle')}
      text={t('suppressions.addBody')}
      form={form}
      confirmLabel={t('suppressions.add')}
      onClose={onClose}
    >
      <TextInput
        type="email"
        label={t('suppressions.address')}
        data-autofocus
        autoComplete="off"
        withAsterisk
        aria-required
        {...form.field('email')}
      />
      <TextInput label={t('suppressions.note')} autoComplete="off" maxLength={500} {...form.field('detail')} />
    </Question>
  )
}

/** Asks why mail may go there again. */
export function LiftSuppressionDialog({ row, onClose }: { row: Suppression; onClose: () => void }) {
  const t = useWords('customers')
  const form = useEditForm({
    values: { reason: '' },
    schema: liftSuppression.body,
    save: async (body) => {
      await call(liftSuppression, { params: { id: row.id }, body })
      await refresh('consent', 'customers', 'segments')
    },
    onSaved: onClose,
  })
  return (
    <Question
      title={t('suppressions.liftTitle', { address: row.address })}
      text={t('suppressions.liftBody')}
      form={form}
      confirmLabel={t('suppressions.lift')}
      onClose={onClose}
    >
      <TextInput
        label={t('suppressions.liftReason')}
        description={t('suppressions.liftReasonHelp')}
        data-autofocus
        autoComplete="off"
        withAsterisk
        aria-required
        maxLength={500}
        {...form.field('reason')}
      />
    </Question>
  )
}
