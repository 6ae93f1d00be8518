import { Checkbox, Group, Radio, Select, SimpleGrid, Stack, Table, Text, TextInput } from '@mantine/core'
import {
  fieldsOfApp,
  type ImportColumn,
  type ImportDelimiter,
  type ImportDetail,
  type ImportEncoding,
  type ImportField,
  type ImportOptions,
  type KnownValues,
} from '@okaeri/contract/imports/import'
import { changeImport, getImport, startImport } from '@okaeri/contract/imports/routes'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { queryClient, queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { ActionButton } from '../../ui/actions.tsx'
import { Card } from '../../ui/pages/detail-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'
import classes from './import-mapping.module.css'

const delimiters = { ',': 'comma', '\t': 'tab', ';': 'semicolon' } as const
const narrow: readonly ImportEncoding[] = ['utf-8', 'shift_jis']
const SHOWN_SAMPLES = 3
const SHOWN_CELL = 60
/** This many columns that are not imported are named. */
const NAMED = 8

function useChange({ id }: ImportDetail) {
  const key = queryOf(getImport, { params: { id } }).queryKey
  const show = (reply: { import: ImportDetail }) => queryClient.setQueryData(key, reply)
  const change = useAction(changeImport, { onDone: show })
  type Change = Parameters<typeof change.mutate>[0]['body']
  return { set: (body: Change) => change.mutate({ params: { id }, body }), show, changing: change.isPending }
}

interface PartProps {
  one: ImportDetail
  /** Every choice is saved at once, so that a reload shows it again. */
  set: ReturnType<typeof useChange>['set']
}

/** How an uploaded file is understood. */
export function ImportMapping({ one }: { one: ImportDetail }) {
  const { set, show, changing } = useChange(one)
  return (
    <>
      <Reading one={one} set={set} />
      <Columns one={one} set={set} />
      <Options one={one} set={set} changing={changing} onStarted={show} />
    </>
  )
}

/** The format of the file. */
function Reading({ one, set }: PartProps) {
  const t = useWords('imports')
  const { mayChange } = useMerchant()
  const encodings = one.encoding.startsWith('utf-16') ? [one.encoding] : [...new Set([one.encoding, ...narrow])]
  return (
    <Card title={t('reading.title')} wide>
      <Text size="sm" c="dimmed">
        {t('reading.text')}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
        <Select
          label={t('reading.encoding')}
          data={encodings.map((value) => ({ value, label: t(`reading.${value}`) }))}
          value={one.encoding}
          onChange={(value) => value && set({ encoding: value as ImportEncoding })}
          allowDeselect={false}
          disabled={!mayChange}
        />
        <Select
          label={t('reading.delimiter')}
          data={Object.entries(delimiters).map(([value, name]) => ({ value, label: t(`reading.${name}`) }))}
          value={one.delimiter}
          onChange={(value) => value && set({ delimiter: value as ImportDelimiter })}
          allowDeselect={false}
          disabled={!mayChange}
        />
        <Stack gap={4}>
          <Text size="sm" fw={600}>
            {t('reading.lineEnding')}
          </Text>
          <Text size="sm" py={6}>
            {one.line_ending.toUpperCase()}
          </Text>
        </Stack>
      </SimpleGrid>
      <Checkbox
        label={t('reading.header')}
        checked={one.has_header}
        onChange={(event) => set({ has_header: event.currentTarget.checked })}
        disabled={!mayChange}
      />
    </Card>
  )
}

/** Which column is what. */
function Columns({ one, set }: PartProps) {
  const t = useWords('imports')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const setColumn = (position: number, column: Pick<ImportColumn, 'field' | 'metafield'>) =>
    set({
      columns: one.columns.map(({ field, metafield }, at) => (at === position ? column : { field, metafield })),
    })
  const left = one.columns.flatMap(({ field, header }, at) =>
    field === null ? [header || t('mapping.noHeader', { number: at + 1 })] : [],
  )
  const more = left.length - NAMED
  return (
    <Card title={t('mapping.title')} wide>
      <Text size="sm" c="dimmed">
        {t('mapping.text')}
      </Text>
      {left.length > 0 && (
        <Notice title={t('mapping.left', { count: left.length, n: format.number(left.length) })}>
          {format.list([
            ...left.slice(0, NAMED),
            ...(more > 0 ? [t('mapping.leftMore', { n: format.number(more) })] : []),
          ])}
        </Notice>
      )}
      <Table verticalSpacing="sm" className={classes.columns}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('mapping.column')}</Table.Th>
            <Table.Th scope="col" w={280}>
              {t('mapping.field')}
            </Table.Th>
            <Table.Th scope="col">{t('mapping.samples')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {one.columns.map((column, position) => (
            <ColumnRow
              // Columns have no names of their own: two may be called the same.
              key={position}
              one={one}
              column={column}
              position={position}
              disabled={!mayChange}
              onChange={(changed) => setColumn(position, changed)}
            />
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

/** The options of the import, and its start button. */
function Options({
  one,
  set,
  changing,
  onStarted,
}: PartProps & { changing: boolean; onStarted: (reply: { import: ImportDetail }) => void }) {
  const t = useWords('imports')
  const { store, mayChange } = useMerchant()
  const start = useAction(startImport, { done: { message: t('started') }, onDone: onStarted })
  const setOptions = (options: Partial<ImportOptions>) => set({ options: { ...one.options, ...options } })
  return (
    <Card title={t('options.title')} wide>
      <Text size="sm" maw={720}>
        {t(`about.${one.app}`)}
      </Text>
      {one.app === 'customers' && (
        <>
          <Checkbox
            label={t('options.createUnknown')}
            description={t('options.createUnknownText')}
            checked={one.options.create_unknown}
            onChange={(event) => setOptions({ create_unknown: event.currentTarget.checked })}
            disabled={!mayChange}
          />
          <Radio.Group
            label={t('options.known')}
            value={one.options.known_values}
            onChange={(value) => setOptions({ known_values: value as KnownValues })}
          >
            <Group gap="lg" mt={6}>
              <Radio value="keep" label={t('options.keep')} disabled={!mayChange} />
              <Radio value="replace" label={t('options.replace')} disabled={!mayChange} />
            </Group>
          </Radio.Group>
          {store?.status === 'connected' && (
            <Text size="sm" c="dimmed" maw={720}>
              {t('options.store')}
            </Text>
          )}
        </>
      )}
      {one.problems.length > 0 && (
        <Notice tone="warning" title={t('problem.title')}>
          {one.problems.map((problem) => (
            <div key={problem}>{t(`problem.${problem}`)}</div>
          ))}
        </Notice>
      )}
      <div>
        <ActionButton
          action={{
            label: t('start'),
            icon: <IconPlayerPlay size={18} aria-hidden />,
            primary: true,
            busy: start.isPending || changing,
            onClick: () => start.mutate({ params: { id: one.id } }),
            disabledReason: !mayChange ? t('viewerMayNot') : one.problems[0] ? t(`problem.${one.problems[0]}`) : null,
          }}
        />
      </div>
    </Card>
  )
}

const SKIP = 'skip'

function ColumnRow({
  one,
  column,
  position,
  disabled,
  onChange,
}: {
  one: ImportDetail
  column: ImportColumn
  position: number
  disabled: boolean
  onChange: (column: Pick<ImportColumn, 'field' | 'metafield'>) => void
}) {
  const t = useWords('imports')
  const [metafield, setMetafield] = useState(column.metafield ?? '')
  const name = column.header || t('mapping.noHeader', { number: position + 1 })
  const label = t('mapping.fieldOf', { column: name })
  return (
    <Table.Tr>
      <Table.Td fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Table.Td>
      <Table.Td>
        <Stack gap={6}>
          <Select
            aria-label={label}
            data={[
              { value: SKIP, label: t('mapping.skip') },
              ...fieldsOfApp[one.app].map((value) => ({ value, label: t(`field.${value}`) })),
            ]}
            value={column.field ?? SKIP}
            onChange={(value) =>
              onChange({
                field: value === SKIP ? null : (value as ImportField),
                metafield: value === 'metafield' ? metafield : null,
              })
            }
            allowDeselect={false}
            searchable
            disabled={disabled}
          />
          {column.field === 'metafield' && (
            <TextInput
              aria-label={t('mapping.key')}
              placeholder="namespace.key"
              value={metafield}
              onChange={(event) => setMetafield(event.currentTarget.value)}
              onBlur={() => metafield !== column.metafield && onChange({ field: 'metafield', metafield })}
              disabled={disabled}
            />
          )}
        </Stack>
      </Table.Td>
      <Table.Td c="dimmed">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {one.sample
            .slice(0, SHOWN_SAMPLES)
            .map((row) => (row[position] ?? '').slice(0, SHOWN_CELL) || '—')
            .join(' · ')}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}
